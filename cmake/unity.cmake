# poise_unity(TARGET SOURCE...): with POISE_UNITY, files of one room are compiled together, up to eight
# at a time, so that the headers they share are read once. What stands in unnamed namespaces of a
# room must then have different names, which a reader is glad of, too. A file with compile options
# of its own stays alone.

function(poise_unity target)
  if(NOT POISE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    get_filename_component(room ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "room_${room}" room)
    list(APPEND rooms ${room})
    list(APPEND ${room} ${source})
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  foreach(room IN LISTS rooms)
    set(count 0)
    foreach(source IN LISTS ${room})
      math(EXPR group "${count} / 8")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${group})
      math(EXPR count "${count} + 1")
    endforeach()
  endforeach()
endfunction()
