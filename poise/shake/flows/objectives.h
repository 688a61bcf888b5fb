#pragma once

// What searches maximise (D9). Every term is in [0, 1] and every weight has a name: the paper adds
// counts of different units, and a distance to reality to what it maximises.

#include <cstddef>
#include <optional>

namespace poise::shake {

// Of one flow, the paper's L.
struct LocalTerms {
  double coverage = 0;                 // new elements, as a share of all
  double profiles = 0;                 // earthquake profiles, as a share of the most there can be
  std::optional<double> realism = {};  // without a recording there is none
  std::optional<double> robustness = {};  // how far an expectation is from being violated
};

struct LocalWeights {
  double coverage = 0.4;
  double profiles = 0.6;
  double realism = 0;
  double robustness = 0;
};

// In [0, 1]: the weights of the terms that there are count as shares of their sum.
[[nodiscard]] double local_objective(const LocalTerms& terms, const LocalWeights& weights = {});

// EP as a share of n - 2.
[[nodiscard]] double profile_share(std::size_t profiles, std::size_t length);

// What one more flow adds to a set, the paper's G(SOL + flow) - G(SOL).
struct GlobalTerms {
  double coverage = 0;  // new elements, as a share of all
  double shapes = 0;    // new shape cells, of all 81
  double kills = 0;     // new kill signatures, or what the subject never did before, as a share
};

struct GlobalWeights {
  double coverage = 0.5;
  double shapes = 0.5;
  double kills = 0;
  double size = 0.05;  // what a flow costs, divided by the number of flows wanted
};

// Worth its place if more than 0.
[[nodiscard]] double global_gain(const GlobalTerms& terms, const GlobalWeights& weights,
                                 std::size_t flows);

}  // namespace poise::shake
