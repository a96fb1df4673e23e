# Most of the time of a compilation goes into what a file includes, and into templates that its neighbours use, too. The files of a
# folder are compiled together, so it is done once for several files: for the page, which is built whole, all of a folder; natively,
# where a file that is changed takes its neighbours with it, ten.
option(CREMA_UNITS "Compile the files of a folder together; off for tools that look at one file" ON)
if(EMSCRIPTEN)
  set(crema_unit_files 100)
else()
  set(crema_unit_files 10)
endif()

# crema_units(TARGET): the files of TARGET in groups by folder, of equal sizes.
function(crema_units target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CREMA_UNITS} UNITY_BUILD_MODE GROUP)
  # GCC takes the files of a unit for headers, in which a type of an unnamed namespace would be a mistake.
  if(CREMA_UNITS)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source ${sources})
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "^(core/)?([a-z]+)/.*$" "\\2" folder ${path})
    list(APPEND folders ${folder})
    list(APPEND files_of_${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    list(LENGTH files_of_${folder} files)
    math(EXPR units "(${files} + ${crema_unit_files} - 1) / ${crema_unit_files}")
    set(place 0)
    foreach(source ${files_of_${folder}})
      math(EXPR unit "${place} * ${units} / ${files} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${unit})
      math(EXPR place "${place} + 1")
    endforeach()
  endforeach()
endfunction()

# Natively, what reads recordings and makes profiles and series of them is compiled for speed, and what answers from those is
# compiled soon: less inlined takes two thirds of the time, and makes two thirds of the bytes. Only where it is released; other
# presets optimize little anyway. GCC has no such knob.
if(NOT EMSCRIPTEN AND CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_BUILD_TYPE STREQUAL "Release")
  set(crema_small -O1 "SHELL:-mllvm -inline-threshold=25")
  function(crema_fast_files fast)
    list(FILTER ARGN INCLUDE REGEX "/core/(base|json|model|profile|read|runtime|stats)/")
    set(${fast} ${ARGN} PARENT_SCOPE)
  endfunction()
endif()

# crema_prelude(TARGET HEADER [OF]): HEADER is compiled once and included by every file of TARGET; with the target OF, which has
# it already under options that mean the same.
function(crema_prelude target header)
  if(NOT CREMA_UNITS)
    return()
  endif()
  if(ARGC GREATER 2 AND NOT "${ARGV2}" STREQUAL "${target}")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    # Between angles, so that no path of this checkout is written into what ccache compares; so do the options.
    target_precompile_headers(${target} PRIVATE <${header}>)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  else()
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()
