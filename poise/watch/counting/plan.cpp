#include "poise/watch/counting/plan.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "poise/watch/counting/tally.h"

namespace poise::watch {

using model::QueryNode;
using model::Window;

namespace {

constexpr std::string_view kCountedAgain = "counted again when a variable that it reads changes";

// A wider band would save nothing, and must not overflow.
constexpr Cell kWidest = Cell{1} << 40U;

bool is_quantifier(const QueryNode& node) {
  return node.op == QueryNode::Op::Exists || node.op == QueryNode::Op::All;
}

class Planner {
 public:
  Planner(const WatchedModel& watched, std::vector<Plan>& plans)
      : watched_(watched), plans_(plans) {}

  Plan planned(model::QueryId id, std::uint32_t node) {
    query_ = &watched_.query(id);
    plan_ = Plan{};
    plan_.kind = Plan::Kind::Count;
    plan_.query = id;
    plan_.node = node;
    collect(node);
    const QueryNode& quantifier = at(node);
    if (!is_quantifier(quantifier)) {
      refuse("a function is called");
      return std::move(plan_);
    }
    plan_.all = quantifier.op == QueryNode::Op::All;
    plan_.collection = query_->collections[node];
    plan_.binding = quantifier.binding;
    take_apart(quantifier.parts[0]);
    if (plan_.locals.size() > kMostLocals) refuse("too many conditions on one element");
    if (plan_.lookups.size() > kMostLookups) refuse("too many quantifiers in it");
    if (plan_.closed.size() > kMostClosed) refuse("too many queries in it");
    if (plan_.kind == Plan::Kind::Pairs && plan_.lookups.size() == 1) plan_.band = band();
    Plan result = std::move(plan_);
    if (result.kind == Plan::Kind::Scan) {
      result.closed.clear();
      return result;
    }
    for (const std::uint32_t inner : result.closed) {
      Plan of_inner = Planner(watched_, plans_).planned(id, inner);
      plans_.push_back(std::move(of_inner));
      result.closed_plans.push_back(static_cast<std::uint32_t>(plans_.size() - 1));
    }
    return result;
  }

 private:
  [[nodiscard]] const QueryNode& at(std::uint32_t node) const { return query_->query->nodes[node]; }

  void refuse(std::string reason) {
    if (plan_.kind != Plan::Kind::Scan) plan_.reason = std::move(reason);
    plan_.kind = Plan::Kind::Scan;
  }
  void compare_pairs(std::string reason) {
    if (plan_.kind != Plan::Kind::Count) return;
    plan_.kind = Plan::Kind::Pairs;
    plan_.reason = std::move(reason);
  }

  // The bindings that a node reads and does not bind itself.
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

  // All collections and slots that a node reads.
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
  void take_apart(std::uint32_t node) {
    const auto add_once = [&](std::vector<std::uint32_t>& nodes) {
      if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
    };
    const QueryNode& one = at(node);
    if (!has_quantifier(node)) {
      add_once(plan_.locals);
    } else if (!is_quantifier(one)) {
      for (const std::uint32_t part : one.parts) take_apart(part);
    } else if (free_bindings(node).empty()) {
      add_once(plan_.closed);
    } else {
      add_lookup(node);
    }
  }

  // The literals whose conjunction is the node, or its negation.
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

  // A field of the outer element and one of the inner element.
  struct Link {
    std::uint32_t key;
    std::uint32_t field;
    friend bool operator==(const Link&, const Link&) = default;
  };

  void add_lookup(std::uint32_t node) {
    const auto is_known = [&](const Plan::Lookup& known) { return known.node == node; };
    if (std::ranges::any_of(plan_.lookups, is_known)) return;
    const QueryNode& quantifier = at(node);
    Plan::Lookup lookup;
    lookup.node = node;
    lookup.all = quantifier.op == QueryNode::Op::All;
    lookup.collection = query_->collections[node];
    lookup.binding = quantifier.binding;
    if (has_quantifier(quantifier.parts[0])) return refuse("quantifiers over three elements");
    link_by_key(lookup);
    plan_.lookups.push_back(std::move(lookup));
  }

  // Finds the equality that links a lookup to the key; if there is none, pairs are compared.
  void link_by_key(Plan::Lookup& lookup) {
    std::vector<Plan::Literal> literals;
    conjuncts(at(lookup.node).parts[0], lookup.all, literals);
    const auto linking = std::ranges::find_if(literals, [&](const Plan::Literal& literal) {
      return link(literal, lookup.binding).has_value();
    });
    if (linking == literals.end()) return compare_pairs("elements are not compared by an equality");
    const std::optional<Link> linked = link(*linking, lookup.binding);
    literals.erase(linking);
    for (const Plan::Literal& literal : literals) {
      const std::set<std::uint32_t> free = free_bindings(literal.node);
      if (free.contains(plan_.binding)) {
        return compare_pairs("elements are compared by more than one equality");
      }
    }
    if (!plan_.lookups.empty() && plan_.key != linked->key) {
      return compare_pairs("inner quantifiers compare different fields");
    }
    plan_.key = linked->key;
    lookup.field = linked->field;
    lookup.literals = std::move(literals);
  }

  // An atom over factor * (inner - outer) + constant, with a field of each element.
  struct Difference {
    Link fields;
    CellAtom::Wide factor;
  };
  [[nodiscard]] std::optional<Difference> difference(const CellAtom& atom,
                                                     std::uint32_t inner) const {
    const bool fits = atom.linear && !atom.membership && atom.terms.size() == 2 &&
                      atom.places.size() == 2 && atom.terms[0].factor == -atom.terms[1].factor &&
                      atom.terms[0].scale == atom.terms[1].scale && !atom.terms[0].place.slot &&
                      !atom.terms[1].place.slot;
    if (!fits) return std::nullopt;
    for (const std::size_t of_inner : {std::size_t{0}, std::size_t{1}}) {
      const CellAtom::Term& one = atom.terms[of_inner];
      const CellAtom::Term& other = atom.terms[1 - of_inner];
      if (one.place.binding != inner || other.place.binding != plan_.binding) continue;
      return Difference{{other.place.field, one.place.field}, one.factor};
    }
    return std::nullopt;
  }

  // The fields of a literal outer.key == inner.field; nothing if it is something else.
  [[nodiscard]] std::optional<Link> link(const Plan::Literal& literal, std::uint32_t inner) const {
    const QueryNode& node = at(literal.node);
    if (literal.negated || node.op != QueryNode::Op::Atom) return std::nullopt;
    const CellAtom& atom = query_->atoms[node.atom];
    if (atom.constant != 0 || atom.relation != model::Relation::Equal) return std::nullopt;
    const std::optional<Difference> compared = difference(atom, inner);
    return compared ? std::optional(compared->fields) : std::nullopt;
  }

  // From the inequalities of the only lookup, rounded outwards: a band that is too wide costs time
  // only, since all that lies within is compared exactly.
  [[nodiscard]] std::optional<Plan::Band> band() const {
    const Plan::Lookup& lookup = plan_.lookups.front();
    std::vector<Plan::Literal> literals;
    conjuncts(at(lookup.node).parts[0], lookup.all, literals);
    std::optional<Link> fields;
    bool same = false;
    std::optional<CellAtom::Wide> least;
    std::optional<CellAtom::Wide> most;
    for (const Plan::Literal& literal : literals) {
      // Where a value is missing, an atom is false and a negated one holds.
      if (literal.negated || at(literal.node).op != QueryNode::Op::Atom) continue;
      const CellAtom& atom = query_->atoms[at(literal.node).atom];
      const std::optional<Difference> compared = difference(atom, lookup.binding);
      if (!compared || atom.relation == model::Relation::NotEqual) continue;
      if (fields && !(*fields == compared->fields)) continue;
      fields = compared->fields;
      const CellAtom::Wide bound = -atom.constant / compared->factor;
      const bool less =
          atom.relation == model::Relation::Less || atom.relation == model::Relation::LessEqual;
      const bool equal = atom.relation == model::Relation::Equal;
      same = same || (equal && atom.constant == 0);
      if (equal || less == (compared->factor > 0))
        most = std::min(most.value_or(bound + 1), bound + 1);
      if (equal || less != (compared->factor > 0)) {
        least = std::max(least.value_or(bound - 1), bound - 1);
      }
    }
    if (!least || !most || *least < -kWidest || *most > kWidest) return std::nullopt;
    // If the bounds contradict each other, nothing fits, and any band will do.
    most = std::max(*least, *most);
    return Plan::Band{fields->key, fields->field, static_cast<Cell>(*least),
                      static_cast<Cell>(*most), same};
  }

  const WatchedModel& watched_;
  std::vector<Plan>& plans_;
  const CellQuery* query_ = nullptr;
  Plan plan_;
};

// As the language writes it: "60s", "500ms"; "0.0005s" where it is no whole number of either.
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

std::string collection_text(const WatchedModel& watched, CollectionId id) {
  const Collection& collection = watched.collections()[id];
  return watched.model().streams[collection.stream].name + window_text(collection);
}

std::string field_text(const WatchedModel& watched, CollectionId id, std::uint32_t field) {
  const Collection& collection = watched.collections()[id];
  return watched.model().streams[collection.stream].fields[field].name;
}

}  // namespace

std::vector<Plan> plans(const WatchedModel& watched) {
  // The plans of the queries come first, so that a query and its plan have the same number.
  std::vector<Plan> all(watched.model().queries.size());
  for (const model::QueryId id : watched.model().queries.ids()) {
    all[id.index].query = id;
    if (watched.query(id).query == nullptr) continue;
    const auto root = static_cast<std::uint32_t>(watched.model().queries[id].nodes.size() - 1);
    Plan plan = Planner(watched, all).planned(id, root);
    all[id.index] = std::move(plan);
  }
  return all;
}

namespace {

std::vector<std::string> explained_pairs(const WatchedModel& watched, const Plan& plan) {
  std::vector<std::string> lines;
  const std::string outer = collection_text(watched, plan.collection);
  if (plan.band) {
    const CollectionId inner = plan.lookups.front().collection;
    const std::string fields =
        fmt::format("{}.{} {} {}.{}", outer, field_text(watched, plan.collection, plan.band->outer),
                    plan.band->same ? "==" : "near", collection_text(watched, inner),
                    field_text(watched, inner, plan.band->inner));
    lines.push_back(plan.band->same
                        ? fmt::format("equality: {}; an element is compared with those", fields)
                        : fmt::format("band: {}; an element is compared with neighbours", fields));
  } else {
    lines.push_back(
        fmt::format("opaque: {}; an element is compared with all it may fit", plan.reason));
  }
  if (!plan.slots.empty()) lines.emplace_back(kCountedAgain);
  return lines;
}

}  // namespace

std::vector<std::string> explained(const WatchedModel& watched, const Plan& plan) {
  std::vector<std::string> lines;
  if (watched.query(plan.query).query == nullptr) return {"no rule asks for it"};
  if (plan.kind == Plan::Kind::Scan) {
    lines.push_back(
        fmt::format("opaque: {}; worked out anew when what it reads has changed", plan.reason));
    return lines;
  }
  const std::string outer = collection_text(watched, plan.collection);
  if (plan.kind == Plan::Kind::Pairs) return explained_pairs(watched, plan);
  if (plan.lookups.empty()) {
    lines.push_back(fmt::format(
        "counted: elements of {} in {}", outer,
        plan.locals.empty() ? "all"
                            : fmt::format("{} classes", std::size_t{1} << plan.locals.size())));
  }
  for (const Plan::Lookup& lookup : plan.lookups) {
    lines.push_back(fmt::format("equality: {}.{} == {}.{}, counted by {}{}", outer,
                                field_text(watched, plan.collection, plan.key),
                                collection_text(watched, lookup.collection),
                                field_text(watched, lookup.collection, lookup.field),
                                field_text(watched, plan.collection, plan.key),
                                lookup.literals.empty() ? "" : ", of those that fit otherwise"));
  }
  if (!plan.locals.empty() && !plan.lookups.empty()) {
    lines.push_back(fmt::format("classes: {} by conditions on the element of {}",
                                std::size_t{1} << plan.locals.size(), outer));
  }
  if (!plan.slots.empty()) {
    lines.emplace_back(kCountedAgain);
  }
  return lines;
}

}  // namespace poise::watch
