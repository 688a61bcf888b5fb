# poise_unity(TARGET BATCH SOURCE...): the files of one room are compiled together, up to BATCH at a
# time, so that the headers they share are read once and the code of a template is made once. What
# stands in unnamed namespaces of a room must then have different names, which a reader is glad of,
# too (tools/lint_rooms.py). docs/decisions/0012-files-of-a-room-as-one.md has the measurements.

function(poise_unity target batch)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ takes every file but the first for a header.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  foreach(source IN LISTS ARGN)
    get_filename_component(room ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "room_${room}" room)
    list(APPEND rooms ${room})
    list(APPEND ${room} ${source})
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  foreach(room IN LISTS rooms)
    # As few units as there must be, all about as large.
    list(LENGTH ${room} count)
    math(EXPR units "(${count} + ${batch} - 1) / ${batch}")
    set(place 0)
    foreach(source IN LISTS ${room})
      math(EXPR unit "${place} * ${units} / ${count}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${unit})
      math(EXPR place "${place} + 1")
    endforeach()
  endforeach()
endfunction()
