#pragma once

// How a query is kept up to date.
//
//   exists s in B_stor: exists g in B_gate[last 60s]: s.tag == g.tag
//
// The outer quantifier goes through s; whether there is a fitting g depends on s.tag alone. So it
// is enough to count: for each tag, how many g there are, and how many s. An element that comes or
// goes changes one count, and only where there is then a first g or no g any more, the s of that
// tag change sides. That is a step or two, however many elements the windows hold.
//
// In general the body of the outer quantifier is made of
//   - conditions on the outer element alone: the *class* of an element says which of them hold;
//   - *lookups*, inner quantifiers without others inside, over a condition on both elements. Where
//     all of them compare a field of theirs with one and the same of the outer element, the key,
//     and for the rest look at their own element, elements are counted by key; else pairs of
//     elements are compared (pairs.h), where possible only those that lie within a band;
//   - queries of their own, which no element of this one takes part in.
// A query of another shape is worked out anew, when something that it reads has changed and it is
// asked.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poise/watch/store/watched_model.h"

namespace poise::watch {

struct Plan {
  enum class Kind {
    Count,  // counters by key
    Pairs,  // elements that fit each other
    Scan,   // worked out anew
  };
  // Part of a conjunction over the element of a lookup.
  struct Literal {
    std::uint32_t node;
    bool negated;
  };
  struct Lookup {
    std::uint32_t node = 0;  // the inner quantifier
    bool all = false;        // no element fits, instead of some
    CollectionId collection;
    std::uint32_t binding = 0;
    // Count
    std::uint32_t field = 0;        // that is compared with the key
    std::vector<Literal> literals;  // what else makes an element fit
  };
  // A pair can fit only if inner field - outer field is from `least` to `most`, as cells.
  struct Band {
    std::uint32_t outer = 0;
    std::uint32_t inner = 0;
    Cell least = 0;
    Cell most = 0;
    bool same = false;  // they are equal
    [[nodiscard]] Cell width() const { return most - least + 1; }
  };

  Kind kind = Kind::Scan;
  model::QueryId query;
  std::uint32_t node = 0;  // the quantifier
  std::string reason;      // Pairs: why it is not Count; Scan: why it is neither

  // Count, Pairs
  bool all = false;
  CollectionId collection;
  std::uint32_t binding = 0;
  std::uint32_t key = 0;              // Count: field; if there are lookups
  std::optional<Band> band;           // Pairs; of the only lookup
  std::vector<std::uint32_t> locals;  // nodes: conditions on the outer element
  std::vector<Lookup> lookups;
  std::vector<std::uint32_t> closed;  // nodes of queries of their own
  std::vector<std::uint32_t> closed_plans;

  // All of it, also what is inside
  std::vector<CollectionId> collections;
  std::vector<model::SlotId> slots;
};

// One per query, in their order, then those that are inside of others.
[[nodiscard]] std::vector<Plan> plans(const WatchedModel& program);

// A plan in words, a line each.
[[nodiscard]] std::vector<std::string> explained(const WatchedModel& program, const Plan& plan);

}  // namespace poise::watch
