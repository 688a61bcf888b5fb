#pragma once

// Distinguishable parts of the context. Two values of a variable are distinguished only if some
// atom, or some literal that an action assigns, tells them apart; one value stands for each part.
// So real and large domains become finite, and nothing is lost: every feasible situation has a
// context here that shows it.
//
// Slots that no atom reads together are independent: between the constants that a slot is compared
// with, one value is as good as another. Slots read by a common atom (`a < b + 3`) form a
// *cluster*, whose parts are found jointly: without trying values if its atoms compare differences
// and no action frees its slots (differences.h); else
//   - booleans, enumerations and integers are enumerated;
//   - reals are sampled by cylindrical decomposition, which for linear atoms is projection: the
//     hyperplanes of the atoms are projected, one real after another, onto the slots before it, so
//     that over each sample point of those the roots of the next real have one fixed order.
// Assigning a literal turns `a < b` into `3 < b`, and a freed variable may take any value its
// neighbours leave it: the tests and hyperplanes that arise from both are added first. Of the
// points that no test tells apart, the first stays.

#include <cstddef>
#include <functional>
#include <vector>

#include "poise/base/budget.h"
#include "poise/base/integer.h"
#include "poise/base/result.h"
#include "poise/model/clusters.h"
#include "poise/model/model.h"
#include "poise/model/step.h"

namespace poise::model {

class Cells final : public Choices {
 public:
  // Fails where parts cannot be found exactly (an atom that is not linear in its real variables) or
  // are too many to find; the message says which or how many.
  static Result<Cells> of(const Model& model, Budget& budget);

  // How many contexts for_each_context() visits, constraints aside.
  [[nodiscard]] const Integer& count() const { return count_; }

  // Every combination of parts, as a concrete context; constraints are not looked at. The order is
  // fixed: false before true, small before large, as declared. Stops where `visit` returns false.
  void for_each_context(const std::function<bool(const Context&)>& visit) const;

  // A context in which the atoms have just this truth, if there is one.
  [[nodiscard]] std::optional<Context> context_with(const std::vector<bool>& atoms) const;

  [[nodiscard]] std::vector<Rational> values(SlotId slot, const Context& context) const override;
  // Whether two contexts lie in the same part.
  [[nodiscard]] bool same(const Context& a, const Context& b) const override;
  [[nodiscard]] std::vector<Context> told_apart(std::vector<Context> contexts) const override;

 private:
  // Extends a context by the clusters from `cluster` on, leaving out the cells that `fits` rejects.
  // False if the visitor has had enough.
  struct Visit {
    std::function<bool(const Context&)> visit;
    std::function<bool(const Cluster&, const Context&)> fits;  // may be empty
  };
  bool visit_from(std::size_t cluster, Context& context, const Visit& visit) const;
  [[nodiscard]] bool has_value(SlotId slot, const Context& context) const;

  const Model* model_ = nullptr;
  std::vector<Cluster> clusters_;        // a guard's cluster comes before those it guards
  std::vector<std::size_t> cluster_of_;  // by slot
  Integer count_;
};

}  // namespace poise::model
