#include "poise/check/check.h"

#include "poise/check/reference.h"

namespace poise::check {

std::string_view name(Engine engine) {
  switch (engine) {
    case Engine::Auto: return "auto";
    case Engine::Reference: return "reference";
  }
  return "";
}

Report run(const model::Model& model, const Options& options) { return reference(model, options); }

}  // namespace poise::check
