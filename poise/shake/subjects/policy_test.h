#pragma once

// A builder of policies, with their grids, for tests that need a model without a text; and the
// paper's web server, built with it.

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "poise/model/model.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {
// Other test headers have the same names.
inline namespace built {

inline Rational operator""_r(const char* digits) { return Rational::from_decimal(digits); }

struct PolicyBuilder {
  using Expr = model::PolicyExprId;
  using Op = model::PolicyOp;
  using Slot = model::SlotId;
  using Kind = model::TypeKind;

  model::Model model;
  Grid grid;

  Slot add(model::Variable variable) {
    const model::VariableId id{static_cast<std::uint32_t>(model.variables.size())};
    const Slot first{static_cast<std::uint32_t>(model.slots.size())};
    variable.first_slot = first;
    for (std::uint32_t i = 0; i < variable.slot_count; ++i) model.slots.add({id, i});
    if (!variable.own) {
      Property property;
      property.name = variable.name;
      property.slot = first;
      grid.properties.push_back(std::move(property));
    }
    model.variables.add(std::move(variable));
    return first;
  }
  static model::Variable variable(std::string name, Kind kind, Rational low, Rational high) {
    model::Variable made;
    made.name = std::move(name);
    made.type.kind = kind;
    made.type.low = std::move(low);
    made.type.high = std::move(high);
    return made;
  }
  Slot sense(std::string name, Kind kind, Rational low, Rational high,
             std::vector<model::Term> terms = {}) {
    model::Variable made = variable(std::move(name), kind, std::move(low), std::move(high));
    made.terms = std::move(terms);
    return add(std::move(made));
  }
  Slot own(std::string name, Kind kind, Rational low, Rational high, Rational initial) {
    model::Variable made = variable(std::move(name), kind, std::move(low), std::move(high));
    made.own = true;
    made.initial = {std::move(initial)};
    return add(std::move(made));
  }
  Slot variant(std::string name, Kind kind, Rational low, Rational high, Rational initial) {
    const Slot slot =
        own(std::move(name), kind, std::move(low), std::move(high), std::move(initial));
    model.variables[model.slots[slot].variable].variant = true;
    return slot;
  }

  Expr expr(model::PolicyExpr expr) { return model.policy.exprs.add(std::move(expr)); }
  Expr number(Rational number) { return expr({.op = Op::Number, .number = std::move(number)}); }
  Expr slot(Slot slot) { return expr({.op = Op::Slot, .slot = slot}); }
  Expr utility() { return expr({.op = Op::Utility}); }
  Expr is(Slot slot, std::uint32_t term) {
    return expr({.op = Op::Is, .slot = slot, .term = term});
  }
  Expr op(Op op, std::vector<Expr> parts, Rational seconds = 0) {
    return expr({.op = op, .number = std::move(seconds), .parts = std::move(parts)});
  }
  Expr not_(Expr part) { return op(Op::Not, {part}); }
  Expr and_(Expr a, Expr b) { return op(Op::And, {a, b}); }
  Expr or_(Expr a, Expr b) { return op(Op::Or, {a, b}); }
  Expr less(Expr a, Expr b) { return op(Op::Less, {a, b}); }
  Expr at_most(Expr a, Expr b) { return op(Op::LessEqual, {a, b}); }

  static model::UtilityScale usual_scale() {
    model::UtilityScale scale;
    using Shape = model::Shape;
    scale.terms = {{"low", {Shape::Kind::Singleton, {0}}, {}},
                   {"medium", {Shape::Kind::Singleton, {0.5_r}}, {}},
                   {"high", {Shape::Kind::Singleton, {1}}, {}}};
    return scale;
  }
  model::OptionId option(std::string name, std::vector<std::pair<Slot, Expr>> assignments,
                         std::optional<Expr> when = {}, Rational cooldown = 0) {
    model::Option made;
    made.name = std::move(name);
    for (const auto& [slot, value] : assignments) made.assignments.push_back({slot, value, {}});
    made.when = when;
    made.cooldown = std::move(cooldown);
    made.scale = usual_scale();
    return model.policy.options.add(std::move(made));
  }
  void prefer(model::OptionId option, std::uint32_t term, Expr when, Rational weight = 1) {
    model.policy.preferences.add({option, term, when, std::move(weight), {}, {}});
  }
};

// The paper's web server, as reconstructed: three properties of three terms, 8 options with 24
// preferences; cache, size and servers as variant.
inline PolicyBuilder web_server() {
  using Kind = model::TypeKind;
  using Op = model::PolicyOp;
  using enum model::Shape::Kind;
  const auto term = [](std::string name, model::Shape::Kind kind, std::vector<Rational> points) {
    return model::Term{std::move(name), {kind, std::move(points)}, {}};
  };
  PolicyBuilder b;
  const auto density =
      b.sense("density", Kind::Int, 1, 1000,
              {term("low", Trapezoid, {1, 1, 50, 200}), term("medium", Triangle, {100, 300, 600}),
               term("high", Ramp, {400, 700})});
  const auto dispersion = b.sense("dispersion", Kind::Real, 0, 1,
                                  {term("low", Trapezoid, {0, 0, 0.2_r, 0.4_r}),
                                   term("medium", Triangle, {0.3_r, 0.5_r, 0.7_r}),
                                   term("high", Trapezoid, {0.6_r, 0.8_r, 1, 1})});
  const auto files =
      b.sense("files", Kind::Int, 1, 1000,
              {term("low", Trapezoid, {1, 1, 50, 200}), term("medium", Triangle, {100, 300, 600}),
               term("high", Ramp, {400, 700})});
  const auto cache = b.variant("cache", Kind::Bool, 0, 1, 0);
  const auto size = b.variant("size", Kind::Int, 0, 1024, 512);
  const auto servers = b.variant("servers", Kind::Int, 1, 100, 1);
  const auto wanted = [&] { return b.at_most(b.number(0.6_r), b.utility()); };
  const auto plus = [&](model::SlotId slot, Rational by) {
    return b.op(Op::Add, {b.slot(slot), b.number(std::move(by))});
  };
  const auto less = [&](model::SlotId slot, Rational than) {
    return b.less(b.slot(slot), b.number(std::move(than)));
  };
  const auto more = [&](model::SlotId slot, Rational than) {
    return b.less(b.number(std::move(than)), b.slot(slot));
  };
  const auto add_cache = b.option("add_cache", {{cache, b.number(1)}}, wanted());
  const auto remove_cache = b.option("remove_cache", {{cache, b.number(0)}}, wanted());
  const auto grow = b.option(
      "grow_cache", {{size, b.op(Op::Minimum, {b.number(1024), plus(size, 128)})}}, wanted());
  const auto shrink = b.option(
      "shrink_cache", {{size, b.op(Op::Maximum, {b.number(0), plus(size, -128)})}}, wanted());
  const auto add_server = b.option(
      "add_server", {{servers, b.op(Op::Minimum, {b.number(100), plus(servers, 1)})}}, wanted());
  const auto remove_server = b.option(
      "remove_server", {{servers, b.op(Op::Maximum, {b.number(1), plus(servers, -1)})}}, wanted());
  const auto low = 0U;
  const auto medium = 1U;
  const auto high = 2U;
  const auto without = [&] { return b.not_(b.slot(cache)); };
  const auto with = [&] { return b.slot(cache); };
  b.prefer(add_cache, high,
           b.and_(b.or_(b.is(dispersion, low), b.is(dispersion, medium)), without()));
  b.prefer(add_cache, low, b.and_(b.is(dispersion, high), without()));
  for (const auto t : {low, medium, high}) {
    b.prefer(remove_cache, t, b.and_(b.is(dispersion, t), with()));
  }
  b.prefer(add_cache, low, b.and_(b.is(density, low), without()));
  b.prefer(add_cache, high, b.and_(b.or_(b.is(density, medium), b.is(density, high)), without()));
  b.prefer(remove_cache, high, b.and_(b.is(density, low), with()));
  b.prefer(remove_cache, low, b.and_(b.or_(b.is(density, medium), b.is(density, high)), with()));
  b.prefer(grow, low, b.and_(b.or_(b.is(files, low), b.is(files, medium)), less(size, 1024)));
  b.prefer(grow, high, b.and_(b.is(files, high), less(size, 1024)));
  b.prefer(shrink, high, b.and_(b.is(files, low), more(size, 512)));
  b.prefer(shrink, medium, b.and_(b.is(files, medium), more(size, 512)));
  b.prefer(shrink, low, b.and_(b.is(files, medium), b.not_(more(size, 512))));
  b.prefer(shrink, low, b.is(files, high));
  for (const auto t : {low, medium, high}) {
    b.prefer(add_server, t, b.and_(b.is(density, t), less(servers, 100)));
  }
  b.prefer(remove_server, high, b.and_(b.is(density, low), more(servers, 1)));
  b.prefer(remove_server, medium, b.and_(b.is(density, medium), more(servers, 50)));
  b.prefer(remove_server, low, b.and_(b.is(density, medium), b.not_(more(servers, 50))));
  b.prefer(remove_server, low, b.is(density, high));
  return b;
}

}  // namespace built
}  // namespace poise::shake
