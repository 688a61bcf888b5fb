#pragma once

// The probability of a part of an event, as a function of its environment.
//
// Given the environment, the event is a union of conjunctions of linear constraints on the noise,
// one for each way through the stages, and they exclude each other: the probability is the sum of
// theirs (linear_event.h). Within a conjunction, noise that no constraint relates is independent,
// so that is a product; the same factor is calculated once. Where there are too many conjunctions,
// or whole numbers are added up, by chance (sampling.h).

#include <cstddef>
#include <memory>
#include <vector>

#include "poise/chance/linear_event.h"
#include "poise/verify/odds/independent_part.h"
#include "poise/verify/odds/sampling.h"
#include "poise/verify/result.h"

namespace poise::verify {

class PartProbability {
 public:
  // The part must outlive it.
  explicit PartProbability(const IndependentPart& part);

  // Whether something has to be drawn, so that values are estimates.
  [[nodiscard]] bool is_drawn() const;
  [[nodiscard]] bool by_chance() const { return sampler_ != nullptr; }

  // Environments are one value for each of the part's.
  using Environment = std::vector<double>;

  // Roughly, unless nothing is drawn; aim() makes it better around an environment.
  void aim(const Environment& environment);
  [[nodiscard]] double rough(const Environment& environment);
  // Grows with the probability, and still tells better from worse where that is 0.
  [[nodiscard]] double score(const Environment& environment);
  [[nodiscard]] Likelihood precise(const Environment& environment,
                                   const chance::Precision& precision);
  // Whether it is an environment in which the event may happen, whatever the noise.
  [[nodiscard]] bool is_possible(const Environment& environment) const;

  // Environments to begin with: those in which the likeliest noise for which the event happens is
  // likeliest; for each way to go through it, up to a number.
  [[nodiscard]] std::vector<Environment> starts() const;
  // The likeliest noise for which the event happens there, with every bound kept by a margin where
  // that is possible.
  [[nodiscard]] std::vector<double> likeliest_noise(const Environment& environment, double margin);

  // How far to go to see a difference, by number of the environment.
  [[nodiscard]] std::vector<double> scales() const;
  // Ways to go along which some bound stays as it is.
  [[nodiscard]] std::vector<std::vector<double>> directions() const;

 private:
  struct Factor {  // noise that is related, and what must hold for it
    std::vector<const AffineRow*> rows;
    std::vector<std::size_t> noise;  // of the part
    std::vector<chance::LinearConstraint> constraints;
    std::unique_ptr<chance::RoughEvent> event;
    bool impossible = false;  // or rather, of probability 0
    std::vector<double> lower = {};
    std::vector<double> upper = {};
  };
  struct Conjunction {
    std::size_t branch;
    std::vector<const AffineRow*> certain;  // of the environment alone
    std::vector<std::size_t> factors;
  };

  void add_conjunctions(std::size_t branch);
  void add_conjunction(std::size_t branch, const std::vector<const AffineRow*>& rows);
  std::size_t factor_of(const std::vector<const AffineRow*>& rows);
  void set_sides(Factor& factor, const Environment& environment) const;
  [[nodiscard]] std::vector<std::vector<const AffineRow*>> ways_through(std::size_t most) const;
  [[nodiscard]] std::vector<double> likeliest_numbers(const std::vector<const AffineRow*>& rows,
                                                      const Environment* environment,
                                                      double margin) const;
  // One value for each factor gives one for each conjunction and branch.
  template <class Value>
  [[nodiscard]] std::vector<double> by_conjunction(const Environment& environment,
                                                   const Value& value);
  [[nodiscard]] std::vector<bool> counting_conjunctions(const std::vector<double>& values) const;

  const IndependentPart& part_;
  std::vector<PartBranch> certain_;  // only the stages that have no noise
  std::vector<Factor> factors_;
  std::vector<Conjunction> conjunctions_;
  std::unique_ptr<Sampler> sampler_;
};

}  // namespace poise::verify
