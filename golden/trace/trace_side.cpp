#include "golden/trace/trace_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "golden/trace/io/byte_source.h"
#include "golden/trace/io/json_text.h"

namespace golden {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t max_u32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t max_block = 1024;  // threads of a CTA, a limit of CUDA

// Walks one side file; every complaint names the file and the position inside it.
class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  TraceSide read();

 private:
  [[noreturn]] void fail(std::string_view where, std::string_view rule) const {
    throw TraceError(fmt::format("{}: {} {}", name_, where, rule));
  }

  Json parse() const;
  std::uint64_t number(const Json& value, const std::string& where, std::uint64_t min,
                       std::uint64_t max) const;
  std::array<std::uint32_t, 3> shape(const Json& value, const std::string& where, std::uint64_t max) const;
  std::array<std::uint32_t, 3> block(const Json& value, const std::string& where) const;
  std::string kernel(const Json& value, const std::string& where) const;
  std::uint64_t bits(const Json& value, const std::string& where) const;
  Launch launch(const Json& value, const std::string& where) const;
  ExecutedCounts executed(const Json& counts) const;
  void lay_out(std::vector<Launch>& launches) const;

  std::string name_;
};

Json Reader::parse() const {
  ByteSource source(name_);
  std::string text;
  std::array<std::uint8_t, 4096> chunk;
  while (const size_t got = source.read(chunk)) text.append(chunk.begin(), chunk.begin() + got);
  try {
    return json_of<Json>(text);
  } catch (const JsonTooDeep& e) {
    throw TraceError(fmt::format("{}: this side file is not used: {}", name_, e.what()));
  } catch (const Json::parse_error& e) {
    const auto at = text.begin() + std::min(e.byte ? e.byte - 1 : 0, text.size());
    const auto line = std::count(text.begin(), at, '\n') + 1;
    const auto column = at - std::find(std::reverse_iterator(at), text.rend(), '\n').base() + 1;
    throw TraceError(fmt::format("{}:{}:{}: this side file is not valid JSON", name_, line, column));
  }
}

std::uint64_t Reader::number(const Json& value, const std::string& where, std::uint64_t min,
                             std::uint64_t max) const {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < min || value.get<std::uint64_t>() > max)
    fail(where, fmt::format("is {}, must be an integer from {} to {}", value.dump(), min, max));
  return value.get<std::uint64_t>();
}

std::array<std::uint32_t, 3> Reader::shape(const Json& value, const std::string& where,
                                           std::uint64_t max) const {
  if (!value.is_array() || value.size() != 3) fail(where, "must be three integers: x, y and z");
  std::array<std::uint32_t, 3> xyz{};
  for (size_t i = 0; i < 3; ++i)
    xyz[i] = static_cast<std::uint32_t>(number(value[i], fmt::format("{}[{}]", where, i), 1, max));
  return xyz;
}

std::array<std::uint32_t, 3> Reader::block(const Json& value, const std::string& where) const {
  const auto xyz = shape(value, where, max_block);
  if (warps_per_cta(xyz) > static_cast<int>(max_block / 32))
    fail(where, fmt::format("has {} warps, must have at most {}", warps_per_cta(xyz), max_block / 32));
  return xyz;
}

std::string Reader::kernel(const Json& value, const std::string& where) const {
  if (!value.is_string()) fail(where, "must be a string");
  return value.get<std::string>();
}

std::uint64_t Reader::bits(const Json& value, const std::string& where) const {
  const std::string text = value.is_string() ? value.get<std::string>() : "";
  std::uint64_t word = 0;
  const auto [end, code] =
      std::from_chars(text.data() + std::min<size_t>(2, text.size()), text.data() + text.size(), word, 16);
  if (!text.starts_with("0x") || code != std::errc() || end != text.data() + text.size())
    fail(where, fmt::format("is {}, must be a string such as \"0x1000\" of at most 64 bits", value.dump()));
  return word;
}

Launch Reader::launch(const Json& value, const std::string& where) const {
  if (!value.is_object()) fail(where, "must be an object with cta_base and grid");
  if (!value.contains("cta_base")) fail(where, "has no cta_base, the number of its first CTA");
  Launch one;
  one.cta_base = static_cast<std::uint32_t>(number(value["cta_base"], where + ".cta_base", 0, max_u32));
  if (value.contains("grid")) one.grid = shape(value["grid"], where + ".grid", max_u32);
  if (value.contains("index"))
    one.index = static_cast<std::uint32_t>(number(value["index"], where + ".index", 0, max_u32));
  if (value.contains("records"))
    one.records = number(value["records"], where + ".records", 0, std::numeric_limits<std::uint64_t>::max());
  if (value.contains("kernel")) one.kernel = kernel(value["kernel"], where + ".kernel");
  if (value.contains("block")) one.block = block(value["block"], where + ".block");
  if (!value.contains("params")) return one;
  const Json& params = value["params"];
  if (!params.is_array()) fail(where + ".params", "must be an array of strings such as \"0x1000\"");
  for (size_t i = 0; i < params.size(); ++i)
    one.params.push_back(bits(params[i], fmt::format("{}.params[{}]", where, i)));
  return one;
}

// Gives each launch the end of its CTA numbers and refuses launches whose numbers overlap.
void Reader::lay_out(std::vector<Launch>& launches) const {
  for (size_t i = 0; i < launches.size(); ++i) {
    Launch& one = launches[i];
    const bool last = i + 1 == launches.size();
    const std::uint64_t limit = last ? max_u32 + 1 : launches[i + 1].cta_base;
    const std::string where = fmt::format("launches[{}]", i);
    if (limit <= one.cta_base)
      fail(where, "has a cta_base not below the next one's; list launches in CTA order");
    one.cta_end = limit;
    if (one.grid[0] == 0) continue;
    const auto left = limit - one.cta_base;
    const auto [x, y, z] = one.grid;
    if (y > left / x || z > left / x / y)
      fail(where,
           fmt::format("has more CTAs than numbers from its cta_base {} to {}", one.cta_base, limit - 1));
    one.cta_end = one.cta_base + std::uint64_t{x} * y * z;
  }
}

ExecutedCounts Reader::executed(const Json& counts) const {
  if (!counts.is_object()) fail("dynamic_untruncated", "must be an object of counts");
  const auto count = [&](const char* name) -> std::uint64_t {
    if (!counts.contains(name)) return 0;
    return number(counts[name], fmt::format("dynamic_untruncated.{}", name), 0,
                  std::numeric_limits<std::uint64_t>::max() / 4);
  };
  return {count("warp_insts"), count("global_ld") + count("global_st") + count("global_atom")};
}

TraceSide Reader::read() {
  const Json root = parse();
  if (!root.is_object() || !root.contains("launches")) fail("the side file", "has no \"launches\"");
  const Json& launches = root["launches"];
  if (!launches.is_array() || launches.empty()) fail("launches", "must be an array of at least one launch");
  TraceSide side;
  side.launches.clear();
  for (size_t i = 0; i < launches.size(); ++i)
    side.launches.push_back(launch(launches[i], fmt::format("launches[{}]", i)));
  lay_out(side.launches);
  if (root.contains("block")) side.block = block(root["block"], "block");
  if (root.contains("dynamic_untruncated")) side.executed = executed(root["dynamic_untruncated"]);
  if (root.contains("ptxas_sm75_regs"))
    side.registers = static_cast<int>(number(root["ptxas_sm75_regs"], "ptxas_sm75_regs", 0, 255));
  for (const char* key : {"shared_static", "shared_dynamic"})
    if (root.contains(key)) side.shared_bytes += number(root[key], key, 0, max_u32);
  if (root.contains("kernel")) side.kernel = kernel(root["kernel"], "kernel");
  return side;
}

}  // namespace

std::string side_file_name(const std::string& trace) {
  std::string stem = trace;
  if (stem.ends_with(".rec.xz"))
    stem.resize(stem.size() - 7);
  else if (stem.ends_with(".rec"))
    stem.resize(stem.size() - 4);
  return stem + ".json";
}

TraceSide read_side_file(const std::string& trace) {
  if (trace == "-") return {};
  const std::string name = side_file_name(trace);
  std::error_code code;
  if (!std::filesystem::exists(name, code)) return {};
  return Reader(name).read();
}

}  // namespace golden
