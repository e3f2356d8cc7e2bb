#include "gen/units/l1d/l1d_unit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "cosim/l1d/l1d_replay.h"
#include "gen/config/catalogue.h"
#include "gen/cosim/port_list.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/mechanisms.h"
#include "gen/units/l1d/l1d_keys.h"
#include "hw/bus/axi4_l1d.h"
#include "hw/l1d/adi_in_cache.h"
#include "hw/l1d/l1d.h"
#include "hw/monitors/warp_limit.h"
#include "hw/require.h"

namespace gen {
namespace {

// The same sets with conventional tags; none where their slots make no whole lines.
std::optional<hw::L1dParams> conventional(const hw::L1dParams& p) {
  hw::L1dParams plain = p;
  plain.tags = hw::TagKind::conventional;
  plain.store_scope = hw::StoreScope::line;
  plain.fetch = hw::FetchSize::mask;
  if (!hw::traits_of(p.tags).in_slots) return plain;
  const int slots = hw::slots_of(p), chunks = hw::chunks_of_line(p);
  if (slots % chunks != 0 || slots / chunks > 16) return std::nullopt;
  plain.ways = slots / chunks;
  plain.mode = {};
  plain.replacement = hw::Replacement::lru;
  return plain;
}

// Inputs that core_request_ready follows in the same cycle.
nlohmann::ordered_json ready_follows(const hw::L1dParams& p) {
  nlohmann::ordered_json inputs{"flush_valid"};
  if (p.request_slice) return inputs;
  inputs.push_back("core_response_ready");
  if (p.snoops) {
    inputs.push_back("core_request_kind");
    inputs.push_back("searching");
  }
  // Answers over AXI4 come from registers of the bridge.
  if (p.protocol == hw::MemoryProtocol::axi4) return inputs;
  for (const char* field : {"valid", "id", "mask"})
    inputs.push_back(fmt::format("memory_response_{}", field));
  return inputs;
}

Unit elaborated(const hw::L1dParams& p, const std::string& top) {
  const bool alone = hw::traits_of(p.tags).filters && p.reuse.dueling && !p.reuse.follow;
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
                {"memory_id_bits", f.memory_id_bits},
                {"core_request_ready_follows", ready_follows(p)}};
  add_bypass_accounts(p, unit.accounts);
  if (hw::has_controller(p))
    std::ranges::move(storage_accounts(hw::iacm_params(p)), std::back_inserter(unit.accounts));
  for (const auto& [name, bits] : f.flops) unit.facts["storage_in_flops"][name] = bits;
  if (p.index.kind == hw::IndexKind::adi) unit.facts["adaptive"] = adaptive_facts(hw::monitor_params(p));
  if (const auto plain = conventional(p); plain && p.tags != hw::TagKind::conventional) {
    const auto beyond = [&](const hw::L1dParams& other) {
      return published_bits(unit.accounts) - published_bits(storage_accounts(other, f.tag_bits));
    };
    unit.facts["published_bits_beyond_conventional_tags"] = beyond(*plain);
    hw::L1dParams sectored = *plain;
    sectored.tags = hw::TagKind::sectored;
    if (hw::by_chunk(p.tags) && p.tags != sectored.tags)
      unit.facts["published_bits_beyond_sectored_tags"] = beyond(sectored);
  }
  return unit;
}

void check_replay(const hw::L1dParams& p, const std::string& top, const std::string& recording) {
  if (p.protocol != hw::MemoryProtocol::native)
    throw ConfigError("--replay",
                      fmt::format("{} has AXI4 on its memory side, and recordings may hold atomics; use "
                                  "memory.protocol = \"native\" or --random",
                                  top));
  verif::L1dReplay::check(verif::L1dRecording::read(recording), p);
}

CosimMain cosim(const hw::L1dParams& p) {
  if (p.protocol == hw::MemoryProtocol::axi4) {
    CosimMain main = cycle_bench("bus/axi4_l1d_cosim.h", "Axi4L1dBench", "L1dParams", p, 300'000,
                                 port_list(hw::axi4_l1d(p, "cache").module), false, hw::is_protected(p.ecc));
    add_upsets(main, p.ecc, "core.");
    return main;
  }
  CosimMain main{.header = "l1d/l1d_verilated.h",
                 .params_type = "L1dParams",
                 .params = cpp_params("L1dParams", p),
                 .report = "verif::run_l1d<Vdut, Ports>(o, params, add_probes, add_state)",
                 .declarations = port_list(hw::l1d(p, "cache").module),
                 .compares_state = true,
                 .upsets = protected_parts(p.ecc)};
  if (p.limit.kind == hw::LimitKind::none) return main;
  // Warps of traces are held by hardware.
  main.beside.emplace_back("Vlimit", hw::warp_limit(p.limit, "limiter_of_warps"));
  main.report =
      "verif::run_l1d<Vdut, Ports>(o, params, add_probes, add_state, "
      "[] { return std::make_unique<verif::VerilatedGate<Vlimit>>(params.limit); })";
  return main;
}

std::vector<PlainForm> plain_forms(const hw::L1dParams& p, const std::string& top, std::uint32_t) {
  std::vector<PlainForm> forms;
  const auto add = [&](const std::string& name, const hw::L1dParams& form, const std::string& suffix) {
    forms.push_back({name, hw::l1d(form, top + suffix).module});
  };
  hw::L1dParams plain = p;
  if (hw::has_controller(p)) {
    plain.iacm = hw::L1dParams{}.iacm;
    plain.limit = {};
    add("the same without its controller", plain, "_free");
  }
  if (p.bypass.kind == hw::BypassKind::protection_distance) {
    plain.bypass = {};
    add("the same, and without a bypass", plain, "_no_bypass");
  }
  if (p.store_policy == hw::StorePolicyKind::update) {
    plain.store_policy = hw::StorePolicyKind::evict;
    plain.bypass = {};
    add("the same with stores that evict, and without a bypass", plain, "_evict");
  }
  if (p.index.kind == hw::IndexKind::adi && !hw::has_controller(p)) {
    plain.index.kind = hw::IndexKind::pli;
    settle_index(plain.index);
    add("the same with the static index pli", plain, "_pli");
    plain.index = p.index;
    plain.index.kind = hw::IndexKind::cvi;
    if (p.tags != hw::TagKind::conventional) add("the same with the static index cvi", plain, "_cvi");
  }
  plain.index = p.index;
  auto baseline = conventional(plain);
  if (!baseline || (p.index.kind == hw::IndexKind::cvi && p.tags == hw::TagKind::conventional)) return forms;
  baseline->index.kind = hw::IndexKind::cvi;
  add("conventional tags and index", *baseline, "_baseline");
  return forms;
}

const UnitKind& kind() {
  static const UnitKind table = [] {
    UnitKind k = unit_kind<hw::L1dParams>(elaborated, cosim, "", plain_forms);
    k.check_replay = [](const Params& p, const std::string& top, const std::string& recording) {
      check_replay(p.get<hw::L1dParams>(), top, recording);
    };
    return k;
  }();
  return table;
}

}  // namespace

std::vector<std::string> protected_parts(const hw::EccParams& ecc) {
  std::vector<std::string> parts;
  if (hw::protects_data(ecc)) parts.emplace_back("data_store");
  if (hw::protects_tags(ecc)) parts.emplace_back("tags");
  if (hw::protects_mshr(ecc)) parts.insert(parts.end(), {"mshr", "miss_queue"});
  return parts;
}

void add_upsets(CosimMain& main, const hw::EccParams& ecc, const std::string& cache) {
  for (const std::string& part : protected_parts(ecc)) main.upsets.push_back(cache + part);
}

const Family& l1d_family() {
  static const Family family{
      .name = "L1 data cache",
      .doc = "answers loads from its lines, fetches what it lacks, and passes everything else on in order",
      .defaults = hw::L1dParams{},
      .unit = kind,
      .keys = l1d_keys(),
      .settle = settle_l1d,
      .resolve = resolve_l1d,
      .check_given = check_given_l1d};
  return family;
}

std::vector<Preset> l1d_unit() {
  const Family* const family = &l1d_family();
  return {
      {.place = 10,
       .name = "l1d",
       .family = family,
       .doc = "non-blocking, write-evict, conventional tags, true LRU",
       .source = "TSC, section 5.1"},
      {.place = 20,
       .name = "l1d_sectored",
       .family = family,
       .doc = "the same with a validity bit a chunk: a miss fetches what it asks for",
       .source = "TSC, sections 2 and 5 (LAMAR)",
       .overrides = {{"tags.kind", std::string("sectored")}}},
      {.place = 30,
       .name = "l1d_tsc",
       .family = family,
       .doc =
           "split tags: chunks of any lines share a set, so that a miss takes only the slots that it needs",
       .source = "TSC, section 3",
       .overrides = {{"tags.kind", std::string("split")}, {"tags.replacement", std::string("nru")}}},
      {.place = 40,
       .name = "l1d_tsc_plus",
       .family = family,
       .doc = "the same, fine or coarse as sampler sets find better, with a hashed index",
       .source = "TSC, section 3 (TSC+)",
       .overrides = {{"index.kind", std::string("pli")},
                     {"tags.kind", std::string("split")},
                     {"tags.replacement", std::string("nru")},
                     {"mode.kind", std::string("dueling")}}},
      {.place = 50,
       .name = "l1d_reuse_filter",
       .family = family,
       .doc = "more tags than lines; a line gets data after enough loads",
       .source = "Decoupled L1D, section 4",
       .overrides = {{"tags.kind", std::string("reuse_filter")}}},
      {.place = 60,
       .name = "l1d_dsc",
       .family = family,
       .doc = "decoupled sectored tags: two lines share a way, each with other chunks of it",
       .source = "Seznec, ISCA 1994; TSC, section 5 (DSC-2)",
       .overrides = {{"tags.kind", std::string("decoupled")}}},
      {.place = 70,
       .name = "l1d_adi",
       .family = family,
       .doc = "the set index follows the addresses: a monitor moves its bits at run time",
       .source = "ACI thesis, section 3.3",
       .overrides = {{"index.kind", std::string("adi")}}},
      {.place = 80,
       .name = "l1d_mrpb",
       .family = family,
       .doc = "a load that finds no line, MSHR entry or MSHR target goes past the cache instead of waiting",
       .source = "BUCL, section 4 (MRPB)",
       .overrides = {{"bypass.kind", std::string("mrpb")}}},
      {.place = 90,
       .name = "l1d_gpu",
       .family = family,
       .doc = "what a GPU core should take: stores write into lines, a hashed index, and no load waits for a "
              "place",
       .source = "DC-L1 thesis, chapter 4; ACI thesis, section 3.2; BUCL, section 4 (MRPB)",
       .overrides = {{"index.kind", std::string("pli")},
                     {"tags.store_policy", std::string("update")},
                     {"bypass.kind", std::string("mrpb")}}},
      {.place = 110,
       .name = "l1d_iacm",
       .family = family,
       .doc =
           "adaptive index, adaptive warp limiting and their controller, with lines protected for some loads",
       .source = "ACI thesis, section 4",
       .overrides = {{"index.kind", std::string("adi")},
                     {"adaptive.period", std::int64_t{250}},
                     {"adaptive.counter_bits", std::int64_t{8}},
                     {"bypass.kind", std::string("protection_distance")},
                     {"limit.kind", std::string("adaptive")},
                     {"iacm.order", std::string("adi_awl")}}}};
}

}  // namespace gen
