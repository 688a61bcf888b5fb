#pragma once

// A program of the user's as a subject to be shaken: it reads a context a line and writes a variant
// a line (shake/protocol.h). Whatever goes wrong with it is an answer, not an error of ours: that
// it ends, that it does not answer in time, that it answers what is no variant.
//
// It is run by the shell, in a process group of its own, so that what it starts ends with it.

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
  Reset reset = Reset::Restart;  // before each flow: start it again, or tell it
};

class ProgramSubject final : public shake::Subject {
 public:
  // The model and the grid must outlive it. Nothing is started yet.
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
  // Sends a line and waits for one.
  [[nodiscard]] Result<std::string> answer_to(std::string line);
  [[nodiscard]] Result<void> ask(std::string line);
  [[nodiscard]] Error closed_error(std::string_view side) const;
  [[nodiscard]] Error late_error() const;

  const model::Model& model_;
  const shake::Grid& grid_;
  ProgramOptions options_;
  std::vector<shake::Field> fields_;
  shake::Variant first_;
  shake::Variant variant_;
  int child_ = -1;  // a process, if it runs
  File input_;      // our end of what it reads
  File output_;     // and of what it writes
  std::string unread_;
  bool fresh_ = true;  // nothing was sent since it started, or was reset
};

}  // namespace poise::cli
