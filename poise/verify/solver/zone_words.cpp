// Octagons in the language. Every bound of a variable is written, and those relations that say more
// than the bounds do. Three things need care, because the language is not arithmetic on slots:
//   - A variable behind a guard has a value only while the guard holds, and an atom over it is
//     false where it has none. So what is known of it is written behind `guard implies`. What is
//     left where the guard does not hold must be the projection of the octagon, and for that the
//     relations are those of its closure, of which none is left out because it follows from others.
//   - Members are no numbers. A relation with one is written for each member by itself.
//   - Conditions over streams are no variables. They are renewed before each step, so nothing of
//     them is worth knowing, and they are forgotten.

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/verify/solver/invariant.h"
#include "poise/verify/system/words.h"

namespace poise::verify {

using model::SlotId;

namespace {

// The weaker of two upper bounds; none is the weakest.
std::optional<Limit> weaker(const std::optional<Limit>& a, const std::optional<Limit>& b) {
  if (!a || !b) return std::nullopt;
  const Rational difference = ticks(*a) - ticks(*b);
  if (difference.sign() != 0) return difference.sign() > 0 ? a : b;
  return a->strict ? b : a;
}

// The upper bound of x, or of -x.
std::optional<Limit> bound(const Octagon& zone, std::uint32_t x, int sign) {
  if (sign > 0) return zone.most(x);
  std::optional<Limit> least = zone.least(x);
  if (least) least->value = -least->value;
  return least;
}

// The bounds of single dimensions that hold in all zones. Relations between dimensions are left
// out: those that hold in every zone hardly say anything.
Octagon box(const Zones& zones) {
  Octagon box(zones.front().shape());
  for (std::uint32_t x = 0; x < box.shape().dimensions; ++x) {
    for (const int sign : {1, -1}) {
      std::optional<Limit> most = bound(zones.front(), x, sign);
      for (const Octagon& zone : zones) most = weaker(most, bound(zone, x, sign));
      if (most) box.add({.x = x, .x_sign = sign, .y = 0, .y_sign = 0, .most = *most});
    }
  }
  return box;
}

class ZoneWords {
 public:
  enum class Detail { Complete, Brief };

  ZoneWords(const System& system, const ZoneSystem& zones)
      : system_(system), zones_(zones), dimension_of_(system.slots()) {
    for (std::uint32_t x = 0; x < zones.dimensions().size(); ++x) {
      dimension_of_[slot(x).index] = x;
      if (model::guard_slot(*system.model, slot(x))) guarded_ = true;
    }
  }

  // "true" if there is nothing to say.
  [[nodiscard]] std::string text(const Octagon& reached, Detail detail) const {
    Octagon zone = reached;
    for (const SlotId stream : system_.renewed) zone.forget(dimension(stream));
    std::vector<std::string> parts;
    if (detail == Detail::Complete) parts = constant_words(system_);
    for (std::uint32_t x = 0; x < zones_.dimensions().size(); ++x) {
      if (system_.variable(slot(x)).query) continue;
      if (detail == Detail::Complete || !keeps_to_range(zone, x))
        add_bounds(zone, x, detail, parts);
    }
    const std::vector<Octagon::Constraint> relations = relations_of(zone);
    for (const Octagon::Constraint& one : relations) add_relation(zone, one, relations, parts);
    return all_words(parts);
  }

 private:
  [[nodiscard]] SlotId slot(std::uint32_t dimension) const {
    return zones_.dimensions()[dimension];
  }
  [[nodiscard]] std::uint32_t dimension(SlotId slot) const { return *dimension_of_[slot.index]; }
  [[nodiscard]] bool is_number(std::uint32_t dimension) const {
    return !has_members(system_, slot(dimension));
  }
  [[nodiscard]] const std::string& name(std::uint32_t dimension) const {
    return system_.variable(slot(dimension)).name;
  }
  [[nodiscard]] Rational number_of(const Limit& limit) const {
    return ticks(limit) / Rational(zones_.ticks());
  }

  // ---- Values ----

  // Whether the boolean can only be this, if it has a value.
  [[nodiscard]] bool is_fixed(const Octagon& zone, SlotId boolean, int value) const {
    const auto limit = value == 1 ? zone.least(dimension(boolean)) : zone.most(dimension(boolean));
    return limit && number_of(*limit) == Rational(value);
  }

  [[nodiscard]] bool has_no_value(const Octagon& zone, SlotId slot) const {
    for (auto guard = model::guard_slot(*system_.model, slot); guard;
         guard = model::guard_slot(*system_.model, *guard)) {
      if (is_fixed(zone, *guard, 0)) return true;
    }
    return false;
  }

  // The guard that decides whether the slot has a value, if it may have one and may have none. A
  // guard that has no value itself is false in the language, so the first is enough.
  [[nodiscard]] std::optional<SlotId> open_guard(const Octagon& zone, SlotId slot) const {
    const auto first = model::guard_slot(*system_.model, slot);
    for (auto guard = first; guard; guard = model::guard_slot(*system_.model, *guard)) {
      if (!is_fixed(zone, *guard, 1)) return first;
    }
    return std::nullopt;
  }

  // The condition behind the guards of these slots, and what else must hold for it.
  [[nodiscard]] std::string behind_guards(const Octagon& zone, std::initializer_list<SlotId> slots,
                                          const std::string& condition,
                                          const std::vector<std::string>& on = {}) const {
    if (condition == "true") return condition;
    std::vector<std::string> needed;
    for (const SlotId slot : slots) {
      const std::optional<SlotId> guard = open_guard(zone, slot);
      if (guard) needed.push_back(value_words(system_, *guard, 1));
    }
    needed.insert(needed.end(), on.begin(), on.end());
    std::ranges::sort(needed);
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    if (needed.empty()) return condition;
    return fmt::format("({} implies {})", joined(needed, " and "), condition);
  }

  // ---- Bounds ----

  // A sensed number that may be anything in its range, and nothing else.
  [[nodiscard]] bool keeps_to_range(const Octagon& zone, std::uint32_t x) const {
    if (!system_.is_sensed(slot(x)) || !is_number(x)) return false;
    const Domain domain = domain_of(system_, slot(x));
    const std::optional<Limit> most = zone.most(x);
    const std::optional<Limit> least = zone.least(x);
    return most && least && !most->strict && !least->strict && number_of(*most) == domain.high &&
           number_of(*least) == domain.low;
  }

  void add_bounds(const Octagon& zone, std::uint32_t x, Detail detail,
                  std::vector<std::string>& parts) const {
    if (has_no_value(zone, slot(x))) return;
    const std::optional<Limit> most = zone.most(x);
    const std::optional<Limit> least = zone.least(x);
    const auto add = [&](const std::string& condition) {
      parts.push_back(behind_guards(zone, {slot(x)}, condition));
    };
    if (!is_number(x)) {
      std::vector<Rational> possible;
      for (const Rational& member : members_of(system_, slot(x))) {
        if (most && member > number_of(*most)) continue;
        if (!least || member >= number_of(*least)) possible.push_back(member);
      }
      return add(among_words(system_, slot(x), possible));
    }
    if (most && least && number_of(*most) == number_of(*least)) {
      return add(fmt::format("{} == {}", name(x), number_of(*most).to_string()));
    }
    if (least) {
      add(fmt::format("{} {} {}", name(x),
                      least->strict ? ">" : ">=", number_of(*least).to_string()));
    }
    if (most) {
      add(fmt::format("{} {} {}", name(x),
                      most->strict ? "<" : "<=", number_of(*most).to_string()));
    }
    // In brief, a variable that is not mentioned is in its range.
    if (!most && !least && detail == Detail::Brief) add(fmt::format("any {}", name(x)));
  }

  // ---- Relations ----

  // x_sign * x + y_sign * y <= most, ordered so that equations come from neighbours.
  [[nodiscard]] std::vector<Octagon::Constraint> relations_of(const Octagon& zone) const {
    std::vector<Octagon::Constraint> all;
    if (guarded_) {
      all = closed_relations(zone);
    } else {
      all = zone.constraints();
      std::erase_if(all, [](const Octagon::Constraint& one) { return one.y_sign == 0; });
    }
    std::ranges::sort(all, {}, [](const Octagon::Constraint& one) {
      return std::tuple(one.x, one.y, one.x_sign * one.y_sign, one.x_sign);
    });
    return all;
  }

  // All relations that say more than the bounds of their two dimensions.
  static std::vector<Octagon::Constraint> closed_relations(const Octagon& zone) {
    std::vector<Octagon::Constraint> all;
    for (std::uint32_t x = 0; x < zone.shape().dimensions; ++x) {
      for (std::uint32_t y = x + 1; y < zone.shape().dimensions; ++y) {
        for (const int x_sign : {1, -1}) {
          for (const int y_sign : {1, -1}) {
            const std::optional<Limit> most = zone.most(x, x_sign, y, y_sign);
            if (!most || follows(*most, bound(zone, x, x_sign), bound(zone, y, y_sign))) continue;
            all.push_back({.x = x, .x_sign = x_sign, .y = y, .y_sign = y_sign, .most = *most});
          }
        }
      }
    }
    return all;
  }

  // Whether the bound of a sum follows from those of its two parts.
  static bool follows(const Limit& sum, const std::optional<Limit>& a,
                      const std::optional<Limit>& b) {
    if (!a || !b) return false;
    const Rational room = ticks(sum) - (ticks(*a) + ticks(*b));
    return room.sign() > 0 || (room.sign() == 0 && (!sum.strict || a->strict || b->strict));
  }

  void add_relation(const Octagon& zone, const Octagon::Constraint& one,
                    const std::vector<Octagon::Constraint>& all,
                    std::vector<std::string>& parts) const {
    const SlotId x = slot(one.x);
    const SlotId y = slot(one.y);
    if (has_no_value(zone, x) || has_no_value(zone, y)) return;
    if (!is_number(one.x)) return add_by_member(zone, one, parts);
    if (!is_number(one.y)) {
      const Octagon::Constraint turned{one.y, one.y_sign, one.x, one.x_sign, one.most};
      return add_by_member(zone, turned, parts);
    }
    // Two opposite bounds are written as one equation.
    const auto opposite =
        std::ranges::find_if(all, [&](const auto& other) { return are_opposite(one, other); });
    if (opposite == all.end()) {
      const std::string words = relation_words(one, one.most.strict ? "<" : "<=");
      parts.push_back(behind_guards(zone, {x, y}, words));
    } else if (&one < &*opposite) {
      parts.push_back(behind_guards(zone, {x, y}, relation_words(one, "==")));
    }
  }

  static bool are_opposite(const Octagon::Constraint& a, const Octagon::Constraint& b) {
    return a.x == b.x && a.y == b.y && a.x_sign == -b.x_sign && a.y_sign == -b.y_sign &&
           !a.most.strict && !b.most.strict && a.most.halvings == b.most.halvings &&
           a.most.value == -b.most.value;
  }

  // Written so that the first variable is positive: x - y < 2.
  [[nodiscard]] std::string relation_words(const Octagon::Constraint& one,
                                           std::string_view relation) const {
    const bool turned = one.x_sign < 0;
    const Rational most = number_of(one.most);
    const Rational number = turned ? -most : most;
    const int sign = turned ? -one.y_sign : one.y_sign;
    if (relation == "==" && sign < 0 && number.sign() == 0) {
      return fmt::format("{} == {}", name(one.x), name(one.y));
    }
    std::string written(relation);
    if (turned && relation != "==") written[0] = '>';
    return fmt::format("{} {} {} {} {}", name(one.x), sign > 0 ? "+" : "-", name(one.y), written,
                       number.to_string());
  }

  // A relation whose x has members: what it says of y for each of them.
  void add_by_member(const Octagon& zone, const Octagon::Constraint& one,
                     std::vector<std::string>& parts) const {
    const SlotId x = slot(one.x);
    const SlotId y = slot(one.y);
    const std::optional<Limit> own = bound(zone, one.y, one.y_sign);
    for (const Rational& member : members_of(system_, x)) {
      if (open_guard(zone, y) == x && member.sign() == 0) continue;  // y has no value then
      const Rational most = number_of(one.most) - Rational(one.x_sign) * member;
      const auto holds = [&](const Rational& value) {
        const Rational left = Rational(one.y_sign) * value;
        return one.most.strict ? left < most : left <= most;
      };
      std::string words;
      if (!is_number(one.y)) {
        std::vector<Rational> possible;
        std::ranges::copy_if(members_of(system_, y), std::back_inserter(possible), holds);
        words = among_words(system_, y, possible);
      } else if (own && (number_of(*own) < most ||
                         (number_of(*own) == most && (own->strict || !one.most.strict)))) {
        words = "true";
      } else {
        const bool turned = one.y_sign < 0;
        const std::string_view relation =
            turned ? (one.most.strict ? ">" : ">=") : (one.most.strict ? "<" : "<=");
        words = fmt::format("{} {} {}", name(one.y), relation, (turned ? -most : most).to_string());
      }
      parts.push_back(behind_guards(zone, {x, y}, words, {value_words(system_, x, member)}));
    }
  }

  const System& system_;
  const ZoneSystem& zones_;
  std::vector<std::optional<std::uint32_t>> dimension_of_;  // by slot
  bool guarded_ = false;                                    // some dimension is behind a guard
};

}  // namespace

Invariant invariant_of(const System& system, const ZoneSystem& zones, model::StateId state,
                       const Zones& union_of) {
  Invariant made{.state = state, .cases = {}};
  if (union_of.empty()) return made;
  const ZoneWords words(system, zones);
  const auto brief = [&](const Octagon& zone) {
    const std::string text = words.text(zone, ZoneWords::Detail::Brief);
    return text == "true" ? "any values in range" : text;
  };
  for (const Octagon& zone : union_of) {
    made.cases.push_back(words.text(zone, ZoneWords::Detail::Complete));
    made.brief.push_back(brief(zone));
  }
  made.in_all = union_of.size() == 1 ? made.brief.front() : brief(box(union_of));
  return made;
}

}  // namespace poise::verify
