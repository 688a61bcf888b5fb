#pragma once

// POISE_CHECK(condition): an assertion that is checked in every build. If it fails, that is a bug
// of Poise, never a mistake in its input; it names the place and aborts.

namespace poise {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace poise

#define POISE_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::poise::check_failed(#condition, __FILE__, __LINE__))
