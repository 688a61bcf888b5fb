#pragma once

// Conditions over streams of elements, as `poise watch` evaluates them.
//
// A *query* is a closed condition: every element that it reads is bound by one of its own
// quantifiers. In the rest of the model it is a boolean variable that no log sets. So analyses that
// know only variables treat a query as a condition that may or may not hold; only watch/ looks
// inside. A call of an external function that reads no element is a query, too.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poise/base/rational.h"
#include "poise/base/source.h"
#include "poise/base/table.h"
#include "poise/model/condition.h"

namespace poise::model {

using StreamId = Id<struct StreamTag>;
using QueryId = Id<struct QueryTag>;
using TextId = Id<struct TextTag>;
using ExternId = Id<struct ExternTag>;

struct Field {
  std::string name;
  Type type;
  bool text = false;  // any string, to be compared for equality only; `type` is unused
};

struct Stream {
  std::string name;
  std::vector<Field> fields;
  Position at;
};

struct Window {
  enum class Kind {
    Latest,  // the last element that came
    Last,    // those that came less than so many seconds ago
    Next,    // those that come within so many seconds after the state was entered
  };
  Kind kind = Kind::Latest;
  Rational seconds;  // more than 0, unless Latest
  friend bool operator==(const Window&, const Window&) = default;
};

// What a comparison reads: a slot of the context, or a field of the element that a quantifier
// binds.
struct Place {
  std::optional<SlotId> slot;
  std::uint32_t binding = 0;
  std::uint32_t field = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

// A predicate that is provided by the program in which the library is embedded.
struct Extern {
  std::string name;
  std::vector<Field> parameters;  // ranges of numbers are ignored
  Position at;
};

struct Call {
  struct Argument {
    std::optional<std::uint32_t> place;  // index into the atom's places
    Rational constant;                   // if there is no place
  };
  ExternId function;
  std::vector<Argument> arguments;  // one for each parameter
};

// An atom over places: its SlotIds, also those of its polynomial, are indices into `places`. A text
// is represented by its index in Model::texts, or, if it is not there, by a number that is no
// index.
struct ElementAtom {
  Atom atom;  // the polynomial of a call is unused
  std::vector<Place> places;
  std::optional<Call> call = {};
};

struct QueryNode {
  enum class Op { False, True, Atom, Not, And, Or, Implies, Iff, Exists, All };
  Op op = Op::True;
  std::uint32_t atom = 0;            // Atom: of the query
  std::vector<std::uint32_t> parts;  // nodes of the query, all before this one; one of a quantifier
  StreamId stream;                   // Exists, All
  Window window;
  std::uint32_t binding = 0;  // every quantifier has its own
};

struct Query {
  std::vector<ElementAtom> atoms;
  std::vector<QueryNode> nodes;    // the last is the condition as a whole: a quantifier or a call
  std::vector<std::string> names;  // by binding, as written
  std::vector<StreamId> streams;   // by binding
};

}  // namespace poise::model
