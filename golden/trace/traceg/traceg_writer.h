// Writes a trace of any format as a `.traceg` of Accel-Sim, tracer version 5.
#pragma once
#include <string>

#include "golden/trace/trace_source.h"

namespace golden {

// Writes the only kernel of `source`: each CTA of its grid, also those without a record, each warp of a CTA
// with its accesses and barriers in their order and EXIT at its end, as the simulator wants them. Opcodes are
// those of sm_70 that our own reader takes for the same records; all loads write one register, so that a warp
// waits for its load before the next one, as it does here. Compressed if the name ends in .xz; on an error
// nothing is left. Returns the number of records. Throws TraceError.
std::uint64_t write_traceg(TraceSource& source, const std::string& to);

}  // namespace golden
