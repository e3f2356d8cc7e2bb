// Writes a trace of any format as `.rec` with its side file, or as a list of requests.
#pragma once
#include <string>

#include "golden/trace/trace_source.h"

namespace golden {

// Writes every record of `source`, which is read from `from` ("-": no file), to a `.rec`, and a side file
// beside it: a copy of the one of `from` if it has one, else what the kernels state. A `.rec` has addresses
// of 32 bits: of wider ones the upper bits are dropped if all share them, else refused. Compressed if the
// name of `to` ends in .xz. Files are written under temporary names and renamed; on an error nothing is left.
// Returns the number of records. Throws TraceError.
std::uint64_t write_rec(TraceSource& source, const std::string& from, const std::string& to);

// Writes the coalesced requests of every record in the order of the trace (warps are not interleaved), with
// the number of its warp in the grid and its program counter; barriers are left out. Returns the number of
// requests.
std::uint64_t write_requests(TraceSource& source, const std::string& to, int line_bytes, int chunk_bytes);

}  // namespace golden
