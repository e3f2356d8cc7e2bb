// Where a model that counts writes how often its lines and nets were reached.
#pragma once
#include <string>

namespace verif {

inline std::string verilog_coverage_file;  // empty: nowhere

}  // namespace verif
