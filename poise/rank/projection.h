#pragma once

// A log, seen through the atoms of a model: entries come in, evidence goes out.

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
  // The evidence of the entries so far.
  [[nodiscard]] Evidence evidence() const;

 private:
  // One instance of the application. Most lines repeat most values, so only atoms that read a value
  // that changed are evaluated again.
  struct Instance {
    log::KnownContext known;
    std::vector<Truth> truths;
    std::vector<std::optional<log::Update>> last;  // by slot: what was said of it last
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
