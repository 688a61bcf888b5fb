#include "poise/verify/odds/conjunctions.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace poise::verify {

namespace {

// Connected components: all rows that are related to the first one by shared noise, repeatedly.
std::vector<Rows> factors_of(Rows left) {
  std::vector<Rows> factors;
  while (!left.empty()) {
    Rows related = {left.front()};
    std::set<std::size_t> noise;
    left.erase(left.begin());
    for (std::size_t i = 0; i < related.size(); ++i) {
      for (const AffineRow::Term& term : related[i]->noise) {
        if (!noise.insert(term.index).second) continue;
        const auto reads = [&](const AffineRow* row) {
          return std::ranges::find(row->noise, term.index, &AffineRow::Term::index) !=
                 row->noise.end();
        };
        std::ranges::copy_if(left, std::back_inserter(related), reads);
        std::erase_if(left, reads);
      }
    }
    factors.push_back(std::move(related));
  }
  return factors;
}

}  // namespace

std::optional<std::vector<Conjunction>> conjunctions_of(const IndependentPart& part,
                                                        std::size_t most) {
  std::vector<Conjunction> made;
  for (std::size_t branch = 0; branch < part.branches.size(); ++branch) {
    std::vector<Rows> all = {{}};
    for (const PartStage& stage : part.branches[branch].stages) {
      if (stage.is_certain()) continue;
      std::vector<Rows> longer;
      for (const Rows& one : all) {
        for (const std::vector<AffineRow>& way : stage.ways) {
          longer.push_back(one);
          for (const AffineRow& row : way) longer.back().push_back(&row);
        }
      }
      all = std::move(longer);
      if (all.size() + made.size() > most) return std::nullopt;
    }
    for (const Rows& rows : all) {
      Conjunction one{branch, {}, {}};
      Rows noisy;
      for (const AffineRow* row : rows) (row->noise.empty() ? one.certain : noisy).push_back(row);
      one.factors = factors_of(std::move(noisy));
      made.push_back(std::move(one));
    }
  }
  return made;
}

}  // namespace poise::verify
