#pragma once

// A function of one variable on a grid, 0 outside of it. The grid is uniform between breaks, where
// the function may bend or jump; between grid points it is interpolated by cubics that never look
// across a break.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "poise/chance/law.h"
#include "poise/chance/quadrature.h"

namespace poise::chance {

// A law together with what integrals against it need; made once, used for every position.
struct Kernel {
  explicit Kernel(const Law& of) : law(of), panels(of.panels()) {}
  Law law;
  std::vector<double> panels;
};

class PiecewiseCubic {
 public:
  // From the least of the breaks to the greatest; nothing if that is not an interval. Cells
  // are as wide as said at most, unless that makes very many of them, and a dozen between breaks.
  // The function is asked just beside a break, not on it: there it belongs to both sides.
  PiecewiseCubic(std::vector<double> breaks, double cell,
                 const std::function<double(double)>& function);

  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  [[nodiscard]] double low() const { return pieces_.front().low; }  // not of an empty grid
  [[nodiscard]] double high() const { return pieces_.back().high; }
  [[nodiscard]] std::vector<double> breaks() const;

  [[nodiscard]] double at(double x) const;
  [[nodiscard]] double integral() const;

  // The integral of the function times the density of the law at (x - origin) / direction - meant,
  // as a density of x: what is expected at the end of a move from the origin, which is by direction
  // * (meant + error).
  struct Move {
    double origin;
    double direction;  // not 0
    double meant;
  };
  [[nodiscard]] double expected(const Kernel& kernel, const Move& move) const;

  // The grid point with the greatest value, the leftmost of those, and its neighbours.
  struct Peak {
    double before;
    double at;
    double after;
  };
  [[nodiscard]] Peak peak() const;  // not of an empty grid

 private:
  struct Piece {
    double low;
    double high;
    double step;
    std::vector<double> values;  // at least 4
    [[nodiscard]] double at(double x) const;
  };
  std::vector<Piece> pieces_;
  GaussLegendre rule_{8};
};

}  // namespace poise::chance
