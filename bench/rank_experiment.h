#pragma once

// The experiment of the AFChecker paper (its section 4) on simulated people: rank the faults of a
// model by the log of some days, and see how many of those at the top really happen within ten
// years of the same person's life. The ten years are the oracle.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "poise/finding/case.h"
#include "poise/model/model.h"
#include "poise/rank/evidence.h"
#include "poise/rank/result.h"

namespace poise::bench {

// A model with the faults that are to be ranked. `line` writes what a person's phone senses as a
// line of a log for this model.
struct Subject {
  std::string name;
  model::Model model;
  std::vector<finding::Fault> faults;
  std::vector<finding::Case> cases;  // those that are possible by the types of the variables
  std::string (*line)(const struct Sensed&);
};
[[nodiscard]] Subject subject(const std::string& examples, const std::string& name);

// The evidence of one person: of logs with so many entries, and of ten years.
struct Life {
  std::map<std::size_t, rank::Evidence> logs;  // by number of entries
  rank::Evidence ten_years;
};
[[nodiscard]] Life life(const Subject& subject, std::uint64_t person,
                        const std::vector<std::size_t>& sizes);

struct Outcome {
  rank::Method method;
  std::size_t entries;
  std::uint64_t person;
  std::size_t truths;                    // cases that happen within ten years
  std::size_t seen;                      // cases that happen in the log already
  std::vector<rank::Quality> qualities;  // of the static, dynamic, random and ideal ranking
  // Cases that are left after the cores of 0, 1, 2 and 3 confirmed faults are mended; only for the
  // paper's size of a log.
  std::vector<std::size_t> left_after;
};
[[nodiscard]] std::vector<Outcome> outcomes(const Subject& subject, std::uint64_t people,
                                            const std::vector<std::size_t>& sizes);

}  // namespace poise::bench
