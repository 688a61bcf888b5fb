# cmake --install: bin/poise, the static libraries behind poise::poise, the headers, and a CMake
# package for find_package(poise). tests/consumer/ uses exactly this.

include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY POISE_LIBRARIES)

# The umbrella that users link.
add_library(poise_all INTERFACE)
add_library(poise::poise ALIAS poise_all)
set_target_properties(poise_all PROPERTIES EXPORT_NAME poise)
list(TRANSFORM libraries REPLACE "^poise_" "poise::" OUTPUT_VARIABLE components)
target_link_libraries(poise_all INTERFACE ${components})

install(TARGETS poise_program)
install(TARGETS ${libraries} poise_all EXPORT poise-targets)
install(DIRECTORY poise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/poise)
install(EXPORT poise-targets NAMESPACE poise:: DESTINATION ${package_dir})
configure_package_config_file(cmake/poise-config.cmake.in poise-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(poise-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/poise-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/poise-config-version.cmake
  cmake/FindGMP.cmake
  cmake/FindZ3.cmake
  DESTINATION ${package_dir})

install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
