#include "gen/units/l1d/l1d.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "gen/area/request.h"
#include "gen/cosim/port_list.h"
#include "gen/units/adaptive/adaptive.h"
#include "gen/units/axi4/axi4.h"
#include "gen/units/iacm/iacm_controller.h"
#include "gen/units/index/index.h"
#include "gen/units/index/index_keys.h"
#include "gen/units/l1d/l1d_accounts.h"
#include "hw/axi4/axi4_l1d.h"
#include "hw/l1d/l1d.h"
#include "hw/limit/warp_limit.h"
#include "hw/require.h"
#include "verif/lockstep/l1d/l1d_replay.h"

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
  if (p.peeks) {
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
  if (p.protocol == hw::MemoryProtocol::axi4)
    return cycle_bench("axi4/axi4_l1d_cosim.h", "Axi4L1dBench", "L1dParams", p, 300'000);
  CosimMain main{.header = "l1d/l1d_verilated.h",
                 .params_type = "L1dParams",
                 .params = cpp_params("L1dParams", p),
                 .report = "verif::run_l1d<Vdut, Ports>(o, params, add_probes, add_state)",
                 .declarations = port_list(hw::l1d(p, "cache").module),
                 .compares_state = true};
  if (p.limit.kind == hw::LimitKind::none) return main;
  // Warps of traces are held by hardware.
  main.beside.emplace_back("Vlimit", hw::warp_limit(p.limit, "limiter_of_warps"));
  main.report =
      "verif::run_l1d<Vdut, Ports>(o, params, add_probes, add_state, "
      "[] { return std::make_unique<verif::VerilatedGate<Vlimit>>(params.limit); })";
  return main;
}

std::vector<AreaRequest> plain_forms(const hw::L1dParams& p, const std::string& top, std::uint32_t order) {
  std::vector<AreaRequest> forms;
  const auto add = [&](const std::string& name, const hw::L1dParams& form, const std::string& suffix) {
    forms.push_back(area_request(name, hw::l1d(form, top + suffix).module, order));
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

}  // namespace

const UnitKind& l1d_unit() {
  static const UnitKind kind = [] {
    UnitKind k = unit_kind<hw::L1dParams>(elaborated, cosim, "", plain_forms);
    k.check_replay = [](const Params& p, const std::string& top, const std::string& recording) {
      check_replay(std::get<hw::L1dParams>(p), top, recording);
    };
    return k;
  }();
  return kind;
}

}  // namespace gen
