# libmosquitto comes without a CMake package. Defines Mosquitto::mosquitto; only the program uses it.

find_path(MOSQUITTO_INCLUDE_DIR mosquitto.h)
find_library(MOSQUITTO_LIBRARY mosquitto)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Mosquitto REQUIRED_VARS MOSQUITTO_LIBRARY MOSQUITTO_INCLUDE_DIR)
mark_as_advanced(MOSQUITTO_INCLUDE_DIR MOSQUITTO_LIBRARY)

if(Mosquitto_FOUND AND NOT TARGET Mosquitto::mosquitto)
  add_library(Mosquitto::mosquitto UNKNOWN IMPORTED)
  set_target_properties(Mosquitto::mosquitto PROPERTIES
    IMPORTED_LOCATION "${MOSQUITTO_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${MOSQUITTO_INCLUDE_DIR}")
endif()
