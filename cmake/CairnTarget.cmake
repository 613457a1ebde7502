# How every target of ours is compiled. The rules for floating point belong to the determinism contract: the same scene and
# commands give the same bits at every optimisation level and with g++ and clang on x86-64, so nothing may contract a
# multiply and an add into one rounding, and nothing may reorder sums.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(cairn_options INTERFACE)
target_include_directories(cairn_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(cairn_options INTERFACE
  -ffp-contract=off -fno-math-errno -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Wcast-align -Woverloaded-virtual -Wnull-dereference -Wdouble-promotion -Wimplicit-fallthrough -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns about dereferences inside inlined library code that it cannot prove safe, and finds overlapping copies
  # in the concatenation of strings that are not there (GCC bug 105651).
  target_compile_options(cairn_options INTERFACE -Wno-null-dereference -Wno-restrict)
endif()
# GLM leaves vectors uninitialised by default; a forgotten component would be a different number in every run.
target_compile_definitions(cairn_options INTERFACE GLM_FORCE_CTOR_INIT GLM_ENABLE_EXPERIMENTAL)

if(CAIRN_SANITIZE)
  target_compile_options(cairn_options INTERFACE -fsanitize=${CAIRN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(cairn_options INTERFACE -fsanitize=${CAIRN_SANITIZE})
  # Every program gets a dlclose that does nothing (see the file), visible to the libraries that call it.
  set(is_program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
  target_sources(cairn_options INTERFACE $<${is_program}:${CMAKE_SOURCE_DIR}/cmake/sanitizers/keep_loaded.cpp>)
  target_link_options(cairn_options INTERFACE $<${is_program}:-Wl,--export-dynamic-symbol=dlclose>)
endif()

# The headers that most sources include, parsed once: a build from nothing takes a third less time. Only a shortcut: presets
# without it keep every source including what it uses.
set(precompiled_headers
  <algorithm> <array> <cmath> <cstdint> <cstdio> <filesystem> <functional> <map> <memory> <optional> <span> <string>
  <string_view> <unordered_map> <utility> <variant> <vector> <glm/glm.hpp> <glm/gtc/quaternion.hpp>)
if(CAIRN_PRECOMPILE)
  find_package(glm REQUIRED)
  add_library(cairn_precompiled OBJECT "${CMAKE_CURRENT_LIST_DIR}/precompiled.cpp")
  target_link_libraries(cairn_precompiled PRIVATE cairn_options glm::glm)
  target_precompile_headers(cairn_precompiled PRIVATE ${precompiled_headers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With precompiled headers g++ 12 also reports the copies of GCC bug 105651 (above) as overflows and overreads.
    # Presets without them still warn.
    target_compile_options(cairn_options INTERFACE -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
  endif()
endif()

# One library per folder; every source below the folder belongs to it. PRECOMPILE adds headers that most of them include.
# COLD says how the names of those sources begin that run once or seldom, not for every body in every step or picture
# (regular expressions): they are compiled with less optimisation, which takes a fifth less time. Results do not depend
# on it.
function(cairn_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PRECOMPILE;COLD")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:cairn_options>) # no matter of programs that use the library
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  if(CAIRN_PRECOMPILE AND arg_PRECOMPILE)
    target_precompile_headers(${name} PRIVATE ${precompiled_headers} ${arg_PRECOMPILE})
  elseif(CAIRN_PRECOMPILE)
    target_precompile_headers(${name} REUSE_FROM cairn_precompiled)
  endif()
  foreach(place IN LISTS arg_COLD)
    set(cold ${sources})
    list(FILTER cold INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${place}.*[.]cpp$")
    if(NOT cold)
      message(FATAL_ERROR "${name}: no source begins with ${place}")
    endif()
    set_property(SOURCE ${cold} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
  endforeach()
endfunction()
