#include "poise/shake/subjects/finite_states.h"

#include <cstddef>
#include <vector>

namespace poise::shake {

using model::Model;
using model::OptionId;
using model::PolicyExprId;
using model::PolicyOp;
using model::SlotId;

namespace {

// How the value of one slot gets into another: not at all, as it is, or by calculation.
enum class Way : unsigned char { None, Kept, Calculated };

class Flows {
 public:
  explicit Flows(const Model& model) : model_(model), count_(model.slots.size()) {
    ways_.resize(count_ * count_, Way::None);
    for (const OptionId option : model.policy.options.ids()) {
      for (const model::PolicyAssignment& assignment : model.policy.options[option].assignments) {
        if (is_open(assignment.slot)) follow(assignment.slot, assignment.value, option);
      }
    }
  }

  [[nodiscard]] bool calculates_from_itself() {
    for (std::size_t over = 0; over < count_; ++over) {
      for (std::size_t to = 0; to < count_; ++to) {
        if (way(to, over) == Way::None) continue;
        for (std::size_t from = 0; from < count_; ++from) {
          if (way(over, from) == Way::None) continue;
          const bool calculated =
              way(to, over) == Way::Calculated || way(over, from) == Way::Calculated;
          add(to, from, calculated ? Way::Calculated : Way::Kept);
        }
      }
    }
    for (std::size_t slot = 0; slot < count_; ++slot) {
      if (way(slot, slot) == Way::Calculated) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] Way& way(std::size_t to, std::size_t from) { return ways_[to * count_ + from]; }
  void add(std::size_t to, std::size_t from, Way made) {
    if (way(to, from) < made) way(to, from) = made;
  }

  // Whether the type has infinitely many values.
  [[nodiscard]] bool is_open(SlotId slot) const {
    const model::Variable& variable = model_.variables[model_.slots[slot].variable];
    if (!variable.own) return false;
    return variable.type.kind == model::TypeKind::Real ||
           (variable.unbounded && variable.type.kind == model::TypeKind::Int);
  }

  void follow(SlotId to, PolicyExprId root, OptionId option) {
    struct Step {
      PolicyExprId expr;
      Way way;
    };
    bool asked = false;  // the expression reads the utility
    std::vector<Step> steps = {{root, Way::Kept}};
    while (!steps.empty()) {
      const Step step = steps.back();
      steps.pop_back();
      const model::PolicyExpr& expr = model_.policy.exprs[step.expr];
      if (expr.op == PolicyOp::Slot && is_open(expr.slot)) {
        add(to.index, expr.slot.index, step.way);
      } else if (expr.op == PolicyOp::Utility && !asked) {
        asked = true;
        for (const model::Preference& preference : model_.policy.preferences) {
          if (preference.option == option) steps.push_back({preference.when, Way::Calculated});
        }
      } else if (expr.op == PolicyOp::Is && is_open(expr.slot)) {
        add(to.index, expr.slot.index, step.way);
      }
      for (std::size_t i = 0; i < expr.parts.size(); ++i) {
        if (const Way way = way_of_part(expr.op, i, step.way); way != Way::None) {
          steps.push_back({expr.parts[i], way});
        }
      }
    }
  }

  // A truth, or a condition that chooses between two numbers, does not get into the result.
  static Way way_of_part(PolicyOp op, std::size_t part, Way way) {
    switch (op) {
      case PolicyOp::If: return part == 0 ? Way::None : way;
      case PolicyOp::Minimum:
      case PolicyOp::Maximum:
      case PolicyOp::MaximumOver:
      case PolicyOp::MinimumOver:
      case PolicyOp::Previous: return way;
      case PolicyOp::Not:
      case PolicyOp::And:
      case PolicyOp::Or:
      case PolicyOp::Implies:
      case PolicyOp::Iff:
        // Conditions of preferences are fuzzy: there truths are calculated degrees.
        return way == Way::Calculated ? way : Way::None;
      case PolicyOp::Equal:
      case PolicyOp::NotEqual:
      case PolicyOp::Less:
      case PolicyOp::LessEqual:
      case PolicyOp::Held: return Way::None;
      default: return Way::Calculated;
    }
  }

  const Model& model_;
  std::size_t count_;
  std::vector<Way> ways_;  // [to][from]
};

}  // namespace

bool has_finitely_many_states(const Model& model) { return !Flows(model).calculates_from_itself(); }

}  // namespace poise::shake
