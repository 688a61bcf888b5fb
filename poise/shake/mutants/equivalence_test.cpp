#include "poise/shake/mutants/equivalence.h"

#include <array>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/shake/mutants/mutants.h"
#include "poise/shake/subjects/hand_made_test.h"
#include "poise/shake/subjects/reference.h"

namespace poise::shake {
namespace {

// A machine with a table: from state and context to state, and a variant for each state.
struct MachineTable {
  std::vector<std::array<int, 3>> next;
  std::vector<double> variant;
};

class Machine final : public StatefulSubject {
 public:
  // A machine may keep its state in several numbers.
  explicit Machine(MachineTable table, std::size_t width = 1)
      : table_(std::move(table)), state_(width, 0) {
    reset();
  }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] const Variant& variant() const override { return variant_; }
  void reset() override { show(0); }
  Result<std::span<const double>> step(std::span<const double> context) override {
    show(table_.next[static_cast<std::size_t>(state_[0])][static_cast<std::size_t>(context[0])]);
    return std::span<const double>(variant_);
  }
  [[nodiscard]] std::vector<std::string> acted() const override { return {}; }
  [[nodiscard]] std::span<const double> state() const override { return state_; }
  void restore(std::span<const double> state) override { show(static_cast<int>(state[0])); }

 private:
  void show(int state) {
    state_[0] = state;
    variant_ = {table_.variant[static_cast<std::size_t>(state)]};
  }
  MachineTable table_;
  std::vector<double> state_;
  std::vector<Field> fields_ = {{.name = "v"}};
  Variant variant_ = {0};
};

const Grid kGrid = {.properties = {{.name = "x", .values = {0, 1, 2}}}, .constraints = {}};
const std::vector<Instance> kContexts = {{0}, {1}, {2}};

// Counts up on 1, down on 0, up to a limit; shows an alarm from a number on.
MachineTable counter(int limit, int alarm) {
  MachineTable table;
  for (int i = 0; i <= limit; ++i) {
    table.next.push_back({std::max(i - 1, 0), std::min(i + 1, limit), i});
    table.variant.push_back(i >= alarm ? 1 : 0);
  }
  return table;
}

Verdict verdict(const MachineTable& original, const MachineTable& mutant, std::size_t width = 1,
                const EquivalenceOptions& options = {}) {
  Machine first(original);
  Machine second(mutant, width);
  return verdict_of(Explored(first, kGrid, kContexts), second, options);
}

TEST(Equivalence, FindsAShortestFlowThatKills) {
  const Verdict found = verdict(counter(9, 5), counter(9, 6));
  EXPECT_EQ(found.kind, Verdict::Kind::Killable);
  EXPECT_EQ(found.flow, Flow(5, {1}));
}

TEST(Equivalence, IsShownWhereNoFlowKills) {
  // Nobody sees how far it counts beyond the alarm, but it takes longer to come back.
  EXPECT_EQ(verdict(counter(9, 5), counter(9, 5)).kind, Verdict::Kind::Equivalent);
  EXPECT_EQ(verdict(counter(5, 5), counter(6, 5)).flow.size(), 7u);
  EXPECT_EQ(verdict(counter(5, 6), counter(9, 10)).kind, Verdict::Kind::Equivalent);
  EXPECT_EQ(verdict(counter(5, 6), counter(9, 10), 3).kind, Verdict::Kind::Equivalent)
      << "states of another length";
}

TEST(Equivalence, IsUndecidedWhereABoundIsReached) {
  EXPECT_EQ(verdict(counter(9, 5), counter(9, 5), 1, {.most_pairs = 4}).kind,
            Verdict::Kind::Undecided);
  EXPECT_EQ(verdict(counter(9, 5), counter(9, 5), 1, {.most_steps = 10}).kind,
            Verdict::Kind::Undecided);
  Machine original(counter(9, 5));
  Machine mutant(counter(9, 5));
  Machine wrong(counter(9, 2));
  const Explored part(original, kGrid, kContexts, {.most_steps = 12});
  EXPECT_FALSE(part.is_complete());
  EXPECT_EQ(verdict_of(part, mutant).kind, Verdict::Kind::Undecided);
  EXPECT_EQ(verdict_of(part, wrong).kind, Verdict::Kind::Killable) << "before the bound";
}

MachineTable random_table(std::size_t states, Random& random) {
  MachineTable table;
  for (std::size_t i = 0; i < states; ++i) {
    table.next.push_back({});
    for (int& next : table.next.back()) next = static_cast<int>(random.below(states));
    table.variant.push_back(static_cast<double>(random.below(2)));
  }
  return table;
}

// All flows of a length, shortest first; machines with n and m states differ within n * m steps, so
// what no flow of that length kills is equivalent.
std::optional<std::size_t> shortest_kill(const MachineTable& a, const MachineTable& b,
                                         std::size_t most) {
  for (std::size_t length = 1; length <= most; ++length) {
    std::size_t count = 1;
    for (std::size_t i = 0; i < length; ++i) count *= 3;
    for (std::size_t number = 0; number < count; ++number) {
      Flow flow;
      for (std::size_t rest = number; flow.size() < length; rest /= 3) {
        flow.push_back({static_cast<Index>(rest % 3)});
      }
      Machine first(a);
      Machine second(b);
      if (first_difference(trace_of(first, kGrid, flow), trace_of(second, kGrid, flow))) {
        return length;
      }
    }
  }
  return std::nullopt;
}

TEST(Equivalence, AgreesWithBruteForce) {
  Random random(11);
  int equivalent = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    const MachineTable original = random_table(3, random);
    MachineTable mutant = original;
    if (repeat % 2 == 0) {
      mutant.next[random.below(3)][random.below(3)] = static_cast<int>(random.below(3));
    } else {
      mutant.variant[random.below(3)] = static_cast<double>(random.below(2));
    }
    const Verdict found = verdict(original, mutant);
    // Two machines of three states are one of six: a difference shows after five steps at most.
    const std::optional<std::size_t> brute = shortest_kill(original, mutant, 6);
    ASSERT_EQ(found.kind == Verdict::Kind::Killable, brute.has_value());
    EXPECT_EQ(found.flow.size(), brute.value_or(0));
    if (!brute) ++equivalent;
  }
  EXPECT_GT(equivalent, 10);
}

TEST(Equivalence, IsTheSameForAnyNumberOfThreads) {
  Machine original(counter(9, 5));
  const Explored explored(original, kGrid, kContexts);
  const auto mutant = [](std::size_t i) -> std::unique_ptr<StatefulSubject> {
    return std::make_unique<Machine>(counter(9, static_cast<int>(i)));
  };
  const auto one = verdicts_of(explored, 10, mutant, {.jobs = 1});
  const auto many = verdicts_of(explored, 10, mutant, {.jobs = 4});
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(one[i].kind, many[i].kind);
    EXPECT_EQ(one[i].flow, many[i].flow);
    EXPECT_EQ(one[i].kind == Verdict::Kind::Equivalent, i == 5);
  }
}

// A policy without history, of whole numbers and truths: its state is its variables. Going back to
// a state makes a policy that starts there, which is slow and plain.
class Restarted final : public StatefulSubject {
 public:
  Restarted(model::Model model, const Grid& grid, SensorFault sensor = {}, TermFault terms = {})
      : model_(std::move(model)),
        grid_(grid),
        sensor_(std::move(sensor)),
        terms_(std::move(terms)) {
    reset();
  }
  [[nodiscard]] const std::vector<Field>& fields() const override { return policy_->fields(); }
  [[nodiscard]] const Variant& variant() const override { return policy_->variant(); }
  void reset() override {
    policy_ = std::make_unique<ReferencePolicy>(model_, grid_, sensor_, terms_);
  }
  Result<std::span<const double>> step(std::span<const double> context) override {
    return policy_->step(context);
  }
  [[nodiscard]] std::vector<std::string> acted() const override { return policy_->acted(); }
  [[nodiscard]] std::span<const double> state() const override { return policy_->variant(); }
  void restore(std::span<const double> state) override {
    model::Model there = model_;
    for (std::size_t i = 0; const model::SlotId slot : variant_slots(model_)) {
      there.variables[there.slots[slot].variable].initial = {static_cast<std::int64_t>(state[i++])};
    }
    policy_ = std::make_unique<ReferencePolicy>(std::move(there), grid_, sensor_, terms_);
  }

 private:
  model::Model model_;
  const Grid& grid_;
  SensorFault sensor_;
  TermFault terms_;
  std::unique_ptr<ReferencePolicy> policy_;
};

TEST(Equivalence, DecidesMutantsOfAPolicy) {
  using model::PolicyOp;
  PolicyMaker maker;
  const auto load = maker.whole("load", 0, 9);
  maker.term(load, "low", model::Shape::Kind::Ramp, {"5", "2"});
  maker.term(load, "high", model::Shape::Kind::Ramp, {"4", "7"});
  const auto servers = maker.variant(maker.whole("servers", 0, 3), "1");
  const auto sum = [&](std::string_view by) {
    return maker.make(PolicyOp::Add, {maker.read(servers), maker.constant(by)});
  };
  const auto grow = maker.option("grow", servers, sum("1"), maker.useful("0.6"));
  // It stops at 0 anyway: that the number of servers is asked for makes no difference.
  maker.option("shrink", servers, sum("-1"),
               maker.make(PolicyOp::And, {maker.below(load, "3"), maker.above(servers, "0")}));
  maker.prefer(grow, 2, maker.is(load, 1));
  maker.prefer(grow, 0, maker.is(load, 0));
  const Grid grid = digits(maker.model, load);
  const std::vector<Mutant> mutants = mutants_of(maker.model, grid);
  const auto program = [&](const Mutant* mutant) -> std::unique_ptr<StatefulSubject> {
    if (mutant == nullptr) return std::make_unique<Restarted>(maker.model, grid);
    return std::make_unique<Restarted>(mutant->model, grid, mutant->sensor, mutant->terms);
  };
  const std::vector<Verdict> verdicts = equivalence(maker.model, mutants, grid, program);

  Random random(5);
  int equivalent = 0;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    Restarted original(maker.model, grid);
    const auto mutant = program(&mutants[i]);
    const auto killed_at = [&](const Flow& flow) {
      return first_difference(trace_of(original, grid, flow), trace_of(*mutant, grid, flow));
    };
    if (verdicts[i].kind == Verdict::Kind::Killable) {
      EXPECT_EQ(killed_at(verdicts[i].flow), verdicts[i].flow.size() - 1) << mutants[i].id;
      continue;
    }
    EXPECT_EQ(verdicts[i].kind, Verdict::Kind::Equivalent) << mutants[i].id;
    ++equivalent;
    for (int repeat = 0; repeat < 20; ++repeat) {
      Flow flow;
      for (int tick = 0; tick < 30; ++tick) flow.push_back({static_cast<Index>(random.below(10))});
      EXPECT_EQ(killed_at(flow), std::nullopt) << mutants[i].description;
    }
  }
  EXPECT_GE(equivalent, 2);
  EXPECT_GT(mutants.size(), 20u);
}

}  // namespace
}  // namespace poise::shake
