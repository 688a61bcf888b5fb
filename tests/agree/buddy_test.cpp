// Our decision diagrams against BuDDy's, on random formulas over many variables: truth tables would
// be too large. BuDDy counts in doubles, which are exact up to 2 to the 53rd, so there are at most
// 50 variables. Our order of the variables is random, BuDDy's is that of their numbers.

#include <algorithm>
#include <utility>
#include <vector>

#include <bdd.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/boolean/diagram.h"

namespace poise::boolean {
namespace {

constexpr int kVariables = 50;

// BuDDy's state is global.
class Buddy : public testing::Environment {
 public:
  void SetUp() override {
    bdd_init(200'000, 20'000);
    bdd_setvarnum(kVariables);
    bdd_gbc_hook(nullptr);
  }
  void TearDown() override { bdd_done(); }
};

const testing::Environment* const kBuddy =
    testing::AddGlobalTestEnvironment(new Buddy);  // gtest deletes it

struct Both {
  Node ours;
  bdd theirs;
};

class Formulas {
 public:
  explicit Formulas(std::uint64_t seed) : random(seed) {
    for (int i = 0; i < kVariables; ++i) {
      variables.push_back(
          i == 0 || random.coin()
              ? arena.add_variable()
              : arena.add_variable_behind(variables[random.below(static_cast<std::uint64_t>(i))]));
    }
    // A formula reads variables that are near each other in both orders, else diagrams explode.
    spread = 4 + random.below(9);
  }

  Both literal() {
    const std::size_t level = first + random.below(spread);
    const Variable variable = arena.order()[std::min<std::size_t>(level, kVariables - 1)];
    const int bit = bit_of(variable);
    const bool holds = random.coin();
    return {arena.literal(variable, holds), holds ? bdd_ithvarpp(bit) : bdd_nithvarpp(bit)};
  }

  Both formula(int depth) {
    if (depth == 0) return literal();
    const Both a = formula(depth - 1);
    const Both b = formula(depth - 1 - static_cast<int>(random.below(2)) * (depth > 1 ? 1 : 0));
    switch (random.below(7)) {
      case 0: return {arena.negation(a.ours), !a.theirs};
      case 1:
      case 2: return {arena.conjunction(a.ours, b.ours), a.theirs & b.theirs};
      case 3:
      case 4: return {arena.disjunction(a.ours, b.ours), a.theirs | b.theirs};
      case 5: return {arena.equivalence(a.ours, b.ours), bdd_biimp(a.theirs, b.theirs)};
      default: return {arena.difference(a.ours, b.ours), bdd_apply(a.theirs, b.theirs, bddop_diff)};
    }
  }

  // Formulas on several parts of the order, joined.
  Both joined() {
    Both all = anywhere();
    for (std::uint64_t more = random.below(4); more > 0; --more) {
      const Both next = anywhere();
      all = random.coin() ? Both{arena.conjunction(all.ours, next.ours), all.theirs & next.theirs}
                          : Both{arena.disjunction(all.ours, next.ours), all.theirs | next.theirs};
    }
    return all;
  }

  Both anywhere() {
    first = random.below(kVariables);
    return formula(4 + static_cast<int>(random.below(4)));
  }

  [[nodiscard]] int bit_of(Variable variable) const {
    return static_cast<int>(std::ranges::find(variables, variable) - variables.begin());
  }

  void expect_same(const Both& both) {
    ASSERT_FALSE(arena.gave_up());
    EXPECT_EQ(both.ours == kFalse, both.theirs == bddfalsepp);
    EXPECT_EQ(both.ours == kTrue, both.theirs == bddtruepp);
    const std::vector<bool> all(kVariables + 1, true);
    const Integer count = arena.count(both.ours, all);
    ASSERT_TRUE(count.fits_int64());
    EXPECT_EQ(count.to_int64(), static_cast<std::int64_t>(bdd_satcount(both.theirs)));
    EXPECT_EQ(arena.support(both.ours).size(),
              static_cast<std::size_t>(both.theirs == bddfalsepp || both.theirs == bddtruepp
                                           ? 0
                                           : bdd_nodecount(bdd_support(both.theirs))));
  }

  Arena arena;
  Random random;
  std::vector<Variable> variables;  // by BuDDy's number
  std::size_t spread = 0;
  std::size_t first = 0;
};

TEST(Buddy, AgreesOnSatisfiabilityAndCounts) {
  int constant = 0;
  std::size_t nodes = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Formulas formulas(seed);
    SCOPED_TRACE(seed);
    const Both a = formulas.joined();
    const Both b = formulas.joined();
    formulas.expect_same(a);
    formulas.expect_same(b);
    EXPECT_EQ(formulas.arena.meet(a.ours, b.ours), (a.theirs & b.theirs) != bddfalsepp);
    EXPECT_EQ(formulas.arena.implies(a.ours, b.ours), bdd_imp(a.theirs, b.theirs) == bddtruepp);
    EXPECT_EQ(a.ours == b.ours, a.theirs == b.theirs);
    if (testing::Test::HasFailure()) return;
    if (formulas.arena.is_constant(a.ours)) ++constant;
    nodes += formulas.arena.size_of(a.ours);
  }
  // They are worth comparing.
  EXPECT_LT(constant, 100);
  EXPECT_GT(nodes, 400U * 10);
}

TEST(Buddy, AgreesOnChoicesProjectionsAndCompositions) {
  for (std::uint64_t seed = 1000; seed < 1300; ++seed) {
    Formulas formulas(seed);
    SCOPED_TRACE(seed);
    Arena& arena = formulas.arena;
    const Both a = formulas.joined();
    const Both b = formulas.anywhere();
    const Both c = formulas.anywhere();
    formulas.expect_same(
        {arena.choice(a.ours, b.ours, c.ours), bdd_ite(a.theirs, b.theirs, c.theirs)});
    std::vector<bool> kept(kVariables + 1, false);
    bdd dropped = bddtruepp;
    for (int bit = 0; bit < kVariables; ++bit) {
      const Variable variable = formulas.variables[static_cast<std::size_t>(bit)];
      kept[variable] = formulas.random.coin();
      if (!kept[variable]) dropped &= bdd_ithvarpp(bit);
    }
    formulas.expect_same({arena.projection(a.ours, kept), bdd_exist(a.theirs, dropped)});
    std::vector<Node> replacements(kVariables + 1, Arena::kUnchanged);
    const Variable variable = formulas.variables[formulas.random.below(kVariables)];
    replacements[variable] = b.ours;
    formulas.expect_same({arena.composition(a.ours, replacements),
                          bdd_compose(a.theirs, b.theirs, formulas.bit_of(variable))});
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace poise::boolean
