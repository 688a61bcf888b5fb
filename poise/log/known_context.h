#pragma once

// What is known of the context of one application instance, after some lines of its log. At first
// nothing is. A variable behind a guard that does not hold has no value; when the guard holds
// again, what was said about the variable before is out of date, and nothing is known.
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

  // An atom is false where a slot it reads has no value; else it is unknown where a slot is. A
  // value is believed as long as the guard is not known to be false.
  [[nodiscard]] Truth truth(const model::Atom& atom) const;

  friend bool operator==(const KnownContext& a, const KnownContext& b) {
    return a.kinds_ == b.kinds_ && a.values_ == b.values_;
  }

 private:
  using Kind = Update::Kind;

  struct Changed {
    model::SlotId guard;
    Truth before;
  };

  void set(const Update& update);
  // Nothing is known any more about a slot, unless this entry says it, and about those behind it.
  void forget(model::SlotId slot);
  [[nodiscard]] bool is_absent(model::SlotId slot) const;
  [[nodiscard]] Truth truth(model::SlotId guard) const;

  const model::Model& model_;
  std::vector<std::vector<model::SlotId>> behind_;  // by slot: those it is the guard of
  std::vector<Kind> kinds_;
  model::Context values_;               // none where nothing is known
  std::vector<std::uint64_t> said_in_;  // by slot: the last entry that set it
  std::uint64_t entries_ = 0;
  std::vector<Changed> changed_;  // in the entry that is applied
};

}  // namespace poise::log
