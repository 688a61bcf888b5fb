#pragma once

// The experiment of the AFChecker paper (its section 4) on simulated people: rank the faults of a
// model by some days of a log, and see how many of those at the top happen in ten years.

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

// A model with the faults that are to be ranked.
struct Subject {
  std::string name;
  model::Model model;
  std::vector<finding::Fault> faults;
  std::vector<finding::Case> cases;  // that types leave
  std::string (*line)(const struct Sensed&);
};
[[nodiscard]] Subject subject(const std::string& examples, const std::string& name);

// What a person's log says after so many entries, for each of some numbers; and in ten years.
struct Life {
  std::map<std::size_t, rank::Evidence> logs;
  rank::Evidence ten_years;
};
[[nodiscard]] Life life(const Subject& subject, std::uint64_t person,
                        const std::vector<std::size_t>& sizes);

struct Outcome {
  rank::Method method;
  std::size_t entries;
  std::uint64_t person;
  std::size_t truths;                    // cases that happen
  std::size_t seen;                      // of these, in the log already
  std::vector<rank::Quality> qualities;  // static, dynamic, random, ideal
  std::vector<std::size_t> left_after;  // cases left after 0, 1, 2 and 3 confirmed cores are mended
};
[[nodiscard]] std::vector<Outcome> outcomes(const Subject& subject, std::uint64_t people,
                                            const std::vector<std::size_t>& sizes);

}  // namespace poise::bench
