#include "poise/rank/occasions.h"

#include <algorithm>
#include <cstring>

namespace poise::rank {

using model::StateId;

namespace {

// Looks at states and firings, in all. Situations that come up later are not tried any more.
constexpr std::size_t kMostTries = 2'000'000;

}  // namespace

std::uint32_t Occasions::rest(Application& at_rest) {
  const AtomBits& atoms = at_rest.atoms();
  std::string key(atoms.size() * sizeof(std::uint64_t), '\0');
  std::memcpy(key.data(), atoms.data(), key.size());
  const auto [found, is_new] =
      known_.try_emplace(std::move(key), static_cast<std::uint32_t>(moments_.size()));
  if (!is_new) return found->second;
  Moment moment;
  tries_ += rulebook_.model.states.size();
  if (tries_ <= kMostTries) {
    for (const StateId state : rulebook_.model.states.ids()) {
      if (!at_rest.leaves(state)) moment.resting.push_back(state);
    }
  }
  moments_.push_back(std::move(moment));
  return found->second;
}

void Occasions::try_all_states(Moment& moment, const Application& there) {
  moment.tried = true;
  tries_ += rulebook_.model.states.size();
  if (tries_ > kMostTries) return;
  for (const StateId state : rulebook_.model.states.ids()) {
    Application other = there.in(state);
    const auto ignored = other.run([&](const Incident& what) {
      IncidentKey key = key_of(what);
      const auto [found, is_new] =
          known_incidents_.try_emplace(key, static_cast<std::uint32_t>(incidents_.size()));
      if (is_new) incidents_.push_back(std::move(key));
      moment.shown.emplace_back(state, found->second);
    });
    static_cast<void>(ignored);  // a run that is too long shows what it has shown until then
    tries_ += other.firings() - there.firings();
  }
}

void Occasions::change(std::uint32_t from, Application& changed) {
  const std::uint32_t to = rest(changed);
  if (from == to) return;
  if (!moments_[to].tried) try_all_states(moments_[to], changed);
  ++changes_;
  ++pairs_[{from, to}];
  ++moments_[from].left;
  ++moments_[from].left_in[changed.state().index];
  ++in_state_[changed.state().index];
}

std::unordered_map<std::uint32_t, double> Occasions::likely_states(const Moment& from) const {
  const auto share = [&](StateId state) {
    return static_cast<double>(in_state_[state.index]) + 0.5;
  };
  double all = 0;
  for (const StateId state : from.resting) all += share(state);
  std::unordered_map<std::uint32_t, double> likely;
  for (const StateId state : from.resting) {
    const auto found = from.left_in.find(state.index);
    const double times = found == from.left_in.end() ? 0 : static_cast<double>(found->second);
    likely[state.index] = (times + share(state) / all) / (static_cast<double>(from.left) + 1);
  }
  return likely;
}

std::vector<double> Occasions::expected(const CaseIndex& index, std::size_t cases) const {
  std::vector<std::optional<std::uint32_t>> case_of;
  for (const IncidentKey& key : incidents_) case_of.push_back(index.find(key));
  std::vector<double> expected(cases);
  std::unordered_map<std::uint32_t, double> likely;
  std::optional<std::uint32_t> last;
  for (const auto& [change, times] : pairs_) {  // sorted: those of one beginning in a row
    if (last != change.first) likely = likely_states(moments_[change.first]);
    last = change.first;
    for (const auto& [state, incident] : moments_[change.second].shown) {
      const auto found = likely.find(state.index);
      if (!case_of[incident] || found == likely.end()) continue;
      expected[*case_of[incident]] += static_cast<double>(times) * found->second;
    }
  }
  return expected;
}

}  // namespace poise::rank
