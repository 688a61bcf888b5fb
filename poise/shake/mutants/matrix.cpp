#include "poise/shake/mutants/matrix.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include "poise/base/check.h"
#include "poise/base/parallel.h"

namespace poise::shake {

namespace {

// A set of small numbers.
class Bits {
 public:
  explicit Bits(std::size_t size) : words_((size + 63) / 64) {}

  void insert(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  [[nodiscard]] bool contains(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  [[nodiscard]] bool empty() const {
    return std::ranges::all_of(words_, [](std::uint64_t word) { return word == 0; });
  }
  [[nodiscard]] std::size_t count() const {
    std::size_t sum = 0;
    for (const std::uint64_t word : words_) sum += static_cast<std::size_t>(std::popcount(word));
    return sum;
  }
  [[nodiscard]] std::size_t count_in(const Bits& other) const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      sum += static_cast<std::size_t>(std::popcount(words_[i] & other.words_[i]));
    }
    return sum;
  }
  [[nodiscard]] bool is_part_of(const Bits& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & ~other.words_[i]) != 0) return false;
    }
    return true;
  }
  [[nodiscard]] Bits without(const Bits& other) const {
    Bits rest = *this;
    for (std::size_t i = 0; i < words_.size(); ++i) rest.words_[i] &= ~other.words_[i];
    return rest;
  }
  friend auto operator<=>(const Bits&, const Bits&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

// A smallest set of flows that kills every mutant (a set cover). Greedy first: always the flow that
// kills most of the mutants that are left. Then branch and bound: one of the flows that kill the
// mutant with the fewest such flows must be in the set, so each of them is tried. The bound: no
// flow kills more of the n mutants left than the best one, k, so at least n/k more flows are
// needed.
class Cover {
 public:
  Cover(const std::vector<Bits>& flows_of, std::size_t flows, std::size_t attempts)
      : flows_of_(flows_of), attempts_(attempts) {
    kills_.assign(flows, Bits(flows_of.size()));
    for (std::size_t mutant = 0; mutant < flows_of.size(); ++mutant) {
      for (std::size_t flow = 0; flow < flows; ++flow) {
        if (flows_of[mutant].contains(flow)) kills_[flow].insert(mutant);
      }
    }
  }

  EnoughFlows smallest() {
    Bits left(flows_of_.size());
    for (std::size_t mutant = 0; mutant < flows_of_.size(); ++mutant) left.insert(mutant);
    best_ = greedy(left);
    std::vector<std::size_t> chosen;
    search(left, chosen);
    std::ranges::sort(best_);
    return {std::move(best_), attempts_ > 0};
  }

 private:
  [[nodiscard]] std::vector<std::size_t> greedy(Bits left) const {
    std::vector<std::size_t> chosen;
    while (!left.empty()) {
      std::size_t best = 0;
      std::size_t most = 0;
      for (std::size_t flow = 0; flow < kills_.size(); ++flow) {
        const std::size_t count = kills_[flow].count_in(left);
        if (count <= most) continue;
        most = count;
        best = flow;
      }
      POISE_CHECK(most > 0);
      chosen.push_back(best);
      left = left.without(kills_[best]);
    }
    return chosen;
  }

  void search(const Bits& left, std::vector<std::size_t>& chosen) {
    if (left.empty()) {
      if (chosen.size() < best_.size()) best_ = chosen;
      return;
    }
    if (attempts_ == 0) return;
    --attempts_;
    std::size_t most = 0;
    for (const Bits& kills : kills_) most = std::max(most, kills.count_in(left));
    const std::size_t needed = (left.count() + most - 1) / most;
    if (chosen.size() + needed >= best_.size()) return;
    std::optional<std::size_t> hardest;
    for (std::size_t mutant = 0; mutant < flows_of_.size(); ++mutant) {
      if (!left.contains(mutant)) continue;
      if (!hardest || flows_of_[mutant].count() < flows_of_[*hardest].count()) hardest = mutant;
    }
    for (std::size_t flow = 0; flow < kills_.size(); ++flow) {
      if (!flows_of_[*hardest].contains(flow)) continue;
      chosen.push_back(flow);
      search(left.without(kills_[flow]), chosen);
      chosen.pop_back();
    }
  }

  const std::vector<Bits>& flows_of_;  // by mutant
  std::vector<Bits> kills_;            // by flow
  std::vector<std::size_t> best_;
  std::size_t attempts_;
};

}  // namespace

KillMatrix kill_matrix(std::span<const Contexts> flows, std::span<const Trace> expected,
                       std::size_t mutants, const SubjectMaker& mutant,
                       const MatrixOptions& options) {
  POISE_CHECK(flows.size() == expected.size());
  KillMatrix matrix{.mutants = mutants, .flows = flows.size(), .ticks = {}};
  matrix.ticks.assign(mutants * flows.size(), KillMatrix::kSurvived);
  for_each_index(mutants, options.jobs, [&](std::size_t index) {
    const std::unique_ptr<Subject> subject = mutant(index);
    for (std::size_t flow = 0; flow < flows.size(); ++flow) {
      const auto tick = first_difference(*subject, flows[flow], expected[flow]);
      if (tick) matrix.ticks[index * flows.size() + flow] = static_cast<std::uint32_t>(*tick);
    }
  });
  return matrix;
}

Analysis analysis_of(const KillMatrix& matrix, const AnalysisOptions& options) {
  Analysis analysis;
  std::vector<Bits> flows_of(matrix.mutants, Bits(matrix.flows));
  for (std::size_t mutant = 0; mutant < matrix.mutants; ++mutant) {
    for (std::size_t flow = 0; flow < matrix.flows; ++flow) {
      if (matrix.kills(mutant, flow)) flows_of[mutant].insert(flow);
    }
    const std::size_t count = flows_of[mutant].count();
    analysis.kills.push_back(count);
    if (count > 0) ++analysis.killed;
    if (count > 0 && count == matrix.flows) ++analysis.killed_by_all;
  }

  std::map<Bits, std::vector<std::size_t>> by_signature;
  std::vector<std::size_t> firsts;  // of each signature
  for (std::size_t mutant = 0; mutant < matrix.mutants; ++mutant) {
    if (analysis.kills[mutant] == 0) {
      analysis.signature.push_back(KillMatrix::kSurvived);
      continue;
    }
    std::vector<std::size_t>& members = by_signature[flows_of[mutant]];
    if (members.empty()) firsts.push_back(mutant);
    members.push_back(mutant);
    analysis.signature.push_back(members.size() == 1 ? analysis.signatures++
                                                     : analysis.signature[members.front()]);
  }
  for (const auto& [flows, members] : by_signature) {
    if (members.size() == 1) ++analysis.unique_signatures;
  }

  // Mutants with the fewest flows first: a later one never subsumes an earlier one.
  std::ranges::stable_sort(firsts, {}, [&](std::size_t mutant) { return analysis.kills[mutant]; });
  analysis.subsumed_by.assign(matrix.mutants, std::nullopt);
  std::vector<std::size_t> kept;
  for (const std::size_t mutant : firsts) {
    const auto by = std::ranges::find_if(
        kept, [&](std::size_t other) { return flows_of[other].is_part_of(flows_of[mutant]); });
    if (by == kept.end()) {
      kept.push_back(mutant);
    } else {
      analysis.subsumed_by[mutant] = *by;
    }
  }
  for (const auto& [flows, members] : by_signature) {
    const std::size_t first = members.front();
    for (const std::size_t mutant : members) {
      if (mutant != first)
        analysis.subsumed_by[mutant] = analysis.subsumed_by[first].value_or(first);
    }
  }

  std::ranges::sort(kept);
  std::vector<Bits> hard;
  for (const std::size_t mutant : kept) hard.push_back(flows_of[mutant]);
  analysis.minimal = Cover(hard, matrix.flows, options.most_attempts).smallest();
  return analysis;
}

bool is_killed(const KillMatrix& matrix, std::size_t mutant) {
  for (std::size_t flow = 0; flow < matrix.flows; ++flow) {
    if (matrix.kills(mutant, flow)) return true;
  }
  return false;
}

double mutation_score(const KillMatrix& matrix, const std::vector<bool>& equivalent) {
  POISE_CHECK(equivalent.size() == matrix.mutants);
  std::size_t killable = 0;
  std::size_t killed = 0;
  for (std::size_t mutant = 0; mutant < matrix.mutants; ++mutant) {
    if (equivalent[mutant]) continue;
    ++killable;
    if (is_killed(matrix, mutant)) ++killed;
  }
  return killable == 0 ? 1 : static_cast<double>(killed) / static_cast<double>(killable);
}

std::vector<GroupKills> kills_by_group(const KillMatrix& matrix, std::span<const Mutant> mutants,
                                       const std::vector<bool>& equivalent) {
  POISE_CHECK(mutants.size() == matrix.mutants && equivalent.size() == matrix.mutants);
  std::vector<GroupKills> result;
  for (const MutantGroup group : kMutantGroups) {
    GroupKills kills{.group = group};
    for (std::size_t mutant = 0; mutant < matrix.mutants; ++mutant) {
      if (mutants[mutant].group != group) continue;
      ++kills.mutants;
      if (is_killed(matrix, mutant)) ++kills.killed;
      if (equivalent[mutant]) ++kills.equivalent;
    }
    if (kills.mutants > 0) result.push_back(kills);
  }
  return result;
}

}  // namespace poise::shake
