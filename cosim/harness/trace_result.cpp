#include "cosim/harness/trace_result.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "golden/trace/io/json_text.h"

namespace verif {

std::string shown_file(const std::string& file, const CosimOptions& options) {
  return file == options.kept_input ? "standard input" : file.substr(file.rfind('/') + 1);
}

std::string json_of_traces(const CosimOptions& options, const std::vector<TraceResult>& results) {
  auto all = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string& file = options.traces[i];
    nlohmann::ordered_json one{{"trace", file == options.kept_input ? shown_file(file, options) : file}};
    one.update(nlohmann::ordered_json::parse(results[i].json));
    all.push_back(one);
  }
  return golden::json_text(all);
}

std::string line_of_trace(const CosimOptions& options, const std::string& trace, const TraceResult& result) {
  return fmt::format("{}: {}", shown_file(trace, options), result.line);
}

}  // namespace verif
