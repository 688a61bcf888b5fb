#pragma once

// The context of one application instance as far as its log tells, in three-valued logic. At first
// nothing is known. A variable whose guard does not hold has no value. When the guard holds again,
// what the log said about the variable before is out of date, and nothing is known of it.
//
//   KnownContext known(model);
//   known.apply(entry);
//   if (known.truth(atom) == Truth::Unknown) ...

#include <cstdint>
#include <vector>

#include "poise/base/truth.h"
#include "poise/log/entry.h"
#include "poise/model/model.h"

namespace poise::log {

class KnownContext {
 public:
  // The model must outlive it.
  explicit KnownContext(const model::Model& model);

  void apply(const Entry& entry);

  // An atom is False if one of its slots has no value; if not, it is Unknown if one of its slots
  // is. A value is believed as long as no guard of it is known to be false.
  [[nodiscard]] Truth truth(const model::Atom& atom) const;

  friend bool operator==(const KnownContext& a, const KnownContext& b) {
    return a.kinds_ == b.kinds_ && a.values_ == b.values_;
  }

 private:
  using Kind = Update::Kind;

  // A guard that the entry sets, and its truth before.
  struct Changed {
    model::SlotId guard;
    Truth before;
  };

  void set(const Update& update);
  // Makes a slot and all slots behind it unknown, except those that this entry sets.
  void forget(model::SlotId slot);
  [[nodiscard]] bool is_absent(model::SlotId slot) const;
  [[nodiscard]] Truth truth(model::SlotId guard) const;

  const model::Model& model_;
  std::vector<std::vector<model::SlotId>> behind_;  // by slot: those whose guard it is
  std::vector<Kind> kinds_;
  model::Context values_;               // none where nothing is known
  std::vector<std::uint64_t> said_in_;  // by slot: the last entry that set it
  std::uint64_t entries_ = 0;
  std::vector<Changed> changed_;  // by the entry under way
};

}  // namespace poise::log
