#pragma once

// Shared by the tables of bench/verify: the twelve cars, and how figures are written.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/common/measure.h"
#include "poise/base/integer.h"
#include "poise/model/model.h"
#include "poise/verify/verify.h"
#include "poise/verify/zones/explore.h"

namespace poise::bench {

struct VerifyBench {
  std::string poise;     // the path of the program
  std::string examples;  // the folder of the example models
};

struct Car {
  std::string name;
  std::string file;
  model::Model model;
  bool sparse;  // few paths: one rule in most states
};
[[nodiscard]] std::vector<Car> cars(const VerifyBench& bench);
[[nodiscard]] model::Model model_of(const std::string& name, const std::string& text);

// The bound of the paper's tables.
inline constexpr std::size_t kPaperBound = 30;

[[nodiscard]] Integer sum(const std::vector<Integer>& counts);
// "1,234"; "1.2e+15" if it is too long to be read.
[[nodiscard]] std::string in_short(const Integer& count);

[[nodiscard]] std::string_view verdict(bool met);  // "ok", "over"

// Says on standard error what is being measured.
void say(const std::string& what);

// Each section prints a heading, a few words and tables. It returns false if answers that must
// agree do not; a bar that is not met is only printed.
bool print_table1(const VerifyBench& bench);       // verify_tables.cpp
bool print_table2(const VerifyBench& bench);       // verify_tables.cpp
bool print_table3(const VerifyBench& bench);       // verify_tables.cpp
bool print_engines(const VerifyBench& bench);      // verify_engines.cpp
bool print_all_bounds(const VerifyBench& bench);   // verify_engines.cpp
bool print_calibration(const VerifyBench& bench);  // verify_calibration.cpp
bool print_reference(const VerifyBench& bench);    // verify_reference.cpp

}  // namespace poise::bench
