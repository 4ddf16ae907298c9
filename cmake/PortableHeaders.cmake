# The agent's three libraries as headers alone, from a folder of their own.
foreach(library fmt::fmt nlohmann_json::nlohmann_json tl::expected)
  add_library(${library} INTERFACE IMPORTED)
  target_include_directories(${library} INTERFACE ${ASSAY_PORTABLE_HEADERS})
endforeach()
