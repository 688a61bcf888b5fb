#pragma once

// A model made ready to be watched: what is the same for all instances, and never changes.
//
// A *collection* is what a quantifier goes through: a stream and a window. Queries that use the
// same one share it.

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
// A time and a length that is not negative.
[[nodiscard]] constexpr Time later(Time time, Time length) {
  Time sum = 0;
  return __builtin_add_overflow(time, length, &sum) ? kNever : sum;
}

struct Collection {
  model::StreamId stream;
  model::Window::Kind kind = model::Window::Kind::Latest;
  Time length = 0;
  std::uint32_t place = 0;  // `next`: which one it is; `last`: which length it has
};

// An atom over cells: the sum of its terms and a constant stands in a relation to 0, or is one of
// some numbers. Everything is multiplied by one number, so that all are whole.
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
  bool linear = true;  // else, and for numbers that do not fit, `exact` is what counts
  const model::Atom* exact = nullptr;
  std::optional<CellCall> call;      // then it is what counts
  std::vector<model::Place> places;  // by slot of `exact`
  std::vector<Scale> scales;
};

struct CellQuery {
  const model::Query* query = nullptr;  // none if no rule asks for it
  std::vector<CellAtom> atoms;
  std::vector<CollectionId> collections;  // by node; of quantifiers
};

struct CellEffect {
  model::SlotId slot;
  Cell value = kNone;
};

class WatchedModel {
 public:
  // All must outlive it. Without the functions of its externs, a model that calls them can be
  // planned but not run.
  explicit WatchedModel(const model::Model& model, const Functions* functions = nullptr,
                        const Texts* texts = nullptr);

  [[nodiscard]] const model::Model& model() const { return model_; }
  // Of its own constants; a monitor goes on from here.
  [[nodiscard]] const Numbers& numbers() const { return numbers_; }

  [[nodiscard]] Scale scale(model::SlotId slot) const { return slot_scales_[slot.index]; }
  [[nodiscard]] Scale scale(model::StreamId stream, std::size_t field) const {
    return field_scales_[stream.index][field];
  }
  [[nodiscard]] const Table<CollectionId, Collection>& collections() const { return collections_; }
  // The same, for the steps that every event takes.
  [[nodiscard]] const Collection& collection(CollectionId id) const {
    return *(&*collections_.begin() + id.index);
  }
  [[nodiscard]] std::size_t next_windows() const { return next_windows_; }
  // Those that elements leave by themselves, and how many lengths they have.
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
  // The atoms of variables; of queries, which one.
  [[nodiscard]] const CellAtom& atom(model::AtomId id) const { return atoms_[id.index]; }
  [[nodiscard]] std::optional<model::QueryId> query_of(model::AtomId id) const {
    return query_of_[id.index];
  }
  // The slots that have a value only while this one holds.
  [[nodiscard]] std::span<const model::SlotId> behind(model::SlotId guard) const {
    return behind_[guard.index];
  }
  [[nodiscard]] std::optional<model::SlotId> guard(model::SlotId slot) const {
    return guards_[slot.index];
  }
  // The rules of a state, strongest first; those of one priority as declared.
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
  // Whether a rule of the state looks at what comes after it was entered.
  [[nodiscard]] bool looks_ahead(model::StateId state) const { return looks_ahead_[state.index]; }
  // An instance before its first event.
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

// Elements by binding, each a row of cells.
using Elements = std::span<const Cell* const>;

[[nodiscard]] bool holds(const CellAtom& atom, std::span<const Cell> slots, Elements elements,
                         const Numbers& numbers);

}  // namespace poise::watch
