#pragma once

// What a function returns when the world may refuse it (a file, a limit): a value or an Error.
// Mistakes in the user's text travel as diag::Diagnostics, mistakes of ours end in POISE_CHECK.

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
