#include "poise/rank/domain.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "poise/check/cases.h"
#include "poise/model/cells.h"
#include "tests/support/models.h"

namespace poise::rank {
namespace {

using test::example;
using test::model_of;

using finding::Case;

std::vector<std::string> texts(const model::Model& model) {
  std::vector<std::string> found;
  const Result<std::vector<Exclusion>> pairs = exclusions(model, Budget());
  for (const Exclusion& exclusion : *pairs) {
    found.push_back(to_text(model, exclusion));
  }
  return found;
}

using Texts = std::vector<std::string>;

// A state that looks at all conditions.
std::string with(const std::string& senses, const std::vector<std::string>& conditions) {
  std::string text = senses + " state A initial, B";
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    text += " rule r" + std::to_string(i) + ": A -> B when " + conditions[i];
  }
  return text;
}

TEST(Exclusions, AreTheFourOfFigure4) {
  const std::string n = "sense n : int 0..9";
  EXPECT_EQ(texts(model_of(with(n, {"n < 3", "n > 5"}))), (Texts{"not (n < 3 and n > 5)"}));
  EXPECT_EQ(texts(model_of(with(n, {"n < 3", "n < 5"}))), (Texts{"n < 3 implies n < 5"}));
  EXPECT_EQ(texts(model_of(with(n, {"n < 5", "n < 3"}))), (Texts{"n < 3 implies n < 5"}));
  EXPECT_EQ(texts(model_of(with(n, {"n < 5", "n > 3"}))), (Texts{"n < 5 or n > 3"}));
  EXPECT_EQ(texts(model_of(with(n, {"n < 5", "n >= 5"}))),
            (Texts{"n < 5 or n >= 5", "not (n < 5 and n >= 5)"}));
}

TEST(Exclusions, SayOnceWhatNeverHolds) {
  EXPECT_EQ(texts(model_of(with("sense n : int 0..9", {"n > 9", "n > 5", "n >= 0"}))),
            (Texts{"not n > 9", "n >= 0"}));
}

TEST(Exclusions, ComeFromGuardsOfOneSource) {
  EXPECT_EQ(
      texts(model_of(with("sense gps.on : bool sense gps.home : bool if gps.on sense b : bool",
                          {"gps.on", "gps.home", "b"}))),
      (Texts{"gps.home implies gps.on"}));
}

TEST(Exclusions, OfDifferentSourcesAreNotLookedFor) {
  EXPECT_TRUE(
      texts(model_of(with("sense a.x : int 0..9 sense b.x : int 0..9", {"a.x > 5", "b.x > 5"})))
          .empty());
}

TEST(Exclusions, OfPhoneAdapterAreThoseOfThePaper) {
  EXPECT_EQ(texts(example("phone-adapter-ranked")),
            (Texts{"not (gps.place == home and gps.place == office)",
                   "gps.speed > 70 implies gps.speed > 5", "clock >= 690 implies clock >= 600"}));
}

struct Figures {
  std::size_t reported = 0;
  std::size_t by_pairs = 0;
  std::size_t exactly = 0;
};

Figures figures(const model::Model& model) {
  check::Options options;
  options.show = check::Show::All;
  options.count = check::Count::Start;
  const check::Report exact = check::run(model, options);
  const check::Cases possible = check::cases(model, options, exact.faults, 1'000'000);
  options.constraints = check::Constraints::Ignored;
  const check::Report report = check::run(model, options);
  const check::Cases found = check::cases(model, options, report.faults, 1'000'000);
  const Result<std::vector<Exclusion>> pairs = exclusions(model, Budget());
  const auto by_pair = pruned_by_pairs(found.cases, *pairs);
  const auto matches = possible_cases({report.faults, found.cases}, {exact.faults, possible.cases});
  Figures figures;
  figures.reported = found.cases.size();
  for (std::size_t i = 0; i < found.cases.size(); ++i) {
    if (by_pair[i]) {
      ++figures.by_pairs;
      EXPECT_FALSE(matches[i]);
    }
    if (!matches[i]) ++figures.exactly;
  }
  EXPECT_EQ(possible.cases.size(), figures.reported - figures.exactly);
  return figures;
}

TEST(Pruning, OfPhoneAdapterLeaves633Of784) {
  const Figures found = figures(example("phone-adapter-ranked"));
  EXPECT_EQ(found.reported, 784U);
  EXPECT_EQ(found.by_pairs, 151U);
  EXPECT_EQ(found.exactly, 151U);
}

// One fault would need home and park at once, on its way: no pair of its own situation.
TEST(Pruning, OfTaskerLeaves194Of587ByPairsAnd193Exactly) {
  const Figures found = figures(example("tasker"));
  EXPECT_EQ(found.reported, 587U);
  EXPECT_EQ(found.by_pairs, 393U);
  EXPECT_EQ(found.exactly, 394U);
}

}  // namespace
}  // namespace poise::rank
