#include "poise/shake/shake.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "poise/shake/covering/coverage.h"
#include "poise/shake/flows/deviations.h"
#include "poise/shake/flows/hints.h"
#include "poise/shake/flows/metrics.h"
#include "poise/shake/flows/realism.h"
#include "poise/shake/mutants/equivalence.h"
#include "poise/shake/mutants/matrix.h"
#include "poise/shake/mutants/subject_of.h"
#include "poise/shake/oracle/expectations.h"
#include "poise/shake/oracle/shrink.h"
#include "poise/shake/subjects/machine.h"
#include "poise/shake/subjects/trace.h"

namespace poise::shake {

namespace {

constexpr std::size_t kListedMissing = 20;
constexpr std::size_t kUsualFlows = 100;
constexpr std::size_t kUsualLength = 60;
constexpr std::size_t kLongest = 100'000;
// Flows that are long get fewer: as many as have this many ticks together, but no fewer than these.
constexpr std::size_t kUsualTicks = 200'000;
constexpr std::size_t kFewFlows = 20;
// How many flows shrinking executes: of a program so many, else as many as have so many ticks.
constexpr std::size_t kProgramExecutions = 400;
constexpr std::size_t kShrinkExecutions = 20'000;
constexpr std::size_t kShrinkTicks = 1'200'000;

// ---- References ----

// The grid for a reference. It has the same properties, but slots and symbols have other numbers in
// the reference's model.

Result<Grid> grid_for(const model::Model& reference, const model::Model& model, const Grid& grid) {
  Grid own = grid;
  for (Property& property : own.properties) {
    if (!property.slot) continue;
    const model::Slot& slot = model.slots[*property.slot];
    const model::Variable& variable = model.variables[slot.variable];
    const auto same = std::ranges::find_if(reference.variables, [&](const model::Variable& other) {
      return !other.own && other.name == variable.name && other.type.kind == variable.type.kind &&
             other.slot_count == variable.slot_count;
    });
    if (same == reference.variables.end()) {
      return failure(fmt::format("the reference does not sense `{}`", variable.name));
    }
    property.slot = model::SlotId{same->first_slot.index + slot.member};
    if (variable.type.kind != model::TypeKind::Enum) continue;
    // Labels are numbers of symbols.
    for (std::size_t i = 0; i < property.values.size(); ++i) {
      const auto member =
          std::ranges::find_if(same->type.members, [&](const model::SymbolId symbol) {
            return reference.symbols[symbol] == property.texts[i];
          });
      if (member == same->type.members.end()) {
        return failure(
            fmt::format("in the reference `{}` is never {}", variable.name, property.texts[i]));
      }
      property.values[i] = member->index;
    }
  }
  return own;
}

Result<void> compare_fields(const std::vector<Field>& fields, const std::vector<Field>& others) {
  const bool same = std::ranges::equal(fields, others, [](const Field& a, const Field& b) {
    return a.name == b.name && a.kind == b.kind && a.symbols == b.symbols;
  });
  if (same) return {};
  return failure("the reference decides about other variants");
}

// ---- A flow and its outcome ----

struct Happened {
  Trace trace;
  std::set<std::size_t> preferred = {};         // preferences whose degree was ever more than 0
  std::vector<std::vector<std::string>> acted;  // by tick
  // The first tick and field that was assigned a number out of its range. The trace does not show
  // it, because policies clamp.
  std::optional<std::pair<std::size_t, std::size_t>> beyond;
};

Happened happened_in(Subject& subject, const Grid& grid, const Flow& flow) {
  Happened result;
  subject.reset();
  result.trace.initial = subject.variant();
  result.trace.variants.width = subject.fields().size();
  const auto* machine = dynamic_cast<const PolicyMachine*>(&subject);
  const std::size_t preferences = machine != nullptr ? machine->preferences() : 0;
  for (std::size_t tick = 0; tick < flow.size(); ++tick) {
    const Result<std::span<const double>> variant = subject.step(values_of(grid, flow[tick]));
    if (!variant) {
      result.trace.ended = variant.error();
      break;
    }
    Rows& rows = result.trace.variants;
    rows.values.insert(rows.values.end(), variant->begin(), variant->end());
    ++rows.count;
    result.acted.push_back(subject.acted());
    for (std::size_t i = 0; i < preferences; ++i) {
      if (machine->degree(i) > 0) result.preferred.insert(i);
    }
    if (machine != nullptr && machine->out_of_bounds() && !result.beyond) {
      result.beyond = {tick, *machine->out_of_bounds()};
    }
  }
  return result;
}

Variant variant_at(const Trace& trace, std::size_t tick) {
  const std::span<const double> row = trace[tick];
  return {row.begin(), row.end()};
}

std::vector<Variant> variants_of(const Trace& trace) {
  std::vector<Variant> variants;
  for (std::size_t tick = 0; tick < trace.ticks(); ++tick) {
    variants.push_back(variant_at(trace, tick));
  }
  return variants;
}

FlowFacts facts_of(const ContextSpace& space, const Flow& flow) {
  FlowFacts facts;
  facts.profiles = earthquake_profiles(space, flow);
  facts.oscillation = oscillation(space, flow);
  facts.hold = longest_dwell(space, flow);
  facts.cell = shape_of(space, flow).cell();
  for (const Instance& instance : flow) facts.distances.push_back(space.from_origin(instance));
  for (const StepKind kind : step_kinds(space, flow)) {
    facts.steps.push_back(static_cast<std::uint8_t>(kind));
    facts.violent += std::size_t{kind == StepKind::Violent};
    facts.smooth += std::size_t{kind == StepKind::Smooth};
  }
  return facts;
}

// A failure in one flow. Those of the same kind and expectation are reported as one.
struct Wrong {
  Failing::Kind kind = Failing::Kind::Expectation;
  std::optional<model::ExpectationId> expectation;
  std::size_t tick = 0;
  std::string text;
  [[nodiscard]] bool is_same_as(const Wrong& other) const {
    return kind == other.kind && expectation == other.expectation;
  }
};

class Shaking {
 public:
  Shaking(const Task& task, const Options& options, Report& report)
      : task_(task), options_(options), report_(report), budget_(options.limits) {}

  Result<void> prepare() {
    search_ = options_.search;
    if (search_.length == kAutomatic) search_.length = automatic_length(task_.model.policy);
    if (search_.flows == kAutomatic) {
      search_.flows = std::clamp(kUsualTicks / search_.length, kFewFlows, kUsualFlows);
    }
    Grid grid = grid_of(task_.model, options_.values);
    if (grid.properties.empty()) {
      return failure("nothing is sensed, so there is nothing to shake");
    }
    if (!origin_of(grid)) return failure("no context satisfies the constraints");
    searched_ = grid;
    for (const KeptFailure& quake : options_.quakes) {
      Result<Replay> replay = replay_of(quake, grid);
      if (!replay) return Failure(replay.error());
      grid = std::move(replay->grid);
      quakes_.push_back(std::move(replay->flow));
    }
    report_.grid = std::move(grid);
    subject_ = task_.program ? task_.program(report_.grid) : subject_of(task_.model, report_.grid);
    report_.fields = subject_->fields();
    report_.subject = task_.program ? "program" : task_.model.policy.empty() ? "rules" : "policy";
    report_.tick = to_double(task_.model.policy.tick);
    if (task_.reference != nullptr) {
      Result<Grid> theirs = grid_for(*task_.reference, task_.model, report_.grid);
      if (!theirs) return Failure(theirs.error());
      reference_grid_ = std::move(*theirs);
      reference_ = subject_of(*task_.reference, reference_grid_);
      if (auto same = compare_fields(report_.fields, reference_->fields()); !same) return same;
    }
    expectations_.emplace(task_.model, report_.grid, report_.fields);
    judged_.resize(task_.model.policy.expectations.size());
    return {};
  }

  void shake() {
    report_.generator = std::string(name_of(search_.generator));
    report_.seed = search_.seed;
    report_.instances = valid_instances(searched_);
    make_flows();
    const ContextSpace space(report_.grid, search_.thresholds);
    for (std::size_t i = 0; i < quakes_.size() && goes_on(); ++i) {
      look_at(quakes_[i], report_.flows.size() + i);
    }
    std::set<std::string> acted;
    std::set<std::size_t> preferred;
    std::set<Variant> seen;
    for (std::size_t i = 0; i < report_.flows.size(); ++i) {
      if (!goes_on()) {
        report_.flows.resize(i);
        break;
      }
      const Happened happened = look_at(report_.flows[i], i);
      for (const auto& names : happened.acted) acted.insert(names.begin(), names.end());
      preferred.insert(happened.preferred.begin(), happened.preferred.end());
      report_.variants.push_back(variants_of(happened.trace));
      for (const Variant& variant : report_.variants.back()) {
        if (seen.insert(variant).second) report_.reached.push_back(variant);
      }
      report_.facts.push_back(facts_of(space, report_.flows[i]));
      report_.facts.back().from = from_[i];
      if (!options_.recorded.empty()) {
        report_.facts.back().realism =
            Reference(space, options_.recorded).realism_of(report_.grid, report_.flows[i]).value;
      }
    }
    add_coverage(acted, preferred);
    add_judgings();
    shrink_failures(space);
    if (report_.failures.empty() && search_.generator == Generator::Random &&
        !report_.flows.empty()) {
      // None of n independent flows failed. If a flow fails with probability p, that has a
      // probability of (1 - p)^n; the bound is the p for which it is 5 %.
      const auto n = static_cast<double>(report_.flows.size());
      report_.confidence_bound = 1 - std::pow(0.05, 1 / n);
    }
    if (options_.mutants && goes_on()) add_mutants();
  }

 private:
  bool goes_on() {
    const Exhausted exhausted = budget_.exhausted_now();
    if (exhausted == Exhausted::No) return true;
    report_.extent.complete = false;
    report_.extent.stopped = std::string(reason(exhausted));
    return false;
  }

  void make_flows() {
    SearchOptions search = search_;
    search.dwells = dwells_of(task_.model.policy);
    for (const model::Expectation& expectation : task_.model.policy.expectations) {
      if (expectation.kind != model::Expectation::Kind::Base) continue;
      search.home = std::max(search.home, wait_of(task_.model.policy, expectation) + 2);
    }
    Deviations deviations;
    if (reference_) deviations.add(*task_.reference, reference_grid_);
    if (!task_.program) {
      deviations.add(task_.model, report_.grid);
      search.behaviour = behaviour_of(*subject_, report_.grid);
    }
    search.deviations = &deviations;
    GeneratedFlows made = flows_of(searched_, search);
    for (const FlowSource& source : made.sources) {
      from_.push_back(fmt::format("{}{}", source.refined ? "refined " : "", name_of(source.shape)));
    }
    report_.flows = std::move(made.flows);
  }

  // ---- Failures ----

  // Counts how often expectations are judged, if told so.
  enum class Count { No, Yes };
  std::vector<Wrong> wrongs_in(const Flow& flow, const Happened& happened,
                               Count count = Count::No) {
    std::vector<Wrong> wrongs;
    if (happened.trace.ended) {
      wrongs.push_back(
          {Failing::Kind::Ended, {}, happened.trace.ticks(), happened.trace.ended->message});
    }
    if (happened.beyond) {
      const Field& field = report_.fields[happened.beyond->second];
      wrongs.push_back({Failing::Kind::Range,
                        {},
                        happened.beyond->first,
                        fmt::format("`{}` is assigned a number outside of {} to {}", field.name,
                                    to_text(field, field.low), to_text(field, field.high))});
    }
    for (const model::ExpectationId id : task_.model.policy.expectations.ids()) {
      const Judgement judgement = expectations_->judgement(id, flow, happened.trace);
      if (count == Count::Yes) add_to(judged_[id.index], judgement.judged);
      if (const std::optional<Violation>& violation = judgement.violation) {
        wrongs.push_back({Failing::Kind::Expectation, id, violation->tick, violation->text});
      }
    }
    const std::optional<Violation> out = expectations_->out_of_range(happened.trace);
    if (out && !happened.beyond) wrongs.push_back({Failing::Kind::Range, {}, out->tick, out->text});
    if (reference_) {
      const Trace expected = trace_of(*reference_, reference_grid_, flow);
      if (const auto tick = first_difference(happened.trace, expected)) {
        if (!happened.trace.ended || *tick < happened.trace.ticks()) {
          wrongs.push_back({Failing::Kind::Difference,
                            {},
                            *tick,
                            difference_text(happened.trace, expected, *tick)});
        }
      }
    }
    return wrongs;
  }

  [[nodiscard]] std::string difference_text(const Trace& actual, const Trace& expected,
                                            std::size_t tick) const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < report_.fields.size(); ++i) {
      const double one = actual[tick][i];
      const double other = expected[tick][i];
      if (same(one, other)) continue;
      parts.push_back(fmt::format("`{}` is {} instead of {}", report_.fields[i].name,
                                  to_text(report_.fields[i], one),
                                  to_text(report_.fields[i], other)));
    }
    std::string text = fmt::format("at tick {} ", tick + 1);
    for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ", ") + parts[i];
    return text;
  }

  Happened look_at(const Flow& flow, std::size_t number) {
    Happened happened = happened_in(*subject_, report_.grid, flow);
    const bool kept = number >= report_.flows.size();
    for (Wrong& wrong : wrongs_in(flow, happened, Count::Yes)) {
      const auto known = std::ranges::find_if(
          found_, [&](const Found& found) { return found.wrong.is_same_as(wrong); });
      if (known != found_.end()) {
        ++(kept ? known->kept : known->flows);
      } else {
        found_.push_back({std::move(wrong), number, std::size_t{!kept}, std::size_t{kept}, flow,
                          variants_of(happened.trace)});
      }
    }
    return happened;
  }

  static void add_to(std::vector<std::size_t>& sums, const std::vector<std::size_t>& more) {
    sums.resize(more.size());
    for (std::size_t i = 0; i < more.size(); ++i) sums[i] += more[i];
  }

  // An expectation of several parts was judged as often as the part that was judged least.
  void add_judgings() {
    for (const model::ExpectationId id : task_.model.policy.expectations.ids()) {
      const std::vector<std::size_t>& parts = judged_[id.index];
      report_.expectations.push_back(
          {.expectation = id,
           .judged = parts.empty() ? 0 : *std::ranges::min_element(parts),
           .wait = wait_of(task_.model.policy, task_.model.policy.expectations[id])});
    }
  }

  // ---- Smallest flows ----

  void shrink_failures(const ContextSpace& space) {
    std::ranges::stable_sort(found_, [](const Found& a, const Found& b) {
      return std::pair(a.wrong.kind, a.wrong.expectation) <
             std::pair(b.wrong.kind, b.wrong.expectation);
    });
    for (const Found& found : found_) {
      Failing failing{.kind = found.wrong.kind,
                      .name = name_of(found.wrong),
                      .text = found.wrong.text,
                      .at = {},
                      .flow = found.number,
                      .tick = found.wrong.tick,
                      .flows = found.flows,
                      .kept = found.kept,
                      .original = found.flow,
                      .smallest = {},
                      .shown = {}};
      if (found.wrong.expectation) {
        failing.at = task_.model.policy.expectations[*found.wrong.expectation].at;
      }
      failing.original.resize(std::min(failing.original.size(), found.wrong.tick + 1));
      failing.original_variants = found.variants;
      failing.original_variants.resize(
          std::min(failing.original_variants.size(), failing.original.size()));
      shrink(found.wrong, failing);
      failing.original_facts = facts_of(space, failing.original);
      failing.smallest_facts = facts_of(space, failing.smallest);
      report_.failures.push_back(std::move(failing));
    }
  }

  void shrink(const Wrong& wrong, Failing& failing) {
    const auto fails = [&](const Flow& flow) {
      if (!goes_on()) return false;  // out of budget: the flow is not shrunk further
      const Happened happened = happened_in(*subject_, report_.grid, flow);
      const std::vector<Wrong> wrongs = wrongs_in(flow, happened);
      return std::ranges::any_of(wrongs, [&](const Wrong& one) { return one.is_same_as(wrong); });
    };
    // A program may be slow, and long flows are.
    const std::size_t most = task_.program ? kProgramExecutions : kShrinkTicks / search_.length;
    const ShrinkOptions options{
        .most_executions = std::clamp(most, kProgramExecutions, kShrinkExecutions),
        .most_ticks = search_.length};
    Shrunk small = shrunk(report_.grid, failing.original, fails, options);
    failing.executions = small.executions;
    failing.smallest = std::move(small.flow);
    const Happened happened = happened_in(*subject_, report_.grid, failing.smallest);
    failing.smallest_variants = variants_of(happened.trace);
    for (const Wrong& one : wrongs_in(failing.smallest, happened)) {
      if (one.is_same_as(wrong)) failing.text = one.text;
    }
    if (wrong.kind == Failing::Kind::Difference) {
      const Expected expected{*reference_, reference_grid_};
      failing.shown = shown(*subject_, report_.grid, failing.smallest, &expected).ticks;
    } else {
      failing.shown = shown(*subject_, report_.grid, failing.smallest).ticks;
    }
  }

  [[nodiscard]] std::string name_of(const Wrong& wrong) const {
    switch (wrong.kind) {
      case Failing::Kind::Expectation:
        return task_.model.policy.expectations[*wrong.expectation].name;
      case Failing::Kind::Range: return "a variant";
      case Failing::Kind::Difference: return task_.reference->name;
      case Failing::Kind::Ended: return "program";
    }
    return {};
  }
  [[nodiscard]] static std::string_view name_of(Generator generator) {
    return shake::name_of(generator);
  }
  [[nodiscard]] static std::string_view name_of(Shape shape) { return shake::name_of(shape); }

  // ---- Coverage ----

  void add_coverage(const std::set<std::string>& acted, const std::set<std::size_t>& preferred) {
    const FlowCoverage covered = coverage(searched_, report_.flows, {.listed = kListedMissing});
    const auto add = [&](std::string what, const Coverage& one) {
      if (!one.counted || one.feasible == 0) return;
      report_.coverage.push_back({std::move(what), one.covered, one.feasible, one.missing});
    };
    add("values", covered.values);
    add("pairs", covered.pairs);
    add("cells", covered.cells);
    add("cell transitions", covered.transitions);
    add("cell orders", covered.orders);
    if (task_.program) return;
    std::vector<std::string> names;
    const bool policy = !task_.model.policy.empty();
    for (const model::Option& option : task_.model.policy.options) names.push_back(option.name);
    if (!policy) {
      for (const model::Rule& rule : task_.model.rules) names.push_back(rule.name);
    }
    Criterion one{policy ? "options" : "rules", 0, names.size()};
    for (const std::string& name : names) {
      if (acted.contains(name)) {
        ++one.covered;
      } else if (one.missing.size() < kListedMissing) {
        one.missing.push_back(name);
      }
    }
    report_.coverage.push_back(std::move(one));
    const auto& preferences = task_.model.policy.preferences;
    if (preferences.empty()) return;
    Criterion fired{"preferences", preferred.size(), preferences.size()};
    for (const model::PreferenceId id : preferences.ids()) {
      if (preferred.contains(id.index) || fired.missing.size() == kListedMissing) continue;
      fired.missing.push_back(fmt::format("{} at line {}",
                                          task_.model.policy.options[preferences[id].option].name,
                                          preferences[id].at.line));
    }
    report_.coverage.push_back(std::move(fired));
  }

  // ---- Mutants ----

  [[nodiscard]] KillMatrix killed_by(const std::vector<Flow>& flows,
                                     const std::vector<Mutant>& mutants) const {
    const std::unique_ptr<Subject> original = subject_of(task_.model, searched_);
    std::vector<Contexts> contexts;
    std::vector<Trace> expected;
    for (const Flow& flow : flows) {
      contexts.push_back(contexts_of(searched_, flow));
      expected.push_back(trace_of(*original, contexts.back()));
    }
    return kill_matrix(contexts, expected, mutants.size(),
                       [&](std::size_t i) { return subject_of(mutants[i], searched_); },
                       {.jobs = search_.jobs});
  }

  void add_mutants() {
    const std::vector<Mutant> mutants = mutants_of(task_.model, searched_, *options_.mutants);
    const KillMatrix matrix = killed_by(report_.flows, mutants);
    const Analysis analysis = analysis_of(matrix);
    SearchOptions chance = search_;
    chance.generator = Generator::Random;
    chance.flows = report_.flows.size();
    const KillMatrix by_chance = killed_by(flows_of(searched_, chance).flows, mutants);
    MutationReport& mutation = report_.mutation.emplace();
    mutation.signatures = analysis.signatures;
    mutation.minimal_flows = analysis.minimal.flows;
    for (std::size_t i = 0; i < mutants.size(); ++i) {
      const Mutant& mutant = mutants[i];
      MutantResult result{.id = mutant.id,
                          .group = std::string(to_text(mutant.group)),
                          .description = mutant.description,
                          .replacement = mutant.replacement,
                          .at = mutant.at,
                          .end = mutant.end,
                          .reason = {},
                          .kills = analysis.kills[i],
                          .killed_at = {}};
      for (std::size_t flow = 0; flow < matrix.flows; ++flow) {
        result.killed_at.push_back(
            matrix.kills(i, flow) ? static_cast<std::int32_t>(matrix.tick(i, flow)) : -1);
      }
      if (result.kills > 0) result.status = MutantResult::Status::Killed;
      result.subsumed_by = analysis.subsumed_by[i];
      result.killed_by_random = is_killed(by_chance, i);
      mutation.mutants.push_back(std::move(result));
    }
    decide_survivors(mutants, mutation);
    for (const MutantResult& result : mutation.mutants) {
      mutation.killed += std::size_t{result.status == MutantResult::Status::Killed};
      mutation.equivalent += std::size_t{result.status == MutantResult::Status::Equivalent};
      mutation.undecided += std::size_t{result.status == MutantResult::Status::Survived};
      mutation.killed_by_random += std::size_t{result.killed_by_random};
    }
  }

  void decide_survivors(const std::vector<Mutant>& mutants, MutationReport& mutation) {
    std::vector<std::size_t> left;
    std::vector<Mutant> survivors;
    for (std::size_t i = 0; i < mutants.size(); ++i) {
      if (mutation.mutants[i].status == MutantResult::Status::Killed) continue;
      left.push_back(i);
      survivors.push_back(mutants[i]);
    }
    if (left.empty()) return;
    const auto program = [&](const Mutant* mutant) {
      return mutant == nullptr ? subject_of(task_.model, searched_)
                               : subject_of(*mutant, searched_);
    };
    const std::vector<Verdict> verdicts =
        equivalence(task_.model, survivors, searched_, program,
                    {.most_steps = options_.most_steps, .jobs = search_.jobs});
    for (std::size_t i = 0; i < left.size(); ++i) {
      MutantResult& result = mutation.mutants[left[i]];
      switch (verdicts[i].kind) {
        case Verdict::Kind::Killable:
          result.status = MutantResult::Status::Killable;
          result.shortest = verdicts[i].flow;
          result.reason = fmt::format("a flow of {} would kill it", verdicts[i].flow.size());
          break;
        case Verdict::Kind::Equivalent:
          result.status = MutantResult::Status::Equivalent;
          result.reason =
              fmt::format("equivalent on this grid: no context tells it apart in any of {} states",
                          verdicts[i].pairs);
          break;
        case Verdict::Kind::Undecided:
          mutation.decided = false;
          result.reason = "not decided: there are too many states";
          break;
      }
    }
  }

  struct Found {
    Wrong wrong;
    std::size_t number;  // of the first flow that shows it; quakes come after the flows
    std::size_t flows;   // how many flows show it
    std::size_t kept;    // how many quakes show it
    Flow flow;           // the first
    std::vector<Variant> variants;
  };

  const Task& task_;
  const Options& options_;
  Report& report_;
  Budget budget_;
  SearchOptions search_;  // with the length and the number of flows
  Grid searched_;         // without the values that quakes add; flows are made on it
  Grid reference_grid_;   // report_.grid with slots and symbols of the reference
  std::vector<Flow> quakes_;
  std::vector<std::string> from_;  // by flow: how it was made
  std::unique_ptr<Subject> subject_;
  std::unique_ptr<Subject> reference_;
  std::optional<Expectations> expectations_;
  std::vector<Found> found_;
  std::vector<std::vector<std::size_t>> judged_;  // by expectation: how often each of its parts
};

}  // namespace

std::size_t automatic_length(const model::Policy& policy) {
  std::size_t longest = 0;
  for (const model::Expectation& expectation : policy.expectations) {
    longest = std::max(longest, wait_of(policy, expectation));
  }
  return std::clamp(5 * std::min(longest, kLongest) / 2, kUsualLength, kLongest);
}

Result<Report> run(const Task& task, const Options& options) {
  Report report;
  Shaking shaking(task, options, report);
  if (const Result<void> ready = shaking.prepare(); !ready) return Failure(ready.error());
  shaking.shake();
  return report;
}

Shown shown(Subject& subject, const Grid& grid, const Flow& flow, const Expected* reference) {
  Shown result;
  const Happened happened = happened_in(subject, grid, flow);
  std::optional<Happened> expected;
  if (reference != nullptr) expected = happened_in(reference->subject, reference->grid, flow);
  result.ended = happened.trace.ended;
  for (std::size_t tick = 0; tick < flow.size(); ++tick) {
    ShownTick made{.first = tick, .instance = flow[tick], .actual = {}};
    if (tick < happened.trace.ticks()) {
      made.actual = variant_at(happened.trace, tick);
      made.acted = happened.acted[tick];
    }
    if (expected && tick < expected->trace.ticks() && tick < happened.trace.ticks() &&
        !same(happened.trace[tick], expected->trace[tick])) {
      made.expected = variant_at(expected->trace, tick);
      made.expected_acted = expected->acted[tick];
    }
    const bool joins = !result.ticks.empty() && result.ticks.back().instance == made.instance &&
                       result.ticks.back().actual == made.actual &&
                       result.ticks.back().expected == made.expected &&
                       result.ticks.back().acted == made.acted;
    if (joins) {
      ++result.ticks.back().ticks;
    } else {
      result.ticks.push_back(std::move(made));
    }
  }
  return result;
}

}  // namespace poise::shake
