#pragma once

// Clusters: groups of slots that atoms read together, with the *parts* into which the tests on them
// divide the combinations of their values. Within a part every test has the same result. cells.h
// combines the parts of all clusters to contexts and explains how parts are found; questions.h
// turns tests into questions.

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "poise/base/budget.h"
#include "poise/base/rational.h"
#include "poise/base/result.h"
#include "poise/model/model.h"

namespace poise::model {

// What the actions of all rules do to slots.
struct Changes {
  std::map<SlotId, std::set<Rational>> assigned;
  std::set<SlotId> freed;  // may take any value of their domain
};
[[nodiscard]] Changes changes_of(const Model& model);

// A slot on its own, or slots that atoms read together, with the guards of these slots. In `order`,
// slots that are enumerated come before reals, and guards before the slots that they guard.
struct Cluster {
  std::vector<SlotId> order;
  std::vector<AtomId> atoms;      // that read these slots
  std::vector<Atom> tests;        // that tell parts apart: the atoms, then those that actions add
  std::vector<Polynomial> forms;  // their signs decide all tests
  // Tests alone are too coarse where actions free slots, because whether a value exists for a freed
  // slot depends on the others. Then these tell parts apart as well:
  bool by_signs = false;     // the signs of all forms
  bool by_integers = false;  // every value of a slot that is not real
  // All tests compare differences of two slots, or slots, with numbers, and no action frees a slot:
  // then parts are found without trying values (differences.h), and `forms` are not needed.
  bool decided = false;
  std::vector<std::vector<Value>> cells;  // a point in each part: one value per slot of `order`

  // What becomes of a test when a slot is set to a value. Only for tests that read other slots,
  // too; others are decided by the value.
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

// A key of the part in which a context lies: equal for contexts in the same part of the cluster.
[[nodiscard]] std::vector<int> signature(const Cluster& cluster, const Context& context);

// One value of `slot` for each part of its domain that the forms tell apart, while the other slots
// are as in the context.
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
  // Adds the tests: the atoms, and what actions make of them.
  [[nodiscard]] Result<void> add_tests(Cluster& cluster);
  // Adds forms and cells from the tests. Fails if parts cannot be found exactly or are too many.
  [[nodiscard]] Result<void> add_cells(Cluster& cluster);

  [[nodiscard]] const Changes& changes() const { return changes_; }
  [[nodiscard]] bool is_guard(SlotId slot) const { return is_guard_[slot.index]; }

 private:
  struct Forms;
  struct Points;
  struct Ways;

  std::size_t root(std::size_t slot);
  void unite(SlotId a, SlotId b);
  void join_slots();
  [[nodiscard]] std::size_t guard_depth(SlotId slot) const;
  [[nodiscard]] Failure too_many_forms();
  [[nodiscard]] Failure too_many_tests(const Cluster& cluster);
  [[nodiscard]] Result<void> add_decided_cells(Cluster& cluster);
  [[nodiscard]] std::string hint(const Cluster& cluster) const;
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
