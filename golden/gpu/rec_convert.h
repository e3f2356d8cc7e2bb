// Writes a trace again as `.rec` or `.rec.xz`, with its side file beside it.
#pragma once
#include <string>

namespace golden {

// Checks every record on the way. Compressed if the name of `to` ends in .xz. Both files are written under
// temporary names and renamed; on an error nothing is left. Throws TraceError.
void convert(const std::string& from, const std::string& to);

}  // namespace golden
