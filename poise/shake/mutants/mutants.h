#pragma once

// Planted faults: a policy, or a machine of states and rules, with one small mistake each. A flow
// that cannot tell the mutant from the original would not have found such a mistake.
//
//   for (const Mutant& mutant : mutants_of(model, grid, {.groups = {MutantGroup::F3}})) {
//     PolicyMachine machine(mutant.model, grid, mutant.sensor, {mutant.terms});
//     …
//   }
//
// The paper's four groups are about the way from the sensor to the rules, and about *adjectives*:
// the terms in `is`, as they stand in the conditions of preferences and options (not the words of
// utility). They are counted in groups of (option, property): all adjectives for one property in
// what is said about one option. A property *is weighed* if what is said about some option speaks
// of it and of another one, too; if no property is, all count as weighed.
//   F1  what the sensor passes on. Numbers in the reverse order; in an order turned by one; all ten
//       times as great. Three for three properties and more.
//   F2  what the fuzzy engine passes on, for one property: two terms swapped; all turned by any
//       number of places; one term answered like another (the last only for properties that are
//       weighed, and likewise turning). With three terms: 3 + 2 + 6.
//   F3  one adjective replaced by another of its property, so that a gap is left: the adjective
//       stands nowhere else in its group. Only properties that are weighed.
//   F4  two different adjectives of one group swapped: no gap is left.
// For the paper's web server, as far as it is known, these are 3 + 25 + 34 + 28 = 90. The paper
// says how many there are of each, not which: F1, F2 and 'weighed' are a recipe of ours that gives
// its figures. Swapping two adjectives of one `or` changes nothing: four of F4 are equivalent.
//
// The other groups are usual mutation operators:
//   threshold   a constant that something is compared with: a step more, a step less. A step is
//               that of the variable it is compared with; of reals without one a hundredth of the
//               range; of utilities a twentieth
//   comparison  < and <=, == and != for each other
//   value       a constant in what is assigned: a step more, a step less
//   priority    an option changes places with the next; a rule overtakes, or falls behind, the
//               rules of the next priority
//   dropped     an option, a preference, an assignment, a rule, or a part of an `and` or `or`
//   timer       held, over, cooldown: a tick more, a tick less, half, double, none
// An expression of a `let` changes in all places where the `let` is used at once. In rules an atom
// is changed for one rule at a time. Expectations, constraints and terms are left alone.
//
// Each mutant holds a model of its own: it costs the time and space of a copy.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/source.h"
#include "poise/model/model.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/subjects/sensor_fault.h"

namespace poise::shake {

enum class MutantGroup : std::uint8_t {
  F1,
  F2,
  F3,
  F4,
  Threshold,
  Comparison,
  Value,
  Priority,
  Dropped,
  Timer,
};
inline constexpr std::array kMutantGroups = {
    MutantGroup::F1,        MutantGroup::F2,         MutantGroup::F3,    MutantGroup::F4,
    MutantGroup::Threshold, MutantGroup::Comparison, MutantGroup::Value, MutantGroup::Priority,
    MutantGroup::Dropped,   MutantGroup::Timer};
inline constexpr std::array kPaperGroups = {MutantGroup::F1, MutantGroup::F2, MutantGroup::F3,
                                            MutantGroup::F4};

[[nodiscard]] std::string_view to_text(MutantGroup group);  // F1, threshold, …
[[nodiscard]] std::optional<MutantGroup> mutant_group(std::string_view text);

struct Mutant {
  std::string id;  // F3-7: the seventh of its group
  MutantGroup group = MutantGroup::F1;
  std::string description;
  Position at;              // where the replaced text begins; if there are two places, the first
  Position end;             // one past it; the same as `at` if unknown
  std::string replacement;  // empty if the text is dropped, or if the fault is not in the text
  model::Model model;
  SensorFault sensor = {};
  TermFault terms = {};
};

struct MutantOptions {
  std::vector<MutantGroup> groups = {kMutantGroups.begin(), kMutantGroups.end()};
};

// By group, in the order of kMutantGroups, then by place in the text. A group that is asked for
// twice counts once.
[[nodiscard]] std::vector<Mutant> mutants_of(const model::Model& model, const Grid& grid,
                                             const MutantOptions& options = {});

}  // namespace poise::shake
