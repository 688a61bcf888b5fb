#pragma once

// The names that expressions may use, and what they stand for.

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "poise/base/source.h"
#include "poise/base/table.h"
#include "poise/lang/syntax.h"
#include "poise/model/model.h"

namespace poise::lang {

using LetIndex = Id<struct LetTag>;

struct Scope {
  using Meaning = std::variant<model::VariableId, LetIndex, model::StreamId, model::ExternId>;
  struct Entry {
    Meaning meaning;
    Span span;
  };
  std::unordered_map<std::string_view, Entry> names;
  std::vector<std::string_view> in_order;  // for guesses
  Table<LetIndex, const LetDeclaration*> lets;
  std::unordered_set<std::string_view> broken;  // declared by a declaration with a mistake
  std::unordered_map<std::string_view, std::string_view> members;  // and a variable that has it
  std::unordered_set<std::string_view> states;
  // Declared actions of the world have names of their own, which no expression uses.
  std::unordered_map<std::string_view, std::pair<model::WorldActionId, Span>> actions;

  [[nodiscard]] const Entry* find(std::string_view name) const {
    const auto entry = names.find(name);
    return entry == names.end() ? nullptr : &entry->second;
  }
};

}  // namespace poise::lang
