# How every target here is built, and the two lists that are made from folders.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(CCACHE ccache)
if(CCACHE AND NOT ASSAY_AGENT_ONLY)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD AND NOT ASSAY_AGENT_ONLY)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees uses of freed or unset memory inside inlined std::variant and std::vector that aren't there (PR 105562).
  add_compile_options(-Wno-maybe-uninitialized -Wno-restrict)
endif()

# assay_library(NAME sources… LINKS targets…): a folder of src as a library. What it links is what it may know.
function(assay_library name)
  cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
  add_library(assay_${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(assay_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_BINARY_DIR}/src)
  target_link_libraries(assay_${name} PUBLIC ${ARG_LINKS})
endfunction()

# assay_registry(FOLDER NAMESPACE TYPE FUNCTION HEADER OUT): every FOLDER/x.cpp defines `const TYPE NAMESPACE::x`; OUT
# becomes a source file whose FUNCTION gives pointers to all of them, in the order of their names, and FUNCTION_files()
# these names. So a new reader or check is one new file. A file whose name ends in _detail.cpp is a helper of its neighbours and defines none.
function(assay_registry folder space type function header out)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(SORT sources)
  set(declarations "")
  set(entries "")
  set(names "")
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    if(NOT name MATCHES "_detail$")
      string(APPEND declarations "extern const ${type} ${name};\n")
      string(APPEND entries "      &${space}::${name},\n")
      string(APPEND names "      \"${name}\",\n")
    endif()
  endforeach()
  get_filename_component(outer ${out} NAME_WE)
  string(REGEX REPLACE "::[^:]*$" "" parent ${space})
  file(CONFIGURE OUTPUT ${out} CONTENT
"// Made by CMake from ${folder}.
#include \"${header}\"
namespace ${space} {
${declarations}}
namespace ${parent} {
const std::vector<const ${type}*>& ${function}() {
  static const std::vector<const ${type}*> all = {
${entries}  };
  return all;
}
const std::vector<std::string_view>& ${function}_files() {
  static const std::vector<std::string_view> all = {
${names}  };
  return all;
}
}  // namespace ${parent}
")
  set(${outer}_sources ${sources} ${out} PARENT_SCOPE)
endfunction()
