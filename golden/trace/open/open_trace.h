// Opens traces of any format, by what they hold.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "golden/trace/io/byte_source.h"
#include "golden/trace/trace_source.h"

namespace golden {

// Opens a `.rec`, a `.traceg` or a `kernelslist.g` (each plain or .xz, found by content; "-" is standard
// input), a folder that holds a `kernelslist.g`, the beginning of one of these ("t.rec?accesses=20", see
// trace_name.h), or a built-in kernel ("builtin:atax?nx=4096,ny=4096", see kernels/builtin_kernels.h). Throws
// TraceError.
std::unique_ptr<TraceSource> open_trace(const std::string& path);

// The files that open_trace would read: the trace, the side file of a `.rec`, the kernels of a list. Devices,
// pipes and what cannot be read name themselves alone; built-in kernels and standard input name none.
std::vector<std::string> files_of_trace(const std::string& path);

// As open_trace, but a list of requests is handed back as it is, at its start: exactly one of the two is set.
struct OpenedTrace {
  std::unique_ptr<TraceSource> trace;
  std::unique_ptr<ByteSource> requests;
};
OpenedTrace open_trace_or_requests(const std::string& path);

}  // namespace golden
