#include "poise/verify/certificate/certificate.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "poise/base/sha256.h"
#include "poise/base/utf8.h"
#include "poise/json/number.h"
#include "poise/json/reader.h"
#include "poise/json/writer.h"

namespace poise::verify {

namespace {

constexpr std::string_view kCertificateSchema = "poise.certificate/1";
constexpr std::string_view kCertificateClaim = "no failure, after any number of steps";

struct ModeName {
  Mode mode;
  std::string_view name;
};
constexpr std::array kCertifiedModes = {ModeName{Mode::Naive, "naive"},
                                        ModeName{Mode::Ideal, "ideal"},
                                        ModeName{Mode::Actual, "actual"}};

// Errors are declared as decimals, so JSON can say them exactly.
std::string error_json(const Certificate::Error& error) {
  json::Object object;
  object.add_text("variable", error.variable);
  object.add("low", error.low.to_string());
  object.add("high", error.high.to_string());
  return object.json();
}

std::string state_json(const Certificate::OfState& one) {
  json::Object object;
  object.add_text("state", one.state);
  object.add("holds", one.holds ? json::quoted(*one.holds) : "null");
  return object.json();
}

// Every key has to be there once, in any order, and there are no others.
class CertificateReader {
 public:
  explicit CertificateReader(std::string_view text) : json_(text, scratch_) {}

  ReadCertificate read() {
    json_.begin_object();
    while (const auto key = json_.next_key()) {
      const std::size_t offset = json_.key_offset();
      const auto* const known = std::ranges::find(kKeys, *key, &Key::name);
      if (known == kKeys.end()) {
        json_.fail(offset, "a key that a certificate does not have");
        break;
      }
      const auto index = static_cast<std::size_t>(known - kKeys.begin());
      if (found_[index]) json_.fail(offset, fmt::format("`{}` is there twice", known->name));
      found_[index] = true;
      if (json_.failed()) break;
      (this->*known->read)();
    }
    json_.finish();
    const auto missing = std::ranges::find(found_, false);
    if (missing != found_.end()) {
      const auto index = static_cast<std::size_t>(missing - found_.begin());
      json_.fail(0, fmt::format("this is no certificate: `{}` is missing", kKeys[index].name));
    }
    if (json_.failed()) {
      const json::Reader::Mistake mistake = json_.mistake();
      return {std::nullopt, {mistake.offset, mistake.message}};
    }
    return {std::move(made_), {}};
  }

 private:
  struct Key {
    std::string_view name;
    void (CertificateReader::*read)();
  };
  static const std::array<Key, 10> kKeys;

  void schema() { constant(kCertificateSchema); }
  void claim() { constant(kCertificateClaim); }
  void model() { made_.model = text(); }
  void file() { made_.file = text(); }
  void hash() { made_.hash = text(); }
  void whole_text() { made_.text = text(); }

  void mode() {
    const std::size_t offset = json_.offset();
    const std::string word = text();
    const auto* const known = std::ranges::find(kCertifiedModes, word, &ModeName::name);
    if (known == kCertifiedModes.end()) {
      json_.fail(offset, "the mode is naive, ideal or actual");
    } else {
      made_.mode = known->mode;
    }
  }

  void errors() {
    json_.begin_array();
    while (json_.next_element()) {
      Certificate::Error& error = made_.errors.emplace_back();
      object({"variable", "low", "high"}, [&](std::size_t key) {
        if (key == 0) error.variable = text();
        if (key == 1) error.low = number();
        if (key == 2) error.high = number();
      });
    }
  }

  void failures() {
    json_.begin_array();
    while (json_.next_element()) made_.failures.push_back(text());
  }

  void invariants() {
    json_.begin_array();
    while (json_.next_element()) {
      Certificate::OfState& one = made_.invariants.emplace_back();
      object({"state", "holds"}, [&](std::size_t key) {
        (key == 0 ? one.state_at : one.holds_at) = json_.offset();
        if (key == 0) {
          one.state = text();
        } else if (json_.kind() == json::Reader::Kind::Null) {
          json_.null();
        } else {
          one.holds = text();
        }
      });
    }
  }

  // An object with exactly these keys; `read` reads the value of one of them, by its number.
  template <class Read>
  void object(std::initializer_list<std::string_view> keys, const Read& read) {
    const std::size_t start = json_.offset();
    json_.begin_object();
    std::vector<bool> found(keys.size(), false);
    while (const auto key = json_.next_key()) {
      const auto* const known = std::ranges::find(keys, *key);
      const auto index = static_cast<std::size_t>(known - keys.begin());
      if (known == keys.end() || found[index]) {
        return json_.fail(json_.key_offset(), "a key that is not expected here");
      }
      found[index] = true;
      read(index);
    }
    const auto missing = std::ranges::find(found, false);
    if (missing == found.end()) return;
    const auto* const name = keys.begin() + (missing - found.begin());
    json_.fail(start, fmt::format("`{}` is missing", *name));
  }

  std::string text() { return std::string(json_.string().value_or("")); }

  Rational number() {
    const std::size_t offset = json_.offset();
    const std::optional<std::string_view> digits = json_.number();
    if (!digits) return 0;
    const Result<Rational> value = json::exact_number(*digits);
    if (!value) json_.fail(offset, value.error().message);
    return value.value_or(0);
  }

  void constant(std::string_view expected) {
    const std::size_t offset = json_.offset();
    if (text() != expected) json_.fail(offset, fmt::format("expected \"{}\"", expected));
  }

  std::string scratch_;
  json::Reader json_;
  Certificate made_;
  std::array<bool, 10> found_{};
};

const std::array<CertificateReader::Key, 10> CertificateReader::kKeys = {
    Key{"schema", &CertificateReader::schema},
    Key{"model", &CertificateReader::model},
    Key{"file", &CertificateReader::file},
    Key{"sha256", &CertificateReader::hash},
    Key{"mode", &CertificateReader::mode},
    Key{"errors", &CertificateReader::errors},
    Key{"claim", &CertificateReader::claim},
    Key{"failures", &CertificateReader::failures},
    Key{"invariants", &CertificateReader::invariants},
    Key{"text", &CertificateReader::whole_text},
};

template <class Items, class JsonOf>
std::string lines_of(const Items& items, const JsonOf& json_of) {
  std::vector<std::string> texts;
  for (const auto& item : items) texts.push_back(json_of(item));
  return json::lines(texts, 4);
}

}  // namespace

std::vector<Certificate::Error> errors_of(const model::Model& model, Mode mode) {
  std::vector<Certificate::Error> errors;
  if (mode != Mode::Actual) return errors;
  for (const model::Variable& variable : model.variables) {
    if (!variable.error) continue;
    errors.push_back({variable.name, variable.error->low, variable.error->high});
  }
  return errors;
}

std::vector<std::string> failures_of(const model::Model& model) {
  std::vector<std::string> names;
  for (const model::WorldFailure& failure : model.world.failures) names.push_back(failure.name);
  return names;
}

Certificate certificate_of(const Source& source, const model::Model& model, const Report& report) {
  Certificate made{.model = model.name,
                   .file = source.name,
                   .hash = sha256(source.text),
                   .mode = report.mode,
                   .errors = errors_of(model, report.mode),
                   .failures = failures_of(model),
                   .invariants = {},
                   .text = source.text};
  for (const Invariant& invariant : report.invariants) {
    made.invariants.push_back({model.states[invariant.state].name, condition_of(invariant)});
  }
  return made;
}

std::string certificate_json(const Certificate& certificate) {
  const auto* const mode = std::ranges::find(kCertifiedModes, certificate.mode, &ModeName::mode);
  std::string text = "{";
  const auto add = [&](std::string_view key, const std::string& json) {
    text += fmt::format("{}\n  \"{}\": {}", text.size() > 1 ? "," : "", key, json);
  };
  add("schema", json::quoted(kCertificateSchema));
  add("model", json::quoted(certificate.model));
  add("file", json::quoted(certificate.file));
  add("sha256", json::quoted(certificate.hash));
  add("mode", json::quoted(mode->name));
  add("errors", lines_of(certificate.errors, error_json));
  add("claim", json::quoted(kCertificateClaim));
  add("failures", lines_of(certificate.failures, json::quoted));
  add("invariants", lines_of(certificate.invariants, state_json));
  add("text", json::quoted(certificate.text));
  return text + "\n}\n";
}

ReadCertificate certificate_from(std::string_view json) {
  if (const auto invalid = first_invalid_byte(json)) {
    return {std::nullopt, {*invalid, "this is not UTF-8 text"}};
  }
  return CertificateReader(json).read();
}

}  // namespace poise::verify
