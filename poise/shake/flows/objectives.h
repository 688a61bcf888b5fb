#pragma once

// The objectives of searches. Every term is in [0, 1] and every weight has a name. The paper adds
// counts of different units, has weights by position, and maximises a distance to reality where a
// similarity is meant.

#include <cstddef>
#include <optional>

namespace poise::shake {

// The terms for one flow: the paper's L.
struct LocalTerms {
  double coverage = 0;                 // new elements, as a share of all
  double profiles = 0;                 // earthquake profiles, as a share of the most there can be
  std::optional<double> realism = {};  // without a recording there is none
  // How far an expectation is from being violated: the less, the better the flow.
  std::optional<double> robustness = {};
};

struct LocalWeights {
  double coverage = 0.4;
  double profiles = 0.6;
  double realism = 0;
  double robustness = 0;
};

// The weighted mean of the terms that are present, in [0, 1].
[[nodiscard]] double local_objective(const LocalTerms& terms, const LocalWeights& weights = {});

// The earthquake profiles of a flow of `length` ticks, as a share of the most it can have: its
// length less two.
[[nodiscard]] double profile_share(std::size_t profiles, std::size_t length);

// The terms for one more flow in a set: the paper's G(SOL + flow) - G(SOL).
struct GlobalTerms {
  double coverage = 0;  // new elements, as a share of all
  double shapes = 0;    // new shape cells, of all 81
  double kills = 0;     // new kill signatures, or what the subject never did before, as a share
};

struct GlobalWeights {
  double coverage = 0.5;
  double shapes = 0.5;
  double kills = 0;
  double size = 0.05;  // the cost of all flows together
};

// The weighted sum of the terms, less the cost of one of `flows` flows. A flow whose gain is more
// than 0 is worth its place.
[[nodiscard]] double global_gain(const GlobalTerms& terms, const GlobalWeights& weights,
                                 std::size_t flows);

}  // namespace poise::shake
