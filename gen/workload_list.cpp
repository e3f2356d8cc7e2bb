#include "gen/workload_list.h"

#include <fmt/format.h>

#include <iostream>

#include "gen/files.h"
#include "gen/with_commas.h"
#include "golden/trace/io/json_text.h"
#include "golden/trace/kernels/builtin_kernels.h"

namespace gen {
namespace {

using golden::Use;
using golden::Workload;

std::string grouped(std::uint64_t number) { return with_commas(std::to_string(number)); }

std::string kibibytes(std::uint64_t bytes) {
  return bytes < 1 << 20 ? fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024)
                         : fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

std::string used_by(const Workload& workload, std::string_view between) {
  std::string out;
  for (const Use& use : workload.uses) {
    if (!out.empty()) out += between;
    out += fmt::format("{}: {}", use.source, use.name);
    if (!use.said.empty()) out += fmt::format(" ({})", use.said);
  }
  return out;
}

void print(const Workload& workload) {
  const golden::WorkloadFigures figures = golden::workload_figures(workload);
  fmt::print("{}{}: {}\n  {}, {}\n", golden::builtin_prefix, workload.name, workload.what, workload.suite,
             workload.source);
  if (!workload.uses.empty()) fmt::print("  used by {}\n", used_by(workload, "; "));
  fmt::print("  {} of buffers, {} accesses, {} instructions by default; compared with {}\n",
             kibibytes(figures.footprint), grouped(figures.counts.accesses),
             grouped(figures.counts.instructions), workload.checked);
  for (const golden::Size& size : workload.sizes)
    fmt::print("  {:10} {:>8}  {} to {}{}: {}\n", size.name, size.value, size.least, size.most,
               size.multiple > 1 ? fmt::format(" by {}", size.multiple) : "", size.meaning);
}

}  // namespace

nlohmann::ordered_json workloads_json() {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Workload* const one : golden::workloads()) {
    nlohmann::ordered_json uses = nlohmann::ordered_json::array(), sizes = nlohmann::ordered_json::array();
    for (const Use& use : one->uses)
      uses.push_back({{"source", use.source}, {"name", use.name}, {"said", use.said}});
    for (const golden::Size& size : one->sizes)
      sizes.push_back({{"name", size.name},
                       {"default", size.value},
                       {"least", size.least},
                       {"most", size.most},
                       {"multiple", size.multiple},
                       {"meaning", size.meaning}});
    const golden::WorkloadFigures figures = golden::workload_figures(*one);
    all.push_back({{"name", one->name},
                   {"what", one->what},
                   {"suite", one->suite},
                   {"program", one->source},
                   {"used_by", uses},
                   {"sizes", sizes},
                   {"footprint_bytes", figures.footprint},
                   {"accesses", figures.counts.accesses},
                   {"instructions", figures.counts.instructions},
                   {"closed_form", one->counts != nullptr},
                   {"checked", one->checked}});
  }
  return all;
}

std::string workloads_markdown() {
  std::string out;
  for (const Workload* const one : golden::workloads()) {
    const golden::WorkloadFigures figures = golden::workload_figures(*one);
    out += fmt::format("| `{}` | {}, {} | {} | {} | {} | {} | {} |\n", one->name, one->suite, one->source,
                       one->uses.empty() ? "-" : used_by(*one, "; "), kibibytes(figures.footprint),
                       grouped(figures.counts.accesses), grouped(figures.counts.instructions), one->checked);
  }
  return out;
}

void list_workloads(const std::string& json) {
  if (json == "-") {
    std::cout << golden::json_text(workloads_json(), 2) << "\n";
  } else if (!json.empty()) {
    write_file_atomically(json, golden::json_text(workloads_json(), 2) + "\n");
  } else {
    for (const Workload* const one : golden::workloads()) print(*one);
    fmt::print("Sizes are given as in {}gemm?ni=512,nj=128\n", golden::builtin_prefix);
  }
}

}  // namespace gen
