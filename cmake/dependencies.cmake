# Every outside library of the core, its tests and its command line. A copy on the machine is used when there is one,
# else the pinned release is fetched.
include(FetchContent)
set(FETCHCONTENT_QUIET ON)

# Compilations are cached where ccache is installed (em++ keeps its own cache of system libraries).
find_program(CREMA_CCACHE ccache)
if(CREMA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT EMSCRIPTEN)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CREMA_CCACHE})
endif()

# crema_headers(TARGET FOLDER HEADER URL SHA256 INCLUDE): TARGET becomes an interface library of the header-only library
# whose include folder is FOLDER. The folder is linked into the build tree, because em++ must not see the rest of the
# system's include folder. INCLUDE is the folder in the release archive that holds FOLDER.
function(crema_headers target folder header url sha256 include)
  find_path(${target}_INCLUDE ${folder}/${header} NO_CMAKE_FIND_ROOT_PATH
            PATHS /usr/include /usr/local/include /opt/homebrew/include)
  set(found ${${target}_INCLUDE})
  if(NOT found)
    # A source folder without a CMakeLists.txt: the archive is unpacked, its own build is not run.
    FetchContent_Declare(${target}_release URL ${url} URL_HASH SHA256=${sha256} SOURCE_SUBDIR none)
    FetchContent_MakeAvailable(${target}_release)
    set(found ${${target}_release_SOURCE_DIR}/${include})
  endif()
  set(own ${PROJECT_BINARY_DIR}/include/${folder})
  file(MAKE_DIRECTORY ${own})
  if(NOT EXISTS ${own}/${folder})
    file(CREATE_LINK ${found}/${folder} ${own}/${folder} SYMBOLIC COPY_ON_ERROR)
  endif()
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${own})
endfunction()

crema_headers(crema_nlohmann_json nlohmann json.hpp
  https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
  d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d include)
add_library(nlohmann_json::nlohmann_json ALIAS crema_nlohmann_json)

find_path(crema_fast_float_INCLUDE fast_float/fast_float.h NO_CMAKE_FIND_ROOT_PATH PATHS /usr/include)
add_library(crema_fast_float INTERFACE)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include/fast_float)
if(NOT EXISTS ${PROJECT_BINARY_DIR}/include/fast_float/fast_float)
  file(CREATE_LINK ${crema_fast_float_INCLUDE}/fast_float ${PROJECT_BINARY_DIR}/include/fast_float/fast_float SYMBOLIC COPY_ON_ERROR)
endif()
target_include_directories(crema_fast_float SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/include/fast_float)

if(NOT EMSCRIPTEN)
  find_package(Catch2 REQUIRED)
  find_package(CLI11 REQUIRED)
  find_package(LibArchive REQUIRED)
endif()
