# Verilator's run-time library, compiled once: most of the build time of a small co-simulation.
find_path(VERILATOR_INCLUDE verilated.h HINTS $ENV{VERILATOR_ROOT}/include /usr/share/verilator/include REQUIRED)
find_package(Threads REQUIRED)

add_library(cosim_runtime STATIC ${VERILATOR_INCLUDE}/verilated.cpp ${VERILATOR_INCLUDE}/verilated_threads.cpp)
target_include_directories(cosim_runtime SYSTEM PUBLIC ${VERILATOR_INCLUDE} ${VERILATOR_INCLUDE}/vltstd)
target_compile_options(cosim_runtime PRIVATE -O2 -w)
target_link_libraries(cosim_runtime PUBLIC Threads::Threads)
