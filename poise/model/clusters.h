#pragma once

// Clusters: the slots of the context that some atom reads together, with the parts into which the
// tests on them divide their values. cells.h puts the parts of all clusters together to contexts;
// questions.h asks about them one by one.

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "poise/base/budget.h"
#include "poise/base/rational.h"
#include "poise/base/result.h"
#include "poise/model/model.h"

namespace poise::model {

// What the rules do to slots.
struct Changes {
  std::map<SlotId, std::set<Rational>> assigned;
  std::set<SlotId> freed;  // that may come to any value
};
[[nodiscard]] Changes changes_of(const Model& model);

// A slot on its own, or slots that atoms read together, with the guards of these slots. `order`
// lists them: what is enumerated, guards before what they guard, then reals.
struct Cluster {
  std::vector<SlotId> order;
  std::vector<AtomId> atoms;      // that read these slots
  std::vector<Atom> tests;        // tell its parts apart: the atoms first, then what actions add
  std::vector<Polynomial> forms;  // whose signs decide all tests
  bool by_signs = false;          // parts are told apart by these signs, too
  bool by_integers = false;       // and by every value that is not real
  std::vector<std::vector<Value>> cells;  // one value per slot, in the order of `order`

  // What becomes of a test when a slot is set to a value; a test on that slot alone is decided.
  struct Substitution {
    std::size_t test;
    SlotId slot;
    Rational value;
    std::size_t becomes;
  };
  std::vector<Substitution> substitutions;
};

// The test whether a slot has a value.
[[nodiscard]] Atom equals(SlotId slot, const Rational& value);

// Equal for contexts in the same part of a cluster.
[[nodiscard]] std::vector<int> signature(const Cluster& cluster, const Context& context);

// Values of `slot` that stand for all its parts, while the other slots are as in the context.
[[nodiscard]] std::vector<Rational> part_values(const Model& model, SlotId slot,
                                                const std::vector<Polynomial>& forms,
                                                const Context& context);

// All values of a slot that is not real.
[[nodiscard]] std::vector<Rational> all_values(const Model& model, SlotId slot);
[[nodiscard]] bool is_real(const Model& model, SlotId slot);

class ClusterFinder {
 public:
  ClusterFinder(const Model& model, Budget& budget);

  // Every slot is in one of them; a guard's cluster comes before those it guards. No tests yet.
  [[nodiscard]] std::vector<Cluster> clusters();
  // From the atoms and from what actions make of them.
  [[nodiscard]] Result<void> add_tests(Cluster& cluster);
  // From the tests. Fails where parts cannot be found exactly or are too many to find.
  [[nodiscard]] Result<void> add_cells(Cluster& cluster);

  [[nodiscard]] const Changes& changes() const { return changes_; }
  [[nodiscard]] bool is_guard(SlotId slot) const { return is_guard_[slot.index]; }

 private:
  struct Forms;
  struct Points;

  std::size_t root(std::size_t slot);
  void unite(SlotId a, SlotId b);
  void join_slots();
  [[nodiscard]] std::size_t guard_depth(SlotId slot) const;
  [[nodiscard]] Failure too_many_forms();
  [[nodiscard]] Result<Forms> projected(const Forms& forms, SlotId slot);
  [[nodiscard]] Result<Forms> forms_of(const Cluster& cluster);
  [[nodiscard]] bool add_substituted(const Cluster& cluster, Forms& forms) const;
  [[nodiscard]] bool frees_integers(const Cluster& cluster) const;
  [[nodiscard]] bool frees_any(const Cluster& cluster) const;
  [[nodiscard]] std::string describe(const Cluster& cluster) const;

  const Model& model_;
  Budget& budget_;
  Changes changes_;
  std::vector<bool> is_guard_;       // by slot
  std::vector<std::size_t> parent_;  // union-find over slots
  Context context_;                  // where points are put together
};

}  // namespace poise::model
