#include "cli/options/words.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>

#include <fmt/format.h>

#include "poise/base/rational.h"
#include "poise/base/text.h"

namespace poise::cli {

namespace {

std::vector<std::string_view> split(std::string_view words) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = words.find(',');
    parts.push_back(words.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    words.remove_prefix(comma + 1);
  }
}

// A word that an option takes, and its value. No value: the word is reserved for a later version.
template <class T>
struct NamedValue {
  std::string_view word;
  std::optional<T> meaning;
};

template <class T>
std::vector<std::string_view> words_of(std::span<const NamedValue<T>> choices) {
  std::vector<std::string_view> words;
  for (const NamedValue<T>& choice : choices) {
    if (choice.meaning) words.push_back(choice.word);
  }
  return words;
}

std::string with_commas(std::span<const std::string_view> words) {
  return joined(std::vector<std::string>(words.begin(), words.end()), ", ");
}

template <class T>
Result<T> chosen(std::string_view option, std::string_view word,
                 std::span<const NamedValue<T>> choices) {
  const std::vector<std::string_view> words = words_of(choices);
  const auto found = std::ranges::find(choices, word, &NamedValue<T>::word);
  if (found == choices.end()) {
    const auto guess = closest(word, words);
    return failure(fmt::format("{} takes {}, not `{}`{}", option, with_commas(words), word,
                               guess ? fmt::format("; did you mean `{}`?", *guess) : ""));
  }
  if (!found->meaning) {
    return failure(
        fmt::format("{} {} is not in this version; it takes {}", option, word, with_commas(words)));
  }
  return *found->meaning;
}

std::optional<std::size_t> whole_number(std::string_view word) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

struct Unit {
  std::string_view word;
  std::int64_t factor;
};

// A decimal with a unit, times the unit, rounded down: "1.5h" in milliseconds is 5400000. Nothing
// if the word is not of this form or the result has more than 62 bits.
std::optional<std::int64_t> amount(std::string_view word, std::span<const Unit> units) {
  const std::size_t digits = std::min(word.find_first_not_of("0123456789."), word.size());
  const std::string_view number = word.substr(0, digits);
  const auto unit = std::ranges::find(units, word.substr(digits), &Unit::word);
  const auto points = std::ranges::count(number, '.');
  if (unit == units.end() || number.empty() || points > 1 || number.front() == '.' ||
      number.back() == '.' || number.size() > 30) {
    return std::nullopt;
  }
  const Integer total = (Rational::from_decimal(number) * Rational(unit->factor)).floor();
  if (total.bits() > 62) return std::nullopt;
  return total.to_int64();
}

}  // namespace

Result<check::Engine> engine_from(std::string_view word) {
  static constexpr NamedValue<check::Engine> kChoices[] = {
      {"auto", check::Engine::Auto},
      {"enumerative", check::Engine::Enumerative},
      {"symbolic", check::Engine::Symbolic},
      {"hybrid", check::Engine::Hybrid},
      {"reference", check::Engine::Reference}};
  return chosen<check::Engine>("--engine", word, kChoices);
}

Result<Format> format_from(std::string_view word) {
  static constexpr NamedValue<Format> kChoices[] = {
      {"text", Format::Text}, {"json", Format::Json}, {"sarif", Format::Sarif}};
  return chosen<Format>("--format", word, kChoices);
}

Result<GraphFormat> graph_format_from(std::string_view word) {
  static constexpr NamedValue<GraphFormat> kChoices[] = {{"dot", GraphFormat::Dot},
                                                         {"svg", GraphFormat::Svg}};
  return chosen<GraphFormat>("--format", word, kChoices);
}

Result<GraphFormat> graph_format_of_file(std::string_view file) {
  if (file.ends_with(".svg")) return GraphFormat::Svg;
  if (file.ends_with(".dot") || file.ends_with(".gv")) return GraphFormat::Dot;
  return failure(
      fmt::format("`{}` ends neither with .svg nor with .dot; --format says what to write", file));
}

Result<ColorChoice> color_from(std::string_view word) {
  static constexpr NamedValue<ColorChoice> kChoices[] = {
      {"auto", ColorChoice::Auto}, {"always", ColorChoice::Always}, {"never", ColorChoice::Never}};
  return chosen<ColorChoice>("--color", word, kChoices);
}

Result<check::Count> count_from(std::string_view word) {
  static constexpr NamedValue<check::Count> kChoices[] = {{"visited", check::Count::Visited},
                                                          {"rules", check::Count::Rules},
                                                          {"start", check::Count::Start},
                                                          {"all", check::Count::All}};
  return chosen<check::Count>("--count", word, kChoices);
}

Result<std::vector<finding::FaultKind>> kinds_from(std::string_view words) {
  std::vector<NamedValue<finding::FaultKind>> choices;
  for (const finding::FaultKind kind : finding::kAllFaultKinds) {
    choices.push_back({finding::name(kind), kind});
  }
  std::vector<finding::FaultKind> kinds;
  for (const std::string_view word : split(words)) {
    const Result<finding::FaultKind> kind = chosen<finding::FaultKind>("--only", word, choices);
    if (!kind) return Failure(kind.error());
    if (std::ranges::find(kinds, *kind) == kinds.end()) kinds.push_back(*kind);
  }
  return kinds;
}

Result<Ignored> ignored_from(std::string_view words) {
  static constexpr NamedValue<bool Ignored::*> kChoices[] = {
      {"priorities", &Ignored::priorities}, {"constraints", &Ignored::constraints}};
  Ignored ignored;
  for (const std::string_view word : split(words)) {
    const Result<bool Ignored::*> which = chosen<bool Ignored::*>("--ignore", word, kChoices);
    if (!which) return Failure(which.error());
    ignored.*(*which) = true;
  }
  return ignored;
}

Result<std::optional<std::size_t>> paths_from(std::string_view word) {
  if (word == "none") return std::optional<std::size_t>(0);
  if (word == "all") return std::optional<std::size_t>();
  if (const auto number = whole_number(word)) return number;
  return failure(fmt::format("--paths takes none, all or a number, not `{}`", word));
}

Result<std::size_t> jobs_from(std::string_view word) {
  const auto number = whole_number(word);
  if (number && *number > 0) return *number;
  return failure(fmt::format("--jobs takes a number from 1, not `{}`", word));
}

Result<std::uint64_t> number_from(std::string_view option, std::string_view word) {
  if (const auto number = whole_number(word)) return *number;
  return failure(fmt::format("{} takes a whole number, not `{}`", option, word));
}

Result<double> share_from(std::string_view option, std::string_view word) {
  double share = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), share);
  if (error == std::errc() && end == word.data() + word.size() && share >= 0 && share <= 1) {
    return share;
  }
  return failure(fmt::format("{} takes a number from 0 to 1, not `{}`", option, word));
}

Result<std::chrono::milliseconds> duration_from(std::string_view option, std::string_view word) {
  static constexpr Unit kUnits[] = {
      {"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
  // A century: long enough, and far from where std::chrono overflows.
  constexpr std::int64_t kLongest = std::int64_t{100} * 366 * 24 * 3'600'000;
  const auto milliseconds = amount(word, kUnits);
  if (milliseconds) return std::chrono::milliseconds(std::min(*milliseconds, kLongest));
  return failure(fmt::format("{} takes a duration like 10s, 500ms or 2m, not `{}`", option, word));
}

Result<std::size_t> bytes_from(std::string_view word) {
  static constexpr Unit kUnits[] = {{"", 1},
                                    {"K", std::int64_t{1} << 10},
                                    {"M", std::int64_t{1} << 20},
                                    {"G", std::int64_t{1} << 30},
                                    {"T", std::int64_t{1} << 40}};
  const auto bytes = amount(word, kUnits);
  if (bytes) return static_cast<std::size_t>(*bytes);
  return failure(fmt::format("--memory-limit takes an amount like 512M or 2G, not `{}`", word));
}

}  // namespace poise::cli
