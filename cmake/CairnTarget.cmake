# How every target of ours is compiled. The rules for floating point belong to the determinism contract: the same scene and
# commands give the same bits at every optimisation level and with g++ and clang on x86-64, so nothing may contract a
# multiply and an add into one rounding, and nothing may reorder sums.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH CAIRN_ROOT)
add_library(cairn_options INTERFACE)
target_include_directories(cairn_options INTERFACE "${CAIRN_ROOT}")
set(warnings_as_errors) # new compilers find new warnings, which must not stop other people's builds
if(PROJECT_IS_TOP_LEVEL)
  set(warnings_as_errors -Werror)
endif()
target_compile_options(cairn_options INTERFACE
  -ffp-contract=off -fno-math-errno -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Wcast-align -Woverloaded-virtual -Wnull-dereference -Wdouble-promotion -Wimplicit-fallthrough ${warnings_as_errors})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns about dereferences inside inlined library code that it cannot prove safe, and finds overlapping copies
  # in the concatenation of strings that are not there (GCC bug 105651).
  target_compile_options(cairn_options INTERFACE -Wno-null-dereference -Wno-restrict)
endif()
# GLM leaves vectors uninitialised by default; a forgotten component would be a different number in every run.
target_compile_definitions(cairn_options INTERFACE GLM_FORCE_CTOR_INIT GLM_ENABLE_EXPERIMENTAL)

if(CAIRN_SANITIZE)
  target_compile_options(cairn_options INTERFACE -fsanitize=${CAIRN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CAIRN_SANITIZE MATCHES "address")
    # What checks every pointer before it is followed takes as long to compile as all the rest together, and AddressSanitizer
    # sees what is read through a wrong one. The preset tsan checks alignment, size and kind of what a pointer points to.
    target_compile_options(cairn_options INTERFACE -fno-sanitize=null,alignment,object-size,pointer-overflow,vptr)
  endif()
  target_link_options(cairn_options INTERFACE -fsanitize=${CAIRN_SANITIZE})
  # The programs hold hundreds of megabytes of checks and line numbers, most of which the usual linker copies on one thread.
  find_program(CAIRN_LLD ld.lld)
  if(CAIRN_LLD)
    target_link_options(cairn_options INTERFACE -fuse-ld=lld)
  endif()
  # Every program gets a dlclose that does nothing (see the file), visible to the libraries that call it.
  set(is_program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
  target_sources(cairn_options INTERFACE $<${is_program}:${CAIRN_ROOT}/cmake/sanitizers/keep_loaded.cpp>)
  target_link_options(cairn_options INTERFACE $<${is_program}:-Wl,--export-dynamic-symbol=dlclose>)
  if(CAIRN_SANITIZE MATCHES "address")
    # What the checks say of each place in the sources are two million pointers. In a program that is loaded anywhere,
    # every start writes them anew: half of the time that `cairn --version` takes, and tests start it again and again.
    target_link_options(cairn_options INTERFACE $<${is_program}:-no-pie>)
  endif()
endif()

# Sources that include each other's headers are compiled in batches: a build from nothing then takes half the time,
# most of which is reading headers and making the same functions of templates anew for each file. Only a shortcut: presets without it keep every source including what it uses. In a batch, a name of one source may hide
# another's; that is no fault of either.
if(CAIRN_BATCHES)
  target_compile_options(cairn_options INTERFACE -Wno-shadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(cairn_options INTERFACE -Wno-subobject-linkage)
  endif()
endif()

# How many bytes of sources a batch has at most. Half of the time of a small one goes into headers and into functions of
# templates that the next one makes again; a large one takes its time on one core, however many there are.
set(CAIRN_BATCH_SIZE 360000)

# Sets `result` to files that include the sources, in as few batches of about equal size as CAIRN_BATCH_SIZE allows; those
# that are listed in `alone` (regular expressions, as COLD below) stay by themselves. Without CAIRN_BATCHES that is all.
function(cairn_batched result prefix alone)
  set(files)
  set(together)
  set(total 0)
  if(NOT CAIRN_BATCHES)
    set(alone .)
  endif()
  foreach(source IN LISTS ARGN)
    set(single FALSE)
    foreach(place IN LISTS alone)
      if(source MATCHES "^${CMAKE_CURRENT_SOURCE_DIR}/${place}")
        set(single TRUE)
      endif()
    endforeach()
    if(single)
      list(APPEND files "${source}")
    else()
      list(APPEND together "${source}")
      file(SIZE "${source}" bytes)
      math(EXPR total "${total} + ${bytes}")
    endif()
  endforeach()
  math(EXPR batches "(${total} + ${CAIRN_BATCH_SIZE} - 1) / ${CAIRN_BATCH_SIZE}")
  set(text)
  set(size 0)
  set(number 0)
  foreach(source IN LISTS together ITEMS end)
    if(NOT source STREQUAL "end")
      string(APPEND text "#include \"${source}\"\n")
      file(SIZE "${source}" bytes)
      math(EXPR size "${size} + ${bytes}")
    endif()
    math(EXPR due "(${number} + 1) * ${total}")
    math(EXPR reached "${size} * ${batches}")
    if(text AND (source STREQUAL "end" OR reached GREATER_EQUAL due))
      set(batch "${CMAKE_CURRENT_BINARY_DIR}/${prefix}_${number}.cpp")
      file(CONFIGURE OUTPUT "${batch}" CONTENT "${text}" @ONLY)
      list(APPEND files "${batch}")
      set(text)
      math(EXPR number "${number} + 1")
    endif()
  endforeach()
  set(${result} "${files}" PARENT_SCOPE)
endfunction()

# One library per folder; every source below the folder belongs to it. COLD says how the names of those sources begin that
# run once or seldom, not for every body in every step or picture (regular expressions): they are compiled with less
# optimisation, which takes two fifths less time, and under sanitizers with none, which takes a third of the time. Results do
# not depend on it. ALONE: those that no batch can have.
function(cairn_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ALONE;COLD")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  set(cold)
  foreach(place IN LISTS arg_COLD)
    set(found ${sources})
    list(FILTER found INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${place}")
    if(NOT found)
      message(FATAL_ERROR "${name}: no source begins with ${place}")
    endif()
    list(APPEND cold ${found})
    list(REMOVE_ITEM sources ${found})
  endforeach()
  cairn_batched(hot ${name} "${arg_ALONE}" ${sources})
  cairn_batched(cold ${name}_cold "${arg_ALONE}" ${cold})
  set(level $<$<CONFIG:Release>:-Og>)
  if(CAIRN_SANITIZE)
    set(level -O0)
  endif()
  set_property(SOURCE ${cold} APPEND PROPERTY COMPILE_OPTIONS ${level})
  add_library(${name} STATIC ${hot} ${cold} ${headers})
  # Warnings and the like are no matter of other people's programs.
  if(PROJECT_IS_TOP_LEVEL)
    target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:cairn_options>)
  else()
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:cairn_options>)
  endif()
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
