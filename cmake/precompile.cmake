# poise_precompile(TARGET [HEADER...]): with POISE_PRECOMPILE, the target is compiled with what
# nearly every file includes, and the given headers, already read. Targets with the same headers
# share them. Presets dev and release go without, and tools/lint_includes.py shows what would not
# compile there.

function(poise_precompile target)
  if(NOT POISE_PRECOMPILE)
    return()
  endif()
  string(MAKE_C_IDENTIFIER "POISE_PRECOMPILED_IN_${ARGN}" known)
  get_property(first GLOBAL PROPERTY ${known})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
    return()
  endif()
  set_property(GLOBAL PROPERTY ${known} ${target})
  target_precompile_headers(${target} PRIVATE
    <algorithm> <cstdint> <functional> <map> <optional> <set> <span> <string> <string_view>
    <unordered_map> <utility> <variant> <vector> <fmt/format.h> ${ARGN})
endfunction()
