# What all of the core is compiled with for the browser. Exceptions are WebAssembly's own: the core throws inside and
# catches at its front door, and code that does not throw pays nothing for them. Objects are optimized once more as one
# program when they are linked: 20 kB less to download, for half a minute. Nothing asks for types at run time.
# There is one thread, nobody reads errno, and what is static lives as long as the page: no destructors of it (2 kB).
add_compile_options(-mbulk-memory -fwasm-exceptions -msimd128 $<$<CONFIG:Release>:-flto> -fno-rtti -fno-threadsafe-statics
  -fno-math-errno -fno-c++-static-destructors)
add_link_options(-mbulk-memory -fwasm-exceptions -fno-rtti)

# The stack's size was renamed in 3.1.25 and the old name goes in 5.
if(EMSCRIPTEN_VERSION VERSION_LESS 3.1.25)
  set(crema_stack -sTOTAL_STACK=1MB)
else()
  set(crema_stack -sSTACK_SIZE=1MB)
endif()

# Every visitor downloads the core, so it is compiled for size, except the files that a profile of reading and of the first
# views has at its top: they say so in their first line. Everything for speed is 120 kB more to download, everything by -Os
# 130 kB, for 2 to 8 % of the time. Under -Oz em++ forbids Clang to inline at all: even v[i] becomes a call, which is larger
# and slower than what it calls. What `npm start` builds (Quick) is compiled in half the time where it is not optimized.
set(crema_small $<$<CONFIG:Release>:-Oz> $<$<CONFIG:Release>:-finline-functions> $<$<CONFIG:Quick>:-O0>)

# Sets `fast` to those of the files that say in their first line that they are compiled for speed.
function(crema_fast_files fast)
  foreach(file ${ARGN})
    file(STRINGS ${file} first LIMIT_COUNT 1)
    if(first MATCHES "^// Compiled for speed")
      list(APPEND found ${file})
    endif()
  endforeach()
  set(${fast} ${found} PARENT_SCOPE)
endfunction()

# Debian's Emscripten finds its JavaScript parser through Debian's Node only; any Node shall do.
if(EXISTS /usr/share/nodejs/acorn)
  set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
endif()
