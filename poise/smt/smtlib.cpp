#include "poise/smt/smtlib.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "poise/base/text.h"

namespace poise::smt {

namespace {

// Words of SMT-LIB and of its theories of numbers.
bool is_reserved(std::string_view name) {
  static constexpr std::array<std::string_view, 26> kWords = {
      "",    "_",   "!",        "as",  "let",   "forall", "exists", "lambda",  "match",
      "par", "if",  "ite",      "not", "and",   "or",     "xor",    "implies", "true",
      "abs", "div", "distinct", "mod", "false", "is_int", "to_int", "to_real"};
  return std::ranges::find(kWords, name) != kWords.end();
}

// A name that may stand between bars. One that begins with a minus would be a number to Z3.
std::string symbol_from(std::string_view name) {
  std::string symbol(name);
  for (char& letter : symbol) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '|' || letter == '\\' || byte < 0x20 || byte > 0x7e) letter = '_';
  }
  if (symbol.starts_with('-')) symbol.front() = '_';
  while (is_reserved(symbol)) symbol += '_';
  return symbol;
}

bool is_simple(char letter) {
  return is_letter_or_digit(letter) || letter == '_' ||
         std::string_view("~!@$%^&*+=<>.?/-").find(letter) != std::string_view::npos;
}

}  // namespace

std::string Symbols::add(std::string_view name) {
  const std::string wanted = symbol_from(name);
  std::string symbol = wanted;
  for (std::size_t i = 2; !used_.insert(symbol).second; ++i) {
    symbol = fmt::format("{}~{}", wanted, i);
  }
  return symbol;
}

std::string quoted(std::string_view symbol) {
  const bool plain = !symbol.empty() && (is_letter(symbol.front()) || symbol.front() == '_') &&
                     std::ranges::all_of(symbol, is_simple);
  return plain ? std::string(symbol) : fmt::format("|{}|", symbol);
}

Rational rational_from(std::string_view text) {
  if (text.starts_with('-')) return -rational_from(text.substr(1));
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return Integer::from_digits(text);
  return {Integer::from_digits(text.substr(0, slash)),
          Integer::from_digits(text.substr(slash + 1))};
}

}  // namespace poise::smt
