# How much is tested where. Every test has one of three labels:
#
#   quick   unit tests, golden cases, fuzz corpora, documents, lint: `./test --quick` runs these
#   full    comparisons with other implementations, live input, crashes, hostile files, schemas, and
#           whatever needs a broker, npm, a browser or another compiler target: ./test runs both
#   long    the same comparisons on a hundred times as many models: tools/long.sh runs these
#
# and one table of sizes, by POISE_TEST_SIZE: `small` where the program is slow (sanitizers, no
# optimisation), else `usual`.

set(POISE_TEST_SIZE small CACHE STRING "How much the tests compare: small or usual")
set_property(CACHE POISE_TEST_SIZE PROPERTY STRINGS small usual)

#                       small usual
function(poise_size name small usual)
  set(POISE_${name} ${${POISE_TEST_SIZE}} PARENT_SCOPE)  # the argument of that name
endfunction()
poise_size(MODELS          30   400)  # random models in a comparison; many take a share of it
poise_size(SMALL_MODELS     1     2)  # all models up to this size
poise_size(KILLS           40   200)  # of a monitor that keeps its state
poise_size(GROWING_LOGS    20    40)
poise_size(HOSTILE_SCALE 0.01   0.2)  # of files that nobody writes by accident
set(POISE_LONG_MODELS 10000)

# poise_label(LABEL TEST...)
function(poise_label label)
  foreach(test IN LISTS ARGN)
    set_property(TEST ${test} APPEND PROPERTY LABELS ${label})
  endforeach()
endfunction()

# poise_python_test(NAME SCRIPT [ARG...]): a full test written in Python, which finds the program in
# the environment variable POISE. It runs in the system's own Python, which has Debian's packages.
function(poise_python_test name script)
  add_test(NAME ${name}
    COMMAND /usr/bin/python3 -B ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARGN}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "POISE=$<TARGET_FILE:poise_program>;LC_ALL=C.UTF-8" LABELS full)
endfunction()

# poise_long_test(NAME SCRIPT MODELS SEED [ARG...]): two halves, for two processors.
function(poise_long_test name script models seed)
  math(EXPR half "${models} / 2")
  foreach(part 0 1)
    math(EXPR first "${seed} + ${part} * ${half}")
    poise_python_test(${name}.${part} ${script} $<TARGET_FILE:poise_program>
      --models ${half} --seed ${first} ${ARGN})
    set_tests_properties(${name}.${part} PROPERTIES LABELS long TIMEOUT 7200)
  endforeach()
endfunction()
