# BuDDy comes without a CMake package. Defines BuDDy::bdd; only tests use it.

find_path(BUDDY_INCLUDE_DIR bdd.h)
find_library(BUDDY_LIBRARY bdd)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(BuDDy REQUIRED_VARS BUDDY_LIBRARY BUDDY_INCLUDE_DIR)
mark_as_advanced(BUDDY_INCLUDE_DIR BUDDY_LIBRARY)

if(BuDDy_FOUND AND NOT TARGET BuDDy::bdd)
  add_library(BuDDy::bdd UNKNOWN IMPORTED)
  set_target_properties(BuDDy::bdd PROPERTIES
    IMPORTED_LOCATION "${BUDDY_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${BUDDY_INCLUDE_DIR}")
endif()
