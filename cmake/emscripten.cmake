# What all of the core is compiled with for the browser. Exceptions are WebAssembly's own: the core throws inside and
# catches at its front door, and code that does not throw pays nothing for them.
add_compile_options(-fwasm-exceptions -msimd128)
add_link_options(-fwasm-exceptions)

# What runs per byte, sample or node is made fast; the rest is made small, because every visitor downloads it.
file(GLOB_RECURSE small CONFIGURE_DEPENDS core/analyse/*.cpp core/session/*.cpp core/table/*.cpp core/write/*.cpp core/read/*.cpp
     core/model/*.cpp core/flame/*.cpp)
foreach(fast tracking_data chunk_list activities dask_tree speedscope stack_tree child_index resolved_tree growing_tree
        estimate merge walk layout)
  list(FILTER small EXCLUDE REGEX "/(read|model|flame)/${fast}\\.cpp$")
endforeach()
set_source_files_properties(${small} PROPERTIES COMPILE_OPTIONS -Oz)

# em++ itself is no compiler that ccache knows; the Clang below it is.
if(CREMA_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env EM_COMPILER_WRAPPER=${CREMA_CCACHE})
endif()

# Debian's Emscripten finds its JavaScript parser through Debian's Node only; any Node shall do.
if(EXISTS /usr/share/nodejs/acorn)
  set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
endif()
