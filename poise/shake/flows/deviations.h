#pragma once

// Small changes of a subject that flows should show: `<` for `<=`, a threshold a step away, a wait
// that takes a tick longer, a part of a condition left out. As long as no flow shows such a change,
// none would have shown such a mistake; so a generator that may choose takes the flow that shows
// most of what is left.
//
//   Deviations left;
//   left.add(model, grid);
//   if (left.shown_by(flow) > 0) left.take_out(flow);
//
// Some changes make no difference at all. One that many flows have not shown is given up.

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

  // Those of a policy or of a machine of states and rules, or some of them where there are many;
  // none of a machine with very many rules. Keeps a reference to the grid, whose values may be
  // other numbers than those of other grids here, of the same properties.
  void add(const model::Model& model, const Grid& grid, const Choice& choice = {});

  // How many a flow shows that are left.
  [[nodiscard]] std::size_t shown_by(const Flow& flow);
  // They are not left any more.
  void take_out(const Flow& flow);
  [[nodiscard]] std::size_t left() const { return changed_.size(); }

 private:
  struct Original {
    std::unique_ptr<Subject> subject;
    const Grid* grid;
  };
  struct Changed {
    std::unique_ptr<Subject> subject;
    std::size_t original;
    std::size_t unseen = 0;  // flows that did not show it
    bool shown = false;      // by the flow that was asked about last
  };
  void ask(const Flow& flow);

  std::vector<Original> originals_;
  std::vector<Changed> changed_;
};

}  // namespace poise::shake
