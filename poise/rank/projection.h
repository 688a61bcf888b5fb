#pragma once

// A log seen through the atoms of a model: entries in, evidence out.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "poise/log/entry.h"
#include "poise/log/known_context.h"
#include "poise/model/model.h"
#include "poise/rank/evidence.h"

namespace poise::rank {

class Projection {
 public:
  // The model must outlive it.
  explicit Projection(const model::Model& model);
  void add(const log::Entry& entry);
  // What the entries so far say.
  [[nodiscard]] Evidence evidence() const;

 private:
  // Most lines repeat most values: only the atoms that look at something new are evaluated.
  struct Instance {
    log::KnownContext known;
    std::vector<Truth> truths;
    std::vector<std::optional<log::Update>> last;  // by slot
  };
  [[nodiscard]] Instance& instance(std::string_view app);

  const model::Model& model_;
  std::vector<std::vector<model::AtomId>> readers_;  // by slot: atoms that depend on it
  std::vector<std::vector<model::SlotId>>
      behind_;  // by slot: those that it guards, directly or not
  std::map<std::string, Instance, std::less<>> instances_;
  Instance* last_ = nullptr;
  std::string last_app_;
  Evidence evidence_;
};

}  // namespace poise::rank
