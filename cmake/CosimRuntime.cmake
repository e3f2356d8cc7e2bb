# Verilator's run-time library, compiled once: most of the build time of a small co-simulation. With it comes
# GTKWave's writer of FST files.
find_path(VERILATOR_INCLUDE verilated.h HINTS $ENV{VERILATOR_ROOT}/include /usr/share/verilator/include REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)

set(fst_writer ${VERILATOR_INCLUDE}/gtkwave/fstapi.c ${VERILATOR_INCLUDE}/gtkwave/lz4.c
  ${VERILATOR_INCLUDE}/gtkwave/fastlz.c)
set_source_files_properties(${fst_writer} PROPERTIES LANGUAGE CXX COMPILE_DEFINITIONS FST_CONFIG_INCLUDE="fst_config.h"
  INCLUDE_DIRECTORIES ${VERILATOR_INCLUDE}/gtkwave)
add_library(cosim_runtime STATIC ${VERILATOR_INCLUDE}/verilated.cpp ${VERILATOR_INCLUDE}/verilated_threads.cpp
  ${VERILATOR_INCLUDE}/verilated_cov.cpp ${fst_writer})
target_include_directories(cosim_runtime SYSTEM PUBLIC ${VERILATOR_INCLUDE} ${VERILATOR_INCLUDE}/vltstd)
target_compile_options(cosim_runtime PRIVATE -O2 -w)
target_link_libraries(cosim_runtime PUBLIC Threads::Threads ZLIB::ZLIB)
