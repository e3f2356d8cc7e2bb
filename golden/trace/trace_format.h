// Tells the formats of traces by their first bytes.
#pragma once
#include "golden/trace/io/byte_source.h"

namespace golden {

enum class TraceFormat { rec, traceg, kernelslist, requests };

// Leaves the source at its start. Throws TraceError for a text that is none of them.
TraceFormat trace_format(ByteSource& source);

// Whether the lines of a list of requests begin with a core's number. Leaves the source at its start.
bool names_cores(ByteSource& requests);

}  // namespace golden
