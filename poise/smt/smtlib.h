#pragma once

// Names and numbers in texts of SMT-LIB.

#include <string>
#include <string_view>
#include <unordered_set>

#include "poise/base/rational.h"

namespace poise::smt {

// Names that are readable, each for one thing only, and accepted by every solver.
class Symbols {
 public:
  // The name, changed as little as it takes. It is in use until it is given back.
  std::string add(std::string_view name);
  void give_back(const std::string& symbol) { used_.erase(symbol); }

 private:
  std::unordered_set<std::string> used_;
};

// As it stands in a text: between bars if it must.
[[nodiscard]] std::string quoted(std::string_view symbol);

// Of digits, perhaps with a minus before them, a slash among them, as Z3 writes numbers.
[[nodiscard]] Rational rational_from(std::string_view text);

}  // namespace poise::smt
