// docs/clients/vortex.md, followed by the letter in a stand-in of the open GPU Vortex: what its commands
// generate and the shim stand where the page puts them, in every shape of the page, with traffic.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <ranges>
#include <sstream>

#include "gen/config/config.h"
#include "gen/cosim/port_list.h"
#include "gen/cosim/program.h"
#include "gen/files.h"
#include "gen/generate.h"
#include "gen/paths.h"
#include "gen/process.h"
#include "gen/unit/cosim_main.h"
#include "hw/bus/vortex_adapter.h"
#include "verif/bus/vortex_client.h"
#include "verif/full_tier.h"

namespace {

using Strings = std::vector<std::string>;

const std::string& page() {
  static const std::string text = gen::read_file(gen::paths::source() / "docs/clients/vortex.md");
  return text;
}
std::string shim() { return gen::read_file(gen::paths::source() / "docs/clients/vortex_shim.sv"); }

// The text between ```<kind> and ``` that holds `word`.
std::string block(const std::string& kind, const std::string& word) {
  const std::string fence = "```" + kind + "\n";
  for (std::size_t at = page().find(fence); at != std::string::npos; at = page().find(fence, at + 1)) {
    const std::size_t from = at + fence.size();
    const std::string text = page().substr(from, page().find("```\n", from) - from);
    if (text.find(word) != std::string::npos) return text;
  }
  ADD_FAILURE() << "no block of the page has " << word;
  return "";
}

// The settings that the page's command gives to a preset.
Strings settings_of(const std::string& preset) {
  std::istringstream lines(block("", "./forge gen " + preset));
  Strings settings;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("./forge gen " + preset + " ")) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;)
      if (word == "-s" && words >> word) settings.push_back(word);
  }
  return settings;
}

struct Shape {
  std::string name = {};
  Strings settings = {}, cache_settings = {};  // of the adapter, and of the cache beside the geometry
  int cores = 1, buses = 1, memory_buses = 1, uuid_bits = 1;
};

Strings cells_of(const std::string& row) {
  Strings cells;
  for (const auto part : std::views::split(row, '|')) {
    std::string cell(part.begin(), part.end());
    std::erase(cell, '`');
    const std::size_t first = cell.find_first_not_of(' ');
    if (first != std::string::npos)
      cells.push_back(cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
  }
  return cells;
}

// The page's table, and lanes that are wider than a line.
std::vector<Shape> shapes() {
  std::istringstream lines(page());
  std::vector<Shape> all;
  Strings keys;
  for (std::string line; std::getline(lines, line);) {
    const Strings cells = cells_of(line);
    if (line.starts_with("| shape |")) {
      keys = cells;
      std::getline(lines, line);
    } else if (!keys.empty() && cells.size() != keys.size()) {
      break;
    } else if (!keys.empty()) {
      Shape s{.name = cells[0]};
      for (std::size_t n = 1; n < cells.size(); ++n) s.settings.push_back(keys[n] + "=" + cells[n]);
      if (s.name.find("two cores") != std::string::npos) s.cores = 2;
      all.push_back(s);
    }
  }
  all.push_back({.name = "32 lanes, two buses",
                 .settings = {"client.lanes=32", "geometry.line_bytes=64", "client.tag_bits=5",
                              "client.memory_tag_bits=7", "client.ports=2"},
                 .buses = 2,
                 .memory_buses = 2});
  return all;
}

Shape with_uuids(Shape s) {
  s.uuid_bits = 44;
  s.name += ", without NDEBUG";
  for (std::string& setting : s.settings)
    for (const std::string key : {"client.tag_bits=", "client.memory_tag_bits="})
      if (setting.starts_with(key))
        setting = key + std::to_string(std::stoi(setting.substr(key.size())) + 43);
  return s;
}

hw::VortexAdapterParams params_of(const Shape& s) {
  return gen::load_config("vortex_adapter", s.settings).get<hw::VortexAdapterParams>();
}

// What the page's commands write, for the shape.
std::map<std::string, std::string> generated(const Shape& s) {
  std::map<std::string, std::string> files;
  for (const std::string preset : {"vortex_adapter", "l1d_gpu"}) {
    const bool adapter = preset == "vortex_adapter";
    Strings settings = settings_of(preset);
    const auto set = [&](const std::string& setting) {
      const std::string key = setting.substr(0, setting.find('=') + 1);
      std::erase_if(settings, [&](const std::string& old) { return old.starts_with(key); });
      settings.push_back(setting);
    };
    for (const std::string& setting : s.settings)
      if (adapter || setting.starts_with("geometry.")) set(setting);
    for (const std::string& setting : s.cache_settings)
      if (!adapter) set(setting);
    for (const auto& [name, text] : gen::generated_files(gen::load_config(preset, settings))) {
      if (!name.ends_with(".v")) continue;
      const auto [at, fresh] = files.emplace(name, text);
      EXPECT_TRUE(fresh || at->second == text) << name << " differs in the two folders";
    }
  }
  return files;
}

std::string bus(const Shape& s, int n) { return s.cores * s.buses == 1 ? "bus" : fmt::format("bus{}", n); }

// The buses of the cluster as ports; `fault` numbers what is broken in the shim.
std::string top_text(const Shape& s) {
  const hw::VortexAdapterParams p = params_of(s);
  const int word = hw::word_bytes(p), line = p.line_bytes, tag = p.tag_bits - (s.cores - 1);
  std::string ports, core, memory;
  const auto bus_ports = [&](const std::string& name, bool slave, int bytes, int tag_bits) {
    const char *in = slave ? "input" : "output", *out = slave ? "output" : "input";
    ports += fmt::format(
        "  {0} wire {2}_request_valid, {1} wire {2}_request_ready, {0} wire {2}_request_rw,\n"
        "  {0} wire [{3}:0] {2}_request_address, {0} wire [{4}:0] {2}_request_data,\n"
        "  {0} wire [{5}:0] {2}_request_byte_enable, {0} wire {2}_request_flush, {0} wire {2}_request_io,\n"
        "  {0} wire [{6}:0] {2}_request_tag, {1} wire {2}_response_valid, {0} wire {2}_response_ready,\n"
        "  {1} wire [{4}:0] {2}_response_data, {1} wire [{6}:0] {2}_response_tag,\n",
        in, out, name, 31 - std::countr_zero(static_cast<unsigned>(bytes)), 8 * bytes - 1, bytes - 1,
        tag_bits - 1);
  };
  for (int n = 0; n < s.cores * s.buses; ++n) {
    bus_ports(bus(s, n), true, word, tag);
    core += fmt::format(
        "  assign core_bus_if[{0}].req_valid = {1}_request_valid;\n"
        "  assign core_bus_if[{0}].req_data = {{{1}_request_rw, {1}_request_address, {1}_request_data,\n"
        "      {1}_request_byte_enable, 1'b0, {1}_request_io, {1}_request_flush, {1}_request_tag}};\n"
        "  assign {1}_request_ready = core_bus_if[{0}].req_ready;\n"
        "  assign {1}_response_valid = core_bus_if[{0}].rsp_valid;\n"
        "  assign core_bus_if[{0}].rsp_ready = {1}_response_ready;\n"
        "  assign {1}_response_data = core_bus_if[{0}].rsp_data.data;\n"
        "  assign {1}_response_tag = core_bus_if[{0}].rsp_data.tag;\n",
        n, bus(s, n));
  }
  bus_ports("memory_bus", false, line, p.memory_tag_bits);
  memory =
      "  assign memory_bus_request_valid = mem_bus_if[0].req_valid;\n"
      "  assign mem_bus_if[0].req_ready = memory_bus_request_ready;\n"
      "  wire local_memory;\n"
      "  assign {memory_bus_request_rw, memory_bus_request_address, memory_bus_request_data,\n"
      "      memory_bus_request_byte_enable, local_memory, memory_bus_request_io, memory_bus_request_flush,\n"
      "      memory_bus_request_tag} = mem_bus_if[0].req_data;\n"
      "  assign mem_bus_if[0].rsp_valid = memory_bus_response_valid;\n"
      "  assign memory_bus_response_ready = mem_bus_if[0].rsp_ready;\n"
      "  assign mem_bus_if[0].rsp_data = {memory_bus_response_data, memory_bus_response_tag};\n"
      "  wire unused = &{1'b0, local_memory};\n";
  for (int n = 1; n < s.memory_buses; ++n)
    memory += fmt::format(
        "  assign mem_bus_if[{0}].req_ready = 1'b0;\n  assign mem_bus_if[{0}].rsp_valid = 1'b0;\n"
        "  assign mem_bus_if[{0}].rsp_data = '0;\n"
        "  wire unused{0} = &{{1'b0, mem_bus_if[{0}].req_valid, mem_bus_if[{0}].req_data,\n"
        "      mem_bus_if[{0}].rsp_ready}};\n",
        n);
  const std::pair<const char*, const char*> counts[] = {{"read", "reads"},
                                                        {"write", "writes"},
                                                        {"read_miss", "read_misses"},
                                                        {"write_miss", "write_misses"},
                                                        {"bank_stall", "bank_stalls"},
                                                        {"mshr_stall", "mshr_stalls"},
                                                        {"memory_stall", "mem_stalls"},
                                                        {"response_stall", "crsp_stalls"}};
  for (const auto& [port, field] : counts) {
    ports += fmt::format("  output wire [43:0] {}_count,\n", port);
    memory += fmt::format("  assign {}_count = cache_perf.{};\n", port, field);
  }
  return fmt::format(
      "module shim_top (\n{0}  input wire [7:0] fault, input wire clk, input wire rst\n);\n"
      "  VX_gpu_pkg::cache_perf_t cache_perf;\n"
      "  VX_mem_bus_if #(.DATA_SIZE({1}), .TAG_WIDTH({2})) core_bus_if [{3}] ();\n"
      "  VX_mem_bus_if #(.DATA_SIZE({4}), .TAG_WIDTH({5})) mem_bus_if [{6}] ();\n"
      "  wire unused_fault = &{{1'b0, fault}};\n"
      "  VX_cache_cluster #(.NUM_INPUTS({7}), .NUM_REQS({8}), .MEM_PORTS({6}), .LINE_SIZE({4}),\n"
      "    .WORD_SIZE({1}), .TAG_WIDTH({2}), .MEM_TAG_WIDTH({5})) cluster (\n"
      "    .clk, .reset(rst), .cache_perf, .core_bus_if, .mem_bus_if);\n{9}{10}endmodule\n",
      ports, word, tag, s.cores * s.buses, line, p.memory_tag_bits, s.memory_buses, s.cores, s.buses, core,
      memory);
}

std::map<std::string, std::string> sources(const Shape& s, const std::string& shim_text) {
  auto files = generated(s);
  files["00_client.sv"] = fmt::format("`define UUID_WIDTH {}\n{}{}", s.uuid_bits,
                                      s.buses == 2 ? "`define VORTEX_SHIM_TWO_BUSES\n" : "",
                                      verif::vortex_client(block("systemverilog", "vortex_shim #(")));
  files["vortex_shim.sv"] = shim_text;
  files["shim_top.sv"] = top_text(s);
  return files;
}

// What Verilator says of it.
std::string lint(const std::map<std::string, std::string>& files) {
  const gen::TempDir work("shim");
  Strings argv{"verilator", "--lint-only", "-Wall", "--top-module", "shim_top"};
  for (const auto& [name, text] : files) {
    gen::write_file_atomically(work / name, text);
    argv.push_back(name);
  }
  return gen::run({.argv = argv, .folder = work.path()}).output;
}

struct Played {
  int status = -1;
  std::string output = {};
};

std::filesystem::path program(const Shape& s, const std::string& shim_text) {
  hw::VortexAdapterParams p = params_of(s);
  p.counts = hw::ClientCounts::vortex;
  p.tag_bits -= s.cores - 1;
  hw::VortexAdapterParams outside = p;
  outside.ports = s.cores * s.buses;
  gen::ProgramSource source{.name = "vortex_shim",
                            .verilog = sources(s, shim_text),
                            .top = "shim_top",
                            .lint = shim_text == shim(),
                            .runs_long = verif::full_tier()};
  source.main = fmt::format(
      "#include <array>\n#include <bit>\n#include <cstdlib>\n\n#include \"Vdut.h\"\n"
      "#include \"cosim/bus/bus_bench.h\"\n\nnamespace {{\n"
      "constexpr hw::VortexAdapterParams params =\n    {};\n{}"
      "struct Dut : Vdut {{\n  Dut() {{\n    const char* n = std::getenv(\"SHIM_FAULT\");\n"
      "    fault = static_cast<std::uint8_t>(n ? std::atoi(n) : 0);\n  }}\n}};\n"
      "int run(const verif::CosimOptions& o) {{\n  return verif::conclude(o, verif::BusBench<Dut, params, "
      "Ports, {}>(o).run());\n}}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      gen::cpp_params("VortexAdapterParams", p), gen::port_list(hw::vortex_adapter(outside, "ports")),
      outside.ports);
  return gen::build_program(source);
}

Played play(const std::filesystem::path& program, int fault = 0) {
  const gen::TempDir work("shim_run");
  gen::write_file_atomically(
      work / "options.json",
      nlohmann::json{{"top", "shim_top"},
                     {"seed", 9},
                     {"coverage", fault == 0},
                     {"random_cycles", verif::full_tier() && fault == 0 ? 1'000'000 : 60'000},
                     {"report", (work / "report.json").string()}}
          .dump());
  const auto done = gen::run({.argv = {program.string(), (work / "options.json").string()},
                              .environment = {{"SHIM_FAULT", std::to_string(fault)}}});
  return {done.status, done.output};
}

struct Broken {
  const char *what, *text, *with;
};

// @ stands for "this fault is on"; widths are those of Vortex as it comes.
constexpr Broken faults[] = {
    {"stores are loads", "(core_bus_if[N].req_data.rw)", "(core_bus_if[N].req_data.rw & ~@)"},
    {"devices are cached", "(core_bus_if[N].req_data.flags[IO])", "(core_bus_if[N].req_data.flags[IO] & ~@)"},
    {"fences are loads", "(core_bus_if[N].req_data.flags[FLUSH])",
     "(core_bus_if[N].req_data.flags[FLUSH] & ~@)"},
    {"another word", "(core_bus_if[N].req_data.addr)", "(core_bus_if[N].req_data.addr ^ {27'd0, @})"},
    {"all bytes are stored", "(core_bus_if[N].req_data.byteen)",
     "(core_bus_if[N].req_data.byteen | {16{@}})"},
    {"another tag", "(core_bus_if[N].req_data.tag)", "(core_bus_if[N].req_data.tag ^ {2'd0, @})"},
    {"the core always accepts", "(core_bus_if[N].rsp_ready)", "(core_bus_if[N].rsp_ready | @)"},
    {"memory always accepts", "(mem_bus_if[0].req_ready)", "(mem_bus_if[0].req_ready | @)"},
    {"memory's answer to another load", "(mem_bus_if[0].rsp_data.tag)",
     "(mem_bus_if[0].rsp_data.tag ^ {5'd0, @})"},
    {"another line from memory", "(mem_bus_if[0].rsp_data.data)",
     "(mem_bus_if[0].rsp_data.data ^ {511'd0, @})"},
    {"flags in the other order", "({io, flush})", "({@ ? flush : io, @ ? io : flush})"},
    {"the cache is not flushed", ".flush_valid,", ".flush_valid(flush_valid & ~@),"},
    {"a byte is not stored", "    .core_request_byte_enable,",
     "    .core_request_byte_enable(core_request_byte_enable & ~{63'd0, @}),"},
    {"reads are writes", "cache_perf = count;",
     "cache_perf = @ ? {count.writes, count.reads, count[6*44-1:0]} : count;"},
    {"stalls of memory are stalls of the core", ": count;",
     ": @ ? {count[8*44-1:2*44], count.crsp_stalls, count.mem_stalls} : count;"}};

// The shim with all of them.
std::string broken_shim() {
  std::string text = shim();
  int number = 0;
  for (const Broken& f : faults) {
    std::string with = f.with;
    const std::string on = fmt::format("(shim_top.fault == 8'd{})", ++number);
    for (std::size_t at = with.find('@'); at != std::string::npos; at = with.find('@'))
      with.replace(at, 1, on);
    const std::size_t at = text.find(f.text);
    EXPECT_NE(at, std::string::npos) << f.what;
    if (at != std::string::npos) text.replace(at, std::string(f.text).size(), with);
  }
  return text;
}

void expect_right(const Shape& s) {
  const Played played = play(program(s, shim()));
  EXPECT_EQ(played.status, 0) << s.name << "\n" << played.output;
  fmt::print("{}: {}", s.name, played.output);
}

TEST(VortexShim, EveryShapeOfThePageLintsAsItStands) {
  const auto all = shapes();
  ASSERT_EQ(all.size(), 5u);
  for (const Shape& s : all) EXPECT_EQ(lint(sources(s, shim())), "") << s.name;
  EXPECT_EQ(lint(sources(with_uuids(all[0]), shim())), "") << "without NDEBUG";
}

// The page's defaults are those of Vortex: its first shape changes no key.
TEST(VortexShim, TheDefaultsAreVortexAsItComes) {
  hw::VortexAdapterParams p = params_of(shapes()[0]);
  EXPECT_EQ(p.requests, hw::core_requests({}));
  p.requests = 0;
  EXPECT_EQ(p, hw::VortexAdapterParams{});
}

TEST(VortexShim, WidthsThatDoNotFitAreReported) {
  for (const char* setting : {"client.tag_bits=4", "client.memory_tag_bits=5", "client.lanes=8"}) {
    const Shape vortex = shapes()[0];
    Shape s = vortex;
    s.settings.emplace_back(setting);
    auto files = sources(s, shim());
    files["shim_top.sv"] = top_text(vortex);
    EXPECT_THAT(lint(files), testing::HasSubstr("%Warning-WIDTH")) << setting;
  }
}

TEST(VortexShim, EveryByteAsVortexComes) { expect_right(shapes()[0]); }

TEST(VortexShim, EveryByteOfTwoCores) { expect_right(shapes()[2]); }

TEST(VortexShim, EveryByteOfEveryOtherShape) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  const auto all = shapes();
  for (const Shape& s : {all[1], all[3], all[4], with_uuids(all[0])}) expect_right(s);
}

TEST(VortexShim, BrokenCopiesAreFound) {
  Shape s = shapes()[0];
  s.cache_settings = {"mshr.entries=2", "bypass.kind=none"};  // MSHRs that stall
  const auto broken = program(s, broken_shim());
  const Played sound = play(broken);
  EXPECT_EQ(sound.status, 0) << "no fault is on\n" << sound.output;
  EXPECT_THAT(sound.output, testing::HasSubstr("the MSHRs stall in "));
  int number = 0;
  for (const Broken& f : faults) {
    const Played played = play(broken, ++number);
    EXPECT_EQ(played.status, 1) << f.what << "\n" << played.output;
  }
}

}  // namespace
