#include "bench/peers/ire.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "poise/base/check.h"

namespace poise::bench {

namespace {

using model::QueryNode;
using model::Window;
using watch::Cell;
using watch::CellQuery;
using watch::CollectionId;
using watch::Instance;

using NodeId = std::uint32_t;
constexpr NodeId kNoNode = UINT32_MAX;
using RowId = std::uint32_t;

// Children are a doubly linked list: the parts of an operator in their order, the branches of a
// quantifier in the order in which their elements came.
struct Node {
  NodeId first = kNoNode;
  NodeId last = kNoNode;
  NodeId next = kNoNode;
  NodeId previous = kNoNode;
  std::uint32_t meaning = 0;    // a node of the query
  RowId row = 0;                // of the element whose branch it is
  std::uint32_t deciding = 0;   // branches that decide a quantifier: that hold, for `exists`
  std::uint32_t undecided = 0;  // branches whose truth is Unknown
  std::uint32_t stamp = 0;      // 2 * the question before which it was touched, + 1 if made then
  Truth truth = Truth::False;
};

// Nodes by number. Free ones are used again first.
class Pool {
 public:
  [[nodiscard]] Node& operator[](NodeId id) { return nodes_[id]; }
  NodeId make() {
    if (free_ == kNoNode) {
      POISE_CHECK(nodes_.size() < kNoNode);
      nodes_.emplace_back();
      return static_cast<NodeId>(nodes_.size() - 1);
    }
    const NodeId id = free_;
    free_ = nodes_[id].next;
    nodes_[id] = {};
    return id;
  }
  void release(NodeId id) {
    nodes_[id].next = free_;
    free_ = id;
  }

 private:
  std::vector<Node> nodes_;
  NodeId free_ = kNoNode;
};

// The elements of a collection. The streams of the monitor move theirs, so they are copied.
class Rows {
 public:
  explicit Rows(std::size_t width) : width_(width) {}

  [[nodiscard]] const Cell* cells(RowId row) const { return cells_.data() + row * width_; }
  [[nodiscard]] const std::deque<RowId>& in_order() const { return order_; }

  RowId add(const Cell* element) {
    auto row = static_cast<RowId>(order_.size() + free_.size());
    if (free_.empty()) {
      cells_.resize(cells_.size() + width_);
    } else {
      row = free_.back();
      free_.pop_back();
    }
    order_.push_back(row);
    replace(row, element);
    return row;
  }
  void replace(RowId row, const Cell* element) {
    std::copy_n(element, width_, cells_.begin() + static_cast<std::ptrdiff_t>(row * width_));
  }
  // The first row with these values; which of several makes no difference.
  [[nodiscard]] RowId find(const Cell* element) const {
    const auto found = std::ranges::find_if(
        order_, [&](RowId row) { return std::equal(element, element + width_, cells(row)); });
    POISE_CHECK(found != order_.end());
    return *found;
  }
  void remove(RowId row) {
    order_.erase(std::ranges::find(order_, row));
    free_.push_back(row);
  }
  void clear() {
    free_.insert(free_.end(), order_.begin(), order_.end());
    order_.clear();
  }

  // The latest element was removed; mostly another one replaces it at once.
  bool leaving = false;

 private:
  std::size_t width_;
  std::vector<Cell> cells_;
  std::vector<RowId> free_;
  std::deque<RowId> order_;
};

// The parts of a query that do not depend on elements.
struct Shape {
  const CellQuery* query = nullptr;         // null if no rule asks for it
  std::vector<std::vector<bool>> mentions;  // by node and collection: at or below it
  std::vector<std::uint32_t> ahead;         // quantifiers over `next` windows
  std::vector<bool> reads;                  // by slot
  [[nodiscard]] std::uint32_t root() const {
    return static_cast<std::uint32_t>(query->query->nodes.size() - 1);
  }
};

Shape shape_of(const watch::WatchedModel& watched, const CellQuery& query) {
  Shape shape;
  if (query.query == nullptr) return shape;
  shape.query = &query;
  const std::vector<QueryNode>& nodes = query.query->nodes;
  shape.mentions.resize(nodes.size(), std::vector<bool>(watched.collections().size()));
  for (std::uint32_t id = 0; id < nodes.size(); ++id) {
    std::vector<bool>& mentions = shape.mentions[id];
    for (const std::uint32_t part : nodes[id].parts) {
      for (std::size_t i = 0; i < mentions.size(); ++i) {
        mentions[i] = mentions[i] || shape.mentions[part][i];
      }
    }
    if (nodes[id].op != QueryNode::Op::Exists && nodes[id].op != QueryNode::Op::All) continue;
    mentions[query.collections[id].index] = true;
    if (nodes[id].window.kind == Window::Kind::Next) shape.ahead.push_back(id);
  }
  shape.reads.resize(watched.model().slots.size());
  for (const model::ElementAtom& atom : query.query->atoms) {
    for (const model::Place& place : atom.places) {
      if (place.slot) shape.reads[place.slot->index] = true;
    }
  }
  return shape;
}

struct Tree {
  NodeId root = kNoNode;
  std::vector<bool> open;  // by node of the query: a `next` window that waits
  bool outdated = true;    // a variable that it reads has changed
  std::uint32_t questions = 0;
  std::size_t size = 0;     // nodes
  std::size_t touched = 0;  // since the last question
  std::size_t fresh = 0;    // of these made
};

// The trees of one instance.
struct Forest {
  std::vector<Rows> rows;   // by collection
  std::vector<Tree> trees;  // by query
};

enum class Change { Add, Remove, Replace, Clear, Reconsider };

class Ire final : public watch::Evaluator {
 public:
  Ire(const watch::WatchedModel& watched, const watch::Numbers& numbers, Trees trees,
      NodeCounts& counts)
      : program_(watched), numbers_(numbers), trees_(trees), counts_(counts) {
    for (const model::QueryId id : watched.model().queries.ids()) {
      shapes_.push_back(shape_of(watched, watched.query(id)));
      elements_.resize(std::max(elements_.size(), watched.model().queries[id].streams.size()));
    }
  }

  void start(std::uint32_t instance) override {
    forests_.resize(std::max(forests_.size(), std::size_t{instance} + 1));
    Forest& forest = forests_[instance];
    for (const watch::Collection& collection : program_.collections()) {
      forest.rows.emplace_back(program_.model().streams[collection.stream].fields.size());
    }
    forest.trees.resize(shapes_.size());
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      if (shapes_[i].query != nullptr) forest.trees[i].open.resize(shapes_[i].mentions.size());
    }
  }

  // Returns true because in the paper the rules of the state are asked after every change.
  bool added(std::uint32_t instance, const Instance& of, CollectionId collection,
             const Cell* element) override {
    Forest& forest = forests_[instance];
    Rows& rows = forest.rows[collection.index];
    if (rows.leaving) {
      rows.leaving = false;
      rows.replace(rows.in_order().front(), element);
      adjust_all(forest, of, collection, Change::Replace, rows.in_order().front());
    } else {
      adjust_all(forest, of, collection, Change::Add, rows.add(element));
    }
    return true;
  }

  bool removed(std::uint32_t instance, const Instance& of, CollectionId collection,
               const Cell* element) override {
    Forest& forest = forests_[instance];
    Rows& rows = forest.rows[collection.index];
    // Mostly another element replaces it at once, so the branch is kept for now.
    if (program_.collection(collection).kind == Window::Kind::Latest) {
      rows.leaving = true;
    } else {
      remove(forest, of, collection, rows.find(element));
    }
    return true;
  }

  void entered(std::uint32_t instance, const Instance& of) override {
    Forest& forest = forests_[instance];
    for (const CollectionId id : program_.collections().ids()) {
      if (program_.collection(id).kind != Window::Kind::Next) continue;
      forest.rows[id.index].clear();
      adjust_all(forest, of, id, Change::Clear, 0);
    }
  }

  void assigned(std::uint32_t instance, model::SlotId slot) override {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      if (shapes_[i].query == nullptr || !shapes_[i].reads[slot.index]) continue;
      forests_[instance].trees[i].outdated = true;
    }
  }

  Truth truth(std::uint32_t instance, const Instance& of, model::QueryId query) override {
    Forest& forest = forests_[instance];
    take_leave(forest, of);
    const Work work{forest, forest.trees[query.index], shapes_[query.index], of};
    if (trees_ == Trees::BuiltAnew && work.tree.root != kNoNode) discard_tree(work);
    catch_up(work);
    count_question(work.tree);
    return nodes_[work.tree.root].truth;
  }

 private:
  // The context of a walk through a tree.
  struct Work {
    Forest& forest;
    Tree& tree;
    const Shape& shape;
    const Instance& of;

    [[nodiscard]] const QueryNode& meaning(const Node& node) const {
      return shape.query->query->nodes[node.meaning];
    }
  };

  // A change of a collection.
  struct What {
    Change change;
    CollectionId collection;
    RowId row;
  };

  static bool is_quantifier(const QueryNode& node) {
    return node.op == QueryNode::Op::Exists || node.op == QueryNode::Op::All;
  }

  // ---- Instances ----

  void adjust_all(Forest& forest, const Instance& of, CollectionId collection, Change change,
                  RowId row) {
    if (trees_ == Trees::BuiltAnew) return;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const Shape& shape = shapes_[i];
      if (shape.query == nullptr || !shape.mentions[shape.root()][collection.index]) continue;
      // A tree that nobody has asked for yet does not exist; an outdated one will be worked out
      // again as a whole anyway.
      if (forest.trees[i].root == kNoNode) continue;
      adjust({forest, forest.trees[i], shape, of}, forest.trees[i].root, {change, collection, row});
    }
  }

  void remove(Forest& forest, const Instance& of, CollectionId collection, RowId row) {
    adjust_all(forest, of, collection, Change::Remove, row);
    forest.rows[collection.index].remove(row);
  }

  // Removes latest elements that were taken back and not replaced.
  void take_leave(Forest& forest, const Instance& of) {
    for (const CollectionId id : program_.collections().ids()) {
      Rows& rows = forest.rows[id.index];
      if (!rows.leaving) continue;
      rows.leaving = false;
      remove(forest, of, id, rows.in_order().front());
    }
  }

  // Before a question: deals with what trees are not told, changed variables and windows that have
  // closed as time went by.
  void catch_up(const Work& work) {
    std::vector<CollectionId> turned;
    for (const std::uint32_t node : work.shape.ahead) {
      const CollectionId id = work.shape.query->collections[node];
      const bool open = is_open(work.of, program_.collection(id));
      if (work.tree.open[node] != open) turned.push_back(id);
      work.tree.open[node] = open;
    }
    if (work.tree.root == kNoNode) {
      work.tree.root = build(work, work.shape.root());
    } else if (work.tree.outdated) {
      renew(work, work.tree.root);
    } else {
      for (const CollectionId id : turned) {
        adjust(work, work.tree.root, {Change::Reconsider, id, 0});
      }
    }
    work.tree.outdated = false;
  }

  void discard_tree(const Work& work) {
    discard(work, work.tree.root);
    work.tree.root = kNoNode;
  }

  void count_question(Tree& tree) {
    counts_.added += tree.fresh;
    counts_.renewed += tree.touched - tree.fresh;
    counts_.reused += tree.size - tree.touched;
    ++tree.questions;
    tree.touched = 0;
    tree.fresh = 0;
  }

  // ---- Trees ----

  NodeId make(const Work& work, std::uint32_t meaning) {
    const NodeId id = nodes_.make();
    nodes_[id].meaning = meaning;
    nodes_[id].stamp = 2 * work.tree.questions + 1;
    ++work.tree.size;
    ++work.tree.touched;
    ++work.tree.fresh;
    ++counts_.made;
    counts_.most = std::max(counts_.most, ++alive_);
    return id;
  }

  void discard(const Work& work, NodeId id) {
    for (NodeId child = nodes_[id].first; child != kNoNode;) {
      const NodeId next = nodes_[child].next;
      discard(work, child);
      child = next;
    }
    const std::uint32_t stamp = nodes_[id].stamp;
    work.tree.touched -= stamp / 2 == work.tree.questions ? 1U : 0U;
    work.tree.fresh -= stamp == 2 * work.tree.questions + 1 ? 1U : 0U;
    --work.tree.size;
    --alive_;
    ++counts_.discarded;
    nodes_.release(id);
  }

  void touch(const Work& work, Node& node) {
    ++counts_.worked_out_again;
    if (node.stamp / 2 == work.tree.questions) return;
    node.stamp = 2 * work.tree.questions;
    ++work.tree.touched;
  }

  void append(NodeId parent_id, NodeId child_id) {
    Node& parent = nodes_[parent_id];
    nodes_[child_id].previous = parent.last;
    (parent.last == kNoNode ? parent.first : nodes_[parent.last].next) = child_id;
    parent.last = child_id;
  }

  void unlink(Node& parent, const Node& child) {
    (child.previous == kNoNode ? parent.first : nodes_[child.previous].next) = child.next;
    (child.next == kNoNode ? parent.last : nodes_[child.next].previous) = child.previous;
  }

  // The branch of an element, searched from both ends: elements mostly leave at the front, and
  // those that are taken back came lately.
  NodeId branch(const Node& quantifier, RowId row) {
    NodeId front = quantifier.first;
    NodeId back = quantifier.last;
    while (nodes_[front].row != row && nodes_[back].row != row) {
      front = nodes_[front].next;
      back = nodes_[back].previous;
    }
    return nodes_[front].row == row ? front : back;
  }

  void bind(const Work& work, const Node& quantifier, RowId row) {
    const Rows& rows = work.forest.rows[work.shape.query->collections[quantifier.meaning].index];
    elements_[work.meaning(quantifier).binding] = rows.cells(row);
  }

  static void tally(const Work& work, Node& quantifier, Truth branch, std::uint32_t by) {
    const bool all = work.meaning(quantifier).op == QueryNode::Op::All;
    if (branch == Truth::Unknown) quantifier.undecided += by;
    if (branch == (all ? Truth::False : Truth::True)) quantifier.deciding += by;
  }

  NodeId build(const Work& work, std::uint32_t meaning) {
    const NodeId id = make(work, meaning);
    const QueryNode& node = work.meaning(nodes_[id]);
    if (is_quantifier(node)) {
      const Rows& rows = work.forest.rows[work.shape.query->collections[meaning].index];
      for (const RowId row : rows.in_order()) add_branch(work, id, row);
    } else {
      for (const std::uint32_t part : node.parts) append(id, build(work, part));
    }
    conclude(work, nodes_[id]);
    return id;
  }

  void add_branch(const Work& work, NodeId id, RowId row) {
    bind(work, nodes_[id], row);
    const NodeId child = build(work, work.meaning(nodes_[id]).parts[0]);
    nodes_[child].row = row;
    append(id, child);
    tally(work, nodes_[id], nodes_[child].truth, 1);
  }

  void remove_branch(const Work& work, NodeId id, NodeId child) {
    tally(work, nodes_[id], nodes_[child].truth, UINT32_MAX);
    unlink(nodes_[id], nodes_[child]);
    discard(work, child);
  }

  // Works out the whole subtree again.
  void renew(const Work& work, NodeId id) {
    touch(work, nodes_[id]);
    for_children(work, id, [&](NodeId child) { renew(work, child); });
    conclude(work, nodes_[id]);
  }

  // Applies a change to this quantifier or below it, and works out again all nodes on the way.
  void adjust(const Work& work, NodeId id, const What& what) {
    touch(work, nodes_[id]);
    const QueryNode& node = work.meaning(nodes_[id]);
    const auto below = [&](std::uint32_t part) {
      return work.shape.mentions[part][what.collection.index];
    };
    const bool here =
        is_quantifier(node) && work.shape.query->collections[nodes_[id].meaning] == what.collection;
    if (here && what.change == Change::Remove) {
      remove_branch(work, id, branch(nodes_[id], what.row));
    }
    if (here && what.change == Change::Clear) {
      while (nodes_[id].first != kNoNode) remove_branch(work, id, nodes_[id].first);
    }
    if (here && what.change == Change::Replace) {
      for_children(work, id, [&](NodeId child) { renew(work, child); });
    } else if (std::ranges::any_of(node.parts, below)) {
      // A quantifier may have many branches, so they are not looked at unless the change is below.
      for_children(work, id, [&](NodeId child) {
        if (below(nodes_[child].meaning)) adjust(work, child, what);
      });
    }
    if (here && what.change == Change::Add) add_branch(work, id, what.row);
    conclude(work, nodes_[id]);
  }

  // act(child) for each child. For a quantifier it binds the child's element and keeps the counts
  // of deciding and undecided branches.
  template <class Act>
  void for_children(const Work& work, NodeId id, const Act& act) {
    const bool quantifier = is_quantifier(work.meaning(nodes_[id]));
    for (NodeId child = nodes_[id].first; child != kNoNode; child = nodes_[child].next) {
      if (!quantifier) {
        act(child);
        continue;
      }
      bind(work, nodes_[id], nodes_[child].row);
      const Truth before = nodes_[child].truth;
      act(child);
      const Truth after = nodes_[child].truth;
      if (before == after) continue;
      tally(work, nodes_[id], before, UINT32_MAX);
      tally(work, nodes_[id], after, 1);
    }
  }

  // The truth of a node from those of its children.
  void conclude(const Work& work, Node& node) { node.truth = conclusion(work, node); }

  [[nodiscard]] Truth conclusion(const Work& work, const Node& node) {
    const QueryNode& meaning = work.meaning(node);
    const auto first = [&] { return nodes_[node.first].truth; };
    const auto last = [&] { return nodes_[node.last].truth; };
    switch (meaning.op) {
      case QueryNode::Op::False: return Truth::False;
      case QueryNode::Op::True: return Truth::True;
      case QueryNode::Op::Atom:
        return truth_of(
            holds(work.shape.query->atoms[meaning.atom], work.of.slots, elements_, numbers_));
      case QueryNode::Op::Not: return !first();
      case QueryNode::Op::And:
      case QueryNode::Op::Or: return extreme(node, meaning.op == QueryNode::Op::And);
      case QueryNode::Op::Implies: return std::max(!first(), last());
      case QueryNode::Op::Iff: return are_the_same(first(), last());
      case QueryNode::Op::Exists:
      case QueryNode::Op::All: break;
    }
    const Truth decided = meaning.op == QueryNode::Op::All ? Truth::False : Truth::True;
    if (node.deciding > 0) return decided;
    return node.undecided > 0 || work.tree.open[node.meaning] ? Truth::Unknown : !decided;
  }

  [[nodiscard]] Truth extreme(const Node& node, bool least) {
    Truth truth = least ? Truth::True : Truth::False;
    for (NodeId child = node.first; child != kNoNode; child = nodes_[child].next) {
      const Truth part = nodes_[child].truth;
      truth = least ? std::min(truth, part) : std::max(truth, part);
    }
    return truth;
  }

  const watch::WatchedModel& program_;
  const watch::Numbers& numbers_;
  const Trees trees_;
  NodeCounts& counts_;
  std::vector<Shape> shapes_;  // by query
  std::vector<Forest> forests_;
  Pool nodes_;
  std::size_t alive_ = 0;
  std::vector<const Cell*> elements_;  // by binding
};

}  // namespace

void NodeCounts::add(const NodeCounts& others) {
  reused += others.reused;
  renewed += others.renewed;
  added += others.added;
  made += others.made;
  worked_out_again += others.worked_out_again;
  discarded += others.discarded;
  most = std::max(most, others.most);
}

watch::MakeEvaluator tree_evaluator(Trees trees, NodeCounts& counts) {
  return [trees, &counts](const watch::WatchedModel& watched, const watch::Numbers& numbers) {
    return std::make_unique<Ire>(watched, numbers, trees, counts);
  };
}

}  // namespace poise::bench
