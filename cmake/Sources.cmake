# One static library per part of the source tree, one program per test file or per folder of them.

# Our own code: no warnings, and __FILE__, std::source_location and debuggers' paths relative to the repository,
# whether the compiler sees an absolute path or, behind ccache, one relative to the build folder.
# Other compilers than GCC 12 warn of more.
set(gcc_12 OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
  set(gcc_12 ON)
endif()
option(WARNINGS_AS_ERRORS "A warning ends the build: for developers, not for packages" ${gcc_12})

function(strict target)
  cmake_path(RELATIVE_PATH CMAKE_SOURCE_DIR BASE_DIRECTORY ${CMAKE_BINARY_DIR} OUTPUT_VARIABLE to_root)
  target_compile_options(${target} PRIVATE -Wall -Wextra $<$<BOOL:${WARNINGS_AS_ERRORS}>:-Werror>
    -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -ffile-prefix-map=${to_root}/= -ffile-prefix-map=${CMAKE_BINARY_DIR}=.)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
endfunction()

# sources(<variable> <glob>... [EXCEPT <regex>]): matching files of the repository, sub-folders included.
function(sources variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" EXCEPT "")
  file(GLOB_RECURSE files RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${arg_UNPARSED_ARGUMENTS})
  if(arg_EXCEPT)
    list(FILTER files EXCLUDE REGEX ${arg_EXCEPT})
  endif()
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# together(<variable> <file>...): the files of a folder, eight at a time, as one source each that includes them. Headers
# are read once for all, which halves the time of a build; a name in a folder's unnamed namespaces is therefore its own.
# Paths in these sources are relative to the repository, so that the compiler cache serves every clone.
function(together variable)
  foreach(file ${ARGN})
    cmake_path(GET file PARENT_PATH folder)
    string(REPLACE "/" "_" folder ${folder})
    list(APPEND folders ${folder})
    list(APPEND files_${folder} ${file})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    list(LENGTH files_${folder} count)
    math(EXPR last "(${count} - 1) / 8")
    foreach(part RANGE ${last})
      math(EXPR first "${part} * 8")
      list(SUBLIST files_${folder} ${first} 8 members)
      list(TRANSFORM members REPLACE "(.+)" "#include \"\\1\"\n")
      string(CONCAT text ${members})
      set(source ${CMAKE_BINARY_DIR}/together/${folder}_${part}.cpp)
      file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
      list(APPEND together ${source})
    endforeach()
  endforeach()
  set(${variable} ${together} PARENT_SCOPE)
endfunction()

# source_library(<library> SOURCES <glob>... [EXCEPT <regex>] [ALONE <regex>] LINK <library>...): what is not compiled
# alone is compiled together.
function(source_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXCEPT;ALONE" "SOURCES;LINK")
  sources(files ${arg_SOURCES} EXCEPT ${arg_EXCEPT})
  if(NOT files)  # headers alone
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${arg_LINK})
    return()
  endif()
  if(arg_ALONE)
    set(alone ${files})
    list(FILTER alone INCLUDE REGEX ${arg_ALONE})
    list(FILTER files EXCLUDE REGEX ${arg_ALONE})
  endif()
  together(grouped ${files})
  add_library(${name} STATIC ${grouped} ${alone})
  strict(${name})
  target_link_libraries(${name} PUBLIC ${arg_LINK})
endfunction()

# What a program of a test is compiled with beside its libraries.
function(test_options target)
  strict(${target})
  target_compile_options(${target} PRIVATE -fpch-preprocess)  # for the compiler cache
endfunction()

# Headers of others that most tests include, read once for all. Those of this repository would name the clone, and
# the compiler cache would serve no other.
function(headers_of_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" LINK)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/headers_of_tests.cpp CONTENT "")
  add_library(headers_of_tests OBJECT ${CMAKE_BINARY_DIR}/headers_of_tests.cpp)
  test_options(headers_of_tests)
  target_link_libraries(headers_of_tests PRIVATE ${arg_LINK} GTest::gmock)
  target_precompile_headers(headers_of_tests PRIVATE <fmt/format.h> <gmock/gmock.h> <nlohmann/json.hpp>)
endfunction()

# A program of tests, of these sources.
function(program_of_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${target} ${arg_SOURCES})
  test_options(${target})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${target} PRIVATE ${arg_LINK} GTest::gmock)
  if(QUICK_LINKER)
    target_link_options(${target} PRIVATE -fuse-ld=gold)
  endif()
  target_precompile_headers(${target} REUSE_FROM headers_of_tests)
endfunction()

# tests_together(<variable> <name> <file>...): some sources that include these tests, eight at a time. A script writes
# them, since headers are to be included before: every test has a name space of its own.
function(tests_together variable name)
  set(together)
  list(LENGTH ARGN count)
  math(EXPR last "(${count} - 1) / 8")
  foreach(part RANGE ${last})
    math(EXPR first "${part} * 8")
    list(SUBLIST ARGN ${first} 8 members)
    set(source ${CMAKE_BINARY_DIR}/together/${name}_${part}.cpp)
    add_custom_command(OUTPUT ${source} VERBATIM COMMAND_EXPAND_LISTS
      DEPENDS ${members} ${CMAKE_SOURCE_DIR}/cmake/TestsTogether.cmake WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
      COMMAND ${CMAKE_COMMAND} -DOUTPUT=${source} -P cmake/TestsTogether.cmake -- ${members}
      COMMENT "Tests together: ${name}_${part}.cpp")
    # A test's own types are in an unnamed name space, which GCC expects in what is compiled alone.
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -Wno-subobject-linkage)
    list(APPEND together ${source})
  endforeach()
  set(${variable} ${together} PARENT_SCOPE)
endfunction()

option(TESTS_TOGETHER "The tests of a folder are one program: all of them build in half of the time" ON)

# tests(<glob>... LINK <library>...): each file is a program and a CTest test named after it and labelled with
# its folder; those named *_full_test.cpp also with `full`, which the fast tier leaves out. With TESTS_TOGETHER the
# files of a folder are one program, `<folder>_tests`, too, which `all` builds and CTest runs instead.
function(tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" LINK)
  sources(files ${arg_UNPARSED_ARGUMENTS})
  headers_of_tests(LINK ${arg_LINK})
  find_program(QUICK_LINKER ld.gold)
  foreach(file ${files})
    cmake_path(GET file STEM name)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    list(APPEND folders ${folder})
    list(APPEND files_${folder} ${file})
    program_of_tests(${name} SOURCES ${file} LINK ${arg_LINK})
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ${TESTS_TOGETHER})
    set(labels ${folder})
    if(name MATCHES "_full_test$")
      list(APPEND labels full)
    endif()
    if(TESTS_TOGETHER)
      add_test(NAME ${name} COMMAND ${folder}_tests ${name})
    else()
      add_test(NAME ${name} COMMAND ${name})
    endif()
    set_tests_properties(${name} PROPERTIES LABELS "${labels}")
  endforeach()
  if(NOT TESTS_TOGETHER)
    return()
  endif()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    tests_together(together ${folder}_tests ${files_${folder}})
    program_of_tests(${folder}_tests SOURCES ${together} LINK ${arg_LINK})
  endforeach()
endfunction()
