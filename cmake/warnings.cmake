# poise_warnings: the flags every one of our own files is compiled with. Whether a warning is an
# error is the presets' choice (CMAKE_COMPILE_WARNING_AS_ERROR).

add_library(poise_warnings INTERFACE)

target_compile_options(poise_warnings INTERFACE
  -Wall -Wextra -Wpedantic
  -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion
  -Wold-style-cast -Wcast-align -Wcast-qual
  -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi
  -Wformat=2 -Wundef -Wunused
  # Aggregates with designated initialisers leave out what has a default; that is the point.
  -Wno-missing-field-initializers)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The last two are wrong too often in g++ 12 at -O2 (std::string concatenation).
  target_compile_options(poise_warnings INTERFACE
    -Wduplicated-cond -Wduplicated-branches -Wlogical-op
    -Wno-restrict -Wno-null-dereference)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # INSTANTIATE_TEST_SUITE_P without a name generator is fine in C++20, not yet for clang 14.
  target_compile_options(poise_warnings INTERFACE -Wno-gnu-zero-variadic-macro-arguments)
endif()
