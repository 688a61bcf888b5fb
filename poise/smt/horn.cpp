// Spacer, the Horn solver of Z3, reads the text that horn_text() also exports, so what is exported
// is what was solved. Its answer is translated back: an invariant into formulas over our atoms, a
// derivation into numbers of clauses. Two of its defaults are switched off:
//   - transformations of the clauses before the search. They merge clauses, and then
//     interpretations have quantifiers or are missing. On models of cars with 3 to 40 states it is
//     as fast without them.
//   - weak abstraction. With it, Z3 4.8.12 did not terminate on 3 of 600 random systems with two
//     whole numbers between 0 and 4; without it, it did on all, each within 0.12 s.

#include "poise/smt/horn.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <z3++.h>

#include "poise/base/budget.h"
#include "poise/base/check.h"
#include "poise/model/polynomial.h"
#include "poise/smt/reason.h"
#include "poise/smt/smtlib.h"

namespace poise::smt {

namespace {

// ---- Clauses, with a solver for their requirements ----

void add_unknowns(Solver& solver, const Clause& clause) {
  for (const Clause::Unknown& unknown : clause.unknowns) {
    solver.add_unknown(unknown.sort, unknown.name, unknown.guard);
  }
}

void require(Solver& solver, const Holding& holding) {
  solver.require(holding.conditions, holding.formula, holding.slots, holding.truth);
}

void require(Solver& solver, const Range& range) {
  if (range.b) {
    solver.require_difference(range.a, *range.b, range.low, range.high);
  } else {
    solver.require_between(range.a, range.low, range.high);
  }
}

void require_all(Solver& solver, const std::vector<Requirement>& requirements) {
  for (const Requirement& requirement : requirements) {
    std::visit([&](const auto& one) { require(solver, one); }, requirement);
  }
}

// ---- Text ----

std::vector<std::string> symbols_of(const System& system) {
  Symbols symbols;
  std::vector<std::string> made;
  for (const Predicate& predicate : system.predicates) made.push_back(symbols.add(predicate.name));
  return made;
}

std::string_view word_for(Sort sort) { return sort == Sort::Whole ? "Int" : "Real"; }

// "p", "(p x y)"
std::string applied(const std::string& symbol, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return quoted(symbol);
  return fmt::format("({} {})", quoted(symbol), fmt::join(arguments, " "));
}

// "(and\n    part\n    part)"; the part itself if there is one, "true" if there is none.
std::string all_of(const std::vector<std::string>& parts) {
  if (parts.empty()) return "true";
  if (parts.size() == 1) return parts.front();
  return fmt::format("(and\n    {})", fmt::join(parts, "\n    "));
}

std::string closed(const std::vector<std::string>& declared, const std::string& text) {
  if (declared.empty()) return text;
  return fmt::format("(forall ({})\n  {})", fmt::join(declared, " "), text);
}

// The name of a clause for a comment, which must not contain the end of a line.
std::string comment_from(std::string name) {
  std::ranges::replace_if(
      name, [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
  return name;
}

std::string clause_text(const System& system, const std::vector<std::string>& symbols,
                        const Clause& clause, const Solver::Written& written) {
  const auto application_text = [&](const Application& application) {
    POISE_CHECK(application.arguments.size() ==
                system.predicates[application.predicate].sorts.size());
    std::vector<std::string> arguments;
    for (const UnknownId id : application.arguments) {
      arguments.push_back(written.unknowns.at(id.index).symbol);
    }
    return applied(symbols[application.predicate.index], arguments);
  };
  std::vector<std::string> declared;
  for (const Solver::Written::Declared& unknown : written.unknowns) {
    declared.push_back(fmt::format("({} {})", unknown.symbol, unknown.sort));
  }
  std::vector<std::string> parts;
  for (const Application& application : clause.body) parts.push_back(application_text(application));
  parts.insert(parts.end(), written.conditions.begin(), written.conditions.end());
  return closed(declared,
                fmt::format("(=> {}\n    {})", all_of(parts), application_text(clause.head)));
}

// "No arguments satisfy the query."
std::string query_text(const Predicate& query, const std::string& symbol) {
  std::vector<std::string> declared;
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < query.sorts.size(); ++i) {
    arguments.push_back(fmt::format("a{}", i));
    declared.push_back(fmt::format("({} {})", arguments.back(), word_for(query.sorts[i])));
  }
  return closed(declared, fmt::format("(=> {} false)", applied(symbol, arguments)));
}

// ---- From Z3's terms to ours ----

// Makes a formula of an interpretation. There is none for what atoms cannot express, such as
// remainders of divisions.
class InterpretationReader {
 public:
  // These constants stand for the arguments of the predicate.
  InterpretationReader(Invariant& invariant, const std::vector<z3::expr>& arguments)
      : invariant_(invariant) {
    for (std::uint32_t i = 0; i < arguments.size(); ++i) {
      slots_.emplace(arguments[i].id(), model::SlotId{i});
    }
  }

  std::optional<model::FormulaId> formula(const z3::expr& term) {
    if (const auto known = known_.find(term.id()); known != known_.end()) return known->second;
    const auto made = new_formula(term);
    known_.emplace(term.id(), made);
    return made;
  }

 private:
  std::optional<model::FormulaId> new_formula(const z3::expr& term) {
    if (!term.is_app()) return std::nullopt;
    switch (term.decl().decl_kind()) {
      case Z3_OP_TRUE: return joined(model::Op::True, term);
      case Z3_OP_FALSE: return joined(model::Op::False, term);
      case Z3_OP_AND: return joined(model::Op::And, term);
      case Z3_OP_OR: return joined(model::Op::Or, term);
      case Z3_OP_NOT: return joined(model::Op::Not, term);
      case Z3_OP_IMPLIES: return joined(model::Op::Implies, term);
      case Z3_OP_LE: return comparison(term, model::Relation::LessEqual);
      case Z3_OP_LT: return comparison(term, model::Relation::Less);
      case Z3_OP_GE: return comparison(term, model::Relation::GreaterEqual);
      case Z3_OP_GT: return comparison(term, model::Relation::Greater);
      case Z3_OP_EQ:
        if (term.arg(0).is_bool()) return joined(model::Op::Iff, term);
        return comparison(term, model::Relation::Equal);
      case Z3_OP_DISTINCT:
        if (term.num_args() != 2 || !term.arg(0).is_arith()) return std::nullopt;
        return comparison(term, model::Relation::NotEqual);
      default: return std::nullopt;
    }
  }

  std::optional<model::FormulaId> joined(model::Op op, const z3::expr& term) {
    model::Formula formula{.op = op};
    for (unsigned i = 0; i < term.num_args(); ++i) {
      const auto part = this->formula(term.arg(i));
      if (!part) return std::nullopt;
      formula.parts.push_back(*part);
    }
    return invariant_.formulas.add(std::move(formula));
  }

  std::optional<model::FormulaId> comparison(const z3::expr& term, model::Relation relation) {
    const auto left = polynomial(term.arg(0));
    const auto right = polynomial(term.arg(1));
    if (!left || !right) return std::nullopt;
    model::Atom atom{.text = term.to_string(),
                     .value = model::sum(*left, model::scaled(*right, -1)),
                     .relation = relation};
    for (const model::Monomial& monomial : atom.value.terms) {
      atom.slots.insert(atom.slots.end(), monomial.slots.begin(), monomial.slots.end());
    }
    std::ranges::sort(atom.slots);
    atom.slots.erase(std::unique(atom.slots.begin(), atom.slots.end()), atom.slots.end());
    return invariant_.formulas.add(
        {.op = model::Op::Atom, .atom = invariant_.atoms.add(std::move(atom))});
  }

  std::optional<model::Polynomial> polynomial(const z3::expr& term) {
    if (const auto slot = slots_.find(term.id()); slot != slots_.end()) {
      return model::slot_value(slot->second);
    }
    if (!term.is_app()) return std::nullopt;
    if (term.is_numeral()) {
      return model::constant(rational_from(Z3_get_numeral_string(term.ctx(), term)));
    }
    switch (term.decl().decl_kind()) {
      case Z3_OP_ADD: return folded(term, model::sum);
      case Z3_OP_MUL: return folded(term, model::product);
      case Z3_OP_SUB:
        return folded(
            term, [](const auto& a, const auto& b) { return model::sum(a, model::scaled(b, -1)); });
      case Z3_OP_UMINUS: {
        const auto part = polynomial(term.arg(0));
        return part ? std::optional(model::scaled(*part, -1)) : std::nullopt;
      }
      case Z3_OP_TO_REAL: return polynomial(term.arg(0));
      default: return std::nullopt;
    }
  }

  template <class Join>
  std::optional<model::Polynomial> folded(const z3::expr& term, const Join& join) {
    std::optional<model::Polynomial> all = polynomial(term.arg(0));
    for (unsigned i = 1; all && i < term.num_args(); ++i) {
      const auto part = polynomial(term.arg(i));
      all = part ? std::optional(join(*all, *part)) : std::nullopt;
    }
    return all;
  }

  Invariant& invariant_;
  std::unordered_map<unsigned, model::SlotId> slots_;
  std::unordered_map<unsigned, std::optional<model::FormulaId>> known_;
};

// ---- Spacer ----

// Z3 takes a limit of work only with the configuration of a context; the time limit is a parameter
// of the fixedpoint.
struct Config {
  explicit Config(const HornOptions& options) {
    if (options.work_limit) z3.set("rlimit", fmt::format("{}", *options.work_limit).c_str());
  }
  z3::config z3;
};

// One question to Spacer. Clauses are named "clause0", "clause1" ..., by which a derivation is read
// back.
class Spacer {
 public:
  Spacer(const System& system, const std::string& text, const HornOptions& options)
      : system_(system), config_(options), context_(config_.z3) {
    z3::params params(context_);
    params.set("engine", context_.str_symbol("spacer"));
    for (const char* habit :
         {"xform.slice", "xform.inline_linear", "xform.inline_eager", "spacer.weak_abs"}) {
      params.set(habit, false);
    }
    if (options.time_limit) {
      constexpr std::chrono::milliseconds kLongest(UINT32_MAX - 1);
      const auto limit = std::clamp(*options.time_limit, std::chrono::milliseconds(1), kLongest);
      params.set("timeout", static_cast<unsigned>(limit.count()));
    }
    fixedpoint_.set(params);
    const std::vector<std::string> symbols = symbols_of(system);
    for (const PredicateId id : system.predicates.ids()) {
      declared_.push_back(declared(symbols[id.index], system.predicates[id]));
      fixedpoint_.register_relation(declared_[id.index]);
    }
    const z3::expr_vector read = context_.parse_string(text.c_str());
    POISE_CHECK(read.size() == system.clauses.size() + 1);  // the last one is the query
    for (unsigned i = 0; i + 1 < read.size(); ++i) {
      z3::expr clause = read[static_cast<int>(i)];
      fixedpoint_.add_rule(clause, context_.str_symbol(fmt::format("clause{}", i).c_str()));
    }
  }

  Reachability answer() {
    z3::func_decl_vector queries(context_);
    queries.push_back(declared_[system_.query.index]);
    switch (fixedpoint_.query(queries)) {
      case z3::unsat: return {.reachable = Answer::No, .invariant = invariant()};
      case z3::sat: return {.reachable = Answer::Yes, .derivation = derivation()};
      case z3::unknown: break;
    }
    return {.why = reason_from(fixedpoint_.reason_unknown())};
  }

  void interrupt() { context_.interrupt(); }

 private:
  z3::func_decl declared(const std::string& symbol, const Predicate& predicate) {
    z3::sort_vector sorts(context_);
    for (const Sort sort : predicate.sorts) {
      sorts.push_back(sort == Sort::Whole ? context_.int_sort() : context_.real_sort());
    }
    return context_.function(symbol.c_str(), sorts, context_.bool_sort());
  }

  // Reads "clause3;clause1;clause0", from the query backwards. Names that Spacer made up are
  // skipped.
  std::vector<ClauseId> derivation() {
    const Z3_symbol symbol = Z3_fixedpoint_get_rule_names_along_trace(context_, fixedpoint_);
    context_.check_error();
    const std::string names = z3::symbol(context_, symbol).str();
    std::vector<ClauseId> clauses;
    for (std::size_t start = 0; start < names.size();) {
      const std::size_t end = std::min(names.find(';', start), names.size());
      constexpr std::string_view kStart = "clause";
      const std::string_view name = std::string_view(names).substr(start, end - start);
      start = end + 1;
      if (!name.starts_with(kStart)) continue;
      std::uint32_t index = 0;
      std::from_chars(name.data() + kStart.size(), name.data() + name.size(), index);
      clauses.push_back(ClauseId{index});
    }
    std::ranges::reverse(clauses);
    return clauses;
  }

  // The answer is a conjunction of (= p formula) and (forall arguments (= (p arguments) formula)).
  Invariant invariant() {
    Invariant made;
    made.interpretations.resize(system_.predicates.size());
    const z3::expr answer = fixedpoint_.get_answer();
    if (answer.is_and()) {
      for (unsigned i = 0; i < answer.num_args(); ++i) read(answer.arg(i), made);
    } else {
      read(answer, made);
    }
    return made;
  }

  void read(const z3::expr& definition, Invariant& made) {
    const z3::expr equation = definition.is_quantifier() ? definition.body() : definition;
    if (!equation.is_app() || !equation.is_eq() || !equation.arg(0).is_app()) return;
    const z3::expr head = equation.arg(0);
    const auto declared = std::ranges::find_if(
        declared_, [&](const z3::func_decl& one) { return z3::eq(one, head.decl()); });
    if (declared == declared_.end()) return;
    std::vector<z3::expr> arguments;
    std::vector<z3::expr> by_variable(head.num_args(), z3::expr(context_));
    for (unsigned i = 0; i < head.num_args(); ++i) {
      arguments.push_back(context_.constant(fmt::format("a{}", i).c_str(), head.arg(i).get_sort()));
      const unsigned variable = Z3_get_index_value(context_, head.arg(i));
      POISE_CHECK(variable < by_variable.size());
      by_variable[variable] = arguments.back();
    }
    z3::expr_vector replacements(context_);
    for (const z3::expr& argument : by_variable) replacements.push_back(argument);
    z3::expr body = equation.arg(1);
    body = body.substitute(replacements);
    Invariant::Interpretation& interpretation =
        made.interpretations[static_cast<std::size_t>(declared - declared_.begin())];
    interpretation.formula = InterpretationReader(made, arguments).formula(body);
    interpretation.text = body.to_string();
  }

  System system_;  // a copy: whoever asked may have left
  Config config_;
  z3::context context_;
  z3::fixedpoint fixedpoint_{context_};
  std::vector<z3::func_decl> declared_;
};

// ---- Invariants ----

void set_interpretation(Invariant& invariant, PredicateId id, model::Op op) {
  invariant.interpretations[id.index] = {.formula = invariant.formulas.add({.op = op}),
                                         .text = op == model::Op::True ? "true" : "false"};
}

// Requires the interpretation of a predicate, or its negation, for the arguments of an application.
// False if it has no formula.
bool require_interpretation(Solver& solver, const Invariant& invariant,
                            const Application& application, Polarity truth) {
  const auto formula = invariant.interpretations[application.predicate.index].formula;
  if (!formula) return false;
  solver.require(invariant.conditions(), *formula, application.arguments, truth);
  return true;
}

// False if an interpretation that it needs has no formula.
bool require_body(Solver& solver, const Invariant& invariant, const Clause& clause) {
  add_unknowns(solver, clause);
  require_all(solver, clause.requirements);
  bool complete = true;
  for (const Application& application : clause.body) {
    if (!require_interpretation(solver, invariant, application, Polarity::Holds)) complete = false;
  }
  return complete;
}

// Spacer leaves out predicates that the query does not depend on, or that nothing leads to, and
// does not say which is the case. Something simple will do for them: such a predicate is false
// unless a clause derives something for it, and then it is true. Repeated until nothing changes.
void complete(const System& system, Invariant& invariant, Watchdog* watchdog) {
  std::vector<bool> open(system.predicates.size(), false);
  for (const PredicateId id : system.predicates.ids()) {
    open[id.index] = invariant.interpretations[id.index].text.empty();
    if (open[id.index] || id == system.query) set_interpretation(invariant, id, model::Op::False);
  }
  open[system.query.index] = false;
  Solver solver({.watchdog = watchdog});
  for (bool changed = true; changed;) {
    changed = false;
    for (const Clause& clause : system.clauses) {
      if (!open[clause.head.predicate.index]) continue;
      solver.push();
      require_body(solver, invariant, clause);
      if (solver.check() != Answer::No) {
        set_interpretation(invariant, clause.head.predicate, model::Op::True);
        open[clause.head.predicate.index] = false;
        changed = true;
      }
      solver.pop();
    }
  }
}

}  // namespace

Result<std::string> horn_text(const System& system, Watchdog* watchdog) {
  const std::vector<std::string> symbols = symbols_of(system);
  std::string text = "(set-logic HORN)\n";
  for (const PredicateId id : system.predicates.ids()) {
    std::vector<std::string_view> sorts;
    for (const Sort sort : system.predicates[id].sorts) sorts.push_back(word_for(sort));
    text += fmt::format("(declare-fun {} ({}) Bool)\n", quoted(symbols[id.index]),
                        fmt::join(sorts, " "));
  }
  Solver solver({.watchdog = watchdog});
  for (const Clause& clause : system.clauses) {
    solver.push();
    add_unknowns(solver, clause);
    require_all(solver, clause.requirements);
    const std::optional<Solver::Written> written = solver.written();
    if (!written)
      return failure("Z3 failed, or a limit was reached, while conditions were written");
    text += fmt::format("; {}\n(assert {})\n", comment_from(clause.name),
                        clause_text(system, symbols, clause, *written));
    solver.pop();
  }
  text += fmt::format("; what must not be reached\n(assert {})\n",
                      query_text(system.predicates[system.query], symbols[system.query.index]));
  return text + "(check-sat)\n(get-model)\n";
}

namespace {

Reachability spacer_answer(const System& system, const std::string& text,
                           const HornOptions& options) {
  const auto failed = [](const z3::exception& exception) {
    return Reachability{.why = fmt::format("Z3 failed: {}", exception.msg())};
  };
  const auto found = std::make_shared<Reachability>();
  try {
    const auto spacer = std::make_shared<Spacer>(system, text, options);
    const auto work = [spacer, found, failed] {
      try {
        *found = spacer->answer();
      } catch (const z3::exception& exception) {
        *found = failed(exception);
      }
    };
    if (!done_in_time(
            options.watchdog, [&] { spacer->interrupt(); }, work))
      return {};
  } catch (const z3::exception& exception) {
    return failed(exception);
  }
  return std::move(*found);
}

}  // namespace

Reachability reachability(const System& system, const HornOptions& options) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const auto exhausted_words = [&] {
    return reason(options.watchdog == nullptr ? Exhausted::No : options.watchdog->exhausted());
  };
  if (!exhausted_words().empty()) return {.why = std::string(exhausted_words())};
  const Result<std::string> text = horn_text(system, options.watchdog);
  if (!text) {
    const std::string_view limit = exhausted_words();
    return {.why = limit.empty() ? text.error().message : std::string(limit)};
  }
  Reachability found = spacer_answer(system, *text, options);
  if (found.reachable == Answer::No) complete(system, found.invariant, options.watchdog);
  if (found.reachable != Answer::Unknown) return found;
  const bool late = options.time_limit && Clock::now() - start >= *options.time_limit;
  if (late) found.why = reason(Exhausted::Time);
  if (!exhausted_words().empty()) found.why = exhausted_words();
  return found;
}

Duty duty_of(const System& system, const Clause& clause) {
  if (clause.head.predicate == system.query) return Duty::Safety;
  return clause.body.empty() ? Duty::Initiation : Duty::Consecution;
}

InvariantCheck check_invariant(const System& system, const Invariant& invariant,
                               const HornOptions& options) {
  POISE_CHECK(invariant.interpretations.size() == system.predicates.size());
  Invariant safe = invariant;
  set_interpretation(safe, system.query, model::Op::False);
  Solver solver({.time_limit = options.time_limit, .watchdog = options.watchdog});
  InvariantCheck check{.holds = Answer::Yes};
  for (const ClauseId id : system.clauses.ids()) {
    const Clause& clause = system.clauses[id];
    solver.push();
    const bool asked = require_body(solver, safe, clause) &&
                       require_interpretation(solver, safe, clause.head, Polarity::Fails);
    const Answer fails = asked ? solver.check() : Answer::Unknown;
    if (fails == Answer::Yes) {
      return {.holds = Answer::No, .clause = id, .values = solver.values()};
    }
    if (fails == Answer::Unknown && check.holds == Answer::Yes) {
      check = {.clause = id,
               .why = asked ? std::string(solver.why()) : "an interpretation has no formula"};
    }
    solver.pop();
  }
  return check;
}

}  // namespace poise::smt
