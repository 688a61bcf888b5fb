#pragma once

// Resolves the declarations of a policy into model::Policy, and checks that they fit the rest of
// the model.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "poise/lang/expressions.h"
#include "poise/lang/policy_expressions.h"
#include "poise/lang/reporter.h"
#include "poise/lang/scope.h"
#include "poise/lang/syntax.h"
#include "poise/model/model.h"

namespace poise::lang {

class Policies {
 public:
  // `model` already holds its variables with their first values, and `expressions` its `let`s. All
  // must outlive it.
  Policies(const Tree& tree, const Scope& scope, model::Model& model, Reporter& reporter,
           Expressions& expressions, const LineIndex& lines);

  // Whether the model has a policy and so needs no states. `tick` and `expect` are not enough,
  // because models with states may have them, too.
  [[nodiscard]] bool decides() const { return first_of_policy_.has_value(); }

  // Whether a constraint reads variants or variables of the policy. Such a constraint does not
  // restrict the context; resolve() makes it an expectation of the policy.
  [[nodiscard]] bool is_about_policy(const ConstraintDeclaration& constraint) const;

  // Fills model.policy.
  void resolve();

 private:
  template <class T, class Visit>
  void for_each(Visit visit) const {
    for (const Declaration& declaration : tree_.declarations) {
      if (const T* wanted = std::get_if<T>(&declaration)) visit(*wanted);
    }
  }

  void look_around();
  bool check_parts();
  void add_tick(const TickDeclaration& declaration);
  void add_utility(const UtilityDeclaration& declaration);
  model::UtilityScale resolved_scale(const UtilityDeclaration& declaration);
  void check_method(const UtilityDeclaration& declaration);
  void declare_option(const OptionDeclaration& declaration);
  void resolve_option(const OptionDeclaration& declaration);
  void add_assignment(const OptionAssignment& assignment, model::Option& option);
  std::optional<model::OptionId> option(const Name& name);
  void add_preference(const PreferDeclaration& declaration);
  void add_expectation(const ExpectDeclaration& declaration);
  void add_expectation(const ConstraintDeclaration& declaration);
  std::optional<model::SlotId> expected_variant(const Name& name, ExpectDeclaration::Kind kind);
  std::optional<model::SlotId> expected_property(const Name& name);
  std::optional<model::VariableId> variable(const Name& name);
  std::uint32_t expected_count(const Bound& count);
  std::string name_from_text(Span span);

  const Tree& tree_;
  const Scope& scope_;
  model::Model& model_;
  Reporter& reporter_;
  PolicyExpressions expressions_;
  const LineIndex& lines_;

  // The first declaration that only models with a policy may have, and the first that only models
  // with rules may have: both in one model are a mistake.
  struct Part {
    std::string_view keyword;
    Span span;
  };
  std::optional<Part> first_of_policy_;
  std::optional<Part> first_of_rules_;
  std::optional<Span> first_variant_;
  std::optional<Span> first_option_;

  std::optional<Span> tick_;
  model::UtilityScale scale_;  // of options that have none of their own
  std::optional<Span> scale_span_;
  std::unordered_map<std::string_view, std::pair<model::UtilityScale, Span>> scales_;
  std::unordered_map<std::string_view, std::pair<model::OptionId, Span>> options_;
  std::vector<std::string_view> option_names_;
  std::unordered_map<std::string, Span> expectations_;  // by name
};

}  // namespace poise::lang
