#include "poise/report/text/confirmation.h"

#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/report/confirmation_words.h"
#include "poise/report/text/layout.h"
#include "poise/report/verify_words.h"

namespace poise::report {

using model::Model;
using verify::Confirmation;

namespace {

std::string values_words(const Model& model, const verify::Values& values) {
  std::vector<std::string> parts;
  for (const model::SlotId slot : model.slots.ids()) {
    if (!has_value(model, values, slot)) continue;
    if (model.variables[model.slots[slot].variable].query) continue;
    parts.push_back(fmt::format("{} = {}", slot_name(model, slot),
                                model::to_text(model, slot, values[slot.index])));
  }
  return joined(parts, ", ");
}

std::string labelled(std::string_view label, const std::string& words, std::size_t width) {
  std::string text;
  for (const std::string& line :
       wrapped(words, std::max<std::size_t>(40, width - 4 - kLabelWidth))) {
    text += fmt::format("    {:<{}}{}\n", text.empty() ? label : "", kLabelWidth, line);
  }
  return text;
}

std::string details(const Model& model, const Confirmation& made, std::size_t width) {
  std::string text = labelled("claim", claim_words(model), width);
  if (made.verdict == Confirmation::Verdict::Confirmed) return text + "\n";
  text += labelled("open", open_words(model, made), width);
  if (!made.before.empty()) {
    text += labelled("e.g.", values_words(model, made.before), width);
    if (made.part != Confirmation::Part::Start) {
      text += labelled("then", values_words(model, made.after), width);
    }
  }
  return text + "\n";
}

}  // namespace

std::string confirmation_text(const Model& model, const std::string& file, verify::Mode mode,
                              const Confirmation& made, const VerifyTextOptions& options) {
  std::string text;
  if (options.detail == Detail::Full) {
    text =
        fmt::format("{} ({}): certificate of {}; {}\n\n",
                    tinted(model.name, Tint::Strong, options.color), file, model.file, name(mode));
    text += details(model, made, options.width);
  }
  text += fmt::format("{}: ", model.name);
  switch (made.verdict) {
    case Confirmation::Verdict::Confirmed:
      text += fmt::format("{}, {} proved", tinted("confirmed", Tint::Good, options.color),
                          counted(made.proved, "condition"));
      break;
    case Confirmation::Verdict::NotConfirmed:
      text += fmt::format("{}: {}", tinted("not confirmed", Tint::Serious, options.color),
                          open_words(model, made));
      break;
    case Confirmation::Verdict::Unknown:
      text += fmt::format("{}: {}", tinted("unknown", Tint::Mild, options.color), made.why);
      break;
  }
  return text + "\n";
}

}  // namespace poise::report
