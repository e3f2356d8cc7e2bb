# What results of studies depend on beside their inputs, by content: a source file with digests of the models that
# `explore` runs; of all models and of what drives and compares them; of the synthesis; of networks, whose parts are
# synthesized apart; and of energy, which depends on synthesis and simulation but for the untimed models. A study then
# measures again what a change of the program may change. Comments change no result and no digest.
set(DIGESTS_SOURCE ${CMAKE_BINARY_DIR}/digests.cpp)
sources(simulation golden/*.h golden/*.cpp hw/*_params.h cosim/*.h cosim/*.cpp gen/explore/*.h
  gen/explore/*.cpp gen/system/*.h gen/system/*.cpp gen/cosim/*.h gen/cosim/*.cpp EXCEPT "_test\\.cpp$")
set(exploration ${simulation})
list(FILTER exploration EXCLUDE REGEX "^(cosim|gen/cosim|(golden|hw)/(axi4|client|coalescer))/")
sources(synthesis gen/area/*.h gen/area/*.cpp gen/liberty/*.h gen/liberty/*.cpp gen/tech/*.h gen/tech/*.cpp
  synth-scripts/* EXCEPT "\\.(py|csv)$|power\\.tcl$")
set(networks ${synthesis})
list(FILTER synthesis EXCLUDE REGEX
  "^gen/(area/(network_|thesis_|topology_parts|cell_leakage)|liberty/(power_cell|lookup_table|boolean))")
sources(energy gen/energy/*.h gen/energy/*.cpp gen/liberty/power_cell.* gen/liberty/lookup_table.*
  gen/liberty/boolean.* synth-scripts/power.tcl)
list(APPEND energy ${simulation} ${synthesis})
list(FILTER energy EXCLUDE REGEX "functional")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/digests.cmake CONTENT
  "set(exploration \"@exploration@\")\nset(simulation \"@simulation@\")\nset(synthesis \"@synthesis@\")\n\
set(networks \"@networks@\")\nset(energy \"@energy@\")\n" @ONLY)
set(all ${energy} ${networks})
list(REMOVE_DUPLICATES all)
list(TRANSFORM all PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE all_files)
add_custom_command(OUTPUT ${DIGESTS_SOURCE} VERBATIM
  DEPENDS ${all_files} ${CMAKE_BINARY_DIR}/digests.cmake
    ${CMAKE_CURRENT_LIST_DIR}/WriteDigests.cmake
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DLISTS=${CMAKE_BINARY_DIR}/digests.cmake
    -DFILE=${DIGESTS_SOURCE} -P ${CMAKE_CURRENT_LIST_DIR}/WriteDigests.cmake)
