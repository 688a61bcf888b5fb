#include "poise/verify/certificate/opened.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "poise/base/sha256.h"

namespace poise::verify {

namespace {

class CertificateOpener {
 public:
  CertificateOpener(const Certificate& certificate, std::string_view json)
      : certificate_(certificate), json_(json) {}

  OpenedCertificate opened() {
    if (sha256(certificate_.text) != certificate_.hash) {
      object("sha256", "this is not the hash of the text: the model was changed, or the hash");
      return std::move(result_);
    }
    read();
    if (result_.opened) compare();
    if (!result_.mistakes.empty()) result_.opened.reset();
    std::ranges::stable_sort(result_.mistakes, {}, &Mistake::offset);
    return std::move(result_);
  }

 private:
  // Names and conditions come from the file and may have anything in them; a message is one line.
  void object(std::size_t offset, std::string message) {
    std::ranges::replace_if(
        message, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    result_.mistakes.push_back({offset, std::move(message)});
  }
  // About the value of a key at the top.
  void object(std::string_view key, std::string message) {
    const std::size_t at = json_.find(fmt::format("\"{}\"", key));
    object(at == std::string_view::npos ? 0 : at, std::move(message));
  }

  void read() {
    result_.model = {.name = certificate_.file, .text = certificate_.text};
    std::vector<std::string> conditions;
    std::vector<std::size_t> offsets;
    for (const Certificate::OfState& one : certificate_.invariants) {
      if (!one.holds) continue;
      conditions.push_back(*one.holds);
      offsets.push_back(one.holds_at);
    }
    lang::ParsedConditions parsed = lang::parse_with_conditions(result_.model, conditions);
    result_.of_model = std::move(parsed.diagnostics);
    for (std::size_t i = 0; i < parsed.of_conditions.size(); ++i) {
      for (const diag::Diagnostic& one : parsed.of_conditions[i]) {
        std::string message = one.message;
        if (!one.hint.empty()) message += "; " + one.hint;
        object(place(offsets[i], conditions[i], one.span.begin), std::move(message));
      }
    }
    if (!parsed.model) return;
    result_.opened = {.mode = certificate_.mode,
                      .model = std::move(*parsed.model),
                      .conditions = std::move(parsed.conditions),
                      .by_state = {}};
  }

  // Where a byte of a condition stands in the file. With escapes, the condition is all that is
  // known.
  [[nodiscard]] std::size_t place(std::size_t offset, const std::string& text,
                                  std::size_t byte) const {
    const bool plain = json_.substr(offset + 1).starts_with(text);
    return plain ? offset + 1 + byte : offset;
  }

  // What the certificate says of the model must be what the model says.
  void compare() {
    const model::Model& model = result_.opened->model;
    if (model.states.empty()) return object("text", "this is a policy, without states and rules");
    if (model.world.failures.empty()) return object("text", "the model declares no failure");
    if (certificate_.model != model.name) {
      object("model", fmt::format("the text is of a model called {}", model.name));
    }
    if (certificate_.failures != failures_of(model)) {
      object("failures", "these are not the failures that the text declares, in its order");
    }
    if (certificate_.errors != errors_of(model, certificate_.mode)) {
      object("errors", "these are not the errors that the text declares, in its order");
    }
    take_states();
  }

  void take_states() {
    Opened& opened = *result_.opened;
    std::vector<bool> found(opened.model.states.size(), false);
    opened.by_state.resize(found.size());
    std::size_t next = 0;
    for (const Certificate::OfState& one : certificate_.invariants) {
      const std::size_t condition = next;
      if (one.holds) ++next;
      const auto state = std::ranges::find(opened.model.states, one.state, &model::State::name);
      const auto index = static_cast<std::size_t>(state - opened.model.states.begin());
      if (state == opened.model.states.end() || found[index]) {
        const std::string_view what = state == opened.model.states.end()
                                          ? "the model has no state of this name"
                                          : "this state is there twice";
        object(one.state_at, fmt::format("{}: {}", one.state, what));
        continue;
      }
      found[index] = true;
      if (one.holds) opened.by_state[index] = opened.conditions.each[condition];
    }
    for (const model::StateId state : opened.model.states.ids()) {
      if (found[state.index]) continue;
      object("invariants",
             fmt::format("nothing is said of the state {}", opened.model.states[state].name));
    }
  }

  const Certificate& certificate_;
  std::string_view json_;
  OpenedCertificate result_;
};

}  // namespace

OpenedCertificate opened(const Certificate& certificate, std::string_view json) {
  return CertificateOpener(certificate, json).opened();
}

}  // namespace poise::verify
