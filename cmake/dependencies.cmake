# Everything that comes from outside. tools/packages.txt names the Debian packages and says what
# each is for; cmake/poise-config.cmake.in repeats the ones that users of the library need.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
find_package(GMP REQUIRED)
find_package(Z3 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)
find_package(Mosquitto REQUIRED)

if(POISE_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(BuDDy REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  include(GoogleTest)
  # A second opinion on fuzzy engines (Debian: libfuzzylite-dev); what needs it is left out without.
  find_path(POISE_FUZZYLITE_INCLUDE fl/Headers.h)
  find_library(POISE_FUZZYLITE_LIBRARY fuzzylite)
  mark_as_advanced(POISE_FUZZYLITE_INCLUDE POISE_FUZZYLITE_LIBRARY)
endif()
