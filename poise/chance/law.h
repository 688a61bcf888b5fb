#pragma once

// The probability law (distribution) of an error of a sensor or of an action, in doubles.
//
// A law lives on a range low() .. high(): it is cut to the range and scaled so that its mass there
// is 1. If the range is a single value, all the mass is on that value, whatever the kind of law.
// Intervals are closed. Small masses are accurate relative to themselves, not only to 1, because
// the probabilities that matter here are products of tails. A Law is cheap to copy.
//
//   const Law error = Law::gauss(-6, 6, 2);
//   error.mass(20 - 17, 23 - 17);  // the probability that 17 is sensed as 20 or more

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
  // Normal with mean 0, cut to the range, which may be infinite.
  static Law gauss(double low, double high, double deviation);
  // The density rises linearly from 0 at `low`, is constant over a width of `top`, and falls
  // linearly to 0 at `high`. The middle of the top is as near to 0 as the range allows.
  static Law triangle(double low, double high, double top = 0);
  // The range in equal parts, uniform in each, with masses in proportion to these weights.
  static Law table(double low, double high, std::vector<double> weights);
  static Law standard_normal();  // not cut

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  [[nodiscard]] double deviation() const { return deviation_; }  // of a Gauss law before the cut
  [[nodiscard]] bool is_point() const { return low_ == high_; }

  // P(a <= error <= b). 0 if a > b; exactly 1 if a .. b covers the range.
  [[nodiscard]] double mass(double a, double b) const;

  // The mass as the paper on verify calculates it: a Gauss law is cut to its range but not scaled
  // back to mass 1. The same as mass() for other laws and for single values.
  [[nodiscard]] double paper_mass(double a, double b) const;

  [[nodiscard]] double density(double error) const;  // infinite at a point

  // The integral of exp(slope * (error - middle)) over the law from a to b, where middle is that of
  // a .. b after they are cut to the range. Closed forms, for functions that are exponential piece
  // by piece (chain.h); the law must not be a point.
  [[nodiscard]] double tilted_mass(double a, double b, double slope) const;
  // Whether the logarithm of the density is concave: all kinds but tables.
  [[nodiscard]] bool is_log_concave() const { return kind_ != Kind::Table || is_point(); }
  // The parts of a table as laws of their own, with their masses; else the law itself.
  struct Part;
  [[nodiscard]] std::vector<Part> log_concave_parts() const;

  // The error below which the mass is p, 0 <= p <= 1. quantile_within() is the quantile of the law
  // cut to a .. b, which must overlap the range.
  [[nodiscard]] double quantile(double p) const { return quantile_within(low_, high_, p); }
  [[nodiscard]] double quantile_within(double a, double b, double p) const;
  double sample(Random& random) const;
  // A sample, rounded to a whole number. The ends of the range must be halves: -2.5 .. 2.5 for
  // whole errors from -2 to 2.
  double sample_whole(Random& random) const;

  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;

  // This Gauss law with its mean moved from 0 to `middle` and cut to the same range, as the law of
  // (error - middle). For importance sampling: linear_event.h draws rare events from it.
  [[nodiscard]] Law around(double middle) const;

  // Where the density jumps or bends, ends of the range included, ascending.
  [[nodiscard]] std::vector<double> kinks() const;
  // Finite panels for quadrature, ascending: the kinks, and as many values between them as it takes
  // for the density to be nearly a polynomial of moderate degree from one to the next. All the mass
  // that a double can hold lies between the first and the last, also if the range is infinite.
  [[nodiscard]] std::vector<double> panels() const;

 private:
  Law(Kind kind, double low, double high, double deviation, std::vector<double> weights);
  [[nodiscard]] double triangle_height() const;
  [[nodiscard]] double integral(double a, double b) const;
  [[nodiscard]] double gauss_integral(double a, double b) const;
  [[nodiscard]] double triangle_integral(double a, double b) const;
  [[nodiscard]] double table_integral(double a, double b) const;
  [[nodiscard]] double gauss_tilted(double a, double b, double slope) const;
  [[nodiscard]] double gauss_quantile(double a, double b, double p) const;
  [[nodiscard]] double triangle_quantile(double a, double b, double p) const;
  [[nodiscard]] double table_quantile(double a, double b, double p) const;
  [[nodiscard]] double moment(int power, double around) const;

  Kind kind_;
  double low_;
  double high_;
  double deviation_ = 1;  // Gauss
  double nearest_ = 0;    // Gauss: distance of the range from 0, in deviations
  double total_ = 1;      // Gauss: normal_integral() of the whole range
  double top_low_ = 0;    // Triangle: where the top begins
  double top_high_ = 0;   // Triangle: where the top ends
  std::shared_ptr<const std::vector<double>> weights_;  // Table: they sum to 1
};

struct Law::Part {
  double mass;
  Law law;
};

}  // namespace poise::chance
