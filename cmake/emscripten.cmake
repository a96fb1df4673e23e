# What all of the core is compiled with for the browser. Exceptions are WebAssembly's own: the core throws inside and
# catches at its front door, and code that does not throw pays nothing for them.
add_compile_options(-fwasm-exceptions -msimd128)
add_link_options(-fwasm-exceptions)
