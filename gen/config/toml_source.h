// Reads settings from a TOML file or from a `-s key=value` flag; the only file that knows the TOML library.
#pragma once
#include <string>
#include <vector>

#include "gen/config/value.h"

namespace gen {

// In the order in which they stand in the file. Throws ConfigError.
std::vector<Setting> read_toml_file(const std::string& path);
std::vector<Setting> read_toml(const std::string& text, const std::string& path);

// A file with an array of tables, `[[name]]`: each of them, and what stands beside them.
struct TomlTable {
  std::string place;
  std::vector<Setting> settings;
};
struct TomlTables {
  std::vector<Setting> settings;
  std::vector<TomlTable> tables;
};
TomlTables read_toml_tables(const std::string& path, const std::string& name);

// `flag` is the text after -s. The value is TOML; a bare word is a string. Throws ConfigError.
Setting read_flag(const std::string& flag);

}  // namespace gen
