#pragma once

// Shared by the tables of bench/check: the program that is measured, and random models in files.

#include <cstddef>
#include <string>
#include <vector>

#include "bench/common/measure.h"

namespace poise::bench {

// A model as `poise generate` makes it.
struct Size {
  std::size_t states;
  std::size_t rules;
  std::size_t variables;
  std::vector<std::string> more = {};  // other options of `poise generate`
};

// "(10,40,15)", as the paper writes it.
[[nodiscard]] std::string name(const Size& size);

struct Bench {
  std::string poise;     // the path of the program
  std::string examples;  // the folder of the example models
  std::string folder;    // where models are written

  [[nodiscard]] std::string phone_adapter() const { return examples + "/phone-adapter.poise"; }
  // The path of a model of this size, which is made on first use.
  [[nodiscard]] std::string file(const Size& size) const;
  // Runs `poise check` with these options as a process, from its start to its end.
  [[nodiscard]] Measured check(const std::string& file, const std::vector<std::string>& options,
                               Repeat repeat = {}) const;
};

// Says on standard error what is being measured.
void say(const std::string& what);

// Each prints a heading, a few words and tables.
void print_paper(const Bench& bench);        // paper.cpp
void print_listing(const Bench& bench);      // paper.cpp
void print_bars(const Bench& bench);         // bars.cpp
void print_growth(const Bench& bench);       // growth.cpp
void print_paths(const Bench& bench);        // growth.cpp
void print_enumerative(const Bench& bench);  // growth.cpp
void print_jobs(const Bench& bench);         // growth.cpp
void print_differences(const Bench& bench);  // differences.cpp

}  // namespace poise::bench
