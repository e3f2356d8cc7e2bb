// Recognises the formats of traces by their first bytes.
#pragma once
#include <optional>

#include "golden/trace/io/byte_source.h"

namespace golden {

enum class TraceFormat { rec, traceg, kernelslist, requests, recording };

// Leaves the source at its start. Throws TraceError for a text that is none of them.
TraceFormat trace_format(ByteSource& source);

// Throws TraceError, with what it is instead, for a source that is of another format for sure. Leaves it at
// its start.
void expect_format(ByteSource& source, TraceFormat wanted);
// The same for a list of requests whose lines begin with a core's number, or do not, against what is wanted.
void expect_requests(ByteSource& source, bool with_cores);

// Whether the lines of a list of requests begin with a core's number. Leaves the source at its start.
bool names_cores(ByteSource& requests);

}  // namespace golden
