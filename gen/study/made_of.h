// What a stored table of a study was made of, by content, as the last line of its CSV has it:
//     # made of study 0123456789abcdef, units 0123456789abcdef, models 0123456789abcdef
// `claims --check` compares it with the present, without the inputs' bytes, which are not in the repository.
#pragma once
#include <optional>
#include <string>

namespace gen {

struct MadeOf {
  std::string study;   // its settings, but for labels and other tables, and the files they name
  std::string units;   // bits of its configurations, or their Verilog, if it shows them; else "none"
  std::string models;  // what they make of short runs; of Verilog what drives it, or the recipe of synthesis

  std::string line() const;
  // "study and models": what differs from another; empty: nothing.
  std::string differs(const MadeOf& other) const;
};

// Of the last line of a CSV; none where it has none.
std::optional<MadeOf> made_of_line(const std::string& csv);

// Of a table of a study. Throws ConfigError or FileError.
MadeOf made_of(const std::string& study, const std::string& table);

// The table of a study that writes a file of this name; empty: none does.
std::string table_of_file(const std::string& study, const std::string& file);

}  // namespace gen
