# Every outside library of the core, its tests and its command line. A copy on the machine is used when there is one,
# else a pinned release is fetched.
include(FetchContent)

# Compilations are cached where ccache is installed.
find_program(CREMA_CCACHE ccache)
if(CREMA_CCACHE AND NOT EMSCRIPTEN AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CREMA_CCACHE})
endif()

# crema_headers(TARGET FOLDER HEADER URL SHA256): TARGET becomes an interface library of a header-only library that is
# included as <FOLDER/HEADER>. FOLDER is linked into the build tree, because em++ must not see the rest of the system's
# include folder. URL is an archive whose include folder holds FOLDER, or the HEADER itself.
function(crema_headers target folder header url sha256)
  find_path(${target}_include ${folder}/${header} PATHS /usr/include /usr/local/include /opt/homebrew/include
            NO_CMAKE_FIND_ROOT_PATH)
  set(found ${${target}_include})
  if(NOT found AND url MATCHES "/${header}$")
    set(found ${PROJECT_BINARY_DIR}/_deps/${target})
    FetchContent_Declare(${target}_release URL ${url} URL_HASH SHA256=${sha256} SOURCE_SUBDIR unused
                         SOURCE_DIR ${found}/${folder} DOWNLOAD_NO_EXTRACT TRUE)
    FetchContent_MakeAvailable(${target}_release)
  elseif(NOT found)
    # A SOURCE_SUBDIR that does not exist: the archive is unpacked, its own build does not run.
    FetchContent_Declare(${target}_release URL ${url} URL_HASH SHA256=${sha256} SOURCE_SUBDIR unused)
    FetchContent_MakeAvailable(${target}_release)
    set(found ${${target}_release_SOURCE_DIR}/include)
  endif()
  set(own ${PROJECT_BINARY_DIR}/headers/${folder})
  if(NOT EXISTS ${own}/${folder})
    file(MAKE_DIRECTORY ${own})
    file(CREATE_LINK ${found}/${folder} ${own}/${folder} SYMBOLIC COPY_ON_ERROR)
  endif()
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${own})
endfunction()

crema_headers(crema_nlohmann_json nlohmann json.hpp
              https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
              d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
add_library(nlohmann_json::nlohmann_json ALIAS crema_nlohmann_json)

crema_headers(crema_fast_float fast_float fast_float.h
              https://github.com/fastfloat/fast_float/archive/refs/tags/v6.1.6.tar.gz
              4458aae4b0eb55717968edda42987cabf5f7fc737aee8fede87a70035dba9ab0)

crema_headers(crema_cli11 CLI CLI.hpp
              https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.1.tar.gz
              73b7ec52261ce8fe980a29df6b4ceb66243bb0b779451dbd3d014cfec9fdbb58)
add_library(CLI11::CLI11 ALIAS crema_cli11)

# The tests in WebAssembly take the header-only release 2: what is installed of release 3 is a native library.
if(NOT EMSCRIPTEN)
  find_package(Catch2 QUIET)
endif()
if(NOT Catch2_FOUND AND CREMA_TESTS)
  crema_headers(crema_catch catch2 catch.hpp
                https://github.com/catchorg/Catch2/releases/download/v2.13.10/catch.hpp
                3725c0f0a75f376a5005dde31ead0feb8f7da7507644c201b814443de8355170)
  add_library(Catch2::Catch2 ALIAS crema_catch)
endif()

if(EMSCRIPTEN)
  return()
endif()

# Only the native command line and tests use what follows.

find_package(LibArchive QUIET)
if(NOT LibArchive_FOUND)
  foreach(part TEST TAR CPIO CAT UNZIP OPENSSL LIBXML2 EXPAT ACL XATTR ICONV INSTALL)
    set(ENABLE_${part} OFF)
  endforeach()
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  enable_language(C)
  FetchContent_Declare(libarchive_release
    URL https://github.com/libarchive/libarchive/releases/download/v3.7.7/libarchive-3.7.7.tar.xz
    URL_HASH SHA256=879acd83c3399c7caaee73fe5f7418e06087ab2aaf40af3e99b9e29beb29faee)
  FetchContent_MakeAvailable(libarchive_release)
  target_include_directories(archive_static SYSTEM INTERFACE ${libarchive_release_SOURCE_DIR}/libarchive)
  add_library(LibArchive::LibArchive ALIAS archive_static)
endif()
