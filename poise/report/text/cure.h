#pragma once

// What the text report says about how to mend a fault. A *cure* was tried (check/cures/) and can be
// applied as it stands: "give ActivateHome priority 3", "add `and not clock >= 690` to
// ActivateMeeting". A *hint* promises nothing: it says where to look, and why there is no cure.

#include <string>
#include <string_view>

#include "poise/finding/cure.h"
#include "poise/finding/groups.h"
#include "poise/model/model.h"

namespace poise::report {

struct Remedy {
  std::string_view label;  // "cure" or "hint"
  std::string text;        // the same however wide the page is
};

// `treatment`: what came out of the search for a cure; null if nobody asked for one.
[[nodiscard]] Remedy remedy(const model::Model& model, const finding::Group& group,
                            const finding::Treatment* treatment);

}  // namespace poise::report
