// The text of Liberty files that a user hands in, plain or gzip, checked before any tool sees it; several as
// one, since yosys and abc read one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace gen {

struct LibertyText {
  std::string path, text;
};

// Throws FileError for a file that cannot be read, ToolError for one that is no Liberty file: no library, not
// whole, too large, names that a script of a tool would take for more than a name, or another file included.
LibertyText read_liberty(const std::string& path);

// The first file with what the others add to it: templates and cells. Throws ToolError where units or
// templates differ, or where two have a cell of one name.
std::string merged(const std::vector<LibertyText>& files);

// Without quotes and spaces.
std::string liberty_word(std::string_view text);

// Zero for what is no number.
double liberty_number(std::string_view text);

}  // namespace gen
