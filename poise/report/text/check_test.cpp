#include "poise/report/text/check.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "poise/base/text.h"
#include "tests/support/office_model.h"

namespace poise::report {
namespace {

using finding::Fault;
using finding::FaultKind;
using model::Model;

Fault cycle() {
  return {.kind = FaultKind::Cycle,
          .state = test::kIdle,
          .rules = {test::kEnter, test::kLeave},
          .situations = 1,
          .when = finding::Condition{{{test::kAtOffice, true}, {test::kHasPhone, true}}},
          .witness = test::at_the_office()};
}

Fault same_cycle_from_work() {
  Fault fault = cycle();
  fault.state = test::kWork;
  fault.rules = {test::kLeave, test::kEnter};
  return fault;
}

Fault dead_rule() {
  return {.kind = FaultKind::DeadRule,
          .state = test::kIdle,
          .rules = {test::kLate},
          .cause = finding::DeadCause::Shadowed,
          .by = {test::kEnter},
          .witness = test::at_the_office()};
}

check::Report with(std::vector<Fault> faults) {
  check::Report report;
  report.size = {.states = 3, .rules = 4, .atoms = 3, .situations = Integer(12)};
  report.faults = std::move(faults);
  return report;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(CheckText, ShowsTheMostSeriousFirstAndACommonCoreOnce) {
  check::Report report = with({dead_rule(), cycle(), same_cycle_from_work()});
  report.treatments = {
      {.fault = 1,
       .outcome = finding::Treatment::Outcome::Cured,
       .cure = finding::Cure{
           .kind = finding::Cure::Kind::Priority, .rules = {test::kEnter}, .priority = 3}}};
  EXPECT_EQ(check_text(test::office_model(), report),
            R"(Office (office.poise): 3 states, 4 rules, 3 atoms, 12 situations

2 cycles into 1 loop: rules set off one another without end, while nothing around changes
  Idle ─Enter→ Work ─Leave→ Idle ↺  and 1 more way from Work
    when  place == office and bt has phone (1 situation)
    e.g.  place = office, bt = {phone}, gps.on = false
    at    office.poise:11 Enter, :12 Leave
    cure  give Enter priority 3

1 dead rule: never triggered, whatever the context
  Idle ─Late→ Away
    loses to Enter (priority 2) whenever it holds
    e.g.  place = office, gps.on = false
    at    office.poise:14 Late, :11 Enter
    hint  make it stronger than Enter, or narrow the guards of the rules that win

Office: 2 cycles, 1 dead rule in 3 states and 4 rules
)");
}

TEST(CheckText, GivesTheSameAdviceAtEveryWidth) {
  const auto advice = [](std::size_t width) {
    const std::string text =
        check_text(test::office_model(), with({dead_rule()}), {.width = width});
    const std::size_t start = text.find("    hint");
    std::string words;
    for (const char c : text.substr(start, text.find("\n\n", start) - start)) {
      const bool blank = c == ' ' || c == '\n';
      if (!blank || !words.ends_with(' ')) words += blank ? ' ' : c;
    }
    return words;
  };
  EXPECT_EQ(advice(200),
            " hint make it stronger than Enter, or narrow the guards of the rules that win");
  EXPECT_EQ(advice(50), advice(200));
  EXPECT_EQ(advice(1), advice(200));
}

TEST(CheckText, IsOneLineWhenQuiet) {
  TextOptions options;
  options.detail = Detail::Summary;
  EXPECT_EQ(check_text(test::office_model(), with({cycle()}), options),
            "Office: 1 cycle in 3 states and 4 rules\n");
}

TEST(CheckText, SaysWhatIsProvedWhenNothingIsFound) {
  EXPECT_EQ(check_text(test::office_model(), with({})),
            "Office: nothing found in 3 states and 4 rules: every run ends, no choice is left to "
            "chance, no rule sets off another, every state can be reached, every state with rules "
            "can be left and every rule can fire\n");
  TextOptions options;
  options.kinds = {FaultKind::Cycle};
  EXPECT_EQ(check_text(test::office_model(), with({}), options),
            "Office: nothing found in 3 states and 4 rules: in every state that can be reached, "
            "every run ends\n");
  options.scope = Scope::AllStates;
  options.ignored = {"priorities"};
  EXPECT_EQ(check_text(test::office_model(), with({}), options),
            "Office: nothing found in 3 states and 4 rules, priorities ignored: every run ends\n");
}

TEST(CheckText, ClaimsNothingWhenALimitStoppedTheRun) {
  check::Report report = with({});
  report.extent.complete = false;
  report.extent.stopped = "the time limit was reached";
  const std::string text = check_text(test::office_model(), report);
  EXPECT_TRUE(contains(text, "\nIncomplete: the time limit was reached. What is listed is true;"));
  EXPECT_TRUE(contains(text, "Office: nothing found in 3 states and 4 rules (incomplete"));
  EXPECT_FALSE(contains(text, "every run ends"));
}

TEST(CheckText, SaysThatThereAreMorePaths) {
  check::Report report = with({cycle()});
  report.extent.complete = false;
  report.more_cycles = true;
  const std::string text = check_text(test::office_model(), report);
  EXPECT_TRUE(
      contains(text, "There are more cycles than the shortest, which are listed: 1. --paths all"));
  EXPECT_TRUE(contains(text, "Office: at least 1 cycle in"));
}

TEST(CheckText, ListsUnstableRulesWherePathsWereNotAsked) {
  check::Report report = with({});
  report.unstable = {
      {.state = test::kIdle, .rule = test::kEnter, .to = test::kWork, .situations = Integer(1)}};
  TextOptions options;
  EXPECT_FALSE(contains(check_text(test::office_model(), report, options), "unstable"));
  options.paths = Paths::NotAsked;
  const std::string text = check_text(test::office_model(), report, options);
  EXPECT_TRUE(contains(text, "\n1 unstable rule: "));
  EXPECT_TRUE(contains(text, "\n  Idle ─Enter→ Work (1 situation)  office.poise:11\n"));
  EXPECT_TRUE(contains(text, "Office: 1 unstable rule in 3 states"));
}

TEST(CheckText, SaysThatConstraintsContradictEachOther) {
  Model model = test::office_model();
  const model::FormulaId never = model.formulas.add({.op = model::Op::False});
  model.constraints.add({.condition = never, .at = {.line = 9, .column = 1}});
  check::Report report = with({dead_rule()});
  report.size.situations = Integer(0);
  const std::string text = check_text(model, report);
  EXPECT_TRUE(contains(text, "The constraints contradict each other"));
  EXPECT_TRUE(contains(text, "(office.poise:9)"));
  EXPECT_FALSE(contains(text, "cure"));
}

TEST(CheckText, SaysWhyAStateIsUnreachable) {
  const Fault away{.kind = FaultKind::UnreachableState, .state = test::kAway, .reachable = false};
  const std::string text = check_text(test::office_model(), with({away}));
  EXPECT_TRUE(contains(text,
                       "  Away\n    why   Walk is dead in Idle and Late is dead in Idle\n"
                       "    at    office.poise:8 state Away, :13 Walk, :14 Late\n"));
}

TEST(CheckText, MarksFaultsThatCannotBeReached) {
  Fault fault = cycle();
  fault.reachable = false;
  EXPECT_TRUE(contains(check_text(test::office_model(), with({fault})),
                       "↺  (in a state that cannot be reached)\n"));
}

TEST(CheckText, GivesAShareOnlyWhereItIsOne) {
  TextOptions options;
  options.counted = Counted::OverAllAtoms;
  EXPECT_TRUE(
      contains(check_text(test::office_model(), with({cycle()}), options), "(1 of 12 situations)"));
}

TEST(CheckText, GroupsTheDigitsOfLargeFigures) {
  check::Report report = with({cycle()});
  report.size.situations = Integer::power(10, 7);
  EXPECT_TRUE(contains(check_text(test::office_model(), report), "10,000,000 situations"));
}

TEST(CheckText, KeepsToTheWidth) {
  TextOptions options;
  options.width = 60;
  Model model = test::office_model();
  model.states[test::kWork].name = "WorkingSomewhereInTheOfficeOfTheCompany";
  model.rules[test::kLeave].name = "LeaveTheOfficeForTheWayHome";
  const std::string text =
      check_text(model, with({cycle(), same_cycle_from_work(), dead_rule()}), options);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    EXPECT_LE(display_width(text.substr(begin, end - begin)), 60U)
        << text.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST(CheckText, HasItsSummaryInOneLineWhereNoWidthIsAskedFor) {
  const std::string text = check_text(test::office_model(), with({}));
  EXPECT_GT(display_width(text), 100U);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
}

TEST(CheckText, ColoursOnlyWhenAsked) {
  TextOptions options;
  EXPECT_FALSE(contains(check_text(test::office_model(), with({cycle()}), options), "\x1b["));
  options.color = diag::Color::Yes;
  EXPECT_TRUE(contains(check_text(test::office_model(), with({cycle()}), options), "\x1b[1;31m"));
}

TEST(CheckText, DoesNotFloodTheReader) {
  std::vector<Fault> faults;
  Model model = test::office_model();
  for (int i = 0; i < 30; ++i) {
    const model::StateId state = model.states.add({.name = "S" + std::to_string(i)});
    faults.push_back({.kind = FaultKind::UnreachableState, .state = state, .reachable = false});
  }
  EXPECT_TRUE(contains(check_text(model, with(faults)),
                       "… and 10 more like these; --only unreachable-state --format json"));
}

}  // namespace
}  // namespace poise::report
