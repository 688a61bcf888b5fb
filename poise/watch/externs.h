#pragma once

// The functions that a model calls and the program which embeds a monitor gives.
//
//   extern near(a: real, b: real)                          in the model
//
//   bool near(std::span<const watch::Value> arguments) {   in the program
//     return std::abs(arguments[0].approximate() - arguments[1].approximate()) < 5;
//   }
//   const auto functions = watch::functions_for(model, {{"near", near}});
//   if (!functions) ...  // functions.error().message
//   watch::Monitor monitor(model, {.functions = *functions});
//
// A function is *pure*: for the same arguments it gives the same answer, whenever it is asked. A
// monitor asks as often as it likes, remembers answers, and does not ask at all where an argument
// has no value: then the call is false. A function throws nothing and leaves the monitor alone.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/result.h"
#include "poise/model/model.h"
#include "poise/watch/cell.h"

namespace poise::watch {

// An argument. Which of the questions it answers depends on the type of the parameter; a wrong one
// ends the program.
class Value {
 public:
  enum class Kind : std::uint8_t { Truth, Whole, Real, Member, Text };
  // What cells stand for that are not themselves.
  struct Tables {
    const Numbers* numbers = nullptr;
    const Texts* texts = nullptr;
    const model::Model* model = nullptr;
  };

  Value() = default;
  Value(Kind kind, Cell cell, Scale scale, const Tables& tables)
      : kind_(kind), scale_(scale), cell_(cell), tables_(tables) {}

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool truth() const;             // bool
  [[nodiscard]] std::int64_t whole() const;     // int, of 64 bits
  [[nodiscard]] Rational number() const;        // int, real: exact
  [[nodiscard]] double approximate() const;     // int, real: rounded
  [[nodiscard]] std::string_view text() const;  // string, the name of a member; during the call

 private:
  Kind kind_ = Kind::Truth;
  Scale scale_ = Scale::Whole;
  Cell cell_ = 0;
  Tables tables_;
};

using Function = std::function<bool(std::span<const Value> arguments)>;

struct Extern {
  std::string name;
  Function function;
};
using Externs = std::vector<Extern>;

// By `extern` of a model; empty where no rule calls it and none was given.
using Functions = Table<model::ExternId, Function>;

// The externs that rules call, sorted: each needs a function before the model can be watched.
[[nodiscard]] std::vector<model::ExternId> called_externs(const model::Model& model);

// The functions for a model. The error: an extern that a rule calls has none, with its place, or a
// name is given twice. Those that the model does not know are left out.
[[nodiscard]] Result<Functions> functions_for(const model::Model& model, const Externs& given);

// A call, made ready for a monitor.
struct CellCall {
  struct Argument {
    std::optional<model::Place> place;  // or
    Cell constant = kNone;
    Scale scale = Scale::Whole;
    Value::Kind kind = Value::Kind::Truth;
  };
  const Function* function = nullptr;  // none where there are only plans to be made
  const Texts* texts = nullptr;
  const model::Model* model = nullptr;
  std::vector<Argument> arguments;
};

// What the function says. Every argument has a value.
[[nodiscard]] bool holds(const CellCall& call, std::span<const Cell> slots,
                         std::span<const Cell* const> elements, const Numbers& numbers);

}  // namespace poise::watch
