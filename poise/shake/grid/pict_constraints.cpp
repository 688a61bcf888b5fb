#include "poise/shake/grid/pict_constraints.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "poise/shake/grid/pict_lexer.h"

namespace poise::shake {

using model::Relation;

namespace {

constexpr int kMaxDepth = 100;              // of parentheses and NOT
constexpr std::size_t kMaxErrors = 100;     // then reading ends
constexpr std::size_t kMaxNodes = 100'000;  // of all conditions

int order(double a, double b) { return static_cast<int>(a > b) - static_cast<int>(a < b); }

int order(const std::string& a, const std::string& b) {
  const int compared = a.compare(b);
  return static_cast<int>(compared > 0) - static_cast<int>(compared < 0);
}

// ---- Conditions ----

// By parameter: its values in the form in which they are compared. All conditions of a file share
// it.
struct Values {
  std::vector<std::vector<double>> of_property;
  std::vector<std::vector<double>> numbers;      // empty unless a number
  std::vector<std::vector<std::string>> labels;  // folded
};

struct Node {
  enum class Op { AmongValues, Compare, Not, And, Or, If };  // If: condition, then, else
  Op op = Op::And;
  std::size_t property = 0;  // AmongValues, Compare; when finished, its place in the scope
  std::size_t other = 0;     // Compare: the other property
  Relation relation = Relation::Equal;
  std::vector<bool> values = {};        // AmongValues: those for which it holds
  std::vector<std::size_t> parts = {};  // nodes before this one
};

// A condition over the properties of a scope; its root is the last node.
struct Condition {
  std::vector<Node> nodes;
  std::vector<std::size_t> scope;
  std::shared_ptr<const Values> values;

  [[nodiscard]] std::size_t index(std::size_t place, double value) const {
    const std::vector<double>& all = values->of_property[scope[place]];
    return static_cast<std::size_t>(std::ranges::lower_bound(all, value) - all.begin());
  }

  [[nodiscard]] bool holds_for(std::span<const double> given) const {
    std::vector<bool> truths(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Node& node = nodes[i];
      const auto part = [&](std::size_t at) -> bool { return truths[at]; };
      switch (node.op) {
        case Node::Op::AmongValues:
          truths[i] = node.values[index(node.property, given[node.property])];
          break;
        case Node::Op::Compare: truths[i] = compare(node, given); break;
        case Node::Op::Not: truths[i] = !truths[node.parts[0]]; break;
        case Node::Op::And: truths[i] = std::ranges::all_of(node.parts, part); break;
        case Node::Op::Or: truths[i] = std::ranges::any_of(node.parts, part); break;
        case Node::Op::If:
          truths[i] = truths[node.parts[0]] ? part(node.parts[1])
                                            : node.parts.size() < 3 || part(node.parts[2]);
          break;
      }
    }
    return truths.back();
  }

  [[nodiscard]] bool compare(const Node& node, std::span<const double> given) const {
    const std::size_t first = scope[node.property];
    const std::size_t second = scope[node.other];
    const std::size_t a = index(node.property, given[node.property]);
    const std::size_t b = index(node.other, given[node.other]);
    if (!values->numbers[first].empty()) {
      return holds(node.relation, order(values->numbers[first][a], values->numbers[second][b]));
    }
    return holds(node.relation, order(values->labels[first][a], values->labels[second][b]));
  }
};

// Whether a text is like a pattern, in which `*` stands for any text and `?` for any character.
// Goes back to the last `*` only, which is enough: an earlier one need not take more.
bool is_like(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t in_pattern = 0;
  std::optional<std::size_t> star;
  std::size_t behind_star = 0;  // where the text goes on behind what the star took
  while (at < text.size()) {
    const bool more = in_pattern < pattern.size();
    if (more && pattern[in_pattern] == '*') {
      star = in_pattern++;
      behind_star = at;
    } else if (more && (pattern[in_pattern] == '?' || pattern[in_pattern] == text[at])) {
      ++in_pattern;
      ++at;
    } else if (star) {
      in_pattern = *star + 1;
      at = ++behind_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

// ---- Syntax ----

class Parser {
 public:
  Parser(std::string_view text, std::size_t begin, const std::vector<PictParameter>& parameters)
      : text_(text), lexer_(text, begin), parameters_(parameters) {
    auto values = std::make_shared<Values>();
    for (const PictParameter& parameter : parameters) {
      names_.push_back(folded(parameter.name));
      values->of_property.push_back(parameter.values);
      values->numbers.push_back(parameter.numbers);
      values->labels.emplace_back();
      for (const std::string& label : parameter.texts) {
        values->labels.back().push_back(folded(label));
      }
    }
    values_ = std::move(values);
    advance();
  }

  PictConstraints run() {
    while (token_.kind != PictToken::Kind::End && result_.errors.size() < kMaxErrors) {
      nodes_.clear();
      const std::size_t begin = token_.offset;
      if (constraint() && expect(";", "a constraint ends with `;`")) {
        add(begin);
        continue;
      }
      if (all_nodes_ > kMaxNodes) break;
      // After an error, go on behind the next semicolon.
      while (token_.kind != PictToken::Kind::End && !is_symbol(";")) advance();
      advance();
    }
    return std::move(result_);
  }

 private:
  using Place = std::optional<std::size_t>;  // a node's place in nodes_; none after a mistake

  void advance() { token_ = lexer_.next(); }
  [[nodiscard]] bool is_symbol(std::string_view text) const {
    return token_.kind == PictToken::Kind::Symbol && token_.text == text;
  }
  [[nodiscard]] bool is_word(std::string_view text) const {
    return token_.kind == PictToken::Kind::Word && token_.text == text;
  }
  std::nullopt_t mistake(std::string message, std::size_t offset) {
    result_.errors.push_back({.offset = offset, .message = std::move(message)});
    return std::nullopt;
  }
  std::nullopt_t mistake(std::string message) {
    if (token_.kind == PictToken::Kind::Bad) message = token_.text;
    return mistake(std::move(message), token_.offset);
  }
  bool expect(std::string_view symbol, std::string message) {
    if (!is_symbol(symbol)) {
      mistake(std::move(message));
      return false;
    }
    last_semicolon_ = token_.offset;
    advance();
    return true;
  }
  Place add_node(Node node) {
    if (++all_nodes_ > kMaxNodes) return mistake("the constraints are too long");
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  Place constraint() {
    if (!is_word("IF")) return predicate(0);
    advance();
    const Place condition = predicate(0);
    if (!condition) return std::nullopt;
    if (!is_word("THEN")) return mistake("`THEN` should be here");
    advance();
    const Place then = predicate(0);
    if (!then) return std::nullopt;
    Node node{.op = Node::Op::If, .parts = {*condition, *then}};
    if (is_word("ELSE")) {
      advance();
      const Place otherwise = predicate(0);
      if (!otherwise) return std::nullopt;
      node.parts.push_back(*otherwise);
    }
    return add_node(std::move(node));
  }

  Place predicate(int depth) {
    return joined(Node::Op::Or, "OR",
                  [&] { return joined(Node::Op::And, "AND", [&] { return clause(depth); }); });
  }

  template <class Part>
  Place joined(Node::Op op, std::string_view word, const Part& part) {
    Node node{.op = op, .parts = {}};
    for (;;) {
      const Place place = part();
      if (!place) return std::nullopt;
      node.parts.push_back(*place);
      if (!is_word(word)) break;
      advance();
    }
    return node.parts.size() == 1 ? Place(node.parts.front()) : add_node(std::move(node));
  }

  Place clause(int depth) {
    if (depth > kMaxDepth) return mistake("this is nested too deeply");
    if (is_word("NOT")) {
      advance();
      const Place place = clause(depth + 1);
      return place ? add_node({.op = Node::Op::Not, .parts = {*place}}) : std::nullopt;
    }
    if (is_symbol("(")) {
      advance();
      const Place place = predicate(depth + 1);
      return place && expect(")", "`)` should be here") ? place : std::nullopt;
    }
    return term();
  }

  std::optional<std::size_t> parameter() {
    if (token_.kind != PictToken::Kind::Parameter) return mistake("`[parameter]` should be here");
    const auto found = std::ranges::find(names_, folded(token_.text));
    if (found == names_.end()) {
      result_.remarks.push_back(
          {.offset = token_.offset,
           .message =
               fmt::format("unknown parameter `{}`: the constraint is ignored", token_.text)});
      return std::nullopt;
    }
    advance();
    return static_cast<std::size_t>(found - names_.begin());
  }

  // IsNegative(parameter), or IsNegative() of any parameter; IsPositive is the opposite.
  Place sign(bool negative) {
    token_ = lexer_.argument();
    if (token_.kind != PictToken::Kind::Parameter) return mistake({});
    const bool any = token_.text.empty();
    std::size_t property = 0;
    if (any) {
      advance();
    } else if (const std::optional<std::size_t> named = parameter()) {
      property = *named;
    } else {
      return std::nullopt;
    }
    Node node{.op = negative ? Node::Op::Or : Node::Op::And, .parts = {}};
    const std::size_t end = any ? parameters_.size() : property + 1;
    for (; property < end; ++property) {
      std::vector<bool> values = parameters_[property].negative;
      if (!negative) values.flip();
      const Place place = add_node(
          {.op = Node::Op::AmongValues, .property = property, .values = std::move(values)});
      if (!place) return std::nullopt;
      node.parts.push_back(*place);
    }
    return add_node(std::move(node));
  }

  Place term() {
    if (is_word("ISNEGATIVE") || is_word("ISPOSITIVE")) return sign(is_word("ISNEGATIVE"));
    const std::optional<std::size_t> property = parameter();
    if (!property) return std::nullopt;
    const bool negated = is_word("NOT");
    if (negated) advance();
    if (is_word("IN")) return membership(*property, negated);
    if (is_word("LIKE")) return likeness(*property, negated);
    if (negated) return mistake("`IN` or `LIKE` should be here");
    const std::optional<Relation> read = relation();
    if (!read) return mistake("a relation (`=`, `<>`, `<`, …) should be here");
    advance();
    if (token_.kind != PictToken::Kind::Parameter) return comparison(*property, *read);
    const std::size_t offset = token_.offset;
    const std::optional<std::size_t> other = parameter();
    if (!other) return std::nullopt;
    if (is_number(*property) != is_number(*other)) {
      return mistake("a number is compared with something that is none", offset);
    }
    return add_node(
        {.op = Node::Op::Compare, .property = *property, .other = *other, .relation = *read});
  }

  [[nodiscard]] bool is_number(std::size_t property) const {
    return !parameters_[property].numbers.empty();
  }

  Place likeness(std::size_t property, bool negated) {
    if (is_number(property)) {
      return mistake(
          fmt::format("`{}` is a number, which is like no text", parameters_[property].name));
    }
    advance();
    if (token_.kind != PictToken::Kind::Text) return mistake("a string should be here");
    const std::string pattern = folded(token_.text);
    std::vector<bool> values;
    for (const std::string& label : values_->labels[property]) {
      values.push_back(is_like(label, pattern) != negated);
    }
    advance();
    return add_node(
        {.op = Node::Op::AmongValues, .property = property, .values = std::move(values)});
  }

  [[nodiscard]] std::optional<Relation> relation() const {
    if (is_symbol("=")) return Relation::Equal;
    if (is_symbol("<>")) return Relation::NotEqual;
    if (is_symbol("<")) return Relation::Less;
    if (is_symbol("<=")) return Relation::LessEqual;
    if (is_symbol(">")) return Relation::Greater;
    if (is_symbol(">=")) return Relation::GreaterEqual;
    return std::nullopt;
  }

  // By value: whether it stands in the relation to the constant at the current token, which is
  // read.
  std::optional<std::vector<bool>> values_in(std::size_t property, Relation relation) {
    if (++all_nodes_ > kMaxNodes) return mistake("the constraints are too long");
    std::vector<bool> values;
    if (is_number(property)) {
      if (token_.kind != PictToken::Kind::Number) {
        return mistake(fmt::format("`{}` is a number, so a number should be here",
                                   parameters_[property].name));
      }
      for (const double value : values_->numbers[property]) {
        values.push_back(holds(relation, order(value, token_.number)));
      }
    } else {
      if (token_.kind != PictToken::Kind::Text) {
        return mistake(fmt::format("`{}` is not a number, so a string should be here",
                                   parameters_[property].name));
      }
      const std::string text = folded(token_.text);
      for (const std::string& label : values_->labels[property]) {
        values.push_back(holds(relation, order(label, text)));
      }
    }
    advance();
    return values;
  }

  Place comparison(std::size_t property, Relation relation) {
    std::optional<std::vector<bool>> values = values_in(property, relation);
    if (!values) return std::nullopt;
    return add_node(
        {.op = Node::Op::AmongValues, .property = property, .values = std::move(*values)});
  }

  Place membership(std::size_t property, bool negated) {
    advance();
    if (!expect("{", "`{` should be here")) return std::nullopt;
    std::vector<bool> members(parameters_[property].values.size(), negated);
    for (;;) {
      const std::optional<std::vector<bool>> equal = values_in(property, Relation::Equal);
      if (!equal) return std::nullopt;
      for (std::size_t i = 0; i < members.size(); ++i) {
        if ((*equal)[i]) members[i] = !negated;
      }
      if (!is_symbol(",")) break;
      advance();
    }
    if (!expect("}", "`}` should be here")) return std::nullopt;
    return add_node(
        {.op = Node::Op::AmongValues, .property = property, .values = std::move(members)});
  }

  void add(std::size_t begin) {
    auto condition = std::make_shared<Condition>();
    condition->values = values_;
    for (const Node& node : nodes_) {
      const bool reads = node.op == Node::Op::AmongValues || node.op == Node::Op::Compare;
      if (reads) condition->scope.push_back(node.property);
      if (node.op == Node::Op::Compare) condition->scope.push_back(node.other);
    }
    std::vector<std::size_t>& scope = condition->scope;
    std::ranges::sort(scope);
    scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
    const auto place = [&](std::size_t property) {
      return static_cast<std::size_t>(std::ranges::lower_bound(scope, property) - scope.begin());
    };
    for (Node& node : nodes_) {
      node.property = place(node.property);
      node.other = place(node.other);
    }
    condition->nodes = std::move(nodes_);
    GridConstraint constraint{.scope = scope, .allows = {}, .text = {}};
    constraint.text = text_.substr(begin, last_semicolon_ - begin);
    constraint.allows = [shared = std::shared_ptr<const Condition>(std::move(condition))](
                            std::span<const double> values) { return shared->holds_for(values); };
    result_.constraints.push_back(std::move(constraint));
  }

  std::string_view text_;
  PictLexer lexer_;
  const std::vector<PictParameter>& parameters_;
  std::vector<std::string> names_;  // folded
  std::shared_ptr<const Values> values_;
  PictToken token_;
  std::size_t last_semicolon_ = 0;
  std::vector<Node> nodes_;  // of the constraint at hand
  std::size_t all_nodes_ = 0;
  PictConstraints result_;
};

}  // namespace

std::string folded(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

PictConstraints pict_constraints(std::string_view text, std::size_t begin,
                                 const std::vector<PictParameter>& parameters) {
  return Parser(text, begin, parameters).run();
}

}  // namespace poise::shake
