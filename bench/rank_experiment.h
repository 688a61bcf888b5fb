#pragma once

// The experiment of the AFChecker paper (its section 4) on simulated people and households: rank
// the faults of a model by the log of some days, and see how many of those at the top are true
// within ten years of the same life. The ten years are the oracle.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "poise/finding/case.h"
#include "poise/model/model.h"
#include "poise/rank/evidence.h"
#include "poise/rank/result.h"

namespace poise::bench {

// What a fault in one situation needs to be true: its situation comes about; or the fault itself
// happens when the model is executed on all readings.
enum class TruthOf { Situation, Fault };

// What is compared.
enum class Contender {
  Paper,
  Situations,  // likelihood without a replay: a fault is as likely as its situation
  Likelihood,
};
[[nodiscard]] std::string_view name(Contender contender);

// A model with the faults that are to be ranked.
struct Subject {
  std::string name;
  model::Model model;
  std::vector<finding::Fault> faults;
  std::vector<finding::Case> cases;  // those that are possible by the types of the variables
  // The readings of one life, a line of a log at each call.
  std::function<std::function<std::string()>(std::uint64_t seed)> life;
  std::vector<std::size_t> sizes;  // of logs, in entries; ascending
  std::uint64_t kept = 1;          // so many of `of` readings are in the log
  std::uint64_t of = 1;
  std::size_t readings = 10 * 365 * 288;
};
[[nodiscard]] Subject phone_subject(const std::string& examples, const std::string& name);
[[nodiscard]] Subject home_subject(const std::string& examples);

// What is known from some readings.
struct Known {
  rank::Evidence evidence;
  rank::Executed executed;
};
struct Life {
  std::map<std::size_t, Known> logs;  // by number of entries
  Known whole;
};
[[nodiscard]] Life life(const Subject& subject, std::uint64_t seed);

struct Outcome {
  TruthOf truth;
  Contender contender;
  std::size_t entries;
  std::uint64_t seed;
  std::size_t truths;                    // cases that are true within ten years
  std::size_t known;                     // cases that are true in the log already
  std::vector<rank::Quality> qualities;  // of the static, dynamic, random and ideal ranking
  double first_ten;                      // precision of the static ranking
  double first_twenty;
  // Cases that are left after the cores of 0, 1, 2 and 3 confirmed faults are mended.
  std::vector<std::size_t> left_after;
};
[[nodiscard]] std::vector<Outcome> outcomes(const Subject& subject, std::uint64_t lives);

}  // namespace poise::bench
