#pragma once

// What a log may say about a model: the names of its variables and members, and which values each
// variable takes. The same for every format of logs.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "poise/base/result.h"
#include "poise/log/entry.h"
#include "poise/model/model.h"

namespace poise::log {

// What takes values: a variable or a field.
struct Typed {
  std::string_view name;
  const model::Type& type;
  Typed(const model::Variable& variable)  // NOLINT: a variable is one
      : name(variable.name), type(variable.type) {}
  Typed(const model::Field& field) : name(field.name), type(field.type) {}  // NOLINT
};

class Vocabulary {
 public:
  // The model must outlive it.
  explicit Vocabulary(const model::Model& model);

  [[nodiscard]] const model::Model& model() const { return model_; }
  [[nodiscard]] std::optional<model::VariableId> variable(std::string_view name) const;
  [[nodiscard]] std::optional<model::StreamId> stream(std::string_view name) const;
  // The place of a member in the type of an enumeration or a set.
  [[nodiscard]] std::optional<std::uint32_t> member(const Typed& of, std::string_view name) const;
  // Why a name is no member, with a guess.
  [[nodiscard]] Error no_member(const Typed& of, std::string_view name) const;

 private:
  const model::Model& model_;
  std::unordered_map<std::string_view, model::VariableId> variables_;
  std::unordered_map<std::string_view, model::StreamId> streams_;
  std::unordered_map<std::string_view, model::SymbolId> symbols_;
};

// The value of a number for an int or a real.
[[nodiscard]] Result<Rational> number_for(const Typed& of, std::string_view text);

// "`gps.speed` takes a number in 0..350, not `fast`"; without what stands there if that is empty.
[[nodiscard]] Error refusal(const Typed& of, std::string_view text = {});

// What it means that a variable has no value: only one with a guard can have none.
[[nodiscard]] Update::Kind meaning_of_null(const model::Variable& variable);

// The slot of a member of a set, by its place.
[[nodiscard]] model::SlotId member_slot(const model::Variable& set, std::uint32_t member);

// Appends the same update for each slot of a variable.
void append_all(std::vector<Update>& updates, const model::Variable& variable, Update::Kind kind);

// A text from a log for a message: on one line, not too long.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace poise::log
