#pragma once

// How much a unit test compares, where that takes long.

namespace poise::tests {

// All of it, or a quarter where the program is slow: see POISE_TEST_SIZE in cmake/tests.cmake.
#ifdef POISE_TESTS_ARE_SMALL
constexpr int kShare = 4;
#else
constexpr int kShare = 1;
#endif

}  // namespace poise::tests
