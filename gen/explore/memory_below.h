// What lies below the caches of a timed run, and what of it reports say.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "gen/explore/explore.h"
#include "golden/gpu/memory_side.h"

namespace gen {

// A memory of two nodes if `nodes` describes one; else a single SM has one of its own, and several share
// sub-partitions.
std::unique_ptr<golden::MemorySide> memory_below(const hw::L1dParams& cache, const ExploreRequest& request,
                                                 const Config* nodes);

// For the head of a table: "a memory of .. below each cache".
std::string described_memory(const RunResult& run);
nlohmann::ordered_json nodes_json(const golden::NodeFigures& figures, std::uint64_t cycles);
// Gigabytes a second between the L1s and the memory, both ways.
double gigabytes(const golden::NodeFigures& figures, std::uint64_t cycles);
// Share of the pages that are in the GPU node.
double gpu_share(const golden::NodeFigures& figures);

// Refuses what is no memory of two nodes, and what is said of a memory that is not there.
void check_memories(const ExploreRequest& request, bool of_caches);

}  // namespace gen
