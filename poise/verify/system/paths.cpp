#include "poise/verify/system/paths.h"

namespace poise::verify {

bool at_same_place(const Hazard& a, const Hazard& b) {
  return a.state == b.state && a.rule == b.rule && a.act == b.act && a.failure == b.failure;
}

}  // namespace poise::verify
