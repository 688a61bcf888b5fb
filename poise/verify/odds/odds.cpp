#include "poise/verify/odds/odds.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "poise/verify/odds/at_most.h"
#include "poise/verify/odds/independent_part.h"
#include "poise/verify/odds/part_probability.h"
#include "poise/verify/odds/worst_environment.h"
#include "poise/verify/system/replay.h"

namespace poise::verify {

namespace {

constexpr int kMostDecimals = 7;

// Rounded to so many decimals.
Rational decimal(double value, int decimals) {
  const double scale = std::pow(10, decimals);
  const double scaled = std::round(value * scale);
  if (std::abs(scaled) > 9e15) return {static_cast<std::int64_t>(value)};
  return {Integer(static_cast<std::int64_t>(scaled)), Integer(static_cast<std::int64_t>(scale))};
}

Rational within(const Rational& value, const Number& number) {
  return std::clamp(value, number.low, number.high);
}

// The value of a number on which nothing depends: no error, or a round number in the middle.
Rational indifferent(const Number& number) {
  if (number.is_noise()) return within(0, number);
  if (number.whole || number.role == Number::Role::Above || number.role == Number::Role::Below) {
    return number.low;
  }
  return within(decimal(to_double((number.low + number.high) / Rational(2)), 0), number);
}

bool passes(const Branch& branch, const std::vector<Rational>& numbers) {
  return std::ranges::all_of(branch.stages, [&](const Stage& stage) {
    return std::ranges::any_of(stage.ways, [&](const Bounds& way) {
      return std::ranges::all_of(way, [&](const Bound& bound) { return holds(bound, numbers); });
    });
  });
}

Values values_of(const std::vector<Affine>& forms, const std::vector<Rational>& numbers) {
  Values values;
  for (const Affine& form : forms) values.push_back(value_of(form, numbers));
  return values;
}

Trace trace_of(const Branch& branch, const std::vector<Rational>& numbers) {
  Trace trace;
  for (const StepForms& step : branch.steps) {
    StepTrace& made = trace.emplace_back(StepTrace{step.from,
                                                   step.rule,
                                                   values_of(step.actual, numbers),
                                                   values_of(step.sensed, numbers),
                                                   {}});
    for (const ActForms& act : step.acts) {
      ActTrace& after =
          made.acts.emplace_back(ActTrace{act.act->text, {}, values_of(act.actual, numbers), {}});
      for (const auto& [slot, done] : act.done) {
        after.done.emplace_back(slot, value_of(done, numbers));
      }
    }
  }
  return trace;
}

Sketch sketch_of(const Branch& branch, const Numbers& all, const std::vector<Rational>& numbers) {
  Sketch sketch;
  const auto add = [&](const std::vector<Affine>& forms) {
    auto& moment = sketch.emplace_back();
    for (const Affine& form : forms) {
      const bool noisy = std::ranges::any_of(
          form.terms, [&](const Affine::Term& term) { return all[term.number].is_noise(); });
      moment.push_back(noisy ? std::nullopt : std::optional(value_of(form, numbers)));
    }
  };
  for (const StepForms& step : branch.steps) {
    add(step.actual);
    for (const ActForms& act : step.acts) add(act.actual);
  }
  return sketch;
}

// A part, its probability, and its worst environment.
struct Looked {
  explicit Looked(IndependentPart made) : part(std::move(made)), joint(part) {}
  IndependentPart part;
  PartProbability joint;
  WorstEnvironment worst = {};
};

// The worst environment part by part, the product of their probabilities, and a trace to show it.
class OddsSearch {
 public:
  OddsSearch(const System& system, const FailingPath& path, const PathEvent& event)
      : system_(system), path_(path), event_(event) {
    for (IndependentPart& part : parts_of(event)) looked_.emplace_back(std::move(part));
  }

  // None if no environment was found in which the path can fail, or the budget does not last.
  std::optional<PathOdds> found(const chance::Precision& precision, std::size_t work,
                                Budget& budget) {
    PathOdds odds;
    odds.joint = {1, 0, "exact", 1};
    double squares = 0;
    double most = 1;
    for (Looked& one : looked_) {
      std::optional<WorstEnvironment> worst = worst_of(one.part, one.joint, precision, budget);
      if (!worst) return std::nullopt;
      one.worst = std::move(*worst);
      const AtMost bound = at_most(
          one.part,
          {.work = work,
           .reached = std::max(0.0, one.worst.probability.value - one.worst.probability.error),
           .known = one.worst.environment},
          budget);
      take_better(one, bound, precision, budget);
      const Likelihood& part = one.worst.probability;
      if (part.value == 0 && !one.joint.is_possible(one.worst.environment)) return std::nullopt;
      most *= std::min(1.0, part.value + part.error);
      odds.joint.value *= part.value;
      odds.joint.at_most *= part.at_most;
      if (part.value > 0) squares += part.error * part.error / (part.value * part.value);
      if (rank(part.method) > rank(odds.joint.method)) odds.joint.method = part.method;
    }
    odds.joint.error = odds.joint.value > 0 ? odds.joint.value * std::sqrt(squares) : most;
    for (const Branch& branch : event_.branches) odds.acts.push_back(act_of(branch));
    std::ranges::sort(odds.acts);
    odds.acts.erase(std::unique(odds.acts.begin(), odds.acts.end()), odds.acts.end());
    find_trace(odds);
    return odds;
  }

 private:
  // The method of a product is that of its least exact factor.
  static int rank(std::string_view method) {
    if (method == "exact") return 0;
    if (method == "bounds") return 1;
    if (method == "line") return 2;
    return method == "sampling" ? 4 : 3;
  }

  // The search for a bound looks at environments everywhere, and may come upon a worse one than the
  // climb did; and where what is proved is narrower than an estimate, it is taken instead.
  static void take_better(Looked& one, const AtMost& bound, const chance::Precision& precision,
                          Budget& budget) {
    Likelihood& found = one.worst.probability;
    constexpr double kWorthMoving = 1 + 1e-6;
    if (bound.there.low > kWorthMoving * (found.value + found.error)) {
      auto better = worst_near(one.part, one.joint, bound.environment, precision, budget);
      if (better && better->probability.value > found.value) one.worst = std::move(*better);
    }
    const double error = (bound.there.high - bound.there.low) / 2;
    if (bound.environment == one.worst.environment && error < found.error) {
      found = {bound.there.low + error, error, "bounds"};
    }
    found.at_most = std::max(bound.high, found.value - found.error);
  }

  // Looks for a trace with few decimals: in the rounded environment, or else in the exact one, with
  // the likeliest errors, rounded. Likely errors lie on the bounds of conditions; where rounding
  // leads beyond a bound, errors with a small margin are tried.
  void find_trace(PathOdds& odds) {
    for (const bool exactly : {false, true}) {
      std::vector<Rational> numbers;
      for (const Number& number : event_.numbers) numbers.push_back(indifferent(number));
      for (const Looked& one : looked_) {
        const std::vector<double>& chosen = exactly ? one.worst.environment : one.worst.rounded;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
          const NumberId id = one.part.environment[i].number;
          numbers[id.index] =
              within(decimal(chosen[i], exactly ? 12 : kMostDecimals), event_.numbers[id]);
        }
      }
      if (odds.environment.empty()) {
        odds.environment = values_of(event_.branches.front().steps.front().actual, numbers);
        for (const Branch& branch : event_.branches) {
          odds.sketches.push_back(sketch_of(branch, event_.numbers, numbers));
        }
      }
      for (int decimals = decimals_of_environment(); decimals <= kMostDecimals; ++decimals) {
        for (const double margin : {0.0, 1.0}) {
          if (!add_noise(numbers, exactly, decimals, margin * std::pow(10, -decimals))) return;
          if (add_trace(odds, numbers)) return;
        }
      }
    }
  }

  // How many decimals the environment has: errors that balance it need as many.
  [[nodiscard]] int decimals_of_environment() const {
    int decimals = 0;
    for (const Looked& one : looked_) {
      for (const double value : one.worst.rounded) {
        while (decimals < 3 && to_double(decimal(value, decimals)) != value) ++decimals;
      }
    }
    return decimals;
  }

  // Sets the errors to the likeliest ones. False if the environment rules the event out.
  bool add_noise(std::vector<Rational>& numbers, bool exactly, int decimals, double margin) {
    for (Looked& one : looked_) {
      const std::vector<double>& chosen = exactly ? one.worst.environment : one.worst.rounded;
      if (one.part.noise.empty()) continue;
      const std::vector<double> noise = one.joint.likeliest_noise(chosen, margin);
      if (noise.empty()) return false;
      for (std::size_t i = 0; i < noise.size(); ++i) {
        const NumberId id = one.part.noise[i].number;
        const Number& number = event_.numbers[id];
        numbers[id.index] = within(decimal(noise[i], number.whole ? 0 : decimals), number);
      }
    }
    return true;
  }

  static std::size_t act_of(const Branch& branch) { return branch.steps.back().acts.size() - 1; }

  bool add_trace(PathOdds& odds, const std::vector<Rational>& numbers) {
    for (const Branch& branch : event_.branches) {
      if (!passes(branch, numbers)) continue;
      Counterexample made{.failure = path_.failure,
                          .path = path_.path,
                          .act = act_of(branch),
                          .trace = trace_of(branch, numbers),
                          .probability = std::nullopt,
                          .paper_odds = std::nullopt};
      if (objection(*system_.model, system_.mode, made)) continue;
      odds.trace = std::move(made.trace);
      odds.act = made.act;
      odds.sketches.clear();
      odds.environment = odds.trace.front().actual;
      return true;
    }
    return false;
  }

  const System& system_;
  const FailingPath& path_;
  const PathEvent& event_;
  std::deque<Looked> looked_;  // a deque, because PartProbability refers to its part
};

}  // namespace

Result<PathOdds> Odds::of(const FailingPath& path, const chance::Precision& precision,
                          std::size_t work, Budget& budget) {
  if (system_.mode != Mode::Actual) return failure("only actual errors have odds");
  const Result<PathEvent> event = reader_.event(path);
  if (!event) return Failure(event.error());
  if (event->branches.empty()) return failure("values are further away than is looked at");
  std::optional<PathOdds> odds = OddsSearch(system_, path, *event).found(precision, work, budget);
  if (!odds) return failure("no environment was found in which it may happen");
  if (!odds->trace.empty()) odds->paper_odds = printed_.of(odds->trace);
  return std::move(*odds);
}

Sampled sampled(const PathEvent& event, const std::vector<double>& numbers,
                const Sampling& sampling) {
  Sampled product{1, {1, 1}};
  const std::vector<IndependentPart> parts = parts_of(event);
  for (const IndependentPart& part : parts) {
    std::vector<double> environment;
    for (const IndependentPart::Environment& number : part.environment) {
      environment.push_back(numbers[number.number.index]);
    }
    // So all intervals hold at once with the confidence asked for (Bonferroni).
    Sampling one = sampling;
    one.confidence = 1 - (1 - sampling.confidence) / static_cast<double>(parts.size());
    const Sampled made = Sampler(part).sampled(environment, one);
    product.mean *= made.mean;
    product.interval.low *= made.interval.low;
    product.interval.high *= made.interval.high;
  }
  return event.branches.empty() ? Sampled{0, {0, 0}} : product;
}

}  // namespace poise::verify
