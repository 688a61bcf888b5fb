#pragma once

// The names that expressions may use, and what they stand for.

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "poise/base/source.h"
#include "poise/diag/diagnostic.h"
#include "poise/lang/syntax.h"
#include "poise/model/model.h"

namespace poise::lang {

using LetIndex = Id<struct LetTag>;

struct Scope {
  using Meaning = std::variant<model::VariableId, LetIndex>;
  struct Entry {
    Meaning meaning;
    Span span;
  };
  std::unordered_map<std::string_view, Entry> names;
  std::vector<std::string_view> in_order;  // for guesses
  Table<LetIndex, const LetDeclaration*> lets;
  std::unordered_set<std::string_view> broken;  // declared by something with a mistake

  [[nodiscard]] const Entry* find(std::string_view name) const {
    const auto entry = names.find(name);
    return entry == names.end() ? nullptr : &entry->second;
  }
};

// Collects diagnostics. Guesses cost a look at every candidate, so only the first mistakes get one.
class Reporter {
 public:
  void report(diag::Diagnostic diagnostic) { diagnostics_.push_back(std::move(diagnostic)); }
  [[nodiscard]] std::string guess(std::string_view name,
                                  std::span<const std::string_view> candidates);
  [[nodiscard]] bool empty() const { return diagnostics_.empty(); }
  [[nodiscard]] diag::Diagnostics take() { return std::move(diagnostics_); }

 private:
  diag::Diagnostics diagnostics_;
  int guesses_ = 0;
};

}  // namespace poise::lang
