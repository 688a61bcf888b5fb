#include "poise/shake/subjects/compiled_policy.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "poise/base/check.h"
#include "poise/base/infinity.h"
#include "poise/shake/grid/number.h"

namespace poise::shake {

using model::Model;
using model::OptionId;
using model::PolicyExpr;
using model::PolicyExprId;
using model::PolicyOp;
using model::SlotId;
using model::TypeKind;

namespace {

enum class Row : std::uint32_t { State, Utility, Sensed, Constant, Rest };
constexpr std::uint32_t kRowShift = 28;
constexpr std::uint32_t kInRow = (1U << kRowShift) - 1;

Register in_row(Row row, std::size_t index) {
  POISE_CHECK(index <= kInRow);
  return (static_cast<std::uint32_t>(row) << kRowShift) | static_cast<std::uint32_t>(index);
}

bool is_history(PolicyOp op) { return op >= PolicyOp::Held; }

// What an expression is used as. As a truth, crisp or fuzzy, "no value" counts as false.
enum class Role { Number, Crisp, Fuzzy };

// What is known about the number in a register.
struct Nature {
  bool whole = false;    // a whole number: exact, while it is not too large
  bool rounded = false;  // calculated, so rounding may have moved it
  bool fixed = true;     // depends on sensed values and utilities only: the same during a tick
  bool late = false;     // depends on utilities
};

Role role_of_part(PolicyOp op, std::size_t part, Role role) {
  switch (op) {
    case PolicyOp::If: return part == 0 ? Role::Crisp : role;
    case PolicyOp::Not:
    case PolicyOp::And:
    case PolicyOp::Or:
    case PolicyOp::Implies:
    case PolicyOp::Iff: return role == Role::Fuzzy ? role : Role::Crisp;
    case PolicyOp::Held: return Role::Crisp;
    case PolicyOp::Previous: return role;
    default: return Role::Number;
  }
}

using Key = std::tuple<Code, Register, Register, Register>;

class Compiler {
 public:
  Compiler(const Model& model, const TermFault& patch)
      : model_(model), patch_(patch), exprs_(model.policy.exprs) {
    role_.resize(exprs_.size(), Role::Number);
    is_past_.resize(exprs_.size(), false);
    register_.resize(exprs_.size(), 0);
    end_register_.resize(exprs_.size(), 0);
  }

  CompiledPolicy compiled() {
    const model::Policy& policy = model_.policy;
    program_.tick = to_double(policy.tick);
    place_slots();
    std::vector<std::vector<Vote>> votes(policy.options.size());
    for (const model::Preference& preference : policy.preferences) {
      const Register degree = expression(preference.when, Role::Fuzzy, Place::Start);
      program_.preferences.push_back(degree);
      votes[preference.option.index].push_back(
          {degree, preference.term, to_double(preference.weight)});
    }
    for (const OptionId id : policy.options.ids()) {
      option(id);
      CompiledPolicy::Option& made = program_.options.back();
      made.votes = made.scale.arranged(std::move(votes[id.index]));
    }
    lay_out();
    return std::move(program_);
  }

 private:
  // Where an expression is calculated.
  enum class Place {
    Start,  // at the start of the tick
    Asked,  // when the option's turn comes, unless it cools down
    Value,  // before an assignment of an option that acts
    End,    // at the end of the tick: what history keeps
  };

  // ---- Registers ----

  void place_slots() {
    for (const SlotId slot : model_.slots.ids()) {
      const model::Variable& variable = model_.variables[model_.slots[slot].variable];
      if (!variable.own) {
        program_.slots.push_back(in_row(Row::Sensed, sensed_++));
      } else {
        const std::size_t member = slot.index - variable.first_slot.index;
        POISE_CHECK(member < variable.initial.size());
        program_.slots.push_back(state(to_double(variable.initial[member])));
      }
      const TypeKind kind = variable.type.kind;
      Nature nature;
      nature.whole = kind != TypeKind::Real;
      nature.rounded = kind == TypeKind::Real && variable.own;
      nature.fixed = !variable.own;
      natures_[program_.slots.back()] = nature;
    }
  }

  Register state(double initial) {
    state_.push_back(initial + 0.0);
    return in_row(Row::State, state_.size() - 1);
  }

  Register constant(double number) {
    const auto [place, is_new] = constant_of_.try_emplace(number, 0);
    if (is_new) {
      constants_.push_back(number);
      place->second = in_row(Row::Constant, constants_.size() - 1);
      natures_[place->second].whole = std::trunc(number) == number;
    }
    return place->second;
  }

  // ---- Expressions ----

  // Compiles an expression; its register. Parts first, which is the order of the model's table;
  // each is part of one expression only. What history asks about is compiled twice: for the place,
  // and for the end of the tick.
  Register expression(PolicyExprId root, Role role, Place place) {
    std::vector<PolicyExprId> tree = {root};
    role_[root.index] = role;
    is_past_[root.index] = false;
    for (std::size_t i = 0; i < tree.size(); ++i) {
      const PolicyExprId whole = tree[i];
      const PolicyExpr& expr = exprs_[whole];
      for (std::size_t part = 0; part < expr.parts.size(); ++part) {
        const PolicyExprId id = expr.parts[part];
        role_[id.index] = role_of_part(expr.op, part, role_[whole.index]);
        is_past_[id.index] = is_past_[whole.index] || is_history(expr.op);
        tree.push_back(id);
      }
    }
    std::ranges::sort(tree);
    for (const PolicyExprId id : tree) {
      if (is_past_[id.index]) {
        place_ = Place::End;
        end_register_[id.index] = node(id);
      }
      place_ = place;
      register_[id.index] = node(id);
    }
    return register_[root.index];
  }

  [[nodiscard]] Register register_of(PolicyExprId id) const {
    return (place_ == Place::End ? end_register_ : register_)[id.index];
  }
  [[nodiscard]] Register part(const PolicyExpr& expr, std::size_t index) const {
    return register_of(expr.parts[index]);
  }

  Register node(PolicyExprId id) {
    const PolicyExpr& expr = exprs_[id];
    const Role role = role_[id.index];
    const auto one = [&] { return part(expr, 0); };
    const auto two = [&](Code code) { return emitted(code, part(expr, 0), part(expr, 1)); };
    const auto all = [&](Code code) {
      Register result = part(expr, 0);
      for (std::size_t i = 1; i < expr.parts.size(); ++i) {
        result = emitted(code, result, part(expr, i));
      }
      return result;
    };
    const auto near = [&](Code exact, Code rounded) {
      return std::ranges::any_of(expr.parts,
                                 [&](PolicyExprId p) { return natures_[register_of(p)].rounded; })
                 ? rounded
                 : exact;
    };
    switch (expr.op) {
      case PolicyOp::Number: return constant(to_double(expr.number));
      case PolicyOp::Slot: {
        const Register slot = program_.slots[expr.slot.index];
        const bool certain = model_.variables[model_.slots[expr.slot].variable].own;
        return role == Role::Number || certain ? slot : emitted(Code::Truth, slot);
      }
      case PolicyOp::Utility: return utility();
      case PolicyOp::Add: return all(Code::Add);
      case PolicyOp::Multiply: return all(Code::Multiply);
      case PolicyOp::Divide: return two(Code::Divide);
      case PolicyOp::Negate: return emitted(Code::Negate, one());
      case PolicyOp::Minimum: return all(Code::Minimum);
      case PolicyOp::Maximum: return all(Code::Maximum);
      case PolicyOp::Absolute: return emitted(Code::Absolute, one());
      case PolicyOp::Ceiling: return emitted(near(Code::Ceiling, Code::NearCeiling), one());
      case PolicyOp::Floor: return emitted(near(Code::Floor, Code::NearFloor), one());
      case PolicyOp::Round: return emitted(near(Code::Round, Code::NearRound), one());
      case PolicyOp::If: return emitted(Code::Select, part(expr, 0), part(expr, 1), part(expr, 2));
      case PolicyOp::Not: return emitted(Code::Not, one());
      case PolicyOp::And: return all(Code::And);
      case PolicyOp::Or: return all(Code::Or);
      case PolicyOp::Implies: return implies(part(expr, 0), part(expr, 1));
      case PolicyOp::Iff:
        if (role != Role::Fuzzy) return two(Code::Equal);
        return emitted(Code::And, implies(part(expr, 0), part(expr, 1)),
                       implies(part(expr, 1), part(expr, 0)));
      case PolicyOp::Equal: return two(near(Code::Equal, Code::NearEqual));
      case PolicyOp::NotEqual: return two(near(Code::NotEqual, Code::NearNotEqual));
      case PolicyOp::Less: return two(near(Code::Less, Code::NearLess));
      case PolicyOp::LessEqual: return two(near(Code::LessEqual, Code::NearLessEqual));
      case PolicyOp::Is: {
        const Register degree = this->degree(expr);
        return role == Role::Fuzzy ? degree : emitted(Code::Clear, degree);
      }
      case PolicyOp::Held:
      case PolicyOp::Rate:
      case PolicyOp::MaximumOver:
      case PolicyOp::MinimumOver:
      case PolicyOp::MeanOver:
      case PolicyOp::Previous: return history(expr);
    }
    return 0;
  }

  Register implies(Register a, Register b) { return emitted(Code::Or, emitted(Code::Not, a), b); }

  Register utility() {
    const Register made = in_row(Row::Utility, program_.options.size() - 1);
    natures_[made] = {.whole = false, .rounded = true, .fixed = true, .late = true};
    return made;
  }

  Register degree(const PolicyExpr& expr) {
    const model::VariableId variable = model_.slots[expr.slot].variable;
    std::uint32_t term = expr.term;
    if (patch_.variable == variable && term < patch_.passed_on.size()) {
      term = patch_.passed_on[term];
    }
    const std::vector<model::Term>& terms = model_.variables[variable].terms;
    POISE_CHECK(term < terms.size());
    // A term's shape is stored once.
    const auto [place, is_new] = shape_of_.try_emplace({variable.index, term}, 0, false);
    auto& [shape, is_table] = place->second;
    if (is_new) {
      Membership made = membership_of(terms[term].shape);
      is_table = !made.table.empty();
      if (is_table) {
        shape = static_cast<std::uint32_t>(program_.tables.size());
        program_.tables.push_back(std::move(made.table));
      } else {
        shape = static_cast<std::uint32_t>(program_.trapezoids.size());
        program_.trapezoids.push_back(made.trapezoid);
      }
    }
    return emitted(is_table ? Code::TableDegree : Code::Degree, program_.slots[expr.slot.index],
                   shape);
  }

  Register history(const PolicyExpr& expr) {
    const double ticks = ticks_in(expr.number, model_.policy.tick);
    const auto window = static_cast<std::uint32_t>(std::min<double>(ticks, kMostTicks));
    const Register now = part(expr, 0);
    switch (expr.op) {
      case PolicyOp::Held: {
        if (ticks == 0) return now;
        // Only a count is kept, so the duration needs no limit; it is a constant.
        const Register least = constant(ticks);
        return emitted(Code::Held, now, kept(expr, Code::KeepHeld, 1, least), least);
      }
      case PolicyOp::Rate: {
        const std::uint32_t count = std::max(window, 1U);
        return emitted(Code::Rate, now, kept(expr, Code::Keep, count, count), count);
      }
      case PolicyOp::MaximumOver: return over(expr, Code::MaximumOver, Code::KeepMaximum, window);
      case PolicyOp::MinimumOver: return over(expr, Code::MinimumOver, Code::KeepMinimum, window);
      case PolicyOp::MeanOver: return over(expr, Code::MeanOver, Code::Keep, window);
      default: return emitted(Code::Previous, now, kept(expr, Code::Keep, 1, 1));
    }
  }

  Register over(const PolicyExpr& expr, Code ask, Code keep, std::uint32_t window) {
    const Register now = part(expr, 0);
    if (window <= 1) return now;
    return emitted(ask, now, kept(expr, keep, window - 1, window - 1), window - 1);
  }

  // The first of the registers, as many as `count`, that keep what the operand was at the ends of
  // ticks. Equal operands share them.
  Register kept(const PolicyExpr& expr, Code keep, std::uint32_t count, Register c) {
    const Register end = end_register_[expr.parts[0].index];
    const auto [place, is_new] = kept_.try_emplace({keep, end, c, 0}, 0);
    if (!is_new) return place->second;
    program_.has_history = true;
    place->second = in_row(Row::State, state_.size());
    const double initial = keep == Code::KeepHeld      ? 0
                           : keep == Code::KeepMinimum ? kInfinity
                                                       : -kInfinity;
    state_.insert(state_.end(), count, initial);
    program_.keep.push_back({keep, place->second, end, place->second, c});
    return place->second;
  }

  // ---- Instructions ----

  // The register of a calculation: an earlier one that is the same, or that of an instruction that
  // is added to the block of the current place.
  Register emitted(Code code, Register a, Register b = 0, Register c = 0) {
    const bool swaps = code == Code::Add || code == Code::Multiply || code == Code::And ||
                       code == Code::Or || code == Code::Equal || code == Code::NotEqual;
    if (swaps && b < a) std::swap(a, b);
    if ((code == Code::And || code == Code::Or) && a == b) return a;
    const Nature nature = nature_of(code, a, b, c);
    const bool at_start = place_ == Place::Start ||
                          (nature.fixed && (place_ == Place::Asked || place_ == Place::End));
    const Key key = {code, a, b, c};
    if (const auto known = calculated(key, nature, at_start)) return *known;
    const Register to = in_row(Row::Rest, rest_++);
    natures_[to] = nature;
    const Instruction made{code, to, a, b, c};
    if (at_start) {
      at_start_[key] = to;
      if (code == Code::Degree) {
        program_.cells.push_back({program_.trapezoids[b], a, to});
      } else {
        (nature.late ? program_.ready : program_.start).push_back(made);
      }
    } else if (place_ == Place::End) {
      at_end_[key] = to;
      program_.end.push_back(made);
    } else {
      then_[key] = to;
      code_->push_back(made);
    }
    return to;
  }

  [[nodiscard]] std::optional<Register> calculated(const Key& key, const Nature& nature,
                                                   bool at_start) const {
    const auto in = [&](const std::map<Key, Register>& known) -> std::optional<Register> {
      const auto found = known.find(key);
      return found == known.end() ? std::nullopt : std::optional(found->second);
    };
    if (at_start || nature.fixed) {
      if (const auto found = in(at_start_)) return found;
      if (at_start) return std::nullopt;
    }
    return in(place_ == Place::End ? at_end_ : then_);
  }

  [[nodiscard]] Nature nature_of(Code code, Register a, Register b, Register c) const {
    const auto of = [&](Register r) { return natures_.at(r); };
    const auto joined = [](Nature x, Nature y) {
      return Nature{x.whole && y.whole, x.rounded || y.rounded, x.fixed && y.fixed,
                    x.late || y.late};
    };
    const auto whole = [](Nature nature) { return Nature{true, false, nature.fixed, nature.late}; };
    const auto rounded = [](Nature nature) {
      return Nature{false, true, nature.fixed, nature.late};
    };
    switch (code) {
      case Code::Add:
      case Code::Multiply: {
        const Nature nature = joined(of(a), of(b));
        return nature.whole ? nature : rounded(nature);
      }
      case Code::Divide: return rounded(joined(of(a), of(b)));
      case Code::Minimum:
      case Code::Maximum: return joined(of(a), of(b));
      case Code::Select: {
        const Nature nature = joined(of(b), of(c));
        return {nature.whole, nature.rounded, nature.fixed && of(a).fixed,
                nature.late || of(a).late};
      }
      case Code::Negate:
      case Code::Absolute:
      case Code::MaximumOver:
      case Code::MinimumOver:
      case Code::Previous: return of(a);
      case Code::Rate:
      case Code::MeanOver: return rounded(of(a));
      case Code::And:
      case Code::Or:
      case Code::Equal:
      case Code::NotEqual:
      case Code::Less:
      case Code::LessEqual:
      case Code::NearEqual:
      case Code::NearNotEqual:
      case Code::NearLess:
      case Code::NearLessEqual: return whole(joined(of(a), of(b)));
      case Code::Ceiling:
      case Code::Floor:
      case Code::Round:
      case Code::NearCeiling:
      case Code::NearFloor:
      case Code::NearRound:
      case Code::Not:
      case Code::Truth:
      case Code::Clear:
      case Code::Degree:
      case Code::TableDegree:
      case Code::Held: return whole(of(a));
      case Code::Keep:
      case Code::KeepHeld:
      case Code::KeepMaximum:
      case Code::KeepMinimum: break;  // they calculate nothing
    }
    return {};
  }

  // ---- Options ----

  void option(OptionId id) {
    const model::Option& option = model_.policy.options[id];
    program_.options.push_back(
        CompiledPolicy::Option{option.name, {}, {}, 0, 0, {}, Scale(option.scale), {}});
    then_.clear();
    const double cooldown = ticks_in(option.cooldown, model_.policy.tick);
    if (cooldown > 1) {  // one tick later it acts again anyway
      program_.has_history = true;
      program_.options.back().cooldown = cooldown;
      program_.options.back().cooling = state(0);
    }
    Block code;
    code_ = &code;
    if (option.when) {
      const Register condition = expression(*option.when, Role::Crisp, Place::Asked);
      program_.options.back().condition = condition;
      program_.options.back().asked = std::move(code);
    }
    for (const model::PolicyAssignment& assignment : option.assignments) {
      code = {};
      const Register value = expression(assignment.value, Role::Number, Place::Value);
      program_.options.back().assignments.push_back(assigned(assignment, value, std::move(code)));
      then_.clear();
    }
  }

  [[nodiscard]] CompiledPolicy::Assignment assigned(const model::PolicyAssignment& assignment,
                                                    Register value, Block code) const {
    const model::Variable& variable = model_.variables[model_.slots[assignment.slot].variable];
    POISE_CHECK(variable.own);
    CompiledPolicy::Assignment made;
    made.code = std::move(code);
    made.value = value;
    made.target = program_.slots[assignment.slot.index];
    made.slot = assignment.slot.index;
    made.low = variable.unbounded ? -kInfinity : to_double(variable.type.low);
    made.high = variable.unbounded ? kInfinity : to_double(variable.type.high);
    using Kind = CompiledPolicy::Assignment::Kind;
    switch (variable.type.kind) {
      case TypeKind::Bool:
      case TypeKind::Set: made.kind = Kind::Boolean; break;
      case TypeKind::Enum: made.kind = Kind::Symbol; break;
      case TypeKind::Int: made.kind = natures_.at(value).whole ? Kind::Real : Kind::Whole; break;
      case TypeKind::Real: made.kind = Kind::Real; break;
    }
    return made;
  }

  // ---- Rows ----

  void lay_out() {
    const std::size_t options = program_.options.size();
    program_.state = state_.size();
    program_.utilities = state_.size();
    std::vector<double>& registers = program_.registers;
    registers = std::move(state_);
    registers.insert(registers.end(), options, 0.0);
    const std::size_t sensed = registers.size();
    registers.insert(registers.end(), sensed_, kNoNumber);
    const std::size_t constants = registers.size();
    registers.insert(registers.end(), constants_.begin(), constants_.end());
    const std::size_t rest = registers.size();
    registers.insert(registers.end(), rest_, 0.0);
    const std::array<std::size_t, 5> begins = {0, program_.utilities, sensed, constants, rest};
    const auto move = [&](Register& r) {
      r = static_cast<Register>(begins[r >> kRowShift]) + (r & kInRow);
    };
    const auto move_all = [&](Block& block) {
      for (Instruction& instruction : block) {
        const Code code = instruction.code;
        move(instruction.to);
        move(instruction.a);
        if (code != Code::Degree && code != Code::TableDegree) move(instruction.b);
        const bool counts = code >= Code::Rate && code != Code::KeepHeld;  // c is no register
        if (!counts) move(instruction.c);
      }
    };
    for (Register& slot : program_.slots) move(slot);
    for (CompiledPolicy::Cell& cell : program_.cells) {
      move(cell.number);
      move(cell.to);
    }
    for (Register& preference : program_.preferences) move(preference);
    move_all(program_.start);
    move_all(program_.ready);
    move_all(program_.end);
    move_all(program_.keep);
    for (CompiledPolicy::Option& option : program_.options) {
      move_all(option.asked);
      move(option.cooling);
      if (option.condition) move(*option.condition);
      for (Vote& vote : option.votes) move(vote.place);
      for (CompiledPolicy::Assignment& assignment : option.assignments) {
        move_all(assignment.code);
        move(assignment.value);
        move(assignment.target);
      }
    }
  }

  const Model& model_;
  const TermFault& patch_;
  const Table<PolicyExprId, PolicyExpr>& exprs_;
  CompiledPolicy program_;
  std::vector<Role> role_;              // by expression
  std::vector<bool> is_past_;           // by expression: history asks about it
  std::vector<Register> register_;      // by expression
  std::vector<Register> end_register_;  // by expression that history asks about: at the end
  std::map<Register, Nature> natures_;
  std::map<double, Register> constant_of_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, bool>> shape_of_;
  std::vector<double> state_;  // as it is at first
  std::vector<double> constants_;
  std::size_t sensed_ = 0;
  std::size_t rest_ = 0;
  // Registers of calculations so far: at the start of a tick, at its end, and in the current option
  // since its last assignment.
  std::map<Key, Register> at_start_;
  std::map<Key, Register> at_end_;
  std::map<Key, Register> then_;
  std::map<Key, Register> kept_;  // by how it is kept, and what: the first register of its state
  Place place_ = Place::Start;
  Block* code_ = nullptr;
};

}  // namespace

CompiledPolicy program_of(const Model& model, const TermFault& terms) {
  return Compiler(model, terms).compiled();
}

}  // namespace poise::shake
