#pragma once

// The words of a log about a model: the names of its variables, streams and members, and the values
// that each variable takes. It is the same for every format of logs.

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

// A variable or a field: something with a name that takes values of a type.
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
  // "`mode` has no member `sielnt`; did you mean `silent`?"
  [[nodiscard]] Error no_member(const Typed& of, std::string_view name) const;

 private:
  const model::Model& model_;
  std::unordered_map<std::string_view, model::VariableId> variables_;
  std::unordered_map<std::string_view, model::StreamId> streams_;
  std::unordered_map<std::string_view, model::SymbolId> symbols_;
};

// The value of a number for an int or a real; an error if the type does not have it.
[[nodiscard]] Result<Rational> number_for(const Typed& of, std::string_view text);

// "`gps.speed` takes a number in 0..350, not `fast`"; without the last part if the text is empty.
[[nodiscard]] Error refusal(const Typed& of, std::string_view text = {});

// The meaning of `null`: None for a variable with a guard, Unknown for others, which always have a
// value.
[[nodiscard]] Update::Kind meaning_of_null(const model::Variable& variable);

// The slot of a member of a set, by its place.
[[nodiscard]] model::SlotId member_slot(const model::Variable& set, std::uint32_t member);

// Appends the same update for each slot of a variable.
void append_all(std::vector<Update>& updates, const model::Variable& variable, Update::Kind kind);

// A text from a log for a message: on one line, not too long.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace poise::log
