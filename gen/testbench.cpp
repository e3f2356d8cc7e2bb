#include "gen/testbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>
#include <optional>
#include <vector>

#include "gen/ports.h"
#include "gen/testbench_text.h"
#include "hw/banks/banked_l1d_params.h"
#include "hw/l1d/l1d_params.h"
#include "hw/topology/topology_params.h"

namespace gen {
namespace {

// What the modules of a bench are written for.
struct Shape {
  std::string top;
  std::vector<std::string> cores, memories;  // prefixes of their streams: "core", "port0", "slice0"
  bool axi = false;
  int line_bytes = 128, chunks = 4, address_bits = 32;
  int core_id = 8, memory_id = 9, kind = 2;  // bits
  int axi_id = 0, axi_bytes = 0;
  int low_bits = 4;     // lines of a core beside each other
  int stride_bits = 0;  // from there lines fall into the same sets
  int core_bits = 0;
};

class Ports {
 public:
  explicit Ports(const Unit& unit) : all_(ports_of(unit.top)) {}

  const std::vector<Port>& all() const { return all_; }
  bool has(const std::string& name) const { return find(name) != nullptr; }
  int width(const std::string& name) const {
    const Port* port = find(name);
    return port ? port->width : 0;
  }

  // "core", or "core0", "core1" ...
  std::vector<std::string> streams(const std::string& stem) const {
    if (has(stem + "_request_valid")) return {stem};
    std::vector<std::string> found;
    while (has(fmt::format("{}{}_request_valid", stem, found.size())))
      found.push_back(fmt::format("{}{}", stem, found.size()));
    return found;
  }

 private:
  const Port* find(const std::string& name) const {
    const auto found = std::ranges::find(all_, name, &Port::name);
    return found == all_.end() ? nullptr : &*found;
  }

  std::vector<Port> all_;
};

const hw::L1dParams* cache_in(const Config& config) {
  if (const auto* cache = config.params.find<hw::L1dParams>()) return cache;
  if (const auto* banked = config.params.find<hw::BankedL1dParams>()) return &banked->l1d;
  const auto* topology = config.params.find<hw::TopologyParams>();
  return topology ? &topology->l1d : nullptr;
}

Shape shape_of(const Config& config, const Unit& unit) {
  const hw::L1dParams* cache = cache_in(config);
  if (!cache)
    throw ConfigError(
        "--bench", fmt::format("{} is no cache: benches are of caches and their topologies", config.source));
  const Ports ports(unit);
  Shape s{.top = config.top,
          .cores = ports.streams(config.params.holds<hw::BankedL1dParams>() ? "port" : "core"),
          .memories = ports.streams("slice"),
          .axi = ports.has("axi_awid"),
          .line_bytes = cache->line_bytes,
          .chunks = cache->line_bytes / cache->chunk_bytes,
          .address_bits = cache->address_bits};
  if (s.memories.empty() && !s.axi) s.memories = {"memory"};
  s.core_id = ports.width(s.cores[0] + "_request_id");
  s.kind = ports.width(s.cores[0] + "_request_kind");
  if (s.axi) {
    s.axi_id = ports.width("axi_awid");
    s.axi_bytes = ports.width("axi_wdata") / 8;
  } else {
    s.memory_id = ports.width(s.memories[0] + "_request_id");
  }
  s.core_bits = s.cores.size() > 1 ? std::bit_width(s.cores.size() - 1) : 0;
  if (s.cores.size() > 1) s.low_bits = 2;
  // Above the lines beside each other, which are more than a small cache holds.
  const int capacity_bits = std::bit_width(static_cast<unsigned>(cache->capacity_bytes) - 1);
  const int beside_bits = std::countr_zero(static_cast<unsigned>(s.line_bytes)) + s.low_bits;
  s.stride_bits = std::min(std::max(capacity_bits, beside_bits), s.address_bits - 2 - s.core_bits);
  return s;
}

using Words = std::map<std::string, std::string>;

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

// @NAME@ becomes its word, and @NAME@-1, as in ranges, the number before it.
std::string filled(std::string text, const Words& words) {
  for (const auto& [name, word] : words) {
    if (std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c); }))
      replace_all(text, "@" + name + "@-1", std::to_string(std::stoi(word) - 1));
    replace_all(text, "@" + name + "@", word);
  }
  return text;
}

Words words_of(const Shape& s) {
  const int offset = std::countr_zero(static_cast<unsigned>(s.line_bytes));
  const std::string core =
      s.core_bits ? fmt::format("address[{} +: {}], ", s.stride_bits + 2, s.core_bits) : std::string();
  return {{"TOP", s.top},
          {"ID", std::to_string(s.core_id)},
          {"MID", std::to_string(s.memory_id)},
          {"KIND", std::to_string(s.kind)},
          {"A", std::to_string(s.address_bits)},
          {"C", std::to_string(s.chunks)},
          {"CB", std::to_string(s.line_bytes / s.chunks)},
          {"B", std::to_string(s.line_bytes)},
          {"D", std::to_string(8 * s.line_bytes)},
          {"W", std::to_string(s.line_bytes / 4)},
          {"IDS", std::to_string(1 << std::min(s.core_id, 4))},
          {"LINES", std::to_string(4 << s.low_bits)},
          {"ALL", std::to_string((4 << s.low_bits) << s.core_bits)},
          {"NB", std::to_string(s.low_bits + 2)},
          {"IB", std::to_string(s.low_bits + 2 + s.core_bits)},
          {"LOW", std::to_string(s.low_bits)},
          {"OFFSET", std::to_string(offset)},
          {"STRIDE", std::to_string(s.stride_bits)},
          {"INDEX",
           fmt::format("{{{}address[{} +: 2], address[{} +: {}]}}", core, s.stride_bits, offset, s.low_bits)},
          {"AXI_ID", std::to_string(s.axi_id)},
          {"AXI_B", std::to_string(s.axi_bytes)},
          {"AXI_D", std::to_string(8 * s.axi_bytes)},
          {"BEATS", std::to_string(s.axi ? s.line_bytes / s.axi_bytes : 1)}};
}

// Names of a core's or memory's ports that have streams of the unit behind them.
constexpr const char* request_fields[] = {"valid",   "ready", "id",          "kind",
                                          "address", "mask",  "byte_enable", "data"};
constexpr const char* response_fields[] = {"valid", "ready", "id", "mask", "data"};

class TopText {
 public:
  TopText(const Shape& shape, const Ports& ports) : s_(shape), ports_(ports) {}

  std::string text() {
    std::string out = fmt::format(
        "\n// Cores, the unit and what lies below it.\nmodule {}_bench #(\n  parameter REQUESTS = "
        "{}\n);\n\n"
        "  reg clk, rst, flush_valid;\n  wire flush_ready;\n  integer seed, cycles;\n"
        "  wire [{}:0] done, failed;\n",
        s_.top, std::max<std::size_t>(50, 1000 / s_.cores.size()), s_.cores.size() - 1);
    if (ports_.has("clk_noc1")) out += "  reg clk_noc1 = 1'b0;\n  always #1 clk_noc1 = ~clk_noc1;\n";
    for (const std::string& core : s_.cores) out += wires(core);
    for (const std::string& memory : s_.memories) out += wires(memory);
    if (s_.axi) out += axi_wires();
    for (std::size_t i = 0; i < s_.cores.size(); ++i) out += core(i);
    for (std::size_t i = 0; i < s_.memories.size(); ++i) out += memory(i);
    if (s_.axi) out += axi_memory();
    out += unit();
    return out + filled(end_text, {{"CORES", std::to_string(s_.cores.size())}});
  }

 private:
  std::string wire(const std::string& name) const {
    const int width = ports_.width(name);
    return width > 1 ? fmt::format("  wire [{}:0] {};\n", width - 1, name)
                     : fmt::format("  wire {};\n", name);
  }

  std::string wires(const std::string& prefix) const {
    std::string out = "\n";
    for (const char* field : request_fields) out += wire(fmt::format("{}_request_{}", prefix, field));
    for (const char* field : response_fields) out += wire(fmt::format("{}_response_{}", prefix, field));
    return out;
  }

  std::vector<std::string> axi_names() const {
    std::vector<std::string> names;
    for (const Port& port : ports_.all())
      if (port.name.starts_with("axi_") && port.name != "axi_error") names.push_back(port.name);
    return names;
  }

  std::string axi_wires() const {
    std::string out = "\n";
    for (const std::string& name : axi_names()) out += wire(name);
    return out + "  assign axi_bresp = 2'd0;\n  assign axi_rresp = 2'd0;\n";
  }

  std::string streams(const std::string& prefix, bool memory) const {
    std::string out;
    for (const char* field : request_fields) {
      const bool address = memory && field == std::string_view("address");
      out += fmt::format(",\n    .{}{}({}_request_{})", address ? "" : "request_", field, prefix, field);
    }
    for (const char* field : response_fields)
      out += fmt::format(",\n    .response_{0}({1}_response_{0})", field, prefix);
    return out;
  }

  std::string core(std::size_t number) const {
    return fmt::format(
        "\n  {0}_bench_core #(.NUMBER({1}), .REQUESTS(REQUESTS)) {2}_driver (\n    .clk(clk),\n    "
        ".rst(rst){3},\n"
        "    .done(done[{1}]),\n    .failed(failed[{1}])\n  );\n",
        s_.top, number, s_.cores[number], streams(s_.cores[number], false));
  }

  std::string memory(std::size_t number) const {
    return fmt::format(
        "\n  {}_bench_memory #(.NUMBER({})) {}_model (\n    .clk(clk),\n    .rst(rst){}\n  );\n", s_.top,
        number, s_.memories[number], streams(s_.memories[number], true));
  }

  std::string axi_memory() const {
    std::string pins;
    for (const char* pin : {"awid",    "awaddr", "awvalid", "awready", "wdata",  "wstrb",  "wlast", "wvalid",
                            "wready",  "bid",    "bvalid",  "bready",  "arid",   "araddr", "arlen", "arvalid",
                            "arready", "rid",    "rdata",   "rlast",   "rvalid", "rready"})
      pins += fmt::format(",\n    .{0}(axi_{0})", pin);
    return fmt::format("\n  {}_bench_memory memory_model (\n    .clk(clk),\n    .rst(rst){}\n  );\n", s_.top,
                       pins);
  }

  bool connected(const std::string& name) const {
    static const std::vector<std::string> single = {"clk", "rst", "clk_noc1", "flush_valid", "flush_ready"};
    if (std::ranges::find(single, name) != single.end()) return true;
    if (name.starts_with("axi_") && name != "axi_error") return true;
    const auto of = [&](const std::string& prefix) {
      for (const char* field : request_fields)
        if (name == fmt::format("{}_request_{}", prefix, field)) return true;
      for (const char* field : response_fields)
        if (name == fmt::format("{}_response_{}", prefix, field)) return true;
      return false;
    };
    return std::ranges::any_of(s_.cores, of) || std::ranges::any_of(s_.memories, of);
  }

  // Outputs beside the streams stay open. Inputs beside them are 0, but a load is one request, its first.
  std::string unit() const {
    std::string pins;
    for (const Port& port : ports_.all()) {
      const bool one = port.name.ends_with("_request_degree") || port.name.ends_with("_request_first");
      const std::string net = connected(port.name)         ? port.name
                              : port.direction == "output" ? ""
                                                           : fmt::format("{}'d{}", port.width, one ? 1 : 0);
      pins += fmt::format("{}\n    .{}({})", pins.empty() ? "" : ",", port.name, net);
    }
    return fmt::format("\n  {} unit ({}\n  );\n", s_.top, pins);
  }

  const Shape& s_;
  const Ports& ports_;
};

}  // namespace

std::string testbench_name(const std::string& top) { return top + "_bench.vt"; }

std::string testbench(const Config& config, const Unit& unit) {
  const Shape shape = shape_of(config, unit);
  const Ports ports(unit);
  const std::string head = fmt::format(
      "// {0}_bench: random loads and stores, a memory that stalls, flushes; every answer is checked.\n"
      "//   iverilog -g2005 -s {0}_bench -o sim {0}_bench.vt -f {0}.f\n//   vvp sim\n"
      "// Generated by L1Forge. No part of the design.\n`default_nettype none\n",
      config.top);
  const Words words = words_of(shape);
  return head + filled(core_text, words) + filled(shape.axi ? axi_text : memory_text, words) +
         TopText(shape, ports).text() + "\n`default_nettype wire\n";
}

}  // namespace gen
