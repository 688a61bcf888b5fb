#pragma once

// Cures of faults, as data: a small change of one rule (or the deletion of rules that never fire)
// that was tried and found to remove a fault without making another. check/cures/ finds and tries
// them; docs/findings.md ("Cures") says what is promised. Reports make the words.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "poise/base/integer.h"
#include "poise/model/model.h"

namespace poise::finding {

struct Cure {
  enum class Kind {
    Priority,   // the rule gets `priority`
    Condition,  // the rule's guard is joined with `condition`, or with its negation, by `and`
    Target,     // the rule leads to `to`
    Deletion,   // the rules are deleted
  };

  Kind kind;
  std::vector<model::RuleId> rules;  // that are changed: one, unless some are deleted
  std::int64_t priority = 0;
  model::FormulaId condition = {};  // the guard of a rule, or a part of it
  bool negated = false;
  model::StateId to = {};
  // How much is different afterwards: the number of pairs of a state and a situation in which other
  // rules are triggered, or lead elsewhere.
  Integer elsewhere = {};

  [[nodiscard]] model::RuleId rule() const { return rules.front(); }
};

// Conditions with a longer text are not suggested: nobody would read them. They are not named
// either ("not the guard of r"), because another cure may change what the name means.
inline constexpr std::size_t kLongestCondition = 80;

// Whether both say the same change.
[[nodiscard]] bool same_change(const Cure& a, const Cure& b);

// Changes the model. Ids stay valid: a deleted rule becomes one whose guard is false, and formulas
// are only added.
void apply(model::Model& model, const Cure& cure);

// The states in which other rules may be triggered, or lead elsewhere; sorted.
[[nodiscard]] std::vector<model::StateId> changed_states(const model::Model& model,
                                                         const Cure& cure);

// What came out of the search for a cure of one fault.
struct Treatment {
  enum class Outcome {
    Cured,      // `cure` is one, alone and together with all others of the report
    NoneKnown,  // there is no change of these forms that could be tried
    NoneFound,  // no change that was tried is a cure
    Excluded,   // what is one does not go together with the cures of earlier faults
    NotTried,   // it would have taken too long
  };
  std::size_t fault;  // an index into the faults of a report
  Outcome outcome = Outcome::NoneKnown;
  std::optional<Cure> cure = {};
};

}  // namespace poise::finding
