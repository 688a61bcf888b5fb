#pragma once

// Incremental rule evaluation (IRE), the evaluator of Xu et al., "Detecting Faults in Context-Aware
// Adaptation", section 3.3, as a peer to compare with. The evaluation of a condition is a tree with
// a node for every quantifier, operator and comparison, once for every element that the quantifiers
// around it go through, and each node keeps its truth. A change of a context adjusts the tree:
//
//   add      an element comes: every quantifier over its collection gets a branch
//   discard  an element goes: the branch is taken away with all its nodes
//   renew    nodes on the way from a changed branch to the root are worked out again; if the
//            latest element is replaced (the paper's update), all nodes of its branch, too
//   reuse    every other node stays as it is
//
// Memory grows with the combinations of elements, since an element of an inner quantifier is a
// branch for every element of the outer one. What the paper leaves open is decided in the tree's
// favour: a quantifier counts the truths of its branches, so that the change of one branch costs
// the same however many there are, and nodes come from a pool.
//
//   NodeCounts counts;
//   watch::Monitor monitor(model, {}, tree_evaluator(Trees::Kept, counts));

#include <cstddef>

#include "poise/watch/counting/evaluator.h"

namespace poise::bench {

// The cost of the trees. When a condition is asked for, every node of its tree is one of the first
// three; together they are the nodes that a tree built anew would have made.
struct NodeCounts {
  std::size_t reused = 0;   // as at the last question
  std::size_t renewed = 0;  // known at the last question, worked out again since
  std::size_t added = 0;    // made since
  // Counted with every change, whether or not a question followed.
  std::size_t made = 0;
  std::size_t worked_out_again = 0;
  std::size_t discarded = 0;
  std::size_t most = 0;  // the largest number of nodes at a time, in all trees

  // Adds the counts of another log.
  void add(const NodeCounts& others);
  [[nodiscard]] std::size_t asked_for() const { return reused + renewed + added; }
};

enum class Trees {
  Kept,       // the paper's IRE
  BuiltAnew,  // with every question: the paper's NI
};

// The counts must outlive the evaluators made.
[[nodiscard]] watch::MakeEvaluator tree_evaluator(Trees trees, NodeCounts& counts);

}  // namespace poise::bench
