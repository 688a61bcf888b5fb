#pragma once

// Deviations: small changes of a subject that flows should show. `<` for `<=`, a threshold a step
// away, a wait that takes a tick longer, a part of a condition left out. A flow *shows* a deviation
// if the changed subject and the original differ in it. As long as no flow shows a deviation, none
// would have found that mistake; so a generator with several candidates takes the flow that shows
// most of the deviations that are left.
//
//   Deviations left;
//   left.add(model, grid);
//   if (left.shown_by(flow) > 0) left.take_out(flow);
//
// They are mutants (mutants.h) without the paper's groups. Some are equivalent, so no flow shows
// them: one that 200 flows in a row have not shown is given up. A question costs a run of every
// original, and of every deviation until it differs.

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "poise/model/model.h"
#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/mutants/mutants.h"
#include "poise/shake/subjects/subject.h"

namespace poise::shake {

class Deviations {
 public:
  using Choice = std::function<bool(const Mutant&)>;

  // Adds deviations of a policy, or of a machine of states and rules: those that `choice` accepts,
  // or an even selection of 128 if there are more. Adds none of a machine with more than 100 rules,
  // because each deviation holds a copy of the model.
  //
  // The grid must outlive this object. May be called for several models, each with a grid of its
  // own: the same properties, but labels may be other numbers in each.
  void add(const model::Model& model, const Grid& grid, const Choice& choice = {});

  // How many of the deviations that are left the flow shows. Also counts, for each, how many flows
  // in a row have not shown it.
  [[nodiscard]] std::size_t shown_by(const Flow& flow);
  // Removes the deviations that the flow shows.
  void take_out(const Flow& flow);
  [[nodiscard]] std::size_t left() const { return changed_.size(); }

 private:
  struct Original {
    std::unique_ptr<Subject> subject;
    const Grid* grid;
  };
  struct Changed {
    std::unique_ptr<Subject> subject;
    std::size_t original;    // its place in originals_
    std::size_t unseen = 0;  // flows in a row that did not show it
    bool shown = false;      // by the flow that was asked about last
  };
  void ask(const Flow& flow);

  std::vector<Original> originals_;
  std::vector<Changed> changed_;
};

}  // namespace poise::shake
