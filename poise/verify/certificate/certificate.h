#pragma once

// A certificate: the proof that a model never fails, as a file that others can check. It holds the
// whole text of the model, what was assumed, what is claimed, and for each state the condition that
// makes it so: an inductive invariant in the language. docs/verify.md, "Certificates", describes
// the format (docs/certificate-schema.json).
//
// What is in this folder shares nothing with the search for the invariant: it reads the model from
// its text, and asks a solver by its own reading of the language (confirm.h).

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/rational.h"
#include "poise/base/source.h"
#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::verify {

struct Certificate {
  // An error that was assumed; those of the model, in the mode Actual, and none else.
  struct Error {
    std::string variable;
    Rational low;
    Rational high;
    friend bool operator==(const Error&, const Error&) = default;
  };
  struct OfState {
    std::string state;
    std::optional<std::string> holds;  // none: the state is never reached
    std::size_t state_at = 0;          // offsets in the file
    std::size_t holds_at = 0;
  };
  std::string model;  // its name
  std::string file;   // its file, for people
  std::string hash;   // of its text, by SHA-256
  Mode mode = Mode::Actual;
  std::vector<Error> errors;
  std::vector<std::string> failures;  // none of them happens, after any number of steps
  std::vector<OfState> invariants;
  std::string text;  // of the model
};

// Of a report that says Safe without a bound, in a mode other than AsPrinted.
[[nodiscard]] Certificate certificate_of(const Source& source, const model::Model& model,
                                         const Report& report);

// The same certificate has the same bytes.
[[nodiscard]] std::string certificate_json(const Certificate& certificate);

// Something that is wrong with a file.
struct Mistake {
  std::size_t offset = 0;
  std::string message;  // in lower case, without a full stop
};

// The certificate in a file, if it has the form of one.
struct ReadCertificate {
  std::optional<Certificate> certificate;
  Mistake mistake;  // if there is none
};
[[nodiscard]] ReadCertificate certificate_from(std::string_view json);

// The errors and the failures that a certificate of a model has to name.
[[nodiscard]] std::vector<Certificate::Error> errors_of(const model::Model& model, Mode mode);
[[nodiscard]] std::vector<std::string> failures_of(const model::Model& model);

}  // namespace poise::verify
