#pragma once

// Gauss-Legendre quadrature: n nodes integrate polynomials of a degree below 2n exactly, and smooth
// functions nearly so. It converges badly across a kink or a jump: pass where they are, and it
// integrates piece by piece.
//
//   const GaussLegendre rule(8);
//   const std::array ends = {-1.0, 0.0, 2.0};  // with the kink of |x|
//   const double area = rule.integral([](double x) { return std::abs(x); }, ends);  // 2.5

#include <cstddef>
#include <span>
#include <vector>

namespace poise::chance {

class GaussLegendre {
 public:
  explicit GaussLegendre(std::size_t nodes);  // at least 1

  template <class Function>
  [[nodiscard]] double integral(const Function& function, double from, double to) const {
    const double middle = (from + to) / 2;
    const double half = (to - from) / 2;
    double sum = 0;
    for (const Node& node : nodes_) sum += node.weight * function(middle + half * node.at);
    return half * sum;
  }

  // From the first end to the last, piece by piece; they ascend.
  template <class Function>
  [[nodiscard]] double integral(const Function& function, std::span<const double> ends) const {
    double sum = 0;
    for (std::size_t i = 1; i < ends.size(); ++i) sum += integral(function, ends[i - 1], ends[i]);
    return sum;
  }

 private:
  struct Node {
    double at;  // between -1 and 1
    double weight;
  };
  std::vector<Node> nodes_;
};

}  // namespace poise::chance
