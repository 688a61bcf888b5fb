#pragma once

// The probability that a vector with a multivariate normal law lies in a box, whose sides may be
// infinite: Genz (1992). triangular.h turns this into linear constraints on independent noise, and
// linear_event.h integrates over that noise.

#include "poise/chance/linear_event.h"
#include "poise/chance/triangular.h"

namespace poise::chance {

[[nodiscard]] Estimate probability(const NormalVector& vector, const Box& box,
                                   const Precision& precision = {});

}  // namespace poise::chance
