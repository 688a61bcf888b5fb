#include "poise/watch/counting/counter_layout.h"

#include <algorithm>
#include <map>
#include <utility>

namespace poise::watch {

namespace {

using Plans = std::vector<Plan>;
// A field of a stream. Plans that share one belong to one unit.
using Node = std::pair<std::uint32_t, std::uint32_t>;

// Whether a plan has a unit to itself. One that is counted anew at times, because a variable
// changes or a state is entered, would make the others count anew with it. One with closed queries
// inside has to ask these first. One without lookups has no key to share.
bool counts_alone(const WatchedModel& watched, const Plan& plan) {
  return plan.lookups.empty() || !plan.slots.empty() || !plan.closed.empty() ||
         std::ranges::any_of(plan.collections, [&](CollectionId id) {
           return watched.collection(id).kind == model::Window::Kind::Next;
         });
}

bool is_dense(const WatchedModel& watched, CollectionId id, std::uint32_t index) {
  constexpr std::int64_t kMost = 1 << 16U;
  const model::Field& field = watched.model().streams[watched.collection(id).stream].fields[index];
  if (field.text) return true;
  switch (field.type.kind) {
    case model::TypeKind::Bool:
    case model::TypeKind::Enum: return true;
    case model::TypeKind::Int:
      return field.type.low >= Rational(0) && field.type.high <= Rational(kMost);
    case model::TypeKind::Real:
    case model::TypeKind::Set: return false;
  }
  return false;
}

class Maker {
 public:
  Maker(const WatchedModel& watched, const Plans& plans) : watched_(watched), plans_(plans) {}

  CounterLayout made() {
    layout_.unit_of.assign(plans_.size(), kNoUnit);
    layout_.place_of.assign(plans_.size(), 0);
    layout_.accesses.resize(watched_.collections().size());
    layout_.plans.resize(watched_.collections().size());
    for (std::uint32_t i = 0; i < plans_.size(); ++i) {
      note_readers(i);
      if (plans_[i].kind != Plan::Kind::Scan) add_to_unit(i);
    }
    for (std::uint32_t unit = 0; unit < layout_.units.size(); ++unit) {
      if (layout_.units[unit].pairs) {
        add_pairs(unit);
      } else {
        add_columns(unit);
      }
    }
    for (const CollectionId id : watched_.collections().ids()) find_fast_paths(id);
    return std::move(layout_);
  }

 private:
  void find_fast_paths(CollectionId id) {
    std::uint64_t units = 0;
    for (const std::uint32_t plan : layout_.plans[id.index]) {
      const std::uint64_t bit = bit_of(layout_.unit_of[plan]);
      units |= bit == 0 ? kEveryUnit : bit;
    }
    layout_.units_of.push_back(units);
    for (Access& access : layout_.accesses[id.index]) {
      const Unit& unit = layout_.units[access.unit];
      const Entry& first = access.entries.front();
      if (access.entries.size() > 1 || first.kind != Entry::Kind::Plain || !unit.keyed) continue;
      const std::vector<Use>& uses = unit.columns[first.column].uses;
      access.is_plain = std::ranges::all_of(uses, [&](const Use& use) {
        const Plan& plan = plans_[unit.plans[use.plan]];
        return plan.lookups.size() == 1 && plan.locals.empty() && !counts_alone(watched_, plan);
      });
      if (!access.is_plain) continue;
      access.column = first.column;
      add_plain_uses(access, unit, uses);
    }
  }

  static void add_plain_uses(Access& access, const Unit& unit, const std::vector<Use>& uses) {
    std::vector<FastUse::Side> outer;
    std::vector<FastUse::Side> inner;
    for (const Use& use : uses) {
      const Unit::Columns& columns = unit.columns_of[use.plan];
      if (use.lookup == kOuter) {
        outer.push_back({use.plan, columns.lookups.front()});
      } else {
        inner.push_back({use.plan, columns.outer});
      }
    }
    const auto most = static_cast<std::uint32_t>(unit.plans.size());
    const FastUse::Side nothing{most, access.column};
    for (std::size_t i = 0; i < std::max(outer.size(), inner.size()); ++i) {
      access.uses.push_back(
          {i < outer.size() ? outer[i] : nothing, i < inner.size() ? inner[i] : nothing});
    }
  }

  void note_readers(std::uint32_t plan) {
    for (const CollectionId id : plans_[plan].collections) {
      std::vector<std::uint32_t>& readers = layout_.plans[id.index];
      if (readers.empty() || readers.back() != plan) readers.push_back(plan);
    }
  }

  Node node(CollectionId id, std::uint32_t field) const {
    return {watched_.collection(id).stream.index, field};
  }

  // Units are the connected components of plans that share a field.
  void add_to_unit(std::uint32_t index) {
    const Plan& plan = plans_[index];
    const bool pairs = plan.kind == Plan::Kind::Pairs;
    auto unit = static_cast<std::uint32_t>(layout_.units.size());
    if (!pairs && !counts_alone(watched_, plan)) {
      std::vector<Node> nodes = {node(plan.collection, plan.key)};
      for (const Plan::Lookup& lookup : plan.lookups) {
        nodes.push_back(node(lookup.collection, lookup.field));
      }
      for (const Node& one : nodes) {
        const auto known = unit_of_node_.find(one);
        if (known != unit_of_node_.end()) unit = std::min(unit, known->second);
      }
      // The plan may connect units that were apart until now; they become one.
      for (const Node& one : nodes) {
        const auto known = unit_of_node_.find(one);
        if (known != unit_of_node_.end() && known->second != unit) merge(known->second, unit);
        unit_of_node_[one] = unit;
      }
    }
    if (unit == layout_.units.size()) layout_.units.emplace_back();
    layout_.units[unit].pairs = pairs;
    layout_.units[unit].plans.push_back(index);
  }

  void merge(std::uint32_t from, std::uint32_t into) {
    std::vector<std::uint32_t>& moved = layout_.units[from].plans;
    std::vector<std::uint32_t>& plans = layout_.units[into].plans;
    plans.insert(plans.end(), moved.begin(), moved.end());
    moved.clear();
    for (auto& [one, unit] : unit_of_node_) {
      if (unit == from) unit = into;
    }
  }

  void place_plans(std::uint32_t unit) {
    const std::vector<std::uint32_t>& plans = layout_.units[unit].plans;
    for (std::uint32_t place = 0; place < plans.size(); ++place) {
      layout_.unit_of[plans[place]] = unit;
      layout_.place_of[plans[place]] = place;
    }
  }

  Access& access(CollectionId id, std::uint32_t unit, std::uint32_t field) {
    std::vector<Access>& known = layout_.accesses[id.index];
    for (Access& one : known) {
      if (one.unit == unit && one.field == field) return one;
    }
    return known.emplace_back(Access{.unit = unit, .field = field});
  }

  // Lookups first, so that an element that is on both sides is compared with itself exactly once.
  void add_pairs(std::uint32_t unit) {
    place_plans(unit);
    const Plan& plan = plans_[layout_.units[unit].plans.front()];
    for (std::uint32_t i = 0; i < plan.lookups.size(); ++i) {
      access(plan.lookups[i].collection, unit, 0).entries.push_back({Entry::Kind::Pairs, 0, 0, i});
    }
    access(plan.collection, unit, 0).entries.push_back({Entry::Kind::Pairs, 0, 0, kOuter});
  }

  void add_columns(std::uint32_t unit) {
    place_plans(unit);
    Unit& made = layout_.units[unit];
    plain_.clear();
    made.dense = true;
    for (std::uint32_t place = 0; place < made.plans.size(); ++place) {
      const Plan& plan = plans_[made.plans[place]];
      made.keyed = !plan.lookups.empty();
      if (made.keyed) made.dense = made.dense && is_dense(watched_, plan.collection, plan.key);
      taken_.clear();
      Unit::Columns& columns = made.columns_of.emplace_back();
      columns.outer = outer_column(unit, place, plan);
      for (std::uint32_t i = 0; i < plan.lookups.size(); ++i) {
        made.dense =
            made.dense && is_dense(watched_, plan.lookups[i].collection, plan.lookups[i].field);
        columns.lookups.push_back(lookup_column(unit, place, plan.lookups[i], i));
      }
      add_uses(made, place, plan);
    }
  }

  static void add_uses(Unit& unit, std::uint32_t place, const Plan& plan) {
    const Unit::Columns& columns = unit.columns_of[place];
    for (std::uint32_t the_class = 0; the_class < 1U << plan.locals.size(); ++the_class) {
      unit.columns[columns.outer + the_class].uses.push_back({place, kOuter});
    }
    for (std::uint32_t i = 0; i < plan.lookups.size(); ++i) {
      unit.columns[columns.lookups[i]].uses.push_back({place, i});
    }
  }

  std::uint32_t new_columns(std::uint32_t unit, CollectionId id, std::uint32_t field,
                            std::size_t count, Entry entry) {
    std::vector<Column>& columns = layout_.units[unit].columns;
    entry.column = static_cast<std::uint32_t>(columns.size());
    for (std::size_t i = 0; i < count; ++i) columns.push_back({id, field, {}});
    access(id, unit, field).entries.push_back(entry);
    return entry.column;
  }

  // A column that counts all elements of a collection serves every plan of the unit, but only one
  // side of each: a plan that compares a collection with itself gets two columns, so that an
  // element comes to the two sides one after the other.
  std::uint32_t plain_column(std::uint32_t unit, CollectionId id, std::uint32_t field) {
    for (const std::uint32_t column : plain_) {
      const Column& known = layout_.units[unit].columns[column];
      const bool taken = std::ranges::find(taken_, column) != taken_.end();
      if (known.collection == id && known.field == field && !taken) {
        taken_.push_back(column);
        return column;
      }
    }
    plain_.push_back(new_columns(unit, id, field, 1, {Entry::Kind::Plain, 0, 0, 0}));
    taken_.push_back(plain_.back());
    return plain_.back();
  }

  std::uint32_t outer_column(std::uint32_t unit, std::uint32_t place, const Plan& plan) {
    const std::uint32_t key = plan.lookups.empty() ? 0 : plan.key;
    if (plan.locals.empty()) return plain_column(unit, plan.collection, key);
    return new_columns(unit, plan.collection, key, std::size_t{1} << plan.locals.size(),
                       {Entry::Kind::Classes, 0, place, kOuter});
  }

  std::uint32_t lookup_column(std::uint32_t unit, std::uint32_t place, const Plan::Lookup& lookup,
                              std::uint32_t index) {
    if (lookup.literals.empty()) return plain_column(unit, lookup.collection, lookup.field);
    return new_columns(unit, lookup.collection, lookup.field, 1,
                       {Entry::Kind::Fitting, 0, place, index});
  }

  const WatchedModel& watched_;
  const Plans& plans_;
  CounterLayout layout_;
  std::map<Node, std::uint32_t> unit_of_node_;
  std::vector<std::uint32_t> plain_;  // columns of all elements, of the unit under way
  std::vector<std::uint32_t> taken_;  // those of them that the plan under way uses
};

}  // namespace

CounterLayout counter_layout(const WatchedModel& watched, const std::vector<Plan>& plans) {
  return Maker(watched, plans).made();
}

}  // namespace poise::watch
