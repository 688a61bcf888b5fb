#include "poise/lang/parser.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace poise::lang {
namespace {

// The tree as text: (and a (not b)), one declaration a line.
class Printer {
 public:
  explicit Printer(const Tree& tree) : tree_(tree) {}

  std::string declarations() {
    std::string out;
    if (tree_.model) out += fmt::format("(model {})\n", tree_.model->text);
    for (const Declaration& declaration : tree_.declarations) {
      out += std::visit([&](const auto& kind) { return printed(kind); }, declaration) + "\n";
    }
    return out;
  }

 private:
  std::string printed(const VariableDeclaration& variable) {
    std::string out = fmt::format(
        "({} {} {}",
        variable.variant ? "variant"
        : variable.own   ? "var"
                         : "sense",
        variable.name.text,
        std::visit([&](const auto& shape) { return printed(shape); }, variable.type.shape));
    if (variable.guard) out += fmt::format(" (if {})", variable.guard->text);
    if (variable.initial) out += " " + printed(*variable.initial);
    if (variable.error) out += " " + printed(*variable.error);
    if (variable.step) out += fmt::format(" (step {})", variable.step->value.to_string());
    if (variable.scale) out += variable.scale->log ? " (scale log)" : " (scale linear)";
    if (variable.weight) out += fmt::format(" (weight {})", variable.weight->value.to_string());
    return out + printed(variable.terms) + ")";
  }
  std::string printed(const std::vector<TermClause>& terms) {
    std::string out;
    for (const TermClause& term : terms) {
      out += fmt::format(" ({} {}", term.name.text, term.shape.text);
      for (const Bound& number : term.numbers) out += " " + number.value.to_string();
      out += ")";
    }
    return out;
  }
  std::string printed(const TickDeclaration& tick) {
    return fmt::format("(tick {})", tick.duration.value.to_string());
  }
  std::string printed(const UtilityDeclaration& utility) {
    return fmt::format("(utility{} {}..{}{}{}{})",
                       utility.option ? fmt::format(" of {}", utility.option->text) : "",
                       utility.range.low.to_string(), utility.range.high.to_string(),
                       utility.otherwise ? " = " + utility.otherwise->value.to_string() : "",
                       utility.method ? fmt::format(" {}", utility.method->text) : "",
                       printed(utility.terms));
  }
  std::string printed(const OptionDeclaration& option) {
    std::string out = fmt::format("(option {}", option.name.text);
    for (const OptionAssignment& assignment : option.assignments) {
      out += fmt::format(" (:= {} {})", assignment.name.text, printed(assignment.value));
    }
    if (option.when) out += fmt::format(" (when {})", printed(*option.when));
    if (option.cooldown) out += fmt::format(" (cooldown {})", option.cooldown->value.to_string());
    return out + ")";
  }
  std::string printed(const PreferDeclaration& prefer) {
    return fmt::format("(prefer {} {}{} {})", prefer.option.text, prefer.term.text,
                       prefer.weight ? " " + prefer.weight->value.to_string() : "",
                       printed(prefer.when));
  }
  std::string printed(const ExpectDeclaration& expect) {
    constexpr std::string_view kKinds[] = {"holds", "stable", "changes", "base", "rises", "falls"};
    std::string out =
        fmt::format("(expect {}{}", expect.name ? std::string(expect.name->text) + ": " : "",
                    kKinds[static_cast<std::size_t>(expect.kind)]);
    if (expect.condition) out += " " + printed(*expect.condition);
    if (expect.count) out += " " + expect.count->value.to_string();
    if (expect.variant) out += fmt::format(" {}", expect.variant->text);
    if (expect.property) out += fmt::format(" {}", expect.property->text);
    if (expect.duration) out += " " + expect.duration->value.to_string();
    return out + ")";
  }
  std::string printed(const ErrorClause& error) {
    constexpr std::string_view kLaws[] = {"uniform", "gauss", "triangle", "table"};
    std::string out =
        fmt::format("(error {} {} {}", error.low.value.to_string(), error.high.value.to_string(),
                    kLaws[static_cast<std::size_t>(error.law)]);
    for (const Bound& number : error.numbers) out += " " + number.value.to_string();
    return out + ")";
  }
  std::string printed(const BoolType&) { return "bool"; }
  std::string printed(const NumberType& type) {
    if (!type.bounded) return type.whole ? "int" : "real";
    return fmt::format("({} {} {})", type.whole ? "int" : "real", type.low.to_string(),
                       type.high.to_string());
  }
  std::string printed(const MembersType& type) {
    return fmt::format("({}{})", type.set ? "set" : "enum", printed(type.members));
  }
  std::string printed(const LetDeclaration& let) {
    const std::string parameters =
        let.has_parameters ? fmt::format(" ({})", printed(let.parameters)) : "";
    return fmt::format("(let {}{} {})", let.name.text, parameters, printed(let.body));
  }
  std::string printed(const ConstraintDeclaration& constraint) {
    const std::string name = constraint.name ? fmt::format("{}: ", constraint.name->text) : "";
    return fmt::format("(constraint {}{})", name, printed(constraint.condition));
  }
  std::string printed(const StartDeclaration& start) {
    const std::string name = start.name ? fmt::format("{}: ", start.name->text) : "";
    return fmt::format("(start {}{})", name, printed(start.condition));
  }
  std::string printed(const StreamDeclaration& stream) {
    return fmt::format("(stream {}{})", stream.name.text, printed(stream.fields));
  }
  std::string printed(const ExternDeclaration& function) {
    return fmt::format("(extern {}{})", function.name.text, printed(function.parameters));
  }
  std::string printed(const ActionDeclaration& action) {
    return fmt::format("(action {} {})", action.name.text, printed(action.condition));
  }
  std::string printed(const FailureDeclaration& failure) {
    std::string out = fmt::format("(failure {}", failure.name.text);
    for (const FailureCase& one : failure.cases) {
      out += fmt::format(" ({} after {})", printed(one.condition), one.after.text);
    }
    return out + ")";
  }
  std::string printed(const std::vector<FieldDeclaration>& fields) {
    std::string out;
    for (const FieldDeclaration& field : fields) {
      const std::string type =
          field.type
              ? std::visit([&](const auto& shape) { return printed(shape); }, field.type->shape)
              : "string";
      out += fmt::format(" ({} {})", field.name.text, type);
    }
    return out;
  }
  std::string printed(const StateDeclaration& state) {
    return fmt::format("(state {}{}{})", state.name.text, state.initial ? " initial" : "",
                       state.final ? " final" : "");
  }
  std::string printed(const RuleDeclaration& rule) {
    std::string out =
        fmt::format("(rule {} (from{}) (to {})", rule.name.text, printed(rule.from), rule.to.text);
    if (rule.priority) out += fmt::format(" (priority {})", *rule.priority);
    out += fmt::format(" (when {})", printed(rule.when));
    for (const Action& action : rule.actions) {
      out += action.value ? fmt::format(" (:= {} {})", action.name.text, printed(*action.value))
                          : fmt::format(" (do {})", action.name.text);
    }
    return out + ")";
  }
  std::string printed(const std::vector<Name>& names) {
    std::string out;
    for (const Name& name : names) out += fmt::format(" {}", name.text);
    return out;
  }

  std::string printed(NodeId id) {
    const Node& node = tree_.nodes[id];
    switch (node.kind) {
      case NodeKind::Number: return tree_.number(node).to_string();
      case NodeKind::Boolean:
      case NodeKind::Name: return std::string(tree_.text(node));
      case NodeKind::Primed: return fmt::format("{}'", tree_.text(node));
      case NodeKind::Call: return printed(node, tree_.text(node));
      case NodeKind::Braces: return printed(node, "list");
      case NodeKind::Negate: return printed(node, "-");
      case NodeKind::Sum: return printed(node, "+");
      case NodeKind::Product: return printed(node, "*");
      case NodeKind::Equal: return printed(node, "==");
      case NodeKind::NotEqual: return printed(node, "!=");
      case NodeKind::Less: return printed(node, "<");
      case NodeKind::LessEqual: return printed(node, "<=");
      case NodeKind::Greater: return printed(node, ">");
      case NodeKind::GreaterEqual: return printed(node, ">=");
      case NodeKind::In: return printed(node, "in");
      case NodeKind::Has: return printed(node, "has");
      case NodeKind::Is: return printed(node, "is");
      case NodeKind::Not: return printed(node, "not");
      case NodeKind::And: return printed(node, "and");
      case NodeKind::Or: return printed(node, "or");
      case NodeKind::Implies: return printed(node, "implies");
      case NodeKind::Iff: return printed(node, "iff");
      case NodeKind::Text: return fmt::format("\"{}\"", tree_.text(node));
      case NodeKind::Exists: return printed(node, "exists");
      case NodeKind::All: return printed(node, "all");
      case NodeKind::Last: return printed(node, "last");
      case NodeKind::Next: return printed(node, "next");
      case NodeKind::If: return printed(node, "if");
      case NodeKind::Held: return printed(node, "held");
      case NodeKind::Past:
        return printed(node,
                       tree_.source.substr(node.operator_span.begin,
                                           node.operator_span.end - node.operator_span.begin));
    }
    return "?";
  }
  std::string printed(const Node& node, std::string_view head) {
    std::string out = fmt::format("({}", head);
    for (const NodeId child : tree_.children(node)) {
      const Node& part = tree_.nodes[child];
      out += fmt::format(" {}{}", part.subtracted ? "-" : part.divided ? "/" : "", printed(child));
    }
    return out + ")";
  }

  const Tree& tree_;
};

std::string printed(std::string_view text) {
  const ParsedTree parsed = parse_tree(text);
  std::string out = Printer(parsed.tree).declarations();
  for (const diag::Diagnostic& diagnostic : parsed.diagnostics) {
    out += "error: " + diagnostic.message + "\n";
  }
  return out;
}

// One line per diagnostic: code, marked text, hint.
std::string parser_mistakes(std::string_view text) {
  std::string out;
  for (const diag::Diagnostic& diagnostic : parse_tree(text).diagnostics) {
    const Span span = diagnostic.span;
    out += fmt::format("{} `{}` {}\n", diag::info(diagnostic.code).code,
                       text.substr(span.begin, span.end - span.begin), diagnostic.hint);
  }
  return out;
}

std::string parser_codes(std::string_view text) {
  std::string out;
  for (const diag::Diagnostic& diagnostic : parse_tree(text).diagnostics) {
    if (!out.empty()) out += ' ';
    out += diag::info(diagnostic.code).code;
  }
  return out;
}

std::string broken_names(std::string_view text) {
  std::string out;
  for (const std::string_view name : parse_tree(text).tree.broken_names) {
    out += fmt::format("{}{}", out.empty() ? "" : " ", name);
  }
  return out;
}

struct Case {
  std::string_view text;
  std::string_view expected;
};

TEST(Parser, ReadsExpressions) {
  constexpr Case kCases[] = {
      {"a", "a"},
      {"true", "true"},
      {"0.50", "0.5"},
      {"350ms", "0.35"},
      {"a iff b iff c", "(iff a (iff b c))"},
      {"a implies b implies c", "(implies a (implies b c))"},
      {"a iff b implies c or d and not e", "(iff a (implies b (or c (and d (not e)))))"},
      {"a and b and c", "(and a b c)"},
      {"a and (b and c)", "(and a (and b c))"},
      {"a and b or c and d or e", "(or (and a b) (and c d) e)"},
      {"a implies b iff c", "(iff (implies a b) c)"},
      {"not a == b", "(not (== a b))"},
      {"not not a and b", "(and (not (not a)) b)"},
      {"a + b * c - d == -e", "(== (+ a (* b c) -d) (- e))"},
      {"a - b - c + d", "(+ a -b -c d)"},
      {"a - (b - c)", "(+ a -(+ b -c))"},
      {"-a * -2 * - - b", "(* (- a) (- 2) (- (- b)))"},
      {"x != 1 or x < 2 or x <= 3 or x > 4 or x >= 5",
       "(or (!= x 1) (< x 2) (<= x 3) (> x 4) (>= x 5))"},
      {"x in {a, -1, true, 5s} and y in {}", "(and (in x (list a (- 1) true 5)) (in y (list)))"},
      {"x in {when, state, rule}", "(in x (list when state rule))"},
      {"bt.devices has state and x is low", "(and (has bt.devices state) (is x low))"},
      {"near(a, b + 1) and f()", "(and (near a (+ b 1)) (f))"},
      {"(((a)))", "a"},
      {"a / b * c / -d", "(* a /b c /(- d))"},
      {"a - b / c", "(+ a -(* b /c))"},
      {"x > 5 held 10s and y", "(and (held (> x 5) 10) y)"},
      {"not a held 1m or b", "(or (not (held a 60)) b)"},
      {"(a and b) held 1s held 2s", "(held (held (and a b) 1) 2)"},
      {"rate of x * 2 > rate of y over 5s", "(> (* (rate x) 2) (rate y 5))"},
      {"max of f(x) over 5s < min of (x + y) over 1m", "(< (max (f x) 5) (min (+ x y) 60))"},
      {"previous of x held 2s", "(held (previous x) 2)"},
      {"max(a, b) - min(c, d)", "(+ (max a b) -(min c d))"},
      {"1 + if a then b else c + d", "(+ 1 (if a b (+ c d)))"},
      {"if a then if b then c else d else e", "(if a (if b c d) e)"},
      {"held and over or then held 5s", "(or (and held over) (held then 5))"},
      {"a\n  and\n  # why\n  b", "(and a b)"},
  };
  for (const Case& row : kCases) {
    EXPECT_EQ(printed(fmt::format("let x = {}", row.text)),
              fmt::format("(let x {})\n", row.expected))
        << row.text;
  }
}

TEST(Parser, ReadsDeclarations) {
  constexpr Case kCases[] = {
      {"", ""},
      {"# nothing\n", ""},
      {"model PhoneAdapter", "(model PhoneAdapter)\n"},
      {"sense gps.on : bool", "(sense gps.on bool)\n"},
      {"sense x : int -5..5", "(sense x (int -5 5))\n"},
      {"sense x : real 0..0.5 if gps.on", "(sense x (real 0 0.5) (if gps.on))\n"},
      {"sense x : {a, state, true, if}", "(sense x (enum a state true if))\n"},
      {"sense x : {}", "(sense x (enum))\n"},
      {"sense x : set {a}", "(sense x (set a))\n"},
      {"sense set : set {set}", "(sense set (set set))\n"},
      {"var ringer : {loud, mute} = loud", "(var ringer (enum loud mute) loud)\n"},
      {"var n : int 0..9 = -3", "(var n (int 0 9) (- 3))\n"},
      {"var s : set {a, b} = {a, b}", "(var s (set a b) (list a b))\n"},
      {"let f(a, b) = a", "(let f ( a b) a)\n"},
      {"let f() = 1", "(let f () 1)\n"},
      {"constraint a", "(constraint a)\n"},
      {"constraint c: a", "(constraint c: a)\n"},
      {"constraint (c) or d", "(constraint (or c d))\n"},
      {"start a", "(start a)\n"},
      {"start c: a", "(start c: a)\n"},
      {"start start: start", "(start start: start)\n"},
      {"start (c) or d start not c start -3 < a start 3 < a start true",
       "(start (or c d))\n(start (not c))\n(start (< (- 3) a))\n(start (< 3 a))\n(start true)\n"},
      {"sense start : bool let s = start state start initial rule start: start -> start when start "
       "do start",
       "(sense start bool)\n(let s start)\n(state start initial)\n"
       "(rule start (from start) (to start) (when start) (do start))\n"},
      {"sense x : {start, stop} rule r: A -> A when x == start do x := start",
       "(sense x (enum start stop))\n"
       "(rule r (from A) (to A) (when (== x start)) (:= x start))\n"},
      {"rule r: A -> A when true do start, start start x\nstart y",
       "(rule r (from A) (to A) (when true) (do start) (do start))\n(start x)\n(start y)\n"},
      {"state A initial, B, C final", "(state A initial)\n(state B)\n(state C final)\n"},
      {"state initial initial final", "(state initial initial final)\n"},
      {"rule r: A, B -> C priority 1 when a do x := loud, beep",
       "(rule r (from A B) (to C) (priority 1) (when a) (:= x loud) (do beep))\n"},
      {"rule r: A -> B do s := {}, x := -1.5, y := true when a priority -2",
       "(rule r (from A) (to B) (priority -2) (when a) (:= s (list)) (:= x (- 1.5)) (:= y "
       "true))\n"},
      {"extern f(a: real, b: {x, y}, c: string) extern g()",
       "(extern f (a (real 0 0)) (b (enum x y)) (c string))\n(extern g)\n"},
      {"sense x : real 0..9 error -6..6", "(sense x (real 0 9) (error -6 6 uniform))\n"},
      {"sense x : int 0..9 if error error 1..2 gauss 0.5",
       "(sense x (int 0 9) (if error) (error 1 2 gauss 0.5))\n"},
      {"sense x : real 0..9\n  error -1..1 table 1 0 2.5 sense y : bool",
       "(sense x (real 0 9) (error -1 1 table 1 0 2.5))\n(sense y bool)\n"},
      {"var gauss : {error, table} = error", "(var gauss (enum error table) error)\n"},
      {"var x : real = 10 error -5..5 triangle", "(var x real 10 (error -5 5 triangle))\n"},
      {"var n : int = -1", "(var n int (- 1))\n"},
      {"action walk: d' == d - 1 and on' state A",
       "(action walk (and (== d' (+ d -1)) on'))\n(state A)\n"},
      {"action walk: f(a', b) and not (s' has x or a.b' in {1})",
       "(action walk (and (f a' b) (not (or (has s' x) (in a.b' (list 1))))))\n"},
      {"failure bump: d <= 0 after walk, all after all, any after turn, after after after",
       "(failure bump ((<= d 0) after walk) (all after all) (any after turn) (after after "
       "after))\n"},
      {"sense x : real 0..1 if a error -1..1 weight 2 term low = ramp 1 0, b = singleton -1 scale "
       "log",
       "(sense x (real 0 1) (if a) (error -1 1 uniform) (scale log) (weight 2) (low ramp 1 0) (b "
       "singleton -1))\n"},
      {"sense x : int 0..9 step 2 scale linear term t = table (0 1) (-2 0.5)",
       "(sense x (int 0 9) (step 2) (scale linear) (t table 0 1 -2 0.5))\n"},
      {"sense step : int 0..9 step 2 variant scale : bool = step",
       "(sense step (int 0 9) (step 2))\n(variant scale bool step)\n"},
      {"tick 350ms\ntick : bool", "(tick 0.35)\nerror: found `:` where a duration should be\n"},
      {"variant v : int 0..9 = 3 step 2", "(variant v (int 0 9) 3 (step 2))\n"},
      {"utility : real 0..1", "(utility 0..1)\n"},
      {"utility of o : real -1..1 = -0.5 term a = ramp 0 1 mamdani",
       "(utility of o -1..1 = -0.5 mamdani (a ramp 0 1))\n"},
      {"option o: a := b + 1, c := d > 2 cooldown 5s when e",
       "(option o (:= a (+ b 1)) (:= c (> d 2)) (when e) (cooldown 5))\n"},
      {"prefer o high weight 0.5 when a prefer weight weight when b",
       "(prefer o high 0.5 a)\n(prefer weight weight b)\n"},
      {"expect a: stable within 30s expect base within 2m",
       "(expect a: stable 30)\n(expect base 120)\n"},
      {"expect stable and base expect at", "(expect holds (and stable base))\n(expect holds at)\n"},
      {"expect at most 3 changes in 5m expect at most 1 change of v in 1h",
       "(expect changes 3 300)\n(expect changes 1 v 3600)\n"},
      {"expect v rises with x expect n: v falls with x",
       "(expect rises v x)\n(expect n: falls v x)\n"},
      {"expect v rises with x within 6m expect v falls with within within 1s",
       "(expect rises v x 360)\n(expect falls v within 1)\n"},
      {"let a = b\noption o: c := d\nprefer o e when f\nexpect g",
       "(let a b)\n(option o (:= c d))\n(prefer o e f)\n(expect holds g)\n"},
      {"state A state B let a = b let c = d", "(state A)\n(state B)\n(let a b)\n(let c d)\n"},
  };
  for (const Case& row : kCases) EXPECT_EQ(printed(row.text), row.expected) << row.text;
}

TEST(Parser, GivesEveryNodeItsSpan) {
  const std::string_view text = "let x = (a or b) and f(c)";
  const ParsedTree parsed = parse_tree(text);
  const auto& let = std::get<LetDeclaration>(parsed.tree.declarations.at(0));
  EXPECT_EQ(let.span, (Span{0, 25}));
  const Node& conjunction = parsed.tree.nodes[let.body];
  EXPECT_EQ(parsed.tree.text(conjunction), "(a or b) and f(c)");
  EXPECT_EQ(conjunction.operator_span, (Span{17, 20}));
  const Node& disjunction = parsed.tree.nodes[parsed.tree.children(conjunction)[0]];
  EXPECT_EQ(parsed.tree.text(disjunction), "a or b");
  EXPECT_TRUE(disjunction.parenthesized);
  const Node& call = parsed.tree.nodes[parsed.tree.children(conjunction)[1]];
  EXPECT_EQ(parsed.tree.text(call), "f");
  EXPECT_EQ(call.span, (Span{21, 25}));
}

TEST(Parser, ReportsEachMistakeOnce) {
  constexpr Case kCases[] = {
      {"let a = 1 model M", "misplaced-model `model` move it to the top of the file\n"},
      {"snese x : bool", "expected-declaration `snese` did you mean `sense`?\n"},
      {"Rule r: A -> B when a", "expected-declaration `Rule` did you mean `rule`?\n"},
      {"state A\nwhen b",
       "expected-declaration `when` a rule is written `rule NAME: STATE -> STATE when …`\n"},
      {"state A )", "unclosed-bracket `)` \n"},
      {"stream S tag: string",
       "expected-symbol `tag` a stream is written `stream NAME { FIELD: "
       "TYPE }`\n"},
      {"stream S { tag string }",
       "expected-symbol `string` a stream is written `stream NAME { "
       "FIELD: TYPE }`\n"},
      {"stream S { tag: set {a} }", "expected-type `set` add an element for each member\n"},
      {"stream S { tag: string", "unclosed-bracket `{` \n"},
      {"extern f(a, b)",
       "expected-symbol `,` a function is written `extern NAME(PARAMETER: TYPE, …)`\n"},
      {"extern f", "expected-symbol `` a function is written `extern NAME(PARAMETER: TYPE, …)`\n"},
      {"extern f(a: int 0..9)", "expected-type `0` write just `int`\n"},
      {"extern f(a: set {b})", "expected-type `set` give each member on its own\n"},
      {"extern f(a: int) -> bool",
       "expected-declaration `->` a function says whether something holds; it has no other type\n"},
      {"extern f(a: int", "unclosed-bracket `(` \n"},
      {"extrn f(a: int)", "expected-declaration `extrn` did you mean `extern`?\n"},
      {"action walk d' == d - 1",
       "expected-symbol `d` an action is written `action NAME: CONDITION`\n"},
      {"acton walk: d' == d - 1", "expected-declaration `acton` did you mean `action`?\n"},
      {"action walk: d ' == d - 1", "misplaced-prime `'` a later value is written `NAME'`\n"},
      {"action walk: (d + 1)' == d", "misplaced-prime `'` a later value is written `NAME'`\n"},
      {"action walk: d'' == d", "misplaced-prime `'` a later value is written `NAME'`\n"},
      {"action walk: 5' == d", "misplaced-prime `'` a later value is written `NAME'`\n"},
      {"action walk: s has x'", "misplaced-prime `'` a later value is written `NAME'`\n"},
      {"rule r: A -> B when a do x' := 3",
       "misplaced-prime `'` a later value stands in the condition of an `action`\n"},
      {"failure bump: d <= 0",
       "expected-symbol `` a failure is written `failure NAME: CONDITION after ACTION, …`\n"},
      {"failure bump: d <= 0 affter walk", "expected-symbol `affter` did you mean `after`?\n"},
      {"failure bump: d <= 0 after walk, turn",
       "expected-symbol `` a failure is written `failure NAME: CONDITION after ACTION, …`\n"},
      {"failure bump: d <= 0 after", "expected-name `` \n"},
      {"sense d : real 0..9 error 5",
       "expected-symbol `` an error is written `error -5..5 gauss "
       "2`\n"},
      {"sense d : real 0..9 error gauss 2",
       "expected-literal `gauss` an error is written `error -5..5 gauss 2`\n"},
      {"sense d : real 0..9 error -5..5 gauss", "expected-literal `` it is written `gauss 2`\n"},
      {"sense d : real 0..9 error -5..5 gaus 2",
       "expected-declaration `gaus` did you mean `gauss`?\n"},
      {"sense d : real 0..9 eror -5..5", "expected-declaration `eror` did you mean `error`?\n"},
      {"sense d : real 0..9 error -5..5 table\nstate A",
       "expected-literal `` weights are written `table 1 4 1`\n"},
      {"sense d : real 0..9 error -5..5 if on",
       "expected-declaration `if` the guard comes first\n"},
      {"sense d : real 0..9 error -5..5 error -4..4", "duplicate-clause `error` \n"},
      {"sense d : real error -5..5", "expected-literal `error` a range is written `real 0..100`\n"},
      {"var d : real error -5..5",
       "expected-symbol `error` the first value comes before the error\n"},
      {"sense d : real", "expected-literal `` a range is written `real 0..100`\n"},
      {"sense d : real 0..1 step", "expected-literal `` it is written `step 0.1`\n"},
      {"sense d : real 0..1 step 1 step 2", "duplicate-clause `step` \n"},
      {"sense d : real 0..1 scale 2", "expected-symbol `2` \n"},
      {"sense d : real 0..1 wieght 2", "expected-declaration `wieght` did you mean `weight`?\n"},
      {"sense d : real 0..1 step 1 if a",
       "expected-declaration `if` the guard comes first, then the error\n"},
      {"sense d : real 0..1 term low",
       "expected-symbol `` a term is written `term low = triangle 0 1 2`\n"},
      {"sense d : real 0..1 term low = traingle 0 1 2",
       "bad-shape `traingle` did you mean `triangle`?\n"},
      {"sense d : real 0..1 term low = bell 0 1",
       "bad-shape `bell` shapes are trapezoid, triangle, ramp, singleton and table\n"},
      {"sense d : real 0..1 term low = ramp 0", "expected-literal `` it is written `ramp a b`\n"},
      {"sense d : real 0..1 term low = ramp 0 1 2", "bad-shape `2` it is written `ramp a b`\n"},
      {"sense d : real 0..1 term low = table 1 2",
       "expected-symbol `1` it is written `table (x y) (x y)`\n"},
      {"sense d : real 0..1 term low = table (1 2 3)", "expected-symbol `3` \n"},
      {"variant v : bool",
       "missing-initial-value `v` give it one with `= VALUE`, or declare it with `sense`\n"},
      {"variant v : set {a, b} = {a}",
       "expected-type `set {a, b}` declare a `bool` for each member\n"},
      {"variant v : int = 1", "expected-literal `=` a range is written `int 0..100`\n"},
      {"variant v : bool = true error -1..1", "expected-declaration `error` \n"},
      {"tick 1", "bad-duration `1` did you mean `1s`?\n"},
      {"tick 0s", "bad-duration `0s` \n"},
      {"tick", "bad-duration `` it is written `tick 1s`\n"},
      {"utility : int 0..1",
       "expected-symbol `int` a utility is written `utility : real 0..1 term low = …`\n"},
      {"utility : real 0..1 sugeno mamdani", "duplicate-clause `mamdani` \n"},
      {"utility : real 0..1 madmani", "expected-declaration `madmani` did you mean `mamdani`?\n"},
      {"option o",
       "expected-symbol `` an option is written `option NAME: VARIANT := VALUE when CONDITION`\n"},
      {"option o: when true",
       "expected-action `when` an option is written `option NAME: VARIANT := VALUE when "
       "CONDITION`\n"},
      {"option o: v = true", "expected-symbol `=` did you mean `:=`?\n"},
      {"option o: v := true when a when b", "duplicate-clause `when` \n"},
      {"option o: v := true cooldown 5", "bad-duration `5` did you mean `5s`?\n"},
      {"option o: v := true when a cooldwn 5s",
       "expected-declaration `cooldwn` did you mean `cooldown`?\n"},
      {"option when: v := true", "keyword-as-name `when` \n"},
      {"prefer o when a", "keyword-as-name `when` \n"},
      {"prefer o high",
       "expected-symbol `` a preference is written `prefer OPTION TERM when CONDITION`\n"},
      {"expect", "expected-expression `` \n"},
      {"expect at most few changes in 5m",
       "expected-literal `few` it is written `at most 3 changes in 5m`\n"},
      {"expect at most 3 changes of v",
       "expected-symbol `` it is written `at most 3 changes in 5m`\n"},
      {"expect stable within", "bad-duration `` it is written `stable within 30s`\n"},
      {"expect v rises by x", "expected-symbol `by` it is written `VARIANT rises with SENSE`\n"},
      {"expect v falls with x within", "bad-duration `` it is written `within 10m`\n"},
      {"expect a held", "bad-duration `` it is written `held 10s`\n"},
      {"expect max of x > 1", "expected-symbol `>` it is written `max of x over 5m`\n"},
      {"expect if a then b", "expected-symbol `` it is written `if CONDITION then A else B`\n"},
      {"opton o: v := true", "expected-declaration `opton` did you mean `option`?\n"},
      {"let a = exists s of S: s.b",
       "expected-symbol `of` a quantifier is written `exists x in "
       "STREAM: …`\n"},
      {"let a = all s in S s.b",
       "expected-symbol `s.b` a quantifier is written `all x in STREAM: "
       "…`\n"},
      {"let a = exists s in 5: s.b", "expected-name `5` \n"},
      {"let a = exists s in S[5s]: s.b",
       "bad-window `5s` a window is written `[last 60s]` or `[next 20s]`\n"},
      {"let a = exists s in S[last x]: s.b",
       "bad-window `x` a window is written `[last 60s]` or `[next 20s]`\n"},
      {"let a = exists s in S[last 5s: s.b", "expected-symbol `:` \n"},
      {"sense : bool", "expected-name `:` \n"},
      {"sense", "expected-name `` \n"},
      {"sense state : bool", "keyword-as-name `state` \n"},
      {"state rule", "keyword-as-name `rule` \n"},
      {"state rule initial", "keyword-as-name `rule` \n"},
      {"let a = state", "expected-expression `state` \n"},
      {"sense x bool", "expected-symbol `bool` a variable is written `NAME : TYPE`\n"},
      {"sense x : bool if a and b", "bad-guard `and` a guard is the name of one boolean `sense`\n"},
      {"sense x : bool if not a", "bad-guard `not` a guard is the name of one boolean `sense`\n"},
      {"sense x : boolean", "expected-type `boolean` did you mean `bool`?\n"},
      {"sense x : bol", "expected-type `bol` did you mean `bool`?\n"},
      {"sense x : int", "expected-literal `` a range is written `int 0..100`\n"},
      {"sense x : int 0-5", "expected-symbol `-` a range is written `0..100`\n"},
      {"sense x : set a", "expected-symbol `a` members are written `{a, b, c}`\n"},
      {"sense x : {a, b\nsense y : bool", "unclosed-bracket `{` \n"},
      {"sense x : {a b}", "expected-symbol `b` \n"},
      {"sense x : {a,}", "expected-name `}` \n"},
      {"sense x : int 0..5 = 3",
       "unexpected-initial-value `=` what is sensed comes from outside; did you mean `var`?\n"},
      {"var x : bool",
       "missing-initial-value `x` give it one with `= VALUE`, or declare it with `sense`\n"},
      {"var x : bool := true", "expected-symbol `:=` did you mean `=`?\n"},
      {"var x : int 0..5 = 2 + 1",
       "expected-literal `+` a plain value stands here, nothing to calculate\n"},
      {"var x : int 0..5 = -y",
       "expected-literal `-` a plain value stands here, nothing to calculate\n"},
      {"let a : b", "expected-symbol `:` did you mean `=`?\n"},
      {"let a =", "expected-expression `` \n"},
      {"let a = b = c", "assignment-in-condition `=` did you mean `==`?\n"},
      {"let a = b and", "expected-expression `` \n"},
      {"let a = b adn c", "expected-declaration `adn` did you mean `and`?\n"},
      {"let a = b c", "expected-declaration `c` is an operator missing before it?\n"},
      {"let a = b < c < d", "chained-comparison `<` join two comparisons with `and`\n"},
      {"let a = b == not c", "expected-expression `not` put the `not …` in parentheses\n"},
      {"let a = b in c",
       "bad-membership `c` a list of values is written `{a, b}`; a set is asked with `has`\n"},
      {"let a = 'home'",
       "expected-expression `'` members are written without quotes, texts in double ones\n"},
      {"let a = (b or c", "unclosed-bracket `(` \n"},
      {"let a = f(b, c\nlet d = e", "unclosed-bracket `(` \n"},
      {"let a = (b c)", "expected-symbol `c` \n"},
      {"state A initial, B C", "expected-symbol `C` \n"},
      {"state A inital", "expected-symbol `inital` did you mean `initial`?\n"},
      {"state A final final", "duplicate-clause `final` \n"},
      {"rule r: A -> B", "missing-when `r` write `when true` if it always holds\n"},
      {"rule r: A -> B wehn a", "expected-declaration `wehn` did you mean `when`?\n"},
      {"rule r: A -> B when a\n  od x", "expected-declaration `od` did you mean `do`?\n"},
      {"rule r: A -> B when a when b", "duplicate-clause `when` \n"},
      {"rule r: A when a",
       "expected-symbol `when` a rule is written `rule NAME: STATE -> STATE when …`\n"},
      {"rule r: A -> B when a do", "expected-action `` an action is written `NAME := VALUE`\n"},
      {"rule r: A -> B when a do x = 1", "expected-symbol `=` did you mean `:=`?\n"},
      {"rule r: A -> B priority 1.5 when a", "bad-priority `1.5` \n"},
      {"rule r: A -> B priority high when a", "bad-priority `high` \n"},
      {"rule r: A -> B priority 9223372036854775808 when a",
       "bad-priority `9223372036854775808` \n"},
      {"rule r: A => B when a", "foreign-operator `=>` did you mean `implies`, `->` or `>=`?\n"},
      {"rule r: A -> B when 5km > a do",
       "unknown-unit `5km` units are `ms`, `s`, `m` and `h`; names begin with a letter\n"},
  };
  for (const Case& row : kCases) EXPECT_EQ(parser_mistakes(row.text), row.expected) << row.text;
}

TEST(Parser, PointsAtTheOpeningBracketAndWhereTheOtherIsMissed) {
  const ParsedTree parsed = parse_tree("rule r: A -> B when (a\n  do x");
  ASSERT_EQ(parsed.diagnostics.size(), 1U);
  EXPECT_EQ(parsed.diagnostics[0].span, (Span{20, 21}));
  ASSERT_EQ(parsed.diagnostics[0].related.size(), 1U);
  EXPECT_EQ(parsed.diagnostics[0].related[0].span, (Span{22, 22}));
}

TEST(Parser, GoesOnAtTheNextDeclaration) {
  EXPECT_EQ(printed("sense x bool\nsense y : bool\nlet = 3\nlet z = y"),
            "(sense y bool)\n(let z y)\n"
            "error: found `bool` where `:` should be\n"
            "error: found `=` where the name of a `let` should be\n");
  EXPECT_EQ(printed("sense x bool sense y : bool"),
            "(sense y bool)\nerror: found `bool` where `:` should be\n");
}

TEST(Parser, DoesNotTakeMembersForDeclarations) {
  EXPECT_EQ(parser_codes("sense x {state, rule}\nlet a = b"), "expected-symbol");
  EXPECT_EQ(parser_codes("sense x {\n  state,\n  rule\n}\nlet a = b"), "expected-symbol");
  EXPECT_EQ(parser_codes("let a = b = c has state or d\nlet e = f"), "assignment-in-condition");
  EXPECT_EQ(parser_codes("let a = b has\nrule r: A -> B when c"), "expected-name");
}

TEST(Parser, KeepsADeclarationWhoseMistakeHasAPlainMeaning) {
  EXPECT_EQ(printed("let a = b && c;\nstate A;"),
            "(let a (and b c))\n(state A)\n"
            "error: unknown operator `&&`\n"
            "error: unexpected `;`\n"
            "error: unexpected `;`\n");
}

TEST(Parser, RemembersTheNamesOfBrokenDeclarations) {
  EXPECT_EQ(broken_names("sense x : boolean\nlet y(a) : 3\nvar z : bool"), "x y z");
  EXPECT_EQ(broken_names("snese x : bool\nlet y = x"), "x");
  EXPECT_EQ(broken_names("sttae A initial, B\nstate C"), "A B");
  EXPECT_EQ(broken_names("state A initial B, C final"), "A B C");
  EXPECT_EQ(broken_names("stream S { tag }\nvariant cache : bool\noption o: v"), "S cache o");
  EXPECT_EQ(broken_names("action walk: d ' == 3"), "walk");
  EXPECT_EQ(broken_names("state A\nlet b = c"), "");
}

std::string repeated(std::string_view part, std::size_t count) {
  std::string out;
  out.reserve(part.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += part;
  return out;
}

TEST(Parser, LimitsNestingWithOneDiagnostic) {
  constexpr std::size_t kMany = 200'000;
  for (const std::string_view opening :
       {"(", "not ", "-", "a implies ", "a iff ", "f(", "(a and "}) {
    const std::string text = "let x = " + repeated(opening, kMany) + "a\nlet y = a\n";
    const ParsedTree parsed = parse_tree(text);
    ASSERT_EQ(parsed.diagnostics.size(), 1U) << opening;
    EXPECT_EQ(parsed.diagnostics[0].code, diag::Code::TooDeep) << opening;
    EXPECT_EQ(parsed.tree.declarations.size(), 1U) << opening;
  }
}

int height(const Tree& tree, NodeId id) {
  int highest = 0;
  for (const NodeId child : tree.children(tree.nodes[id])) {
    highest = std::max(highest, height(tree, child));
  }
  return highest + 1;
}

TEST(Parser, NestsAsDeepAsItSays) {
  const auto nested_not = [](int depth) {
    return "let x = " + repeated("not ", static_cast<std::size_t>(depth - 1)) + "a";
  };
  const std::string fits = nested_not(kMaxDepth);
  const ParsedTree parsed = parse_tree(fits);
  ASSERT_TRUE(parsed.diagnostics.empty());
  const auto& let = std::get<LetDeclaration>(parsed.tree.declarations.at(0));
  EXPECT_EQ(height(parsed.tree, let.body), kMaxDepth);
  EXPECT_EQ(parser_codes(nested_not(kMaxDepth + 1)), "too-deep");
  // Every pair of parentheses holds two levels of the tree.
  const std::string dense = "let x = " + repeated("(not a and ", 250) + "a" + repeated(")", 250);
  EXPECT_EQ(parser_codes(dense), "");
  EXPECT_EQ(parser_codes("let x = " + repeated("(a or b and ", 250) + "a" + repeated(")", 250)),
            "too-deep");
}

TEST(Parser, ReadsLongChainsAsOneNode) {
  constexpr std::size_t kMany = 200'000;
  for (const std::string_view sign : {" and ", " or ", " + ", " - ", " * "}) {
    const std::string text = "let x = a" + repeated(fmt::format("{}b", sign), kMany);
    const ParsedTree parsed = parse_tree(text);
    ASSERT_TRUE(parsed.diagnostics.empty()) << sign;
    const auto& let = std::get<LetDeclaration>(parsed.tree.declarations.at(0));
    EXPECT_EQ(parsed.tree.nodes[let.body].child_count, kMany + 1) << sign;
  }
}

}  // namespace
}  // namespace poise::lang
