# What all of the core is compiled with for the browser. Exceptions are WebAssembly's own: the core throws inside and
# catches at its front door, and code that does not throw pays nothing for them. Objects are optimized once more as one
# program when they are linked: 20 kB less to download, for half a minute. Nothing asks for types at run time.
# There is one thread, and nobody reads errno.
add_compile_options(-mbulk-memory -fwasm-exceptions -msimd128 $<$<CONFIG:Release>:-flto> -fno-rtti -fno-threadsafe-statics
  -fno-math-errno)
add_link_options(-mbulk-memory -fwasm-exceptions -fno-rtti)

# The stack's size was renamed in 3.1.25 and the old name goes in 5.
if(EMSCRIPTEN_VERSION VERSION_LESS 3.1.25)
  set(crema_stack -sTOTAL_STACK=1MB)
else()
  set(crema_stack -sSTACK_SIZE=1MB)
endif()

# What runs per byte, sample or node is made fast; the rest is made small, because every visitor downloads it. Under -Oz
# em++ forbids Clang to inline at all: even v[i] becomes a call, which is larger (by 10 kB compressed in all) and slower
# (loops over series took three to six times as long) than what it calls.
set(crema_small $<$<CONFIG:Release>:-Oz> $<$<CONFIG:Release>:-finline-functions>)
string(JOIN "|" crema_fast
  json/tokenizer json/record_fast_path json/number json/router json/nodes base/string_pool base/numbers
  roastcoffea/tracking_data roastcoffea/series_fast_path roastcoffea/chunk_list dask/dask_tree_fast_path tools/speedscope_samples
  tools/stack_tree query/parts/chunk_group_table runtime/chunks/chunk_groups model/child_index
  profile/tree/resolved_tree profile/tree/growing_tree profile/tree/estimate profile/tree/merge profile/tree/walk profile/tree/layout profile/functions profile/search)

# Debian's Emscripten finds its JavaScript parser through Debian's Node only; any Node shall do.
if(EXISTS /usr/share/nodejs/acorn)
  set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
endif()
