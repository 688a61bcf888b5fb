#include "poise/watch/plan.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace poise::watch {

using model::QueryNode;
using model::Window;

namespace {

// Every class has a counter in every key.
constexpr std::size_t kMostLocals = 4;
constexpr std::size_t kMostLookups = 3;
constexpr std::size_t kMostClosed = 4;

bool is_quantifier(const QueryNode& node) {
  return node.op == QueryNode::Op::Exists || node.op == QueryNode::Op::All;
}

class Planner {
 public:
  Planner(const Program& program, std::vector<Plan>& plans) : program_(program), plans_(plans) {}

  Plan planned(model::QueryId id, std::uint32_t node) {
    query_ = &program_.query(id);
    plan_ = Plan{};
    plan_.query = id;
    plan_.node = node;
    collect(node);
    const QueryNode& quantifier = at(node);
    plan_.all = quantifier.op == QueryNode::Op::All;
    plan_.collection = query_->collections[node];
    plan_.binding = quantifier.binding;
    const bool countable = take_apart(quantifier.parts[0]);
    if (plan_.locals.size() > kMostLocals) refuse("too many conditions on one element");
    if (plan_.lookups.size() > kMostLookups) refuse("too many quantifiers in it");
    if (plan_.closed.size() > kMostClosed) refuse("too many queries in it");
    if (countable && plan_.reason.empty()) plan_.kind = Plan::Kind::Count;
    Plan result = std::move(plan_);
    if (result.kind == Plan::Kind::Scan) {
      result.closed.clear();
      return result;
    }
    for (const std::uint32_t inner : result.closed) {
      Plan of_inner = Planner(program_, plans_).planned(id, inner);
      plans_.push_back(std::move(of_inner));
      result.closed_plans.push_back(static_cast<std::uint32_t>(plans_.size() - 1));
    }
    return result;
  }

 private:
  [[nodiscard]] const QueryNode& at(std::uint32_t node) const { return query_->query->nodes[node]; }

  bool refuse(std::string reason) {
    if (plan_.reason.empty()) plan_.reason = std::move(reason);
    return false;
  }

  // What a node reads: bindings from outside of it, and slots.
  void free_bindings(std::uint32_t node, std::set<std::uint32_t>& bound,
                     std::set<std::uint32_t>& free) const {
    const QueryNode& one = at(node);
    if (one.op == QueryNode::Op::Atom) {
      for (const model::Place& place : query_->atoms[one.atom].places) {
        if (!place.slot && !bound.contains(place.binding)) free.insert(place.binding);
      }
    }
    if (is_quantifier(one)) bound.insert(one.binding);
    for (const std::uint32_t part : one.parts) free_bindings(part, bound, free);
  }
  [[nodiscard]] std::set<std::uint32_t> free_bindings(std::uint32_t node) const {
    std::set<std::uint32_t> bound;
    std::set<std::uint32_t> free;
    free_bindings(node, bound, free);
    return free;
  }
  [[nodiscard]] bool has_quantifier(std::uint32_t node) const {
    return is_quantifier(at(node)) || std::ranges::any_of(at(node).parts, [&](std::uint32_t part) {
             return has_quantifier(part);
           });
  }

  void collect(std::uint32_t node) {
    const QueryNode& one = at(node);
    if (is_quantifier(one)) plan_.collections.push_back(query_->collections[node]);
    if (one.op == QueryNode::Op::Atom) {
      for (const model::Place& place : query_->atoms[one.atom].places) {
        if (place.slot) plan_.slots.push_back(*place.slot);
      }
    }
    for (const std::uint32_t part : one.parts) collect(part);
  }

  // Sorts the parts of the body into locals, lookups and closed ones.
  bool take_apart(std::uint32_t node) {
    if (!has_quantifier(node)) {
      if (std::ranges::find(plan_.locals, node) == plan_.locals.end()) {
        plan_.locals.push_back(node);
      }
      return true;
    }
    const QueryNode& one = at(node);
    if (!is_quantifier(one)) {
      return std::ranges::all_of(one.parts, [&](std::uint32_t part) { return take_apart(part); });
    }
    if (free_bindings(node).empty()) {
      if (std::ranges::find(plan_.closed, node) == plan_.closed.end()) {
        plan_.closed.push_back(node);
      }
      return true;
    }
    return add_lookup(node);
  }

  void conjuncts(std::uint32_t node, bool negated, std::vector<Plan::Literal>& into) const {
    const QueryNode& one = at(node);
    const auto all_parts = [&] {
      for (const std::uint32_t part : one.parts) conjuncts(part, negated, into);
    };
    if (one.op == QueryNode::Op::Not) return conjuncts(one.parts[0], !negated, into);
    if (one.op == QueryNode::Op::And && !negated) return all_parts();
    if (one.op == QueryNode::Op::Or && negated) return all_parts();
    if (one.op == QueryNode::Op::Implies && negated) {
      conjuncts(one.parts[0], false, into);
      return conjuncts(one.parts[1], true, into);
    }
    into.push_back({node, negated});
  }

  // outer.key == inner.field
  struct Link {
    std::uint32_t key;
    std::uint32_t field;
  };
  [[nodiscard]] std::optional<Link> link(const Plan::Literal& literal, std::uint32_t inner) const {
    const QueryNode& node = at(literal.node);
    if (literal.negated || node.op != QueryNode::Op::Atom) return std::nullopt;
    const CellAtom& atom = query_->atoms[node.atom];
    const bool equality =
        atom.linear && !atom.membership && atom.terms.size() == 2 && atom.places.size() == 2 &&
        atom.constant == 0 && atom.relation == model::Relation::Equal &&
        atom.terms[0].factor == -atom.terms[1].factor && atom.terms[0].scale == atom.terms[1].scale;
    if (!equality) return std::nullopt;
    const model::Place& first = atom.terms[0].place;
    const model::Place& second = atom.terms[1].place;
    if (first.slot || second.slot) return std::nullopt;
    if (first.binding == plan_.binding && second.binding == inner) {
      return Link{first.field, second.field};
    }
    if (second.binding == plan_.binding && first.binding == inner) {
      return Link{second.field, first.field};
    }
    return std::nullopt;
  }

  bool add_lookup(std::uint32_t node) {
    for (const Plan::Lookup& known : plan_.lookups) {
      if (known.node == node) return true;
    }
    const QueryNode& quantifier = at(node);
    Plan::Lookup lookup;
    lookup.node = node;
    lookup.all = quantifier.op == QueryNode::Op::All;
    lookup.collection = query_->collections[node];
    lookup.binding = quantifier.binding;
    std::vector<Plan::Literal> literals;
    conjuncts(quantifier.parts[0], lookup.all, literals);
    const auto links = [&](const Plan::Literal& literal) {
      return link(literal, quantifier.binding).has_value();
    };
    const auto linking = std::ranges::find_if(literals, links);
    if (linking == literals.end()) return refuse("elements are not compared by an equality");
    const std::optional<Link> linked = link(*linking, quantifier.binding);
    literals.erase(linking);
    for (const Plan::Literal& literal : literals) {
      const std::set<std::uint32_t> free = free_bindings(literal.node);
      const bool own =
          !has_quantifier(literal.node) && std::ranges::all_of(free, [&](std::uint32_t binding) {
            return binding == quantifier.binding;
          });
      if (!own) return refuse("elements are compared by more than one equality");
    }
    lookup.literals = std::move(literals);
    if (!plan_.lookups.empty() && plan_.key != linked->key) {
      return refuse("inner quantifiers compare different fields");
    }
    plan_.key = linked->key;
    lookup.field = linked->field;
    plan_.lookups.push_back(std::move(lookup));
    return true;
  }

  const Program& program_;
  std::vector<Plan>& plans_;
  const CellQuery* query_ = nullptr;
  Plan plan_;
};

// As the language writes it: whole seconds, whole milliseconds, or what it is.
std::string length_text(Time length) {
  constexpr Time kMillisecond = 1'000'000;
  constexpr Time kSecond = 1'000 * kMillisecond;
  if (length % kSecond == 0) return fmt::format("{}s", length / kSecond);
  if (length % kMillisecond == 0) return fmt::format("{}ms", length / kMillisecond);
  return seconds_text(length) + "s";
}

std::string window_text(const Collection& collection) {
  switch (collection.kind) {
    case Window::Kind::Latest: return "";
    case Window::Kind::Last: return fmt::format("[last {}]", length_text(collection.length));
    case Window::Kind::Next: return fmt::format("[next {}]", length_text(collection.length));
  }
  return "";
}

std::string collection_text(const Program& program, CollectionId id) {
  const Collection& collection = program.collections()[id];
  return program.model().streams[collection.stream].name + window_text(collection);
}

std::string field_text(const Program& program, CollectionId id, std::uint32_t field) {
  const Collection& collection = program.collections()[id];
  return program.model().streams[collection.stream].fields[field].name;
}

}  // namespace

std::vector<Plan> plans(const Program& program) {
  // Those of the queries first, so that a query's number is its plan's.
  std::vector<Plan> all(program.model().queries.size());
  for (const model::QueryId id : program.model().queries.ids()) {
    all[id.index].query = id;
    if (program.query(id).query == nullptr) continue;
    const auto root = static_cast<std::uint32_t>(program.model().queries[id].nodes.size() - 1);
    Plan plan = Planner(program, all).planned(id, root);
    all[id.index] = std::move(plan);
  }
  return all;
}

std::vector<std::string> explained(const Program& program, const Plan& plan) {
  std::vector<std::string> lines;
  if (program.query(plan.query).query == nullptr) return {"no rule asks for it"};
  if (plan.kind == Plan::Kind::Scan) {
    lines.push_back(
        fmt::format("opaque: {}; worked out anew when what it reads has changed", plan.reason));
    return lines;
  }
  const std::string outer = collection_text(program, plan.collection);
  if (plan.lookups.empty()) {
    lines.push_back(fmt::format(
        "counted: elements of {} in {}", outer,
        plan.locals.empty() ? "all"
                            : fmt::format("{} classes", std::size_t{1} << plan.locals.size())));
  }
  for (const Plan::Lookup& lookup : plan.lookups) {
    lines.push_back(fmt::format("equality: {}.{} == {}.{}, counted by {}{}", outer,
                                field_text(program, plan.collection, plan.key),
                                collection_text(program, lookup.collection),
                                field_text(program, lookup.collection, lookup.field),
                                field_text(program, plan.collection, plan.key),
                                lookup.literals.empty() ? "" : ", of those that fit otherwise"));
  }
  if (!plan.locals.empty() && !plan.lookups.empty()) {
    lines.push_back(fmt::format("classes: {} by conditions on the element of {}",
                                std::size_t{1} << plan.locals.size(), outer));
  }
  if (!plan.slots.empty()) {
    lines.push_back("counted again when a variable that it reads changes");
  }
  return lines;
}

}  // namespace poise::watch
