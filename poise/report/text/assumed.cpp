#include "poise/report/text/assumed.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"

namespace poise::report {

std::string free_conditions_text(const model::Model& model, std::span<const model::AtomId> free,
                                 std::size_t room) {
  constexpr std::size_t kMostNamed = 3;
  if (free.empty()) return "";
  std::vector<std::string> texts;
  for (const model::AtomId atom : free.first(std::min(free.size(), kMostNamed))) {
    texts.push_back(model.atoms[atom].text);
  }
  if (free.size() > kMostNamed) texts.push_back(fmt::format("{} more", free.size() - kMostNamed));
  const std::string all = joined(texts, "; ");
  return display_width(all) <= room ? all : counted(free.size(), "condition");
}

}  // namespace poise::report
