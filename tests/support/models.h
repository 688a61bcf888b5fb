#pragma once

// Models for tests: from text, and from files of examples/. The text must be a valid model, or the
// test fails.

#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/model/model.h"

namespace poise::test {

inline model::Model model_of(const std::string& text, const std::string& name = "test.poise") {
  lang::Parsed parsed = lang::parse({.name = name, .text = text});
  EXPECT_TRUE(parsed.model.has_value()) << parsed.diagnostics.front().message;
  return std::move(*parsed.model);
}

// example("robot-car") is examples/robot-car.poise.
inline model::Model example(const std::string& name) {
  const std::string path = std::string(POISE_SOURCE_DIR) + "/examples/" + name + ".poise";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return model_of(text.str(), path);
}

}  // namespace poise::test
