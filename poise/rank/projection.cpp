#include "poise/rank/projection.h"

#include <algorithm>

namespace poise::rank {

using model::AtomId;
using model::SlotId;

Projection::Projection(const model::Model& model)
    : model_(model), readers_(model.slots.size()), behind_(model.slots.size()) {
  for (const SlotId slot : model.slots.ids()) {
    for (auto guard = model::guard_slot(model, slot); guard;
         guard = model::guard_slot(model, *guard)) {
      behind_[guard->index].push_back(slot);
    }
  }
  for (const AtomId atom : model.atoms.ids()) {
    for (std::optional<SlotId> slot : model.atoms[atom].slots) {
      for (; slot; slot = model::guard_slot(model, *slot)) readers_[slot->index].push_back(atom);
    }
  }
  for (std::vector<AtomId>& atoms : readers_) {
    std::ranges::sort(atoms);
    atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  }
}

Projection::Instance& Projection::instance(std::string_view app) {
  if (last_ != nullptr && last_app_ == app) return *last_;
  auto found = instances_.find(app);
  if (found == instances_.end()) {
    Instance fresh{log::KnownContext(model_), {}, {}};
    fresh.truths.resize(model_.atoms.size());
    fresh.last.resize(model_.slots.size());
    for (const AtomId atom : model_.atoms.ids()) {
      fresh.truths[atom.index] = fresh.known.truth(model_.atoms[atom]);
    }
    found = instances_.emplace(std::string(app), std::move(fresh)).first;
  }
  last_ = &found->second;
  last_app_ = app;
  return *last_;
}

void Projection::add(const log::Entry& entry) {
  Instance& here = instance(entry.app);
  const auto is_new = [&](const log::Update& update) {
    return here.last[update.slot.index] != update;
  };
  here.known.apply(entry);
  // If a guard changed, the values behind it count as new, even if they are said to be as before.
  for (const log::Update& update : entry.updates) {
    if (behind_[update.slot.index].empty() || !is_new(update)) continue;
    for (const SlotId slot : behind_[update.slot.index]) here.last[slot.index].reset();
  }
  for (const log::Update& update : entry.updates) {
    if (!is_new(update)) continue;
    here.last[update.slot.index] = update;
    for (const AtomId atom : readers_[update.slot.index]) {
      here.truths[atom.index] = here.known.truth(model_.atoms[atom]);
    }
  }
  evidence_.add(here.truths, entry.line, entry.time, entry.app);
}

Evidence Projection::evidence() const {
  Evidence evidence = evidence_;
  evidence.finish();
  return evidence;
}

}  // namespace poise::rank
