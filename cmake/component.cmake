# poise_component(NAME [PROGRAM_ONLY] [BATCH N] SOURCES ... [TESTS ...] [THREADED_TESTS ...]
#                 [DEPENDS ...] [PRIVATE_DEPENDS ...] [TEST_DEPENDS ...])
#
# One folder: the static library poise_NAME, known as poise::NAME, and, from the *_test.cpp files
# beside its sources, one test program poise_NAME_test, whose tests CTest lists one by one in the
# build that one works in.
#
#   THREADED_TESTS   those of the TESTS that start threads: with POISE_THREADED_TESTS, the only ones
#   DEPENDS          what our headers need
#   PRIVATE_DEPENDS  what only our .cpp files need (fmt is always there)
#   TEST_DEPENDS     what only our tests need, e.g. poise::lang to write models as text
#   BATCH            so many files of a room are compiled as one, where POISE_UNITY is ON (14)
#   PROGRAM_ONLY     part of the program, not of the library that is installed
#
# A folder without SOURCES is a library of headers.

function(poise_component name)
  cmake_parse_arguments(PARSE_ARGV 1 arg
    "PROGRAM_ONLY" "BATCH" "SOURCES;TESTS;THREADED_TESTS;DEPENDS;PRIVATE_DEPENDS;TEST_DEPENDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "poise_component(${name}): what is `${arg_UNPARSED_ARGUMENTS}`?")
  endif()

  if(NOT arg_BATCH)
    set(arg_BATCH 14)
  endif()

  set(target poise_${name})
  if(arg_SOURCES)
    set(scope PUBLIC)
    add_library(${target} STATIC ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE
      ${arg_PRIVATE_DEPENDS} fmt::fmt $<BUILD_INTERFACE:poise_warnings>)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    poise_precompile(${target})
    if(POISE_UNITY)
      poise_unity(${target} ${arg_BATCH} ${arg_SOURCES})
    endif()
  else()
    if(arg_PRIVATE_DEPENDS)
      message(FATAL_ERROR "poise_component(${name}): PRIVATE_DEPENDS without SOURCES")
    endif()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(poise::${name} ALIAS ${target})

  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} ${scope} ${arg_DEPENDS})

  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  if(NOT arg_PROGRAM_ONLY)
    set_property(GLOBAL APPEND PROPERTY POISE_LIBRARIES ${target})
  endif()

  if(POISE_THREADED_TESTS)
    set(arg_TESTS ${arg_THREADED_TESTS})
  endif()
  if(POISE_BUILD_TESTS AND arg_TESTS)
    poise_test_program(${target}_test ${arg_TESTS})
    target_link_libraries(${target}_test PRIVATE poise::${name} ${arg_TEST_DEPENDS})
    if(CMAKE_BUILD_TYPE STREQUAL "Debug")
      # Listed when ctest runs, not during the build: a busy machine must not fail a build.
      gtest_discover_tests(${target}_test
        TEST_PREFIX ${name}.
        DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120
        PROPERTIES LABELS quick
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    else()
      # All in one process: with sanitizers, starting hundreds takes longer than testing.
      add_test(NAME ${name}.unit COMMAND ${target}_test --gtest_brief=1
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
      poise_label(quick ${name}.unit)
    endif()
  endif()
endfunction()

# poise_test_program(NAME SOURCE...): a GoogleTest program; the caller links what it tests.
# POISE_SOURCE_DIR is the root of the checkout, for tests that read examples.
function(poise_test_program name)
  add_executable(${name} ${ARGN})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_definitions(${name} PRIVATE POISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(POISE_TEST_SIZE STREQUAL "small")
    target_compile_definitions(${name} PRIVATE POISE_TESTS_ARE_SMALL)
  endif()
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE GTest::gtest_main fmt::fmt poise_warnings)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  poise_precompile(${name} <gtest/gtest.h>)
  if(POISE_UNITY)
    poise_unity(${name} 14 ${ARGN})
  endif()
endfunction()
