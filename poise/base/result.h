#pragma once

// A value or an Error, for functions that can fail for outside reasons (a file, a limit). Mistakes
// in the user's text are diag::Diagnostics, bugs of our own end in POISE_CHECK.

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace poise {

struct Error {
  std::string message;  // one line, lower case, no full stop
};

template <class T>
using Result = tl::expected<T, Error>;

using Failure = tl::unexpected<Error>;

// return failure("cannot read …");
[[nodiscard]] inline Failure failure(std::string message) {
  return Failure(Error{std::move(message)});
}

}  // namespace poise
