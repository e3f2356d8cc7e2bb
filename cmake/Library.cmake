# What other projects build against: the models and the C interface as static libraries, headers, and packages for
# CMake and pkg-config. `cmake --install build/dev --prefix P` puts them into P, and builds what is missing.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

file(STRINGS gen/version.h version REGEX "version = ")
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" L1FORGE_VERSION "${version}")
file(STRINGS clients/l1forge/client.h abi REGEX "^#define L1FORGE_ABI ")
string(REGEX MATCH "[0-9]+$" L1FORGE_ABI "${abi}")
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/l1forge)  # golden/, hw/ and ac_types/ below it are no one else's

source_library(client SOURCES clients/library/*.cpp LINK gen_lib)

# The models of all units, with no other library behind them.
add_library(l1forge_golden STATIC $<TARGET_OBJECTS:golden_l1d>)
set_target_properties(l1forge_golden PROPERTIES EXPORT_NAME golden LINKER_LANGUAGE CXX)
target_compile_features(l1forge_golden INTERFACE cxx_std_20)
target_include_directories(l1forge_golden INTERFACE $<INSTALL_INTERFACE:${headers}>
  $<INSTALL_INTERFACE:${headers}/ac_types>)

# All of the program behind a few C functions. Of a shared library no other name is seen.
if(BUILD_SHARED_LIBS)
  add_library(l1forge_client SHARED $<TARGET_OBJECTS:client>)
  target_link_libraries(l1forge_client PRIVATE client)
  target_link_options(l1forge_client PRIVATE -Wl,--exclude-libs,ALL)
  set_target_properties(l1forge_client PROPERTIES VERSION ${L1FORGE_ABI} SOVERSION ${L1FORGE_ABI})
  set(libraries_of_client)
else()
  set(parts client gen_lib hw rtl golden_gpu golden_l1d cosim cosim_runtime)
  list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_library(l1forge_client STATIC ${objects})
  set(libraries_of_client fmt tomlplusplus lzma z md4c-html md4c pthread stdc++ m)
endif()
set_target_properties(l1forge_client PROPERTIES EXPORT_NAME client LINKER_LANGUAGE CXX)
target_link_libraries(l1forge_client INTERFACE ${libraries_of_client})
target_include_directories(l1forge_client INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
add_custom_target(library DEPENDS l1forge_golden l1forge_client)

install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target library
  COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)")
install(TARGETS l1forge_golden l1forge_client EXPORT L1Forge)
install(FILES clients/l1forge/client.h DESTINATION ${headers})
install(DIRECTORY golden DESTINATION ${headers} FILES_MATCHING PATTERN *.h
  PATTERN golden/gpu EXCLUDE PATTERN golden/trace EXCLUDE)
install(DIRECTORY hw DESTINATION ${headers} FILES_MATCHING PATTERN *_params.h)
install(FILES ${AC_TYPES_DIR}/ac_int.h DESTINATION ${headers}/ac_types)
if(EXISTS ${AC_TYPES_DIR}/../LICENSE)
  install(FILES ${AC_TYPES_DIR}/../LICENSE DESTINATION ${headers}/ac_types)
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/L1Forge)
install(EXPORT L1Forge NAMESPACE L1Forge:: FILE L1ForgeConfig.cmake DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/L1ForgeConfigVersion.cmake VERSION ${L1FORGE_VERSION}
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/L1ForgeConfigVersion.cmake DESTINATION ${package})

function(pkg_config name description cflags libs)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/l1forge-${name}.pc @ONLY CONTENT
    [[prefix=${pcfiledir}/@to_prefix@
Name: l1forge-@name@
Description: @description@
Version: @L1FORGE_VERSION@
Cflags: @cflags@
Libs: -L${prefix}/@CMAKE_INSTALL_LIBDIR@ -ll1forge_@name@ @libs@
]])
  install(FILES ${CMAKE_BINARY_DIR}/l1forge-${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
  OUTPUT_VARIABLE to_prefix)
list(TRANSFORM libraries_of_client PREPEND "-l")
list(JOIN libraries_of_client " " libs)
pkg_config(client "C interface of cycle models of GPU L1 data caches" "-I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}"
  "${libs}")
pkg_config(golden "C++20 models of GPU L1 cache structures"
  "-std=c++20 -I\${prefix}/${headers} -isystem \${prefix}/${headers}/ac_types" "")

# The Python module, in builds of `pip install .` alone (pyproject.toml).
if(SKBUILD)
  find_package(Python COMPONENTS Interpreter Development.Module REQUIRED)
  find_package(pybind11 CONFIG REQUIRED)
  pybind11_add_module(_l1forge NO_EXTRAS clients/python/module.cpp)
  strict(_l1forge)
  target_link_libraries(_l1forge PRIVATE client)
  target_link_options(_l1forge PRIVATE -Wl,--exclude-libs,ALL)
  install(TARGETS _l1forge LIBRARY DESTINATION l1forge COMPONENT python)
endif()
