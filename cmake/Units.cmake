# units(<variable>): a source that lists the functions of all gen/units/<folder>/<unit>_unit.cpp, so that a new unit is
# in the catalogue by its file alone. A list, not constructors of static objects: nothing depends on their order, and
# the linker leaves none out.
function(units variable)
  if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(watch CONFIGURE_DEPENDS)
  endif()
  file(GLOB_RECURSE files RELATIVE ${CMAKE_SOURCE_DIR} ${watch} gen/units/*_unit.cpp)
  foreach(file ${files})
    cmake_path(GET file STEM unit)
    string(APPEND declarations "std::vector<Preset> ${unit}();\n")
    string(APPEND rows "    ${unit},\n")
  endforeach()
  set(source ${CMAKE_BINARY_DIR}/unit_files.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
    "#include \"gen/config/catalogue.h\"\n\nnamespace gen {\n@declarations@
const std::vector<UnitFile>& unit_files() {
  static const std::vector<UnitFile> files{\n@rows@  };\n  return files;\n}\n
}  // namespace gen\n")
  set(${variable} ${source} PARENT_SCOPE)
endfunction()
