# Packs the program with the libraries it needs into BUILD/portable/NAME.tar.gz. What belongs to the machine stays
# outside: the C and C++ libraries, the loader, and all that speaks to drivers and servers (OpenGL, X, sound).
cmake_minimum_required(VERSION 3.25)
set(folder "${BUILD}/portable/${NAME}")
file(REMOVE_RECURSE "${folder}")

execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${folder}" --component program
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(COPY_FILE "${PROGRAM}" "${folder}/bin/cairn")
file(MAKE_DIRECTORY "${folder}/lib" "${folder}/share/doc/cairn")

set(of_the_machine
  "^ld-linux" "^linux-vdso" "^lib(c|m|dl|rt|pthread|stdc[+][+]|gcc_s)[.]so" "^lib(GL|GLX|EGL|OpenGL|GLdispatch)[.]so"
  "^lib(X11|Xau|Xdmcp|Xext|Xrandr|Xi|Xcursor|Xinerama|Xrender|Xfixes|xcb.*|wayland-.*)[.]so" "^libasound[.]so")
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES "${PROGRAM}" PRE_EXCLUDE_REGEXES ${of_the_machine}
     RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing)
if(missing)
  message(FATAL_ERROR "libraries that were not found: ${missing}")
endif()
find_program(DPKG_QUERY dpkg-query)
foreach(library IN LISTS libraries)
  file(REAL_PATH "${library}" real)
  get_filename_component(soname "${library}" NAME)
  file(COPY_FILE "${real}" "${folder}/lib/${soname}")
  # The terms under which each is distributed go with it.
  if(DPKG_QUERY)
    execute_process(COMMAND "${DPKG_QUERY}" -S "${real}" OUTPUT_VARIABLE owner ERROR_VARIABLE no_owner)
    if(owner MATCHES "^([^:,]+)")
      set(terms "/usr/share/doc/${CMAKE_MATCH_1}/copyright")
      if(EXISTS "${terms}")
        file(COPY_FILE "${terms}" "${folder}/share/doc/cairn/${soname}.copyright")
      endif()
    endif()
  endif()
endforeach()
foreach(font IN ITEMS inter/Inter-Regular.otf inter/Inter-SemiBold.otf jetbrains-mono/JetBrainsMono-Regular.ttf)
  foreach(type IN ITEMS opentype truetype)
    if(EXISTS "/usr/share/fonts/${type}/${font}")
      get_filename_component(file_name "${font}" NAME)
      file(MAKE_DIRECTORY "${folder}/share/cairn/assets/fonts")
      file(COPY_FILE "/usr/share/fonts/${type}/${font}" "${folder}/share/cairn/assets/fonts/${file_name}")
    endif()
  endforeach()
endforeach()
foreach(package IN ITEMS fonts-inter fonts-jetbrains-mono)
  if(EXISTS "/usr/share/doc/${package}/copyright")
    file(COPY_FILE "/usr/share/doc/${package}/copyright" "${folder}/share/doc/cairn/${package}.copyright")
  endif()
endforeach()
file(GLOB libraries "${folder}/lib/*")
execute_process(COMMAND "${STRIP}" --strip-unneeded "${folder}/bin/cairn" ${libraries} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" -E tar czf "${NAME}.tar.gz" --format=gnutar "${NAME}"
                WORKING_DIRECTORY "${BUILD}/portable" COMMAND_ERROR_IS_FATAL ANY)
