#pragma once

// External functions: declared and called by a model, given by the program that embeds a monitor.
//
//   extern near(a: real, b: real)                                        in the model
//
//   bool near(double a, double b) { return std::abs(a - b) < 5; }        in the program
//   const auto functions = watch::functions_for(model, {watch::typed("near", near)});
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
#include <type_traits>
#include <utility>
#include <vector>

#include "poise/base/result.h"
#include "poise/model/model.h"
#include "poise/watch/store/cell.h"
#include "poise/watch/store/texts.h"

namespace poise::watch {

// An argument of a call. The type of the parameter says which of these functions may be called;
// another one ends the program, so typed() is the safer way.
class Value {
 public:
  enum class Kind : std::uint8_t { Truth, Whole, Real, Member, Text };
  // Where cells are looked up that do not stand for themselves.
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
  // The kinds of its parameters, to be checked against the model. Real also takes an int, and Text
  // a member. Nothing: the function looks at the kinds of its arguments itself.
  std::optional<std::vector<Value::Kind>> takes = {};
};
using Externs = std::vector<Extern>;

// How a parameter of a C++ type gets its value.
template <class T>
struct Plain;
template <>
struct Plain<bool> {
  static constexpr Value::Kind kKind = Value::Kind::Truth;
  static bool from(const Value& value) { return value.truth(); }
};
template <>
struct Plain<std::int64_t> {
  static constexpr Value::Kind kKind = Value::Kind::Whole;
  static std::int64_t from(const Value& value) { return value.whole(); }
};
template <>
struct Plain<double> {
  static constexpr Value::Kind kKind = Value::Kind::Real;
  static double from(const Value& value) { return value.approximate(); }
};
template <>
struct Plain<Rational> {
  static constexpr Value::Kind kKind = Value::Kind::Real;
  static Rational from(const Value& value) { return value.number(); }
};
template <>
struct Plain<std::string_view> {
  static constexpr Value::Kind kKind = Value::Kind::Text;
  static std::string_view from(const Value& value) { return value.text(); }
};

// A function whose parameters are bool, std::int64_t, double, Rational or std::string_view.
template <class... Types>
[[nodiscard]] Extern typed(std::string_view name, bool (*function)(Types...)) {
  const auto call = [function]<std::size_t... rows>(std::span<const Value> arguments,
                                                    std::index_sequence<rows...>) {
    return function(Plain<std::remove_cvref_t<Types>>::from(arguments[rows])...);
  };
  return {.name = std::string(name),
          .function =
              [call](std::span<const Value> arguments) {
                return call(arguments, std::index_sequence_for<Types...>());
              },
          .takes = std::vector<Value::Kind>{Plain<std::remove_cvref_t<Types>>::kKind...}};
}

// By `extern` of a model; empty where no rule calls it and none was given.
using Functions = Table<model::ExternId, Function>;

// The externs that rules call, sorted: each needs a function before the model can be watched.
[[nodiscard]] std::vector<model::ExternId> called_externs(const model::Model& model);

// The functions for a model. An error, with its place, if an extern that a rule calls has no
// function or one with other parameters, or if a name is given twice. Functions that the model does
// not know are left out.
[[nodiscard]] Result<Functions> functions_for(const model::Model& model, const Externs& given);

[[nodiscard]] Value::Kind kind_of(const model::Field& parameter);

// A call, made ready for a monitor.
struct CellCall {
  struct Argument {
    std::optional<model::Place> place;  // where its value is; nothing: it is `constant`
    Cell constant = kNone;
    Scale scale = Scale::Whole;
    Value::Kind kind = Value::Kind::Truth;
  };
  const Function* function = nullptr;  // null if plans are only made, not run
  const Texts* texts = nullptr;
  const model::Model* model = nullptr;
  std::vector<Argument> arguments;
};

// The answer of the function. Every argument must have a value.
[[nodiscard]] bool holds(const CellCall& call, std::span<const Cell> slots,
                         std::span<const Cell* const> elements, const Numbers& numbers);

}  // namespace poise::watch
