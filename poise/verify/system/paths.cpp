#include "poise/verify/system/paths.h"

#include <algorithm>
#include <tuple>

namespace poise::verify {

bool at_same_place(const Hazard& a, const Hazard& b) {
  return a.state == b.state && a.rule == b.rule && a.act == b.act && a.failure == b.failure;
}

void sort_hazards(std::vector<Hazard>& hazards) {
  std::ranges::sort(hazards, {}, [](const Hazard& hazard) {
    return std::tuple(hazard.first, hazard.state, hazard.rule, hazard.act, hazard.failure);
  });
}

}  // namespace poise::verify
