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

// A law together with its panels for quadrature; made once, used for every position.
struct Kernel {
  explicit Kernel(const Law& of) : law(of), panels(of.panels()) {}
  Law law;
  std::vector<double> panels;
};

class PiecewiseCubic {
 public:
  // From the least break to the greatest; empty if there are fewer than two. Cells are at most
  // `cell` wide, unless that makes more than 10,000 of them, and there are at least 12 between two
  // breaks. The function is evaluated just beside a break, not on it, where it may jump.
  PiecewiseCubic(std::vector<double> breaks, double cell,
                 const std::function<double(double)>& function);

  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  [[nodiscard]] double low() const { return pieces_.front().low; }  // not of an empty grid
  [[nodiscard]] double high() const { return pieces_.back().high; }
  [[nodiscard]] std::vector<double> breaks() const;

  [[nodiscard]] double at(double x) const;
  [[nodiscard]] double integral() const;

  // The expected value of the function at origin + direction * (meant + error), where the error has
  // the law of the kernel. With -direction it is a convolution: the density at the origin after
  // such a move, if the function is the density before it.
  struct Move {
    double origin;
    double direction;  // not 0
    double meant;
  };
  [[nodiscard]] double expected(const Kernel& kernel, const Move& move) const;

  // The grid point with the greatest value (the leftmost one of equals) and its neighbours.
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
