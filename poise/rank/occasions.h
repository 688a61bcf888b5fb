#pragma once

// How often a fault was to be expected in a log in which it did not happen. The environment offers
// *occasions*: changes at which the fault would happen if the application were in the right state.
// Whether it is, depends on its past. So each change of the log, from one situation m of the
// environment to another m', is tried from every state in which the application could have rested
// in m, and what it leads to counts as much as the application is likely to be in that state:
//
//   expected(fault) = sum over changes m -> m' and states s at rest in m
//                       P(s | m) * [the run from s in m' shows the fault]
//   P(s | m) = (changes from m in which the application was in s + share of s) / (changes from m +
//   1)
//
// where the share of s is that of all changes in which it was in s, half a change added, among the
// states at rest in m. So a situation that was left often says where the application is, and one
// that was left once says little.

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "poise/rank/application.h"
#include "poise/rank/case_index.h"

namespace poise::rank {

class Occasions {
 public:
  explicit Occasions(const Rulebook& rulebook)
      : rulebook_(rulebook), in_state_(rulebook.model.states.size()) {}

  // The situation in which an application has come to rest.
  [[nodiscard]] std::uint32_t rest(Application& at_rest);
  // A line changed its context; it has not been run yet.
  void change(std::uint32_t from, Application& changed);

  // By case, how often it was to be expected.
  [[nodiscard]] std::vector<double> expected(const CaseIndex& index, std::size_t cases) const;
  [[nodiscard]] std::size_t changes() const { return changes_; }

 private:
  struct Moment {
    std::vector<model::StateId> resting;  // states that no rule leaves in it
    // What the runs from all states show; they are not looked at before a change leads here.
    std::vector<std::pair<model::StateId, std::uint32_t>> shown;
    bool tried = false;
    std::unordered_map<std::uint32_t, std::size_t> left_in;  // changes from here, by state
    std::size_t left = 0;
  };
  void try_all_states(Moment& moment, const Application& there);
  [[nodiscard]] std::unordered_map<std::uint32_t, double> likely_states(const Moment& from) const;

  const Rulebook& rulebook_;
  std::vector<Moment> moments_;
  std::unordered_map<std::string, std::uint32_t> known_;  // moments by their atoms, as bytes
  std::vector<IncidentKey> incidents_;
  std::unordered_map<IncidentKey, std::uint32_t, IncidentKeyHash> known_incidents_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> pairs_;  // changes, from and to
  std::vector<std::size_t> in_state_;                                     // changes by state
  std::size_t changes_ = 0;
  std::size_t tries_ = 0;
};

}  // namespace poise::rank
