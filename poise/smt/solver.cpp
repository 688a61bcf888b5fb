#include "poise/smt/solver.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <z3++.h>

#include "poise/base/check.h"
#include "poise/smt/reason.h"
#include "poise/smt/smtlib.h"

namespace poise::smt {

namespace {

// ---- Numbers ----

z3::expr number(z3::context& context, const Rational& value, const z3::sort& sort) {
  const Integer& numerator = value.numerator();
  if (value.is_integer() && numerator.fits_int64()) {
    const Z3_ast numeral = Z3_mk_int64(context, numerator.to_int64(), sort);
    context.check_error();
    return {context, numeral};
  }
  POISE_CHECK(value.is_integer() || sort.is_real());
  const std::string text = value.is_integer() ? numerator.to_string()
                                              : fmt::format("{}/{}", numerator.to_string(),
                                                            value.denominator().to_string());
  const Z3_ast numeral = Z3_mk_numeral(context, text.c_str(), sort);
  context.check_error();
  return {context, numeral};
}

Rational value_of(const z3::expr& numeral) {
  std::int64_t top = 0;
  std::int64_t bottom = 0;
  if (Z3_get_numeral_small(numeral.ctx(), numeral, &top, &bottom)) return {Integer(top), bottom};
  const std::string text = Z3_get_numeral_string(numeral.ctx(), numeral);
  numeral.ctx().check_error();
  return rational_from(text);
}

// The least positive number that makes all coefficients of the polynomial, and the number it is
// compared with, whole if they are multiplied by it.
Integer common_denominator(const model::Polynomial& polynomial, const Rational& compared) {
  Integer common = 1;
  const auto take_in = [&](const Rational& number) {
    if (number.is_integer()) return;
    const Integer& denominator = number.denominator();
    common = common * floor_divide(denominator, gcd(common, denominator));
  };
  take_in(polynomial.constant);
  take_in(compared);
  for (const model::Monomial& term : polynomial.terms) take_in(term.coefficient);
  return common;
}

// ---- Terms ----

struct Unknown {
  std::string symbol;
  z3::expr value;
  Sort sort;
  std::optional<UnknownId> guard;
};

z3::expr joined(z3::context& context, const std::vector<z3::expr>& parts,
                decltype(&Z3_mk_add) join) {
  if (parts.size() == 1) return parts.front();
  const std::vector<Z3_ast> terms(parts.begin(), parts.end());
  const Z3_ast all = join(context, static_cast<unsigned>(terms.size()), terms.data());
  context.check_error();
  return {context, all};
}

z3::expr compared(const z3::expr& left, model::Relation relation, const z3::expr& right) {
  switch (relation) {
    case model::Relation::Equal: return left == right;
    case model::Relation::NotEqual: return !(left == right);
    case model::Relation::Less: return left < right;
    case model::Relation::LessEqual: return left <= right;
    case model::Relation::Greater: return left > right;
    case model::Relation::GreaterEqual: return left >= right;
  }
  POISE_CHECK(false);
  return left;
}

// Terms over the unknowns of a solver. Z3 does not mix sorts: a comparison of whole unknowns only
// is multiplied until all its numbers are whole; in any other, whole unknowns are made real.
class Terms {
 public:
  Terms(z3::context& context, const std::vector<Unknown>& unknowns)
      : context_(context), unknowns_(unknowns) {}

  // a - b, or a if there is no b, is between two numbers.
  z3::expr between(UnknownId a, std::optional<UnknownId> b, const Rational& low,
                   const Rational& high) {
    const bool whole = is_whole(a) && (!b || is_whole(*b)) && low.is_integer() && high.is_integer();
    const Sort sort = whole ? Sort::Whole : Sort::Real;
    const z3::expr left = b ? value(a, sort) - value(*b, sort) : value(a, sort);
    const z3::expr least = number(context_, low, left.get_sort());
    if (low == high) return left == least;
    return left >= least && left <= number(context_, high, left.get_sort());
  }

 protected:
  const Unknown& unknown(UnknownId id) const {
    POISE_CHECK(id.index < unknowns_.size());
    return unknowns_[id.index];
  }
  bool is_whole(UnknownId id) const { return unknown(id).sort == Sort::Whole; }

  z3::expr value(UnknownId id, Sort sort) const {
    const Unknown& found = unknown(id);
    if (found.sort == sort) return found.value;
    POISE_CHECK(sort == Sort::Real);
    return z3::to_real(found.value);
  }

  z3::context& context_;

 private:
  const std::vector<Unknown>& unknowns_;
};

// A formula as a Z3 term, with unknowns in the place of slots.
class FormulaTerms : Terms {
 public:
  FormulaTerms(const Terms& terms, const Conditions& conditions, std::span<const UnknownId> slots)
      : Terms(terms), conditions_(conditions), slots_(slots) {}

  // Whether some term so far is a product of unknowns.
  [[nodiscard]] bool is_polynomial() const { return polynomial_; }

  z3::expr formula(model::FormulaId id) {
    const model::Formula& formula = conditions_.formulas.get()[id];
    switch (formula.op) {
      case model::Op::False: return context_.bool_val(false);
      case model::Op::True: return context_.bool_val(true);
      case model::Op::Atom: return atom(conditions_.atoms.get()[formula.atom]);
      default: break;
    }
    // Formulas share parts: without this cache there could be exponentially many terms.
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    z3::expr term = connected(formula);
    known_.emplace(id, term);
    return term;
  }

 private:
  z3::expr connected(const model::Formula& formula) {
    std::vector<z3::expr> parts;
    parts.reserve(formula.parts.size());
    for (const model::FormulaId part : formula.parts) parts.push_back(this->formula(part));
    switch (formula.op) {
      case model::Op::Not: return !parts[0];
      case model::Op::And: return joined(context_, parts, Z3_mk_and);
      case model::Op::Or: return joined(context_, parts, Z3_mk_or);
      case model::Op::Implies: return z3::implies(parts[0], parts[1]);
      case model::Op::Iff: return parts[0] == parts[1];
      case model::Op::False:
      case model::Op::True:
      case model::Op::Atom: break;
    }
    POISE_CHECK(false);
    return context_.bool_val(false);
  }

  z3::expr atom(const model::Atom& atom) {
    z3::expr comparison =
        atom.membership ? membership(atom) : comparison_of(atom.value, atom.relation, 0);
    std::vector<z3::expr> parts;
    for (const model::SlotId slot : atom.slots) {
      for (auto guard = unknown(at(slot)).guard; guard; guard = unknown(*guard).guard) {
        parts.push_back(between(*guard, std::nullopt, 1, 1));
      }
    }
    if (parts.empty()) return comparison;
    parts.push_back(std::move(comparison));
    return joined(context_, parts, Z3_mk_and);
  }

  z3::expr membership(const model::Atom& atom) {
    std::vector<z3::expr> parts;
    for (const Rational& one : atom.among) {
      parts.push_back(comparison_of(atom.value, model::Relation::Equal, one));
    }
    return joined(context_, parts, Z3_mk_or);
  }

  // Unknowns stand on the left, the constant on the right.
  z3::expr comparison_of(const model::Polynomial& polynomial, model::Relation relation,
                         const Rational& right) {
    const Rational limit = right - polynomial.constant;
    if (polynomial.terms.empty()) return context_.bool_val(model::holds(relation, (-limit).sign()));
    const bool whole = std::ranges::all_of(polynomial.terms, [&](const model::Monomial& term) {
      return std::ranges::all_of(term.slots,
                                 [&](model::SlotId slot) { return is_whole(at(slot)); });
    });
    const Sort sort = whole ? Sort::Whole : Sort::Real;
    const z3::sort z3_sort = whole ? context_.int_sort() : context_.real_sort();
    const Rational factor = whole ? Rational(common_denominator(polynomial, right)) : Rational(1);
    std::vector<z3::expr> terms;
    terms.reserve(polynomial.terms.size());
    for (const model::Monomial& term : polynomial.terms) {
      terms.push_back(product(term, term.coefficient * factor, sort, z3_sort));
    }
    return compared(joined(context_, terms, Z3_mk_add), relation,
                    number(context_, limit * factor, z3_sort));
  }

  z3::expr product(const model::Monomial& term, const Rational& coefficient, Sort sort,
                   const z3::sort& z3_sort) {
    polynomial_ = polynomial_ || term.slots.size() > 1;
    if (coefficient == Rational(1) && term.slots.size() == 1) return value(at(term.slots[0]), sort);
    std::vector<z3::expr> factors;
    if (coefficient != Rational(1)) factors.push_back(number(context_, coefficient, z3_sort));
    for (const model::SlotId slot : term.slots) factors.push_back(value(at(slot), sort));
    return joined(context_, factors, Z3_mk_mul);
  }

  [[nodiscard]] UnknownId at(model::SlotId slot) const {
    POISE_CHECK(slot.index < slots_.size());
    return slots_[slot.index];
  }

  const Conditions& conditions_;
  std::span<const UnknownId> slots_;
  std::unordered_map<model::FormulaId, z3::expr> known_;
  bool polynomial_ = false;
};

Rational value_in(const z3::model& model, const Unknown& unknown, bool& exact) {
  const z3::expr value = model.eval(unknown.value, true);
  if (value.is_numeral()) return value_of(value);
  exact = false;
  if (!value.is_algebraic()) return 0;
  constexpr unsigned kDecimals = 12;
  const Z3_ast below = Z3_get_algebraic_number_lower(value.ctx(), value, kDecimals);
  value.ctx().check_error();
  return value_of(z3::expr(value.ctx(), below));
}

// Z3 has two limits. At the soft one (32 bits, bytes) a check gives up with "memout"; at the hard
// one (megabytes) every allocation fails, and with it the solver from then on. So the soft one is
// used if the number fits.
void limit_memory(std::size_t bytes) {
  constexpr std::size_t kMost = UINT32_MAX;
  const std::size_t soft = bytes <= kMost ? std::max(bytes, std::size_t{1}) : 0;
  const std::size_t hard = soft == 0 ? std::min(bytes >> 20U, kMost) : 0;  // megabytes
  Z3_global_param_set("memory_high_watermark", std::to_string(soft).c_str());
  Z3_global_param_set("memory_max_size", std::to_string(hard).c_str());
}

Exhausted exhausted(const Watchdog* watchdog) {
  return watchdog == nullptr ? Exhausted::No : watchdog->exhausted();
}

}  // namespace

struct Solver::State {
  struct Level {
    std::size_t unknowns = 0;
    std::size_t required = 0;
    bool polynomial = false;
  };

  z3::context context;
  z3::solver solver{context, z3::solver::simple()};
  // For polynomials of real numbers on which the incremental solver gives up: cylindrical algebraic
  // decomposition (nlsat), on all requirements anew. Not Z3's default solver: that nests timers,
  // and Z3 4.8.12 deadlocks with itself when the outer one runs out.
  std::optional<z3::solver> second;
  std::vector<Unknown> unknowns;
  Symbols symbols;
  std::vector<z3::expr> required;  // as given; Z3's own copy is rewritten
  bool polynomial = false;         // some requirement has a product of unknowns
  std::vector<Level> levels;
  std::optional<std::chrono::milliseconds> time_limit;
  bool time_limit_set = false;  // in the incremental solver
  Watchdog* watchdog = nullptr;
  std::string failure;  // not empty once Z3 has failed
  std::string why;
  Answer last = Answer::Unknown;

  // Every call of Z3 goes through here, and its exceptions end here.
  template <class Act>
  void attempt(const Act& act) {
    if (!failure.empty()) return;
    try {
      act();
    } catch (const z3::exception& exception) {
      failure = fmt::format("Z3 failed: {}", exception.msg());
    }
  }

  void add(const z3::expr& condition) {
    last = Answer::Unknown;
    solver.add(condition);
    required.push_back(condition);
  }

  Answer answer_of(z3::solver& asked) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = time_limit ? Clock::now() : Clock::time_point();
    switch (asked.check()) {
      case z3::sat: return Answer::Yes;
      case z3::unsat: return Answer::No;
      case z3::unknown: break;
    }
    // A theory solver that was interrupted reports "incomplete" instead of a timeout.
    const bool late = time_limit && Clock::now() - start >= *time_limit;
    why = reason_from(late ? "timeout" : asked.reason_unknown());
    return Answer::Unknown;
  }

  void limit_time(z3::solver& limited) {
    constexpr std::chrono::milliseconds kNone(UINT32_MAX);
    const auto limit =
        std::clamp(time_limit.value_or(kNone), std::chrono::milliseconds(1), kNone).count();
    limited.set("timeout", static_cast<unsigned>(limit));
  }

  Answer answer() {
    if (!time_limit_set) limit_time(solver);
    time_limit_set = true;
    const Answer first = answer_of(solver);
    if (first != Answer::Unknown || !polynomial) return first;
    const auto is_real = [](const Unknown& unknown) { return unknown.sort == Sort::Real; };
    if (!std::ranges::all_of(unknowns, is_real)) return first;
    second.emplace(z3::tactic(context, "qfnra-nlsat").mk_solver());
    limit_time(*second);
    for (const z3::expr& condition : required) second->add(condition);
    return answer_of(*second);
  }
};

Solver::Solver() : Solver(Options{}) {}

Solver::Solver(const Options& options) : state_(std::make_shared<State>()) {
  state_->watchdog = options.watchdog;
  state_->time_limit = options.time_limit;
  state_->time_limit_set = !options.time_limit;
  if (options.memory_bytes) limit_memory(*options.memory_bytes);
}

Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

UnknownId Solver::add_unknown(Sort sort, std::string_view name, std::optional<UnknownId> guard) {
  State& state = *state_;
  POISE_CHECK(!guard || guard->index < state.unknowns.size());
  POISE_CHECK(state.unknowns.size() < UINT32_MAX);
  const UnknownId id{static_cast<std::uint32_t>(state.unknowns.size())};
  std::string symbol = state.symbols.add(name);
  z3::expr value(state.context);
  state.attempt([&] {
    value = sort == Sort::Whole ? state.context.int_const(symbol.c_str())
                                : state.context.real_const(symbol.c_str());
  });
  state.last = Answer::Unknown;
  state.unknowns.push_back(
      {.symbol = std::move(symbol), .value = value, .sort = sort, .guard = guard});
  return id;
}

std::size_t Solver::unknown_count() const { return state_->unknowns.size(); }

void Solver::push() {
  State& state = *state_;
  state.levels.push_back({.unknowns = state.unknowns.size(),
                          .required = state.required.size(),
                          .polynomial = state.polynomial});
  state.last = Answer::Unknown;
  state.attempt([&] { state.solver.push(); });
}

void Solver::pop() {
  State& state = *state_;
  POISE_CHECK(!state.levels.empty());
  const State::Level level = state.levels.back();
  state.levels.pop_back();
  while (state.unknowns.size() > level.unknowns) {
    state.symbols.give_back(state.unknowns.back().symbol);
    state.unknowns.pop_back();
  }
  while (state.required.size() > level.required) state.required.pop_back();
  state.polynomial = level.polynomial;
  state.second.reset();
  state.last = Answer::Unknown;
  state.attempt([&] { state.solver.pop(); });
}

void Solver::require(const Conditions& conditions, model::FormulaId formula,
                     std::span<const UnknownId> slots, Polarity truth) {
  State& state = *state_;
  state.attempt([&] {
    FormulaTerms terms(Terms(state.context, state.unknowns), conditions, slots);
    const z3::expr term = terms.formula(formula);
    state.polynomial = state.polynomial || terms.is_polynomial();
    state.add(truth == Polarity::Holds ? term : !term);
  });
}

void Solver::require_between(UnknownId x, const Rational& low, const Rational& high) {
  State& state = *state_;
  state.attempt(
      [&] { state.add(Terms(state.context, state.unknowns).between(x, std::nullopt, low, high)); });
}

void Solver::require_difference(UnknownId a, UnknownId b, const Rational& low,
                                const Rational& high) {
  State& state = *state_;
  state.attempt([&] { state.add(Terms(state.context, state.unknowns).between(a, b, low, high)); });
}

void Solver::require_equal(UnknownId x, const Rational& value) { require_between(x, value, value); }

void Solver::require_same(UnknownId a, UnknownId b) { require_difference(a, b, 0, 0); }

Answer Solver::check() {
  State& state = *state_;
  state.why.clear();
  state.second.reset();
  state.last = Answer::Unknown;
  state.why = reason(exhausted(state.watchdog));
  if (!state.why.empty()) return state.last;
  const auto interrupt = [&] { state.context.interrupt(); };
  const auto work = [kept = state_] { kept->attempt([&] { kept->last = kept->answer(); }); };
  if (!state.polynomial) {
    const Watchdog::Guard guard(state.watchdog, interrupt);
    work();
  } else if (!done_in_time(state.watchdog, interrupt, work)) {
    // Where polynomials have large degrees, Z3 does not always listen.
    leave();
    return Answer::Unknown;
  }
  if (!state.failure.empty()) {
    state.last = Answer::Unknown;
    state.why = state.failure;
  }
  // Whatever Z3 says of an interruption: "canceled", "incomplete", or an exception.
  const Exhausted why = exhausted(state.watchdog);
  if (state.last == Answer::Unknown && why != Exhausted::No) state.why = reason(why);
  return state.last;
}

// Takes a new state in place of the one that Z3 still works on: one that has failed.
void Solver::leave() {
  auto fresh = std::make_shared<State>();
  fresh->watchdog = state_->watchdog;
  fresh->levels.resize(state_->levels.size());
  fresh->failure = fresh->why = reason(exhausted(fresh->watchdog));
  state_ = std::move(fresh);
}

std::string_view Solver::why() const { return state_->why; }

Values Solver::values() {
  State& state = *state_;
  POISE_CHECK(state.last == Answer::Yes);
  Values values{.numbers = std::vector<Rational>(state.unknowns.size())};
  state.attempt([&] {
    const z3::model model = (state.second ? *state.second : state.solver).get_model();
    for (std::size_t i = 0; i < state.unknowns.size(); ++i) {
      values.numbers[i] = value_in(model, state.unknowns[i], values.exact);
    }
  });
  if (!state.failure.empty()) values.exact = false;
  return values;
}

void Solver::set_time_limit(std::optional<std::chrono::milliseconds> limit) {
  if (limit == state_->time_limit) return;
  state_->time_limit = limit;
  state_->time_limit_set = false;
}

std::optional<Solver::Written> Solver::written() const {
  State& state = *state_;
  Written written;
  state.attempt([&] {
    for (const Unknown& unknown : state.unknowns) {
      written.unknowns.push_back(
          {.symbol = quoted(unknown.symbol),
           .sort = unknown.sort == Sort::Whole ? std::string_view("Int") : "Real"});
    }
    for (const z3::expr& condition : state.required) {
      if (exhausted(state.watchdog) != Exhausted::No) return;
      written.conditions.push_back(condition.to_string());
    }
  });
  if (!state.failure.empty() || written.conditions.size() < state.required.size()) {
    return std::nullopt;
  }
  return written;
}

std::string Solver::smtlib() const {
  const std::optional<Written> parts = written();
  if (!parts) return fmt::format("; {}\n", state_->failure);
  std::string text = "(set-option :produce-models true)\n";
  for (const Written::Declared& unknown : parts->unknowns) {
    text += fmt::format("(declare-fun {} () {})\n", unknown.symbol, unknown.sort);
  }
  for (const std::string& condition : parts->conditions) {
    text += fmt::format("(assert {})\n", condition);
  }
  return text + "(check-sat)\n(get-model)\n";
}

}  // namespace poise::smt
