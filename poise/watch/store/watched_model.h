#pragma once

// A model compiled to be watched: its atoms, queries and effects over cells (cell.h) instead of
// exact numbers, and its windows. It is the same for all instances and never changes.
//
// A *collection* is what a quantifier goes through: a stream and a window, as in B_gate[last 60s].
// Queries with the same stream and window share a collection. There are three kinds of windows: the
// latest element, the elements of the `last` D seconds, and those of the `next` D seconds after the
// state was entered.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "poise/base/truth.h"
#include "poise/model/model.h"
#include "poise/watch/result.h"
#include "poise/watch/store/cell.h"
#include "poise/watch/store/externs.h"
#include "poise/watch/store/texts.h"

namespace poise::watch {

using CollectionId = Id<struct CollectionTag>;

inline constexpr Time kNever = INT64_MAX;
// time + length, kNever if that overflows. The length is not negative.
[[nodiscard]] constexpr Time later(Time time, Time length) {
  Time sum = 0;
  return __builtin_add_overflow(time, length, &sum) ? kNever : sum;
}

struct Collection {
  model::StreamId stream;
  model::Window::Kind kind = model::Window::Kind::Latest;
  Time length = 0;
  // `next`: its index among the `next` windows. `last`: the index of its length among all lengths.
  std::uint32_t place = 0;
};

// An atom over cells: sum of factor * cell + constant, compared with 0 or (`membership`) with the
// numbers in `among`. All are multiplied by a common denominator, so that they are whole numbers.
struct CellAtom {
  struct Term {
    model::Place place;
    std::int64_t factor = 0;
    Scale scale = Scale::Whole;
  };
  std::vector<Term> terms;
  __extension__ using Wide = __int128;
  Wide constant = 0;
  model::Relation relation = model::Relation::Equal;
  bool membership = false;
  std::vector<Wide> among;
  bool linear = true;  // else `call` or `exact` decides; `exact` also if a cell is not plain
  const model::Atom* exact = nullptr;
  std::optional<CellCall> call;      // of an external function
  std::vector<model::Place> places;  // by slot of `exact`
  std::vector<Scale> scales;
};

struct CellQuery {
  const model::Query* query = nullptr;  // null if no rule asks for it
  std::vector<CellAtom> atoms;
  std::vector<CollectionId> collections;  // by node; only quantifiers have one
};

struct CellEffect {
  model::SlotId slot;
  Cell value = kNone;
};

class WatchedModel {
 public:
  // The arguments must outlive it. Without functions, a model that calls externs can be planned but
  // not run.
  explicit WatchedModel(const model::Model& model, const Functions* functions = nullptr,
                        const Texts* texts = nullptr);

  [[nodiscard]] const model::Model& model() const { return model_; }
  // The table of numbers after all constants of the model. A monitor adds to a copy of it.
  [[nodiscard]] const Numbers& numbers() const { return numbers_; }

  [[nodiscard]] Scale scale(model::SlotId slot) const { return slot_scales_[slot.index]; }
  [[nodiscard]] Scale scale(model::StreamId stream, std::size_t field) const {
    return field_scales_[stream.index][field];
  }
  [[nodiscard]] const Table<CollectionId, Collection>& collections() const { return collections_; }
  // Without a check of the index, for the steps that every event takes.
  [[nodiscard]] const Collection& collection(CollectionId id) const {
    return *(&*collections_.begin() + id.index);
  }
  [[nodiscard]] std::size_t next_windows() const { return next_windows_; }
  // The `last` windows, which elements leave by time, and how many different lengths they have.
  [[nodiscard]] std::span<const CollectionId> expiring() const { return expiring_; }
  [[nodiscard]] std::size_t lengths() const { return lengths_; }
  // The fields of a stream that are texts.
  [[nodiscard]] std::span<const std::uint32_t> text_fields(model::StreamId stream) const {
    return text_fields_[stream.index];
  }
  [[nodiscard]] std::span<const CollectionId> collections_of(model::StreamId stream) const {
    return by_stream_[stream.index];
  }
  [[nodiscard]] const CellQuery& query(model::QueryId id) const { return queries_[id.index]; }
  // An atom over variables; or, for the atom that stands for a query, which query it is.
  [[nodiscard]] const CellAtom& atom(model::AtomId id) const { return atoms_[id.index]; }
  [[nodiscard]] std::optional<model::QueryId> query_of(model::AtomId id) const {
    return query_of_[id.index];
  }
  // The slots that have a value only while this one holds: it is their guard.
  [[nodiscard]] std::span<const model::SlotId> behind(model::SlotId guard) const {
    return behind_[guard.index];
  }
  [[nodiscard]] std::optional<model::SlotId> guard(model::SlotId slot) const {
    return guards_[slot.index];
  }
  // The rules of a state, strongest first; those of equal priority in the order of the text.
  [[nodiscard]] std::span<const model::RuleId> rules(model::StateId state) const {
    return rules_[state.index];
  }
  [[nodiscard]] std::span<const CellEffect> effects(model::RuleId rule) const {
    return effects_[rule.index];
  }
  // By state: whether a rule of it asks for the query.
  [[nodiscard]] const std::vector<bool>& asked_in(model::QueryId query) const {
    return asked_in_[query.index];
  }
  // Whether a rule of the state uses a `next` window.
  [[nodiscard]] bool looks_ahead(model::StateId state) const { return looks_ahead_[state.index]; }
  // The slots of an instance before its first event.
  [[nodiscard]] const std::vector<Cell>& initial_slots() const { return initial_slots_; }

 private:
  CollectionId collection(model::StreamId stream, const model::Window& window);
  CellAtom cell_atom(const model::Atom& atom, std::vector<model::Place> places,
                     const model::Query* query) const;
  CellAtom cell_call(const model::ElementAtom& atom, const model::Query& query);
  [[nodiscard]] std::vector<Scale> scales_of(std::span<const model::Place> places,
                                             const model::Query* query) const;

  const model::Model& model_;
  const Functions* functions_;
  const Texts* texts_;
  Numbers numbers_;
  Table<CollectionId, Collection> collections_;
  std::vector<CollectionId> expiring_;
  std::uint32_t lengths_ = 0;
  std::uint32_t next_windows_ = 0;
  std::vector<std::vector<std::uint32_t>> text_fields_;
  std::vector<std::vector<CollectionId>> by_stream_;
  std::vector<CellQuery> queries_;
  std::vector<CellAtom> atoms_;
  std::vector<std::optional<model::QueryId>> query_of_;
  std::vector<Scale> slot_scales_;
  std::vector<std::vector<Scale>> field_scales_;
  std::vector<std::vector<model::SlotId>> behind_;
  std::vector<std::optional<model::SlotId>> guards_;
  std::vector<std::vector<model::RuleId>> rules_;
  std::vector<std::vector<CellEffect>> effects_;
  std::vector<std::vector<bool>> asked_in_;
  std::vector<bool> looks_ahead_;
  std::vector<Cell> initial_slots_;
};

// By binding: an element as its row of cells.
using Elements = std::span<const Cell* const>;

[[nodiscard]] bool holds(const CellAtom& atom, std::span<const Cell> slots, Elements elements,
                         const Numbers& numbers);

}  // namespace poise::watch
