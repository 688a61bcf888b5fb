// Table 1 of the paper: the faults that a static analysis of the simple rules reports, and those
// that happen.
//
// The paper's metrics, section 4.1. Faults_A-FSM are those that the static analysis reports for the
// simple rules; Faults_AM those that occur when all rules run.
//   real                       in both
//   potential false positive   in Faults_A-FSM only
//   false negative             in Faults_AM only, also where complex rules take part
//
// A fault has a kind, a state and rules: those that are triggered together, or the path. The
// paper's 164 races are more than there are paths, because each truth assignment to the seven
// conditions of the simple rules counts as one; so does a situation here, and one is real if the
// fault occurs in it in some run.

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "bench/common/table.h"
#include "bench/watch.h"
#include "bench/worlds/warehouse.h"
#include "poise/base/check.h"
#include "poise/check/check.h"
#include "poise/watch/input/feed.h"

namespace poise::bench {

namespace {

constexpr std::uint64_t kSeeds = 20;

// ---- What happens ----

// A variable of stock-tracker-simple.poise, and what it is in stock-tracker.poise.
struct Proposition {
  std::string_view simple;
  std::string_view query;
};
constexpr std::array kPropositions = {
    Proposition{"loading_rfid.pallet", "(exists t in T_load[last 60s]: t.whose == own)"},
    Proposition{"storage_rfid.pallet", "(exists t in T_stor: t.whose == own)"},
    Proposition{"loading_bay.arrived", "(exists r in R_load: r.status == down)"},
    Proposition{"loading_bay.gone", "(exists r in R_load: r.status == up)"},
    Proposition{"storage_bay.arrived", "(exists r in R_stor: r.status == down)"},
    Proposition{"storage_bay.gone", "(exists r in R_stor: r.status == up)"},
    Proposition{"control.proceed", "(exists c in C_stor: c.signal == go)"},
};
using Situation = std::array<bool, kPropositions.size()>;

model::QueryId query_called(const model::Model& model, std::string_view name) {
  for (const model::Variable& variable : model.variables) {
    if (variable.query && variable.name == name) return *variable.query;
  }
  POISE_CHECK(false);
}

// The full evaluator, which can also be asked after a line for the situation: which of the seven
// conditions hold.
class Observer final : public watch::Evaluator {
 public:
  Observer(const watch::WatchedModel& watched, const watch::Numbers& numbers)
      : inner_(watch::full_evaluator(watched, numbers)) {
    for (std::size_t i = 0; i < kPropositions.size(); ++i) {
      queries_[i] = query_called(watched.model(), kPropositions[i].query);
    }
  }

  void start(std::uint32_t instance) override { inner_->start(instance); }
  bool added(std::uint32_t instance, const watch::Instance& of, watch::CollectionId collection,
             const watch::Cell* element) override {
    return inner_->added(instance, of, collection, element);
  }
  bool removed(std::uint32_t instance, const watch::Instance& of, watch::CollectionId collection,
               const watch::Cell* element) override {
    return inner_->removed(instance, of, collection, element);
  }
  void entered(std::uint32_t instance, const watch::Instance& of) override {
    inner_->entered(instance, of);
  }
  void assigned(std::uint32_t instance, model::SlotId slot) override {
    inner_->assigned(instance, slot);
  }
  Truth truth(std::uint32_t instance, const watch::Instance& of, model::QueryId query) override {
    last_ = &of;
    return inner_->truth(instance, of, query);
  }

  // That of the only instance, about which a query must have been asked before.
  [[nodiscard]] Situation situation() {
    POISE_CHECK(last_ != nullptr);
    Situation now{};
    for (std::size_t i = 0; i < now.size(); ++i) {
      now[i] = inner_->truth(0, *last_, queries_[i]) == Truth::True;
    }
    return now;
  }

 private:
  std::unique_ptr<watch::Evaluator> inner_;
  std::array<model::QueryId, kPropositions.size()> queries_{};
  const watch::Instance* last_ = nullptr;
};

struct Observed {
  FaultCounts faults;
  // The situation after the line that led to the fault. Elements that leave windows before a line
  // cannot lead to a fault of simple rules: these only ever become satisfied by a new element.
  std::map<FaultName, std::set<Situation>> situations;
};

void observe(const model::Model& model, const Lines& lines, Observed& all) {
  Observer* observer = nullptr;
  watch::Monitor monitor(model, {}, [&](const auto& watched, const auto& numbers) {
    auto made = std::make_unique<Observer>(watched, numbers);
    observer = made.get();
    return made;
  });
  watch::Feed feed(model, monitor);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto said = feed.read(i + 1, lines[i]);
    POISE_CHECK(said.has_value());
    for (const watch::Occurrence& what : *said) {
      const FaultName fault = fault_name(model, what);
      ++all.faults[fault];
      all.situations[fault].insert(observer->situation());
    }
  }
}

Observed observed(const model::Model& model) {
  Observed all;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    observe(model, warehouse_run({.seed = seed, .transports = 50}).lines, all);
  }
  return all;
}

// ---- What is reported ----

constexpr std::array kKinds = {finding::FaultKind::Nondeterminism, finding::FaultKind::Race,
                               finding::FaultKind::Cycle};

FaultName fault_name(const model::Model& model, const finding::Fault& fault) {
  FaultName name{std::string(finding::name(fault.kind)), model.states[fault.state].name, {}};
  for (const model::RuleId rule : fault.rules) name.rules.push_back(model.rules[rule].name);
  return name;
}

bool is_in(const model::Model& model, const finding::Condition& when, const Situation& situation) {
  const auto matches = [&](const finding::Literal& literal) {
    const std::string atom = finding::to_text(model, {{literal.atom, true}});
    const auto known = std::ranges::find(kPropositions, atom, &Proposition::simple);
    POISE_CHECK(known != kPropositions.end());
    return situation[static_cast<std::size_t>(known - kPropositions.begin())] == literal.holds;
  };
  using Literals = std::vector<finding::Literal>;
  if (when.form == finding::Condition::Form::AnyOfConjunctions) {
    return std::ranges::any_of(
        when.parts, [&](const Literals& part) { return std::ranges::all_of(part, matches); });
  }
  return std::ranges::all_of(
      when.parts, [&](const Literals& part) { return std::ranges::any_of(part, matches); });
}

// Compares one kind of fault in one report with what happened.
struct Compared {
  std::size_t reported = 0;
  std::size_t real = 0;
  std::size_t missed = 0;

  [[nodiscard]] std::vector<std::string> cells() const {
    return {grouped(reported), grouped(real), grouped(reported - real), grouped(missed)};
  }
};

struct Comparison {
  Compared faults;
  Compared situations;  // missed: the same
};

Comparison compared(const model::Model& model, const check::Report& report, finding::FaultKind kind,
                    const Observed& observed, bool simple) {
  Comparison sum;
  std::set<FaultName> reported;
  for (const finding::Fault& fault : report.faults) {
    if (fault.kind != kind) continue;
    const FaultName name = fault_name(model, fault);
    reported.insert(name);
    const auto seen = observed.situations.find(name);
    sum.faults.real += std::size_t{seen != observed.situations.end()};
    if (!simple) continue;
    POISE_CHECK(fault.when.has_value());
    sum.situations.reported += static_cast<std::size_t>(fault.situations.to_int64());
    if (seen == observed.situations.end()) continue;
    sum.situations.real += static_cast<std::size_t>(std::ranges::count_if(
        seen->second, [&](const Situation& now) { return is_in(model, *fault.when, now); }));
  }
  sum.faults.reported = reported.size();
  for (const auto& [fault, times] : observed.faults) {
    sum.faults.missed +=
        std::size_t{fault.kind == finding::name(kind) && !reported.contains(fault)};
  }
  sum.situations.missed = sum.faults.missed;
  return sum;
}

struct Approach {
  std::string_view name;
  std::string_view file;
  bool simple;  // its variables are the propositions
};
constexpr Approach kApproaches[] = {
    {"check, simple rules (A-FSM)", "/stock-tracker-simple.poise", true},
    {"check, simple rules, plates as they are", "/stock-tracker-bays.poise", true},
    {"check, all rules", "/stock-tracker.poise", false},
};

void add_rows(Table& table, const Approach& approach, const std::string& examples,
              const Observed& observed) {
  const model::Model model = model_from(examples + std::string(approach.file));
  // Simple rules: without those that lead to energy_saving it is not reachable.
  const check::Report report =
      check::run(model, {.show = approach.simple ? check::Show::All : check::Show::Reachable,
                         .only = {kKinds.begin(), kKinds.end()},
                         .count = approach.simple ? check::Count::All : check::Count::Visited,
                         .paths = std::nullopt});
  POISE_CHECK(report.extent.complete);
  for (const finding::FaultKind kind : kKinds) {
    const Comparison sum = compared(model, report, kind, observed, approach.simple);
    const auto add = [&](std::string_view unit, const Compared& what) {
      std::vector<std::string> row = {std::string(approach.name), std::string(finding::name(kind)),
                                      std::string(unit)};
      std::ranges::move(what.cells(), std::back_inserter(row));
      table.add(std::move(row));
    };
    if (approach.simple) add("situations", sum.situations);
    add("faults", sum.faults);
  }
}

}  // namespace

bool print_table1(const std::string& examples) {
  const model::Model stock = model_from(examples + "/stock-tracker.poise");
  const Observed all = observed(stock);
  fmt::print(
      "## Table 1\n\nThe stock tracker: what `check` reports, and what happens in {} runs of 50 "
      "transports. A fault is a kind, a state and rules; a situation is a fault with a truth "
      "assignment to the seven conditions of the simple rules, which is what the paper counts.\n\n",
      kSeeds);
  Table table({"approach", "kind", "counted", "reported", "real", "potential false positives",
               "false negatives"});
  for (const Approach& approach : kApproaches) add_rows(table, approach, examples, all);
  for (const finding::FaultKind kind : kKinds) {
    const auto seen = static_cast<std::size_t>(std::ranges::count(
        all.faults, finding::name(kind), [](const auto& row) { return row.first.kind; }));
    table.add({"watch, all rules (AM)", std::string(finding::name(kind)), "faults", grouped(seen),
               grouped(seen), "0", "0"});
  }
  table.print();
  fmt::print("What happened:\n\n");
  print_faults(all.faults);
  return true;
}

}  // namespace poise::bench
