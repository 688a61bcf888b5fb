#pragma once

// Text for a terminal: colour, line breaks, paths drawn with arrows. Widths are in columns
// (display_width), not in bytes.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/integer.h"
#include "poise/diag/render.h"
#include "poise/finding/finding.h"
#include "poise/model/model.h"

namespace poise::report {

// Columns for the word that says what a line is about.
inline constexpr std::size_t kLabelWidth = 10;

enum class Tint { Serious, Mild, Good, Strong, Faint };

// The text in a colour, if colour is wanted.
[[nodiscard]] std::string tinted(std::string_view text, Tint tint, diag::Color color);

// Lines of at most `room` columns, broken at blanks; a longer word stands alone.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t room);

// Lines that are wider than this are broken at blanks, and go on two columns further in. Colour
// takes no columns.
[[nodiscard]] std::string folded(std::string_view text, std::size_t width);

// `Office ─ActivateMeeting→ Meeting ─DeactivateMeeting→ Office`, for a path of firings. Where it
// does not fit, firings in the middle are left out and counted; the first and the last stay.
[[nodiscard]] std::string drawn_path(const model::Model& model, model::StateId start,
                                     std::span<const model::RuleId> path, std::size_t room,
                                     diag::Color color);

// A condition in about `room` columns: conjunctions that hold in the example first, shortest first,
// then a count of the others: "a and b or c … or 4 other ways".
[[nodiscard]] std::string shortened(const model::Model& model, const finding::Condition& condition,
                                    const std::optional<finding::Witness>& example,
                                    std::size_t room);

// "a, b and c"; beyond `limit` names, "a, b and 7 more".
[[nodiscard]] std::string enumerated(std::span<const std::string> names, std::size_t limit = 8);

// With blanks behind it, up to a width in columns.
[[nodiscard]] std::string padded(const std::string& text, std::size_t width);

// A probability in three or four digits: 0.0655, 3.47e-06.
[[nodiscard]] std::string figure(double value);

// "1,234,567"
[[nodiscard]] std::string with_commas(const Integer& number);

// "1 situation", "1,234 situations"
[[nodiscard]] std::string situations_text(const Integer& count);

// The values of the given variables: "gps.on = true, bt.devices = {office_pc}". A variable without
// a value is left out; its guard, which is listed with value false, tells why.
// Where they do not fit in about `room` columns, the last ones are counted: "a = 1 and 7 more
// values".
[[nodiscard]] std::string values_text(const model::Model& model, const finding::Witness& witness,
                                      std::span<const model::VariableId> variables,
                                      std::size_t room);

}  // namespace poise::report
