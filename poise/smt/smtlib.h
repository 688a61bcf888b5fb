#pragma once

// Names and numbers in the syntax of SMT-LIB.

#include <string>
#include <string_view>
#include <unordered_set>

#include "poise/base/rational.h"

namespace poise::smt {

// Makes symbols that are readable, unique, and accepted by every solver.
class Symbols {
 public:
  // The name, changed as little as necessary: "x~2" if "x" is in use. It is in use until it is
  // given back.
  std::string add(std::string_view name);
  void give_back(const std::string& symbol) { used_.erase(symbol); }

 private:
  std::unordered_set<std::string> used_;
};

// The symbol as it stands in a text: between bars if necessary, |walk 2|.
[[nodiscard]] std::string quoted(std::string_view symbol);

// The number that Z3 writes as "-15" or "3/2".
[[nodiscard]] Rational rational_from(std::string_view text);

}  // namespace poise::smt
