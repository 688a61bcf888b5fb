#include "poise/lang/policies.h"

#include <array>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/lang/lang.h"

namespace poise::lang {
namespace {

using model::Expectation;
using model::Model;
using model::PolicyExpr;
using model::PolicyExprId;
using model::PolicyOp;
using model::Shape;

Parsed policy_parsed(const std::string& text) {
  return parse({.name = "test.poise", .text = text});
}

std::string policy_codes(const std::string& text) {
  std::string result;
  for (const diag::Diagnostic& diagnostic : policy_parsed(text).diagnostics) {
    result += (result.empty() ? "" : " ") + std::string(diag::info(diagnostic.code).code);
  }
  return result;
}

Model policy_model_of(const std::string& text) {
  Parsed result = policy_parsed(text);
  EXPECT_TRUE(result.model.has_value()) << result.diagnostics.front().message;
  return result.model ? std::move(*result.model) : Model{};
}

// The tree as text: (< (slot servers) 5).
std::string policy_printed(const Model& model, PolicyExprId id) {
  constexpr std::array<std::string_view, 31> kWords = {
      "",     "",     "utility", "+",       "*",     "/",        "-",   "min",
      "max",  "abs",  "ceil",    "floor",   "round", "if",       "not", "and",
      "or",   "=>",   "iff",     "==",      "!=",    "<",        "<=",  "is",
      "held", "rate", "maximum", "minimum", "mean",  "previous", ""};
  const PolicyExpr& expr = model.policy.exprs[id];
  const auto slot = [&] {
    const model::Slot& of = model.slots[expr.slot];
    const model::Variable& variable = model.variables[of.variable];
    if (variable.type.kind != model::TypeKind::Set) return variable.name;
    return variable.name + "." + model.symbols[variable.type.members[of.member]];
  };
  if (expr.op == PolicyOp::Number) return expr.number.to_string();
  if (expr.op == PolicyOp::Slot) return slot();
  std::string out = fmt::format("({}", kWords[static_cast<std::size_t>(expr.op)]);
  if (expr.op == PolicyOp::Is) {
    const model::Variable& variable = model.variables[model.slots[expr.slot].variable];
    out += fmt::format(" {} {}", variable.name, variable.terms[expr.term].name);
  }
  for (const PolicyExprId part : expr.parts) {
    EXPECT_LT(part, id);
    out += " " + policy_printed(model, part);
  }
  if (expr.number != Rational(0)) out += " " + expr.number.to_string() + "s";
  return out + ")";
}

constexpr std::string_view kContext =
    "sense density : int 1..1000 term low = ramp 200 50, high = ramp 400 700 "
    "sense load : real 0..1 "
    "sense place : {home, away} "
    "sense devices : set {pc, phone} "
    "variant cache : bool = false "
    "variant servers : int 1..100 = 1 "
    "variant mode : {off, heating} = off "
    "var tripped : bool = false ";

// A condition, of an option.
std::string condition(const std::string& text, const std::string& lets = "") {
  const Model model =
      policy_model_of(std::string(kContext) + lets + " option o: cache := true when " + text);
  return model.policy.empty() ? "" : policy_printed(model, *model.policy.options[{0}].when);
}

// A value of `servers`.
std::string value(const std::string& text, const std::string& lets = "") {
  const Model model =
      policy_model_of(std::string(kContext) + lets + " option o: servers := " + text);
  return model.policy.empty()
             ? ""
             : policy_printed(model, model.policy.options[{0}].assignments[0].value);
}

// Of a model with this, and an option.
std::string wrong(const std::string& text) {
  return policy_codes(std::string(kContext) + " option known: cache := true " + text);
}

TEST(Policies, ExampleOfTheContract) {
  const Model model = policy_model_of(R"(
    sense dispersion : real 0..1 step 0.1
      term low = trapezoid 0 0 0.2 0.4, medium = triangle 0.3 0.5 0.7, high = trapezoid 0.6 0.8 1 1
    variant cache   : bool = false
    variant servers : int 1..100 = 1
    option add_cache: cache := true when utility >= 0.6
    prefer add_cache high when (dispersion is low or dispersion is medium) and not cache
  )");
  ASSERT_EQ(model.variables.size(), 3U);
  const model::Variable& dispersion = model.variables[{0}];
  EXPECT_EQ(dispersion.step, Rational::from_decimal("0.1"));
  ASSERT_EQ(dispersion.terms.size(), 3U);
  EXPECT_EQ(dispersion.terms[1].name, "medium");
  EXPECT_EQ(dispersion.terms[1].shape.kind, Shape::Kind::Triangle);
  EXPECT_EQ(dispersion.terms[0].shape.points.size(), 4U);
  const model::Variable& servers = model.variables[{2}];
  EXPECT_TRUE(servers.own);
  EXPECT_TRUE(servers.variant);
  EXPECT_EQ(servers.initial.front(), Rational(1));
  EXPECT_TRUE(model.states.empty());
  ASSERT_EQ(model.policy.options.size(), 1U);
  const model::Option& option = model.policy.options[{0}];
  EXPECT_EQ(option.name, "add_cache");
  ASSERT_EQ(option.assignments.size(), 1U);
  EXPECT_EQ(policy_printed(model, option.assignments[0].value), "1");
  EXPECT_EQ(policy_printed(model, *option.when), "(<= 0.6 (utility))");
  EXPECT_EQ(option.scale.terms.size(), 3U);
  EXPECT_EQ(option.scale.terms[1].shape.points.front(), Rational::from_decimal("0.5"));
  ASSERT_EQ(model.policy.preferences.size(), 1U);
  const model::Preference& preference = model.policy.preferences[{0}];
  EXPECT_EQ(preference.term, 2U);
  EXPECT_EQ(policy_printed(model, preference.when),
            "(and (or (is dispersion low) (is dispersion medium)) (not cache))");
  EXPECT_EQ(preference.at, (Position{7, 5}));
  EXPECT_EQ(preference.term_at, (Position{7, 22}));
  EXPECT_EQ(model.policy.tick, Rational(1));
}

TEST(Policies, HoldsTheWholePolicyOfTheBrief) {
  const Model model = policy_model_of(R"(
    model WebServer
    tick 500ms
    sense density    : int 1..1000 scale log
      term low = trapezoid 1 1 50 200, medium = triangle 100 300 600, high = ramp 400 700
    sense files      : int 1..1000 scale log
    sense dispersion : real 0..1 step 0.1 weight 2
      term low = trapezoid 0 0 0.2 0.4, odd = table (-1 0) (0.5 1) (2 0.25)
    constraint files <= density
    constraint small: servers < 90 or not cache
    variant cache   : bool = false
    variant servers : int 1..100 = 1 step 5
    var tripped     : bool = false
    utility : real 0..1 = 0 sugeno term low = singleton 0, medium = singleton 0.5, high = singleton 1
    utility of grow : real -1..1 = 0.5 mamdani term bad = ramp 0 -1, good = ramp 0 1
    option add_cache: cache := true when utility >= 0.6
    option grow: servers := min(100, servers + 1), tripped := density > 900
      cooldown 60s when density > 500 held 10s
    prefer add_cache high weight 0.5 when not cache
    prefer grow good when density is high
    expect calm: stable within 30s
    expect few: at most 3 changes in 5m
    expect at most 1 changes of cache in 1h
    expect back: base within 2m
    expect load: servers rises with density
    expect servers falls with dispersion within 10m
    expect safe: density > 900 held 20s implies servers > 1
    expect density < 3   # a comment
      implies not cache
  )");
  EXPECT_EQ(model.policy.tick, Rational::from_decimal("0.5"));
  EXPECT_TRUE(model.variables[{0}].log_scale);
  EXPECT_EQ(model.variables[{2}].weight, Rational(2));
  EXPECT_EQ(model.variables[{2}].terms[1].shape.points.size(), 6U);
  EXPECT_EQ(model.variables[{4}].step, Rational(5));
  EXPECT_FALSE(model.variables[{5}].variant);
  EXPECT_TRUE(model.variables[{5}].own);
  EXPECT_EQ(model.constraints.size(), 1U);
  const model::Option& grow = model.policy.options[{1}];
  EXPECT_EQ(grow.cooldown, Rational(60));
  EXPECT_EQ(grow.scale.method, model::UtilityScale::Method::Mamdani);
  EXPECT_EQ(grow.scale.low, Rational(-1));
  EXPECT_EQ(grow.scale.otherwise, Rational::from_decimal("0.5"));
  EXPECT_EQ(policy_printed(model, grow.assignments[0].value), "(min 100 (+ servers 1))");
  EXPECT_EQ(policy_printed(model, grow.assignments[1].value), "(< 900 density)");
  EXPECT_EQ(policy_printed(model, *grow.when), "(held (< 500 density) 10s)");
  EXPECT_EQ(model.policy.preferences[{0}].weight, Rational::from_decimal("0.5"));
  EXPECT_EQ(model.policy.preferences[{1}].term, 1U);
  std::string expectations;
  for (const Expectation& one : model.policy.expectations) {
    expectations += fmt::format("{} {} {} {} {} {}{}\n", static_cast<int>(one.kind), one.name,
                                one.seconds.to_string(), one.count,
                                one.variant ? std::to_string(one.variant->index) : "any",
                                one.property ? std::to_string(one.property->index) : "none",
                                one.condition ? " " + policy_printed(model, *one.condition) : "");
  }
  EXPECT_EQ(expectations,
            "0 small 0 0 any none (or (< servers 90) (not cache))\n"
            "1 calm 30 0 any none\n"
            "2 few 300 3 any none\n"
            "2 at most 1 changes of cache in 1h 3600 1 3 none\n"
            "3 back 120 0 any none\n"
            "4 load 0 0 4 0\n"
            "5 servers falls with dispersion within 10m 600 0 4 2\n"
            "0 safe 0 0 any none (=> (held (< 900 density) 20s) (< 1 servers))\n"
            "0 density < 3 implies not cache 0 0 any none (=> (< density 3) (not cache))\n");
}

TEST(Policies, TheWebServerOfThePaperHasEightGroupsOfPreferences) {
  const Model model = policy_model_of(R"(
    model WebServer
    sense density    : int 1..1000 scale log
      term low = ramp 200 50, medium = triangle 100 300 600, high = ramp 400 700
    sense files      : int 1..1000 scale log
      term low = ramp 200 50, medium = triangle 100 300 600, high = ramp 400 700
    sense dispersion : real 0..1 step 0.1
      term low = ramp 0.4 0.2, medium = triangle 0.3 0.5 0.7, high = ramp 0.6 0.8
    constraint files <= density
    variant cache   : bool = false
    variant size    : int 0..2048 = 512
    variant servers : int 1..100 = 1
    option AddCache: cache := true when utility >= 0.6
    option RemoveCache: cache := false when utility >= 0.6
    option GrowCache: size := min(2048, size + 128) when utility >= 0.6
    option ShrinkCache: size := max(0, size - 128) when utility >= 0.6
    option AddServer: servers := min(100, servers + 1) when utility >= 0.6
    option RemoveServer: servers := max(1, servers - 1) when utility >= 0.6
    prefer AddCache high when (dispersion is low or dispersion is medium) and not cache
    prefer AddCache low when dispersion is high and not cache
    prefer RemoveCache low when dispersion is low and cache
    prefer RemoveCache medium when dispersion is medium and cache
    prefer RemoveCache high when dispersion is high and cache
    prefer AddCache low when density is low
    prefer AddCache high when density is medium or density is high
    prefer RemoveCache high when density is low
    prefer RemoveCache low when density is medium or density is high
    prefer GrowCache low when (files is low or files is medium) and size < 1024
    prefer GrowCache high when files is high and size < 1024
    prefer ShrinkCache high when files is low and size > 512
    prefer ShrinkCache medium when files is medium and size > 512
    prefer ShrinkCache low when files is medium and size <= 512
    prefer ShrinkCache low when files is high
    prefer AddServer low when density is low and servers < 100
    prefer AddServer medium when density is medium and servers < 100
    prefer AddServer high when density is high and servers < 100
    prefer RemoveServer high when density is low and servers > 1
    prefer RemoveServer medium when density is medium and servers > 50
    prefer RemoveServer low when density is medium and servers <= 50
    prefer RemoveServer low when density is high
  )");
  EXPECT_EQ(model.policy.options.size(), 6U);
  EXPECT_EQ(model.policy.preferences.size(), 22U);
  std::set<std::pair<std::uint32_t, std::uint32_t>> groups;  // of an option and a property
  for (const model::Preference& preference : model.policy.preferences) {
    std::vector<PolicyExprId> open = {preference.when};
    while (!open.empty()) {
      const PolicyExpr& expr = model.policy.exprs[open.back()];
      open.pop_back();
      open.insert(open.end(), expr.parts.begin(), expr.parts.end());
      if (expr.op == PolicyOp::Is) groups.emplace(preference.option.index, expr.slot.index);
    }
  }
  EXPECT_EQ(groups.size(), 8U);
}

TEST(Policies, ExpressionsBindAsTheyAreRead) {
  EXPECT_EQ(condition("density > 500 held 10s and cache"),
            "(and (held (< 500 density) 10s) cache)");
  EXPECT_EQ(condition("not cache held 10s"), "(not (held cache 10s))");
  EXPECT_EQ(condition("(cache or tripped) held 1m"), "(held (or cache tripped) 60s)");
  EXPECT_EQ(condition("density + 1 > 5 held 350ms implies cache"),
            "(=> (held (< 5 (+ density 1)) 0.35s) cache)");
  EXPECT_EQ(condition("rate of load > 0.5"), "(< 0.5 (rate load))");
  EXPECT_EQ(condition("rate of load over 1m * 2 > 0.5"), "(< 0.5 (* (rate load 60s) 2))");
  EXPECT_EQ(condition("max of (load + 1) over 5m - min of load over 5m < mean of load over 1h"),
            "(< (+ (maximum (+ load 1) 300s) (- (minimum load 300s))) (mean load 3600s))");
  EXPECT_EQ(condition("previous of cache and previous of load == 1 held 2s"),
            "(and (previous cache) (held (== (previous load) 1) 2s))");
  EXPECT_EQ(condition("if cache then load > 0.5 else load > 0.9 or tripped"),
            "(if cache (< 0.5 load) (or (< 0.9 load) tripped))");
  EXPECT_EQ(value("density / 2 * 3 / 4 - 1"), "(+ (/ (* (/ density 2) 3) 4) (- 1))");
  EXPECT_EQ(value("ceil(servers * load / 0.5)"), "(ceil (/ (* servers load) 0.5))");
  EXPECT_EQ(value("max(1, min(100, floor(load), round(-load), abs(-5)))"),
            "(max 1 (min 100 (floor load) (round (- load)) (abs -5)))");
  EXPECT_EQ(value("if tripped then 1 else servers + 1"), "(if tripped 1 (+ servers 1))");
}

TEST(Policies, MembersAreLookedUpInTheTypeOfTheOtherSide) {
  EXPECT_EQ(condition("mode == off"), "(== mode 4)");
  EXPECT_EQ(condition("off == mode"), "(== 4 mode)");
  EXPECT_EQ(condition("mode != heating and place == away"), "(and (!= mode 5) (== place 1))");
  EXPECT_EQ(condition("mode in {off, heating}"), "(or (== mode 4) (== mode 5))");
  EXPECT_EQ(condition("place in {home}"), "(== place 0)");
  EXPECT_EQ(condition("load in {}"), "0");
  EXPECT_EQ(condition("devices has phone"), "devices.phone");
  EXPECT_EQ(condition("previous of mode == heating"), "(== (previous mode) 5)");
  EXPECT_EQ(condition("mode == (if cache then off else heating)"), "(== mode (if cache 4 5))");
  const Model model =
      policy_model_of(std::string(kContext) + "option o: mode := if cache then off else heating");
  EXPECT_EQ(policy_printed(model, model.policy.options[{0}].assignments[0].value),
            "(if cache 4 5)");
}

TEST(Policies, TruthsAreValues) {
  EXPECT_EQ(condition("cache == tripped"), "(== cache tripped)");
  EXPECT_EQ(condition("cache == (load > 0.5)"), "(== cache (< 0.5 load))");
  EXPECT_EQ(condition("true and not false"), "(and 1 (not 0))");
}

TEST(Policies, LetsAreExpandedWhereTheyAreUsed) {
  EXPECT_EQ(condition("busy and busy", "let busy = density > 500 held 10s"),
            "(and (held (< 500 density) 10s) (held (< 500 density) 10s))");
  EXPECT_EQ(condition("lowish(density)", "let lowish(x) = x is low"), "(is density low)");
  EXPECT_EQ(condition("much(density, high)", "let much(x, t) = x is t"), "(is density high)");
  EXPECT_EQ(condition("d is high", "let d = density"), "(is density high)");
  EXPECT_EQ(condition("at(off)", "let at(m) = mode == m"), "(== mode 4)");
  EXPECT_EQ(condition("good", "let good = utility > 0.5"), "(< 0.5 (utility))");
  EXPECT_EQ(condition("half > 1", "let half = load / 2"), "(< 1 (/ load 2))");
  EXPECT_EQ(condition("load > 1 and plain", "let plain = load < 2 and place == home"),
            "(and (< 1 load) (and (< load 2) (== place 0)))");
  EXPECT_EQ(value("max(1, 2)", "let max(a, b) = a * b"), "(* 1 2)");
}

TEST(Policies, NodesKnowWhereTheyStand) {
  const Model model = policy_model_of(
      "variant v : int -9..9 = 0\n"
      "sense x : int -9..9\n"
      "option o: v := -5 when (x + 1 > 3) held 10s and not (x < 2)");
  const auto where = [&](PolicyExprId id) {
    const PolicyExpr& expr = model.policy.exprs[id];
    EXPECT_EQ(expr.at.line, 3U);
    return fmt::format("{}-{}", expr.at.column, expr.end.column);
  };
  const model::Option& option = model.policy.options[{0}];
  EXPECT_EQ(where(option.assignments[0].value), "16-18");
  const PolicyExpr& both = model.policy.exprs[*option.when];
  EXPECT_EQ(where(*option.when), "24-60");
  EXPECT_EQ(where(both.parts[0]), "24-44");
  const PolicyExpr& held = model.policy.exprs[both.parts[0]];
  EXPECT_EQ(where(held.parts[0]), "25-34");
  const PolicyExpr& more = model.policy.exprs[held.parts[0]];
  EXPECT_EQ(where(more.parts[0]), "33-34");
  EXPECT_EQ(where(more.parts[1]), "25-30");
  const PolicyExpr& negation = model.policy.exprs[both.parts[1]];
  EXPECT_EQ(where(both.parts[1]), "49-60");
  EXPECT_EQ(where(negation.parts[0]), "54-59");
}

TEST(Policies, WordsOfPoliciesAreNamesElsewhere) {
  const std::string words[] = {"tick",   "option",   "prefer", "expect", "variant", "utility",
                               "held",   "rate",     "over",   "of",     "step",    "scale",
                               "weight", "term",     "then",   "else",   "min",     "max",
                               "mean",   "previous", "stable", "base",   "within",  "rises",
                               "falls",  "cooldown", "sugeno", "log"};
  for (const std::string& word : words) {
    EXPECT_EQ(policy_codes(
                  fmt::format("sense {0} : bool\nsense x : int 0..9 if {0}\nlet a = {0} and x > 1\n"
                              "constraint {0} or x > 2\nstate S initial\n"
                              "rule r: S -> S when {0} and\n{0}",
                              word)),
              "")
        << word;
    EXPECT_EQ(policy_codes(fmt::format("sense x : bool\nstate {0} initial\nvar {0} : bool = false\n"
                                       "rule {0}: {0} -> {0} when x do {0} := true",
                                       word)),
              "")
        << word;
    EXPECT_EQ(policy_codes(fmt::format("sense x : bool\nvariant {0} : bool = false\n"
                                       "option {0}: {0} := {0} and x when {0}\nexpect {0}: not {0}",
                                       word)),
              "")
        << word;
  }
}

TEST(Policies, ModelsWithStatesMayHaveATickAndExpectations) {
  const Model model = policy_model_of(
      "tick 2s sense x : int 0..9 state S initial expect stable within 9s expect x < 5 held 2s");
  EXPECT_TRUE(model.policy.empty());
  EXPECT_EQ(model.policy.tick, Rational(2));
  EXPECT_EQ(model.policy.expectations.size(), 2U);
}

TEST(Policies, ConstraintsOnOwnVariablesOfRulesStayConstraints) {
  const Model model = policy_model_of("var v : bool = false state S initial constraint not v");
  EXPECT_EQ(model.constraints.size(), 1U);
  EXPECT_TRUE(model.policy.expectations.empty());
}

TEST(Policies, ConstraintsOnWhatLetsReadAreExpectedOfThePolicy) {
  const Model model =
      policy_model_of(std::string(kContext) +
                      "let big = servers > 50 let far(x) = x == away "
                      "constraint cap: big implies cache constraint far(place) or load > 0 "
                      "option o: cache := true");
  EXPECT_EQ(model.constraints.size(), 1U);
  ASSERT_EQ(model.policy.expectations.size(), 1U);
  EXPECT_EQ(model.policy.expectations[{0}].name, "cap");
}

TEST(Policies, SameExpectationsTellApart) {
  const Model model =
      policy_model_of(std::string(kContext) + "option o: cache := true expect cache expect cache");
  EXPECT_EQ(model.policy.expectations[{0}].name, "cache");
  EXPECT_EQ(model.policy.expectations[{1}].name, "cache (2)");
}

TEST(Policies, WhatBelongsToPoliciesIsRefusedElsewhere) {
  const std::string context = "sense x : int 0..9 term low = ramp 1 0 state S initial ";
  for (const std::string& condition : std::vector<std::string>{
           "x > 5 held 10s", "rate of x > 1", "max of x over 5s > 1", "previous of x > 1",
           "min(x, 5) > 1", "abs(x) > 1", "if x > 1 then x > 2 else x > 3", "x is low"}) {
    EXPECT_EQ(policy_codes(context + "rule r: S -> S when " + condition), "only-in-policies")
        << condition;
    EXPECT_EQ(policy_codes(context + "let a = " + condition), "only-in-policies") << condition;
    EXPECT_EQ(policy_codes(context + "constraint " + condition), "only-in-policies") << condition;
    EXPECT_EQ(wrong("sense x : int 0..9 term low = ramp 1 0 constraint " + condition),
              "only-in-policies")
        << condition;
  }
  EXPECT_EQ(policy_codes(context + "rule r: S -> S when x / 2 > 1"), "foreign-operator");
  EXPECT_EQ(policy_codes(context + "let a = x / 2"), "foreign-operator");
  EXPECT_EQ(wrong("let slow = density > 5 held 2s constraint slow"), "only-in-policies");
  EXPECT_EQ(wrong("let slow(x) = x > 5 held 2s constraint slow(density)"), "only-in-policies");
  EXPECT_EQ(wrong("expect utility > 0.5"), "misplaced-utility");
  EXPECT_EQ(wrong("let good = utility > 0.5 expect good"), "misplaced-utility");
}

TEST(Policies, ChecksTypes) {
  EXPECT_EQ(wrong("option o: cache := 5"), "type-mismatch");
  EXPECT_EQ(wrong("option o: servers := cache"), "type-mismatch");
  EXPECT_EQ(wrong("option o: servers := 200"), "out-of-range");
  EXPECT_EQ(wrong("option o: servers := 1.5"), "out-of-range");
  EXPECT_EQ(wrong("option o: mode := cooling"), "unknown-member");
  EXPECT_EQ(wrong("option o: mode := if cache then off else cooling"), "unknown-member");
  EXPECT_EQ(wrong("option o: mode := place"), "type-mismatch");
  EXPECT_EQ(wrong("option o: load := 1"), "not-assignable");
  EXPECT_EQ(wrong("option o: nothing := 1"), "unknown-name");
  EXPECT_EQ(wrong("option o: cache := nothing"), "unknown-name");
  EXPECT_EQ(wrong("option o: cache := true when servers"), "not-a-condition");
  EXPECT_EQ(wrong("option o: cache := true when cache + 1 > 2"), "not-a-number");
  EXPECT_EQ(wrong("option o: cache := true when mode == away"), "unknown-member");
  EXPECT_EQ(wrong("option o: cache := true when mode == place"), "type-mismatch");
  EXPECT_EQ(wrong("option o: cache := true when mode < off"), "no-order");
  EXPECT_EQ(wrong("option o: cache := true when cache == 1"), "type-mismatch");
  EXPECT_EQ(wrong("option o: cache := true when devices == pc"), "type-mismatch");
  EXPECT_EQ(wrong("option o: cache := true when load has pc"), "not-a-set");
  EXPECT_EQ(wrong("option o: cache := true when load is low"), "no-terms");
  EXPECT_EQ(wrong("option o: cache := true when density is medium"), "unknown-term");
  EXPECT_EQ(wrong("option o: cache := true when load held 5s"), "not-a-condition");
  EXPECT_EQ(wrong("option o: cache := true when cache held 5"), "bad-duration");
  EXPECT_EQ(wrong("option o: cache := true when rate of cache > 1"), "not-a-number");
  EXPECT_EQ(wrong("option o: cache := true when min(load) > 1"), "wrong-arguments");
  EXPECT_EQ(wrong("option o: cache := true when abs(load, 1) > 1"), "wrong-arguments");
  EXPECT_EQ(wrong("option o: cache := true when load' > 1"), "misplaced-prime");
  EXPECT_EQ(wrong("option o: cache := true when load == \"x\""), "type-mismatch");
  EXPECT_EQ(wrong("var free : real = 0 option o: free := 5"), "");
  EXPECT_EQ(wrong("var free : real = 0 option o: free := load + 1"), "out-of-range");
}

TEST(Policies, AMistakeOfALetIsReportedOnce) {
  EXPECT_EQ(wrong("let a = nothing > 5 option o: cache := a when a"), "unknown-name");
  EXPECT_EQ(wrong("let a = nothing / 2 option o: servers := a when a > 1"), "unknown-name");
  EXPECT_EQ(wrong("let a = b / 2 let b = a option o: servers := a"), "circular-let");
  EXPECT_EQ(wrong("let a(x) = x / 2 option o: cache := true when a(cache) > 1"), "not-a-number");
}

TEST(Policies, LimitsWhatLetsExpandTo) {
  std::string lets = "let a0 = load / 2 ";
  for (int i = 1; i < 60; ++i) lets += fmt::format("let a{} = a{} + a{} ", i, i - 1, i - 1);
  EXPECT_EQ(wrong(lets + "option o: cache := a59 > 1"), "expansion-too-large");
}

TEST(Policies, ChecksDeclarations) {
  EXPECT_EQ(wrong("option known: cache := false"), "duplicate-option");
  EXPECT_EQ(wrong("prefer unknown high when cache"), "unknown-option");
  EXPECT_EQ(wrong("prefer known higher when cache"), "unknown-term");
  EXPECT_EQ(wrong("prefer known high weight 0 when cache"), "bad-scale");
  EXPECT_EQ(wrong("tick 1s tick 2s"), "second-declaration");
  EXPECT_EQ(wrong("utility : real 0..1 utility : real 0..2"), "second-declaration");
  EXPECT_EQ(wrong("utility of known : real 0..1 utility of known : real 0..2"),
            "second-declaration");
  EXPECT_EQ(wrong("utility of other : real 0..1"), "unknown-option");
  EXPECT_EQ(wrong("utility : real 1..1"), "empty-range");
  EXPECT_EQ(wrong("utility : real 0..1 = 2"), "out-of-range");
  EXPECT_EQ(wrong("utility : real 0..1 mamdani"), "bad-shape");
  EXPECT_EQ(wrong("utility : real 0..1 mamdani term low = singleton 0"), "bad-shape");
  EXPECT_EQ(wrong("expect a: cache expect a: tripped"), "duplicate-expectation");
  EXPECT_EQ(wrong("expect at most 1.5 changes in 5s"), "bad-expectation");
  EXPECT_EQ(wrong("expect at most 1 changes of tripped in 5s"), "bad-expectation");
  EXPECT_EQ(wrong("expect mode rises with load"), "bad-expectation");
  EXPECT_EQ(wrong("expect cache rises with load"), "");
  EXPECT_EQ(wrong("expect servers rises with place"), "bad-expectation");
  EXPECT_EQ(wrong("expect servers falls with cache"), "bad-expectation");
}

TEST(Policies, ChecksNumbersOfVariables) {
  EXPECT_EQ(wrong("sense a : bool step 1"), "bad-scale");
  EXPECT_EQ(wrong("sense a : {b, c} scale log"), "bad-scale");
  EXPECT_EQ(wrong("sense a : bool term low = ramp 0 1"), "bad-scale");
  EXPECT_EQ(wrong("sense a : bool weight 2"), "");
  EXPECT_EQ(wrong("sense a : int 0..9 step 0.5"), "bad-scale");
  EXPECT_EQ(wrong("sense a : int 0..9 step 0"), "bad-scale");
  EXPECT_EQ(wrong("sense a : int 0..9 scale log"), "bad-scale");
  EXPECT_EQ(wrong("sense a : int 1..9 scale log weight 0"), "bad-scale");
  EXPECT_EQ(wrong("sense a : int 1..9 scale linear weight 0.5 step 2 term x = singleton 1"), "");
  EXPECT_EQ(wrong("sense a : int 0..9 term b = ramp 0 1, b = ramp 1 0"), "duplicate-term");
  EXPECT_EQ(wrong("sense a : int 0..9 term b = ramp 1 1"), "bad-shape");
  EXPECT_EQ(wrong("sense a : int 0..9 term b = triangle 1 2 1"), "bad-shape");
  EXPECT_EQ(wrong("sense a : int 0..9 term b = triangle 1 1 1"), "bad-shape");
  EXPECT_EQ(wrong("sense a : int 0..9 term b = trapezoid -3 -2 -2 -1"), "");
  EXPECT_EQ(wrong("sense a : int 0..9 term b = table (0 0) (0 1)"), "bad-shape");
  EXPECT_EQ(wrong("sense a : int 0..9 term b = table (0 0) (1 1.5)"), "bad-shape");
}

TEST(Policies, AModelHasRulesOrAPolicy) {
  EXPECT_EQ(wrong("state S initial"), "mixed-model");
  EXPECT_EQ(policy_codes("variant v : bool = false state S"), "mixed-model");
  EXPECT_EQ(wrong("stream S { tag: string }"), "mixed-model");
  EXPECT_EQ(wrong("action a: load' == 1"), "mixed-model");
  EXPECT_EQ(policy_codes("variant v : bool = false"), "");  // the frame of a program
  EXPECT_EQ(policy_codes("sense x : bool var v : bool = false option o: v := x"),
            "incomplete-policy");
  EXPECT_EQ(policy_codes("sense x : bool expect x"), "no-initial-state");
}

TEST(Policies, ABrokenOptionIsReportedOnce) {
  EXPECT_EQ(policy_codes("variant v : bool = false\noption o: v = true\nprefer o high when v\n"
                         "utility of o : real 0..1"),
            "expected-symbol");
}

}  // namespace
}  // namespace poise::lang
