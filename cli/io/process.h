#pragma once

// A program of the user as a subject to be shaken. For each context that it reads, as a line, it
// writes a variant, as a line (shake/subjects/protocol.h). If it ends, does not answer in time or
// answers something that is no variant, that is a failure that shaking has found, not an error.
//
// The shell runs it in a process group of its own, so that all its children can be ended with it.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/file.h"
#include "poise/model/model.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/subjects/subject.h"

namespace poise::cli {

struct ProgramOptions {
  std::string command;
  std::chrono::milliseconds timeout = std::chrono::seconds(1);  // for an answer
  enum class Reset { Restart, Line };
  Reset reset = Reset::Restart;  // before each flow: restart it, or send it a line
};

class ProgramSubject final : public shake::Subject {
 public:
  // The model and the grid must outlive it. The program is started by the first step().
  ProgramSubject(const model::Model& model, const shake::Grid& grid, ProgramOptions options);
  ~ProgramSubject() override;

  [[nodiscard]] const std::vector<shake::Field>& fields() const override { return fields_; }
  [[nodiscard]] const shake::Variant& variant() const override { return variant_; }
  void reset() override;
  Result<std::span<const double>> step(std::span<const double> context) override;
  [[nodiscard]] std::vector<std::string> acted() const override { return {}; }

 private:
  [[nodiscard]] Result<void> start();
  void end();
  // Sends a line and waits for the answer, at most `timeout`.
  [[nodiscard]] Result<std::string> answer_to(std::string line);
  // The same; the answer becomes variant_. After a failure, the program has been ended.
  [[nodiscard]] Result<void> ask(std::string line);
  [[nodiscard]] Error closed_error(std::string_view side) const;
  [[nodiscard]] Error late_error() const;

  const model::Model& model_;
  const shake::Grid& grid_;
  ProgramOptions options_;
  std::vector<shake::Field> fields_;
  shake::Variant first_;  // the declared one, before the first step of a flow
  shake::Variant variant_;
  int child_ = -1;      // process id, if it runs
  File input_;          // our end of its standard input
  File output_;         // our end of its standard output
  std::string unread_;  // bytes behind the last answer
  bool fresh_ = true;   // nothing was sent since the start or the last reset
};

}  // namespace poise::cli
