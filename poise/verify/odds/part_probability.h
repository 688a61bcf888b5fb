#pragma once

// The probability of an independent part of an event, as a function of its environment.
//
// Given the environment, the event is a union of conjunctions of linear constraints on the noise,
// one for each way through the stages. They exclude each other, so the probability is the sum of
// theirs (chance/linear_event.h). Within a conjunction, noise that no constraint relates is
// independent, so its probability is a product of factors; a factor that occurs in several
// conjunctions is calculated once. If there are too many conjunctions, or if whole errors are added
// up, the probability is sampled (sampling.h).

#include <cstddef>
#include <memory>
#include <vector>

#include "poise/chance/linear_event.h"
#include "poise/verify/odds/conjunctions.h"
#include "poise/verify/odds/independent_part.h"
#include "poise/verify/odds/sampling.h"
#include "poise/verify/result.h"

namespace poise::verify {

class PartProbability {
 public:
  // The part must outlive it.
  explicit PartProbability(const IndependentPart& part);

  // Whether some noise has to be drawn, so that probabilities are estimates.
  [[nodiscard]] bool is_drawn() const;
  // Whether the probability is sampled.
  [[nodiscard]] bool by_chance() const { return sampler_ != nullptr; }

  // One value for each element of IndependentPart::environment.
  using Environment = std::vector<double>;

  // A quick estimate, exact if nothing is drawn. aim() makes it better near an environment.
  void aim(const Environment& environment);
  [[nodiscard]] double rough(const Environment& environment);
  // To climb by: the logarithm of rough(). Where that is 0, a number below -1000 that grows as the
  // environment comes nearer to one in which the event can happen.
  [[nodiscard]] double score(const Environment& environment);
  [[nodiscard]] Likelihood precise(const Environment& environment,
                                   const chance::Precision& precision);
  // Whether the environment satisfies the stages that it decides alone, without noise.
  [[nodiscard]] bool is_possible(const Environment& environment) const;

  // Environments to start a search from: for each way through the stages, up to 32, the one with
  // the likeliest noise.
  [[nodiscard]] std::vector<Environment> starts() const;
  // The likeliest noise for which the event happens in this environment, with every bound kept by a
  // margin if possible. Empty if the environment rules the event out.
  [[nodiscard]] std::vector<double> likeliest_noise(const Environment& environment, double margin);

  // For each number of the environment, the length of a step that makes a difference: about one
  // standard deviation of the noise that it is added to.
  [[nodiscard]] std::vector<double> scales() const;
  // Directions in which two numbers of the environment change while some bound stays the same.
  [[nodiscard]] std::vector<std::vector<double>> directions() const;

 private:
  struct Factor {  // related noise, and the rows about it
    Rows rows;
    std::vector<std::size_t> noise;  // by index in the part
    std::vector<chance::LinearConstraint> constraints;
    std::unique_ptr<chance::RoughEvent> event;
    bool impossible = false;  // of probability 0: an equation for real noise
    std::vector<double> lower = {};
    std::vector<double> upper = {};
  };
  struct Product {  // one conjunction
    std::size_t branch;
    Rows certain;
    std::vector<std::size_t> factors;  // by index in factors_
  };

  void add_product(const Conjunction& one);
  std::size_t factor_of(const Rows& rows);
  void set_sides(Factor& factor, const Environment& environment) const;
  [[nodiscard]] std::vector<Rows> ways_through(std::size_t most) const;
  [[nodiscard]] std::vector<double> likeliest_numbers(const Rows& rows,
                                                      const Environment* environment,
                                                      double margin) const;
  // The product of the values of its factors, for each conjunction; 0 if the environment rules it
  // out.
  template <class Value>
  [[nodiscard]] std::vector<double> by_conjunction(const Environment& environment,
                                                   const Value& value);
  [[nodiscard]] std::vector<bool> counting_conjunctions(const std::vector<double>& values) const;

  const IndependentPart& part_;
  std::vector<PartBranch> certain_;  // by branch: its stages without noise
  std::vector<Factor> factors_;
  std::vector<Product> products_;
  std::unique_ptr<Sampler> sampler_;
};

}  // namespace poise::verify
