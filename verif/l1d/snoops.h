// A small cache that takes requests of kind snoop, and whose fetches carry the numbers of instructions.
#pragma once
#include <string>
#include <vector>

namespace verif {

inline const std::vector<std::string> small_with_snoops{"geometry.capacity_bytes=1024",
                                                        "geometry.line_bytes=64",
                                                        "mshr.entries=4",
                                                        "mshr.merges=3",
                                                        "mshr.miss_queue=2",
                                                        "core.id_bits=5",
                                                        "counters.enable=true",
                                                        "core.peeks=true",
                                                        "core.pc_bits=9"};

}  // namespace verif
