#pragma once

// How an error is spread: its probability law, in doubles.
//
// A law lives on a range low() .. high(), is cut to it and has mass 1 there. If the range is a
// single value, all the mass is on it, whatever the law says; ends of intervals belong to them.
// Masses of small parts are accurate in proportion to themselves, not only to 1: the probabilities
// that matter here are products of tails. A Law is cheap to copy.
//
//   const Law error = Law::gauss(-6, 6, 2);
//   error.mass(20 - 17, 23 - 17);  // that 17 is sensed as 20 or more

#include <memory>
#include <vector>

#include "poise/base/random.h"

namespace poise::chance {

class Law {
 public:
  enum class Kind { Uniform, Gauss, Triangle, Table };

  // low <= high.
  static Law point(double value);
  static Law uniform(double low, double high);
  // Around 0, cut to the range, which may be infinite.
  static Law gauss(double low, double high, double deviation);
  // Highest next to 0, over a width of `top`, and 0 at both ends.
  static Law triangle(double low, double high, double top = 0);
  // Parts of the range, all as wide and each uniform, with these weights.
  static Law table(double low, double high, std::vector<double> weights);
  static Law standard_normal();  // not cut

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  [[nodiscard]] double deviation() const { return deviation_; }  // that of Gauss, before the cut
  [[nodiscard]] bool is_point() const { return low_ == high_; }

  // That the error is at least a and at most b. 0 if a > b, 1 exactly if that is the whole range.
  [[nodiscard]] double mass(double a, double b) const;

  // The way of the paper: a Gauss law is cut to its range but not brought back to mass 1. Other
  // laws, and points, as above.
  [[nodiscard]] double paper_mass(double a, double b) const;

  [[nodiscard]] double density(double error) const;  // infinite at a point

  // The least error that has mass p below it, 0 <= p <= 1; and that of the law cut to a .. b, which
  // has a value in common with the range.
  [[nodiscard]] double quantile(double p) const { return quantile_within(low_, high_, p); }
  [[nodiscard]] double quantile_within(double a, double b, double p) const;
  double sample(Random& random) const;
  // What a number is rounded to that has this law, whose ends are halves.
  double sample_whole(Random& random) const;

  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;

  // A Gauss law with its middle at another error, cut to the same range, as the law of the error
  // less that middle.
  [[nodiscard]] Law around(double middle) const;

  // Where the density jumps or bends, ends of the range included, ascending.
  [[nodiscard]] std::vector<double> kinks() const;
  // The kinks, and as many values between as it takes for a polynomial of moderate degree to be
  // close to the density between neighbours. From the first to the last there is all the mass.
  [[nodiscard]] std::vector<double> panels() const;

 private:
  Law(Kind kind, double low, double high, double deviation, std::vector<double> weights);
  [[nodiscard]] double triangle_height() const;
  [[nodiscard]] double integral(double a, double b) const;
  [[nodiscard]] double gauss_integral(double a, double b) const;
  [[nodiscard]] double triangle_integral(double a, double b) const;
  [[nodiscard]] double table_integral(double a, double b) const;
  [[nodiscard]] double gauss_quantile(double a, double b, double p) const;
  [[nodiscard]] double triangle_quantile(double a, double b, double p) const;
  [[nodiscard]] double table_quantile(double a, double b, double p) const;
  [[nodiscard]] double moment(int power, double around) const;

  Kind kind_;
  double low_;
  double high_;
  double deviation_ = 1;  // Gauss
  double nearest_ = 0;    // Gauss: how near the range comes to 0, in deviations
  double total_ = 1;      // Gauss: normal_integral() of the whole range
  double top_low_ = 0;    // Triangle: it is highest from here
  double top_high_ = 0;   // to here
  std::shared_ptr<const std::vector<double>> weights_;  // Table: they sum to 1
};

}  // namespace poise::chance
