# What is installed, and the packages made of it: the program with its data, and the engine as a library.
#   cmake --install build/release --prefix DIR [--component program | development]
#   cpack --config build/release/CPackConfig.cmake        two Debian packages
#   ninja -C build/release portable                       an archive that runs without packages (portable.cmake)
include(CMakePackageConfigHelpers)

install(TARGETS cairn RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
install(DIRECTORY scenes assets DESTINATION "${CMAKE_INSTALL_DATADIR}/cairn" COMPONENT program PATTERN "desktop" EXCLUDE)
foreach(text IN ITEMS LICENSE NOTICE)
  if(EXISTS "${CMAKE_SOURCE_DIR}/${text}")
    install(FILES "${text}" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/cairn" COMPONENT program)
  endif()
endforeach()
if(CAIRN_GUI)
  install(FILES assets/desktop/cairn.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications" COMPONENT program)
  install(FILES assets/desktop/cairn.svg DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps"
          COMPONENT program)
endif()

# The manual page and the completions are written by the program itself, from the table that --help shows.
find_program(GZIP_COMMAND gzip REQUIRED)
set(manual "${CMAKE_BINARY_DIR}/manual")
set(manual_files "${manual}/cairn.1.gz" "${manual}/cairn.bash" "${manual}/_cairn" "${manual}/cairn.fish")
add_custom_command(
  OUTPUT ${manual_files}
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${manual}"
  COMMAND cairn manual man > "${manual}/cairn.1"
  COMMAND "${GZIP_COMMAND}" -9 -n -f "${manual}/cairn.1"
  COMMAND cairn manual bash > "${manual}/cairn.bash"
  COMMAND cairn manual zsh > "${manual}/_cairn"
  COMMAND cairn manual fish > "${manual}/cairn.fish"
  DEPENDS cairn
  COMMENT "Writing the manual page and the completions"
  VERBATIM)
add_custom_target(cairn_manual ALL DEPENDS ${manual_files})
install(FILES "${manual}/cairn.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT program)
install(FILES "${manual}/cairn.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME cairn
        COMPONENT program)
install(FILES "${manual}/_cairn" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" COMPONENT program)
install(FILES "${manual}/cairn.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT program)

# The engine: find_package(Cairn), target Cairn::physics.
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Cairn")
install(TARGETS cairn_physics EXPORT CairnTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
# The headers for programs, which need no others (tests/checks/check_sources.py).
file(GLOB public_headers CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}"
     physics/base/*.h physics/geometry/*.h physics/query/*.h physics/world/*.h)
foreach(header IN LISTS public_headers ITEMS physics/geometry/decomposition/decomposition.h physics/narrowphase/material.h
        physics/solver/joints/rows/joint_terms.h)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES "${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/cairn/${folder}" COMPONENT development)
endforeach()
install(EXPORT CairnTargets NAMESPACE Cairn:: DESTINATION "${package_folder}" COMPONENT development)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/CairnConfig.cmake.in" "${CMAKE_BINARY_DIR}/CairnConfig.cmake"
                              INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/CairnConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/CairnConfig.cmake" "${CMAKE_BINARY_DIR}/CairnConfigVersion.cmake"
        DESTINATION "${package_folder}" COMPONENT development)

# The portable archive. Its program finds the libraries beside it: an old-style RPATH, which holds for the libraries
# of these libraries as well.
add_executable(cairn_portable EXCLUDE_FROM_ALL "${CMAKE_SOURCE_DIR}/app/main.cpp")
target_link_libraries(cairn_portable PRIVATE cairn_cli)
target_link_options(cairn_portable PRIVATE "LINKER:--disable-new-dtags")
set_target_properties(cairn_portable PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/portable"
  BUILD_WITH_INSTALL_RPATH ON
  INSTALL_RPATH "$ORIGIN/../lib")
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" system)
set(archive "cairn-${PROJECT_VERSION}-${system}")
add_custom_target(portable
  COMMAND "${CMAKE_COMMAND}" -D "BUILD=${CMAKE_BINARY_DIR}" -D "PROGRAM=$<TARGET_FILE:cairn_portable>" -D
          "NAME=${archive}" -D "STRIP=${CMAKE_STRIP}" -P "${CMAKE_CURRENT_LIST_DIR}/portable.cmake"
  DEPENDS cairn_portable cairn_manual
  COMMENT "Packing ${archive}.tar.gz"
  VERBATIM)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cairn)
set(CPACK_PACKAGE_VENDOR "the Cairn authors")
set(CPACK_PACKAGE_CONTACT "the Cairn authors <cairn@localhost>")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME cairn)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "interactive rigid-body physics sandbox
 Boxes, diamonds, spheres and more in a walled world, whose parameters can be
 changed while it runs; captures that replay bit for bit.")
if(CAIRN_GUI)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS
      "fonts-inter, fonts-jetbrains-mono, libgl1-mesa-dri, libgl1, libegl1")
endif()
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS ffmpeg)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libcairn-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libglm-dev, libhwy-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "rigid-body physics engine of Cairn, for programs
 A static library, its headers, and what find_package(Cairn) reads.")
include(CPack)
