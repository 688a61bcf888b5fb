#include "poise/shake/mutants/equivalence.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "poise/base/check.h"
#include "poise/base/parallel.h"
#include "poise/shake/mutants/distinguishable.h"

namespace poise::shake {

namespace {

constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 32)) * 0x9e3779b97f4a7c15;
  return bits ^ (bits >> 29);
}

std::uint64_t hash_of(std::span<const double> row) {
  std::uint64_t hash = 0x243f6a8885a308d3;
  // Adding 0 makes -0 the 0 that it is equal to.
  for (const double number : row) {
    hash = (hash ^ mixed(std::bit_cast<std::uint64_t>(number + 0.0))) * 0xff51afd7ed558ccd;
  }
  return mixed(hash);
}

// A hash table from things to numbers, with open addressing, at most half full. It keeps hashes and
// numbers only; the caller compares things with equal hashes.
class Places {
 public:
  // The number of a thing; kNobody if it is new, and then the caller must fill it in.
  template <class Equal>
  std::uint32_t* find(std::uint64_t hash, const Equal& equal) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    for (std::size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[i];
      if (slot.value == kNobody) {
        slot.hash = hash;
        ++count_;
        return &slot.value;
      }
      if (slot.hash == hash && equal(slot.value)) return &slot.value;
    }
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t value = kNobody;
  };
  void grow() {
    std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
    for (const Slot& slot : old) {
      if (slot.value == kNobody) continue;
      std::size_t i = slot.hash & (slots_.size() - 1);
      while (slots_[i].value != kNobody) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  std::size_t count_ = 0;
  std::vector<Slot> slots_ = std::vector<Slot>(64);
};

// Rows without duplicates, numbered in the order in which they came.
class Interned {
 public:
  explicit Interned(Rows& rows) : rows_(rows) {}

  struct Found {
    std::uint32_t index;
    bool is_new;
  };
  Found add(std::span<const double> row) {
    std::uint32_t* place = places_.find(
        hash_of(row), [&](std::uint32_t other) { return std::ranges::equal(rows_[other], row); });
    if (*place != kNobody) return {*place, false};
    POISE_CHECK(rows_.count < kNobody);
    *place = static_cast<std::uint32_t>(rows_.count++);
    rows_.values.insert(rows_.values.end(), row.begin(), row.end());
    return {*place, true};
  }

 private:
  Rows& rows_;
  Places places_;
};

std::span<const double> stepped(StatefulSubject& subject, std::span<const double> context) {
  const Result<std::span<const double>> variant = subject.step(context);
  POISE_CHECK(variant.has_value());  // only programs of the user fail, and they have no state()
  return *variant;
}

// The search for one mutant, breadth first. A pair is a state of the original and one of the
// mutant. Nearly always both are equal; such pairs need only a bit for each state of the original,
// and only the others are interned.
class Lockstep {
 public:
  Lockstep(const Explored& original, StatefulSubject& mutant, const EquivalenceOptions& options)
      : original_(original), mutant_(mutant), options_(options), other_(others_) {}

  Verdict verdict() {
    mutant_.reset();
    others_.width = mutant_.state().size();
    comparable_ = others_.width == original_.state(0).size();
    together_.assign(original_.states(), false);
    add(0, mutant_.state(), kNobody, 0);
    std::size_t steps = 0;
    for (std::size_t at = 0; at < pairs_.size(); ++at) {
      const Pair pair = pairs_[at];
      steps += original_.contexts().size();
      const bool too_much = pairs_.size() > options_.most_pairs || steps > options_.most_steps;
      if (pair.original >= original_.explored() || too_much) {
        return {.kind = Verdict::Kind::Undecided, .flow = {}, .pairs = pairs_.size()};
      }
      // A copy: adding states may move those that there are.
      state_.assign(state_of(pair).begin(), state_of(pair).end());
      for (std::size_t context = 0; context < original_.contexts().size(); ++context) {
        mutant_.restore(state_);
        const std::span<const double> variant = stepped(mutant_, original_.values()[context]);
        const std::uint32_t next = original_.next(pair.original, context);
        if (!same(variant, original_.variant(next))) {
          return {.kind = Verdict::Kind::Killable,
                  .flow = flow_to(at, context),
                  .pairs = pairs_.size()};
        }
        add(next, mutant_.state(), static_cast<std::uint32_t>(at),
            static_cast<std::uint32_t>(context));
      }
    }
    return {.kind = Verdict::Kind::Equivalent, .flow = {}, .pairs = pairs_.size()};
  }

 private:
  struct Pair {
    std::uint32_t original;
    std::uint32_t mutant;   // its state among others_; kNobody: the same state as the original
    std::uint32_t from;     // the pair from which this one was reached; kNobody: the first
    std::uint32_t context;  // with which it was reached
  };

  [[nodiscard]] std::span<const double> state_of(const Pair& pair) const {
    return pair.mutant == kNobody ? original_.state(pair.original) : others_[pair.mutant];
  }

  void add(std::uint32_t original, std::span<const double> state, std::uint32_t from,
           std::uint32_t context) {
    if (comparable_ && std::ranges::equal(state, original_.state(original))) {
      if (together_[original]) return;
      together_[original] = true;
      pairs_.push_back({original, kNobody, from, context});
      return;
    }
    const std::uint32_t mutant = other_.add(state).index;
    const std::uint64_t key = mixed(std::uint64_t{original} << 32 | mutant);
    std::uint32_t* place = apart_.find(key, [&](std::uint32_t pair) {
      return pairs_[pair].original == original && pairs_[pair].mutant == mutant;
    });
    if (*place != kNobody) return;
    *place = static_cast<std::uint32_t>(pairs_.size());
    pairs_.push_back({original, mutant, from, context});
  }

  [[nodiscard]] Flow flow_to(std::size_t pair, std::size_t context) const {
    Flow flow = {original_.contexts()[context]};
    for (; pairs_[pair].from != kNobody; pair = pairs_[pair].from) {
      flow.push_back(original_.contexts()[pairs_[pair].context]);
    }
    std::ranges::reverse(flow);
    return flow;
  }

  const Explored& original_;
  StatefulSubject& mutant_;
  EquivalenceOptions options_;
  bool comparable_ = false;  // states of both have the same length
  Rows others_;              // states of the mutant that differ from the original's
  Interned other_;           // the numbers of others_
  std::vector<Pair> pairs_;
  std::vector<bool> together_;  // by state of the original: the pair of equal states was seen
  Places apart_;                // the numbers in pairs_ of pairs of different states
  std::vector<double> state_;
};

}  // namespace

Explored::Explored(StatefulSubject& original, const Grid& grid, std::vector<Instance> contexts,
                   const ExploreOptions& options)
    : contexts_(std::move(contexts)), values_(contexts_of(grid, contexts_)) {
  original.reset();
  states_.width = original.state().size();
  variants_.width = original.fields().size();
  Interned known(states_);
  const auto add = [&](std::span<const double> variant) {
    const Interned::Found found = known.add(original.state());
    if (found.is_new) {
      variants_.values.insert(variants_.values.end(), variant.begin(), variant.end());
      ++variants_.count;
    }
    return found.index;
  };
  add(original.variant());
  std::vector<double> state;
  std::size_t steps = 0;
  for (; explored_ < states_.count; ++explored_) {
    steps += contexts_.size();
    if (steps > options.most_steps) break;
    state.assign(states_[explored_].begin(), states_[explored_].end());
    for (std::size_t context = 0; context < contexts_.size(); ++context) {
      original.restore(state);
      next_.push_back(add(stepped(original, values_[context])));
    }
  }
}

Verdict verdict_of(const Explored& original, StatefulSubject& mutant,
                   const EquivalenceOptions& options) {
  return Lockstep(original, mutant, options).verdict();
}

std::vector<Verdict> verdicts_of(const Explored& original, std::size_t mutants,
                                 const StatefulMaker& mutant, const EquivalenceOptions& options) {
  std::vector<Verdict> verdicts(mutants);
  for_each_index(mutants, options.jobs, [&](std::size_t index) {
    const std::unique_ptr<StatefulSubject> subject = mutant(index);
    verdicts[index] = verdict_of(original, *subject, options);
  });
  return verdicts;
}

// Mutants with a faulty sensor tell more contexts apart than others, and mostly differ within a few
// ticks. So they are decided by themselves, at first with 16 states of the original only; those
// that are then undecided, with all states.
std::vector<Verdict> equivalence(const model::Model& model, std::span<const Mutant> mutants,
                                 const Grid& grid, const ProgramMaker& program,
                                 const EquivalenceOptions& options) {
  std::vector<Verdict> verdicts(mutants.size());
  const auto decide = [&](const std::vector<std::size_t>& which, std::size_t most_states) {
    std::vector<const Mutant*> chosen;
    for (const std::size_t i : which) chosen.push_back(&mutants[i]);
    std::optional<std::vector<Instance>> contexts = distinguishable(model, chosen, grid);
    if (!contexts || chosen.empty()) return;  // undecided
    const std::size_t most_steps =
        std::min(options.most_steps, most_states * std::max<std::size_t>(contexts->size(), 1));
    const std::unique_ptr<StatefulSubject> original = program(nullptr);
    const Explored explored(*original, grid, *std::move(contexts), {.most_steps = most_steps});
    const auto mutant = [&](std::size_t i) { return program(chosen[i]); };
    std::vector<Verdict> found = verdicts_of(explored, chosen.size(), mutant, options);
    for (std::size_t i = 0; i < which.size(); ++i) verdicts[which[i]] = std::move(found[i]);
  };
  constexpr std::size_t kFew = 16;
  constexpr std::size_t kAny = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::size_t> usual;
  std::vector<std::size_t> patched;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const SensorFault& sensor = mutants[i].sensor;
    (sensor.permutation.empty() && sensor.scale.empty() ? usual : patched).push_back(i);
  }
  decide(usual, kAny);
  decide(patched, kFew);
  std::erase_if(patched,
                [&](std::size_t i) { return verdicts[i].kind != Verdict::Kind::Undecided; });
  decide(patched, kAny);
  return verdicts;
}

}  // namespace poise::shake
