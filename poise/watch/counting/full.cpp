// The full evaluator: works out a formula as it is written, on the elements as they are, whenever
// it is asked. Slow and simple: the oracle for the incremental one.

#include <algorithm>

#include "poise/watch/counting/evaluator.h"

namespace poise::watch {

using model::QueryNode;

Truth evaluate(const WatchedModel& watched, const Numbers& numbers, const Instance& instance,
               const CellQuery& query, std::uint32_t node_id, std::vector<const Cell*>& elements) {
  const QueryNode& node = query.query->nodes[node_id];
  const auto part = [&](std::size_t i) {
    return evaluate(watched, numbers, instance, query, node.parts[i], elements);
  };
  switch (node.op) {
    case QueryNode::Op::False: return Truth::False;
    case QueryNode::Op::True: return Truth::True;
    case QueryNode::Op::Atom:
      return truth_of(holds(query.atoms[node.atom], instance.slots, elements, numbers));
    case QueryNode::Op::Not: return !part(0);
    case QueryNode::Op::And: return all_hold(node.parts.size(), part);
    case QueryNode::Op::Or: return any_holds(node.parts.size(), part);
    case QueryNode::Op::Implies: return std::max(!part(0), part(1));
    case QueryNode::Op::Iff: return are_the_same(part(0), part(1));
    case QueryNode::Op::Exists:
    case QueryNode::Op::All: break;
  }
  // `all` holds if there is no exception.
  const bool all = node.op == QueryNode::Op::All;
  const CollectionId id = query.collections[node_id];
  const Collection& collection = watched.collections()[id];
  const bool open = collection.kind == model::Window::Kind::Next && is_open(instance, collection);
  Truth found = open ? Truth::Unknown : Truth::False;
  const Cell* const outer = elements[node.binding];
  for_each_element(watched, instance, id, [&](const Cell* element) {
    elements[node.binding] = element;
    const Truth body = part(0);
    found = std::max(found, all ? !body : body);
    return found != Truth::True;
  });
  elements[node.binding] = outer;
  return all ? !found : found;
}

namespace {

class Full final : public Evaluator {
 public:
  Full(const WatchedModel& watched, const Numbers& numbers)
      : watched_(watched), numbers_(numbers) {}

  void start(std::uint32_t) override {}
  bool added(std::uint32_t, const Instance&, CollectionId, const Cell*) override { return true; }
  bool removed(std::uint32_t, const Instance&, CollectionId, const Cell*) override { return true; }
  void entered(std::uint32_t, const Instance&) override {}
  void assigned(std::uint32_t, model::SlotId) override {}

  Truth truth(std::uint32_t, const Instance& of, model::QueryId id) override {
    const CellQuery& query = watched_.query(id);
    elements_.assign(query.query->streams.size(), nullptr);
    const auto root = static_cast<std::uint32_t>(query.query->nodes.size() - 1);
    return evaluate(watched_, numbers_, of, query, root, elements_);
  }

 private:
  const WatchedModel& watched_;
  const Numbers& numbers_;
  std::vector<const Cell*> elements_;
};

}  // namespace

std::unique_ptr<Evaluator> full_evaluator(const WatchedModel& watched, const Numbers& numbers) {
  return std::make_unique<Full>(watched, numbers);
}

}  // namespace poise::watch
