// The catalogue of built-in kernels, from their declarations: as text, as JSON, and as the table of the docs.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace gen {

// Prints it, or writes it to a file as JSON; "-" is standard output, "" prints text.
void list_workloads(const std::string& json);

nlohmann::ordered_json workloads_json();
// The rows of docs/workloads.md.
std::string workloads_markdown();

}  // namespace gen
