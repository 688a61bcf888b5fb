#include "poise/log/known_context.h"

#include <algorithm>
#include <optional>

#include "poise/model/step.h"

namespace poise::log {

using model::SlotId;

KnownContext::KnownContext(const model::Model& model)
    : model_(model),
      behind_(model.slots.size()),
      kinds_(model.slots.size(), Kind::Unknown),
      values_(model.slots.size()),
      said_in_(model.slots.size(), 0) {
  for (const SlotId slot : model.slots.ids()) {
    if (const auto guard = guard_slot(model, slot)) behind_[guard->index].push_back(slot);
  }
}

void KnownContext::apply(const Entry& entry) {
  ++entries_;
  changed_.clear();
  for (const Update& update : entry.updates) {
    if (behind_[update.slot.index].empty()) continue;
    changed_.push_back({.guard = update.slot, .before = truth(update.slot)});
  }
  for (const Update& update : entry.updates) set(update);

  for (const auto& [guard, before] : changed_) {
    const Truth now = truth(guard);
    if (now == Truth::False || now == before) continue;
    for (const SlotId slot : behind_[guard.index]) {
      // A value that the log gave while the guard was unknown is still believed. That there was
      // none is not, now that the guard may hold.
      const bool stays =
          before == Truth::True || (before == Truth::Unknown && kinds_[slot.index] != Kind::None);
      if (!stays) forget(slot);
    }
  }
}

void KnownContext::set(const Update& update) {
  const std::size_t index = update.slot.index;
  kinds_[index] = update.kind;
  values_[index] = update.kind == Kind::Value ? model::Value(update.value) : std::nullopt;
  said_in_[index] = entries_;
}

void KnownContext::forget(SlotId slot) {
  std::vector<SlotId> slots = {slot};
  while (!slots.empty()) {
    const std::size_t index = slots.back().index;
    slots.pop_back();
    if (said_in_[index] != entries_) {
      kinds_[index] = Kind::Unknown;
      values_[index].reset();
    }
    slots.insert(slots.end(), behind_[index].begin(), behind_[index].end());
  }
}

Truth KnownContext::truth(const model::Atom& atom) const {
  const auto absent = [this](SlotId slot) { return is_absent(slot); };
  if (std::ranges::any_of(atom.slots, absent)) return Truth::False;
  const auto unknown = [this](SlotId slot) { return kinds_[slot.index] == Kind::Unknown; };
  if (std::ranges::any_of(atom.slots, unknown)) return Truth::Unknown;
  return truth_of(holds(atom, values_));
}

// Whether the slot has no value: the log says so of it or of a guard above it, or such a guard is
// false.
bool KnownContext::is_absent(SlotId slot) const {
  if (kinds_[slot.index] == Kind::None) return true;
  const auto guard = guard_slot(model_, slot);
  for (auto above = guard; above; above = guard_slot(model_, *above)) {
    const model::Value& value = values_[above->index];
    if (kinds_[above->index] == Kind::None || (value && value->sign() == 0)) return true;
  }
  return false;
}

Truth KnownContext::truth(SlotId guard) const {
  if (is_absent(guard)) return Truth::False;
  const model::Value& value = values_[guard.index];
  if (!value) return Truth::Unknown;
  return truth_of(value->sign() != 0);
}

}  // namespace poise::log
