#include "gen/units/l1d/l1d.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>

#include "gen/area/request.h"
#include "gen/units/adaptive/adaptive.h"
#include "gen/units/axi4/axi4.h"
#include "gen/units/index/index.h"
#include "gen/units/index/index_keys.h"
#include "gen/units/l1d/l1d_accounts.h"
#include "hw/axi4/axi4_l1d.h"
#include "hw/l1d/l1d.h"
#include "hw/require.h"

namespace gen {

namespace {

// The same sets with conventional tags; none where their slots make no whole lines.
std::optional<hw::L1dParams> conventional(const hw::L1dParams& p) {
  hw::L1dParams plain = p;
  plain.tags = hw::TagKind::conventional;
  plain.store_scope = hw::StoreScope::line;
  if (p.tags != hw::TagKind::split) return plain;
  const int slots = hw::slots_of(p), chunks = hw::chunks_of_line(p);
  if (slots % chunks != 0 || slots / chunks > 16) return std::nullopt;
  plain.ways = slots / chunks;
  plain.mode = {};
  plain.replacement = hw::Replacement::lru;
  return plain;
}

}  // namespace

Unit elaborate(const hw::L1dParams& p, const std::string& top) {
  const bool alone = p.tags == hw::TagKind::reuse_filter && p.reuse.dueling && !p.reuse.follow;
  hw::require(!alone, "tags.reuse_filter.dueling", true, "needs two caches, and Verilog is of one",
              "set tags.reuse_filter.follow = true, and let preset filter_dueling decide beside the caches");
  const bool axi4 = p.protocol == hw::MemoryProtocol::axi4;
  const hw::L1d cache = axi4 ? hw::axi4_l1d(p, top) : hw::l1d(p, top);
  const hw::L1dFacts& f = cache.facts;
  Unit unit{.top = cache.module,
            .latency = f.latency,
            .tag_bits = f.tag_bits,
            .accounts = storage_accounts(p, f.tag_bits),
            .published = published_caches(p)};
  unit.facts = {{"sets", hw::sets_of(p)},
                {"chunks_of_line", hw::chunks_of_line(p)},
                {"memory_id_bits", f.memory_id_bits}};
  for (const auto& [name, bits] : f.flops) unit.facts["storage_in_flops"][name] = bits;
  if (p.index.kind == hw::IndexKind::adi) unit.facts["adaptive"] = adaptive_facts(hw::monitor_params(p));
  if (p.tags == hw::TagKind::reuse_filter || p.tags == hw::TagKind::split)
    if (const auto plain = conventional(p))
      unit.facts["published_bits_beyond_conventional_tags"] =
          published_bits(unit.accounts) - published_bits(storage_accounts(*plain, f.tag_bits));
  return unit;
}

std::string replay_refusal(const hw::L1dParams& p) {
  if (p.protocol == hw::MemoryProtocol::native) return "";
  return "has AXI4 on its memory side, and recordings may hold atomics; use memory.protocol = \"native\" or "
         "--random";
}

std::string cosim_main(const hw::L1dParams& p, const std::string& probes) {
  if (p.protocol == hw::MemoryProtocol::axi4) return axi4_l1d_main(cpp_params(p), probes);
  return fmt::format(
      "#include \"Vdut.h\"\n#include \"verif/lockstep/l1d/l1d_verilated.h\"\n\nnamespace {{\nconstexpr "
      "hw::L1dParams params{};\n"
      "void add_probes([[maybe_unused]] Vdut& dut, [[maybe_unused]] verif::Waves& waves) {{\n{}}}\n"
      "int run(const verif::CosimOptions& o) {{ return verif::conclude(o, verif::run_l1d<Vdut>(o, params, "
      "{}, "
      "add_probes)); }}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      cpp_params(p), probes, hw::stored_tag_bits(p));
}

std::vector<AreaRequest> plain_forms(const hw::L1dParams& p, const std::string& top, std::uint32_t order) {
  std::vector<AreaRequest> forms;
  const auto add = [&](const std::string& name, const hw::L1dParams& form, const std::string& suffix) {
    forms.push_back(area_request(name, hw::l1d(form, top + suffix).module, order));
  };
  hw::L1dParams plain = p;
  if (p.index.kind == hw::IndexKind::adi) {
    plain.index.kind = hw::IndexKind::pli;
    settle_index(plain.index);
    add("the same with the static index pli", plain, "_pli");
    plain.index = p.index;
    plain.index.kind = hw::IndexKind::cvi;
    if (p.tags != hw::TagKind::conventional) add("the same with the static index cvi", plain, "_cvi");
  }
  auto baseline = conventional(p);
  if (!baseline || (p.index.kind == hw::IndexKind::cvi && p.tags == hw::TagKind::conventional)) return forms;
  baseline->index.kind = hw::IndexKind::cvi;
  add("conventional tags and index", *baseline, "_baseline");
  return forms;
}

std::string cpp_sets(const hw::SetList& sets) {
  return fmt::format("{{.count = {}, .numbers = {{{}}}}}", sets.count, fmt::join(sets, ", "));
}

namespace {

template <class Names, class Enum>
auto name_of(const Names& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

std::string cpp_split(const hw::SplitParams& p) {
  constexpr std::array victims{"chunk", "group"};
  return fmt::format(
      "{{.private_tag_bits = {}, .groups = {}, .chunks_per_group = {}, .victim = hw::SplitVictim::{}}}",
      p.private_tag_bits, p.groups, p.chunks_per_group, name_of(victims, p.victim));
}

std::string cpp_mode(const hw::ModeParams& p) {
  constexpr std::array kinds{"fine", "coarse", "dueling"};
  return fmt::format(
      "{{.kind = hw::ModeKind::{}, .fine_sets = {}, .coarse_sets = {}, .threshold = {}, .follow = {}}}",
      name_of(kinds, p.kind), cpp_sets(p.fine_sets), cpp_sets(p.coarse_sets), p.threshold, p.follow);
}

std::string cpp_reuse(const hw::ReuseFilterParams& p) {
  constexpr std::array victims{"lfu", "dataless_lfu"};
  return fmt::format(
      "{{.ways = {}, .threshold = {}, .rc_bits = {}, .tag_victim = hw::TagVictim::{}, .dueling = {}, "
      ".dueling_interval = {}, .dueling_margin_percent = {}, .follow = {}}}",
      p.ways, p.threshold, p.rc_bits, name_of(victims, p.tag_victim), p.dueling, p.dueling_interval,
      p.dueling_margin_percent, p.follow);
}

std::string cpp_adaptive(const hw::AdaptiveParams& p) {
  return fmt::format("{{.period = {}, .counter_bits = {}, .idle = {}}}", p.period, p.counter_bits, p.idle);
}

}  // namespace

std::string cpp_params(const hw::L1dParams& p) {
  constexpr std::array tags{"conventional", "sectored", "split", "reuse_filter"};
  constexpr std::array replacements{"lru", "nru", "random"};
  constexpr std::array scopes{"line", "mask"};
  constexpr std::array protocols{"native", "axi4"};
  return fmt::format(
      "{{.address_bits = {}, .line_bytes = {}, .chunk_bytes = {}, .capacity_bytes = {}, .ways = {}, .index = "
      "{}, .tags = hw::TagKind::{}, .split = {}, .mode = {}, .reuse = {}, .adaptive = {}, .replacement = "
      "hw::Replacement::{}, .store_scope = hw::StoreScope::{}, .mshr_entries = {}, .mshr_merges = {}, "
      ".miss_queue = {}, .core_id_bits = {}, .protocol = hw::MemoryProtocol::{}, .counters = {}}}",
      p.address_bits, p.line_bytes, p.chunk_bytes, p.capacity_bytes, p.ways, cpp_params(p.index),
      name_of(tags, p.tags), cpp_split(p.split), cpp_mode(p.mode), cpp_reuse(p.reuse),
      cpp_adaptive(p.adaptive), name_of(replacements, p.replacement), name_of(scopes, p.store_scope),
      p.mshr_entries, p.mshr_merges, p.miss_queue, p.core_id_bits, name_of(protocols, p.protocol),
      p.counters);
}

}  // namespace gen
