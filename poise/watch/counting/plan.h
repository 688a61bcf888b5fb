#pragma once

// Query plans: how the truth of a query over streams is kept up to date.
//
//   exists s in B_stor: exists g in B_gate[last 60s]: s.tag == g.tag
//
// The outer quantifier goes through s; whether some g fits depends on s.tag alone. So it is enough
// to count, for each tag, how many g there are and how many s. An element that comes or goes
// changes one count. Only when the first g of a tag comes, or the last one goes, do the s of that
// tag begin or cease to make the query true. That is a step or two, however many elements the
// windows hold.
//
// In general the body of the outer quantifier consists of
//   - *locals*, conditions on the outer element alone. The *class* of an element is which of them
//     hold;
//   - *lookups*, inner quantifiers without others inside, over a condition on both elements. If
//     each lookup compares a field of its own element with the same field of the outer element, the
//     *key*, and otherwise looks only at its own element, elements are counted by key. If not,
//     pairs of elements are compared (pairs.h), where possible only those within a band;
//   - *closed* queries, quantifiers that mention no element from outside. Each has a plan of its
//     own.
// A query of another shape is scanned: worked out anew when it is asked and something that it reads
// has changed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poise/watch/store/watched_model.h"

namespace poise::watch {

struct Plan {
  enum class Kind {
    Count,  // counters by key
    Pairs,  // each outer element counts the inner ones that fit it
    Scan,   // worked out anew
  };
  // A condition on the element of a lookup, one of several that must all hold.
  struct Literal {
    std::uint32_t node;
    bool negated;
  };
  struct Lookup {
    std::uint32_t node = 0;  // the inner quantifier
    bool all = false;        // an `all`: an exception is looked for, and there must be none
    CollectionId collection;
    std::uint32_t binding = 0;
    // Count
    std::uint32_t field = 0;        // the one that is compared with the key
    std::vector<Literal> literals;  // the other conditions that make an element fit
  };
  // A pair can fit only if inner field - outer field is from `least` to `most`, as cells.
  struct Band {
    std::uint32_t outer = 0;
    std::uint32_t inner = 0;
    Cell least = 0;
    Cell most = 0;
    bool same = false;  // a pair can fit only if they are equal
    [[nodiscard]] Cell width() const { return most - least + 1; }
  };

  Kind kind = Kind::Scan;
  model::QueryId query;
  std::uint32_t node = 0;  // the quantifier
  std::string reason;      // Pairs: why not Count; Scan: why neither

  // Count, Pairs
  bool all = false;
  CollectionId collection;
  std::uint32_t binding = 0;
  std::uint32_t key = 0;              // Count: a field of the outer element, if there are lookups
  std::optional<Band> band;           // Pairs, if there is one lookup
  std::vector<std::uint32_t> locals;  // nodes
  std::vector<Lookup> lookups;
  std::vector<std::uint32_t> closed;        // nodes
  std::vector<std::uint32_t> closed_plans;  // their plans, in the list that plans() returns

  // All that the query reads, closed queries included
  std::vector<CollectionId> collections;
  std::vector<model::SlotId> slots;
};

// One per query, in the order of the model, then those of closed queries inside of others.
[[nodiscard]] std::vector<Plan> plans(const WatchedModel& watched);

// A plan in words, a line each.
[[nodiscard]] std::vector<std::string> explained(const WatchedModel& watched, const Plan& plan);

}  // namespace poise::watch
