#include "gen/config/family.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/units/adaptive/adi_keys.h"
#include "gen/units/axi4/axi4_keys.h"
#include "gen/units/blpp/blpp_keys.h"
#include "gen/units/bucl/bucl_keys.h"
#include "gen/units/client/vortex_adapter_keys.h"
#include "gen/units/dueling/filter_dueling_keys.h"
#include "gen/units/iacm/awl_keys.h"
#include "gen/units/iacm/iacm_keys.h"
#include "gen/units/index/index_keys.h"
#include "gen/units/l1d/l1d_keys.h"
#include "gen/units/limit/limit_keys.h"
#include "gen/units/mesh/mesh_keys.h"
#include "gen/units/mode/mode_keys.h"
#include "gen/units/noc/noc_keys.h"
#include "gen/units/protection/protection_keys.h"
#include "gen/units/remote/core_selector_keys.h"
#include "gen/units/remote/probe_handler_keys.h"
#include "gen/units/remote/probe_table_keys.h"
#include "gen/units/remote/remote_node_keys.h"
#include "gen/units/remote/sharing_predictor_keys.h"
#include "gen/units/shared/dyneb_keys.h"
#include "gen/units/shared/l1_arbiter_keys.h"
#include "gen/units/shared/route_select_keys.h"
#include "gen/units/shared/written_filter_keys.h"
#include "gen/units/topology/topology_keys.h"

namespace gen {
namespace {

std::string kind_of(std::string_view preset) { return std::string(preset.substr(preset.find('_') + 1)); }

Preset index_preset(const std::string& name, const std::string& doc, const std::string& source) {
  return {name, &index_family(), doc, source, {{"index.kind", kind_of(name)}}};
}

std::vector<KeyInfo> make_common_keys() {
  KeyInfo preset{.key = "preset",
                 .type = KeyType::choice,
                 .choices = preset_names(),
                 .meaning = "What the configuration starts from.",
                 .source = "this generator's catalogue"};
  KeyInfo name{.key = "name",
               .type = KeyType::text,
               .meaning =
                   "Module name of the top, in lower snake case; \"\" stands for the preset's name and a "
                   "suffix for each changed value.",
               .source = "this generator's naming rule"};
  return {std::move(preset), std::move(name)};
}

}  // namespace

const Key* Family::find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key, &Key::key);
  return found == keys.end() ? nullptr : &*found;
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> table = {
      {"l1d",
       &l1d_family(),
       "non-blocking, write-evict, conventional tags, true LRU",
       "TSC, section 5.1",
       {}},
      {"l1d_sectored",
       &l1d_family(),
       "the same with a validity bit a chunk: a miss fetches what it asks for",
       "TSC, sections 2 and 5 (LAMAR)",
       {{"tags.kind", std::string("sectored")}}},
      {"l1d_tsc",
       &l1d_family(),
       "split tags: chunks of any lines share a set, so that a miss takes no more room than it needs",
       "TSC, section 3",
       {{"tags.kind", std::string("split")}, {"tags.replacement", std::string("nru")}}},
      {"l1d_tsc_plus",
       &l1d_family(),
       "the same, fine or coarse as sampler sets find better, with a hashed index",
       "TSC, section 3 (TSC+)",
       {{"index.kind", std::string("pli")},
        {"tags.kind", std::string("split")},
        {"tags.replacement", std::string("nru")},
        {"mode.kind", std::string("dueling")}}},
      {"l1d_reuse_filter",
       &l1d_family(),
       "more tags than lines; a line gets data when loads have asked for it often enough",
       "Decoupled L1D, section 4",
       {{"tags.kind", std::string("reuse_filter")}}},
      {"l1d_dsc",
       &l1d_family(),
       "decoupled sectored tags: two lines share a way, each with other chunks of it",
       "Seznec, ISCA 1994; TSC, section 5 (DSC-2)",
       {{"tags.kind", std::string("decoupled")}}},
      {"l1d_adi",
       &l1d_family(),
       "the set index follows the addresses: a monitor moves its bits at run time",
       "ACI thesis, section 3.3",
       {{"index.kind", std::string("adi")}}},
      {"l1d_mrpb",
       &l1d_family(),
       "a load that finds no line, MSHR entry or merge place goes past the cache instead of waiting",
       "BUCL, section 4 (MRPB)",
       {{"bypass.kind", std::string("mrpb")}}},
      {"l1d_gpu",
       &l1d_family(),
       "what a GPU core should take: stores write into lines, a hashed index, and no load waits for a place",
       "DC-L1 thesis, chapter 4; ACI thesis, section 3.2; BUCL, section 4 (MRPB)",
       {{"index.kind", std::string("pli")},
        {"tags.store_policy", std::string("update")},
        {"bypass.kind", std::string("mrpb")}}},
      {"l1d_bucl",
       &l1d_family(),
       "loads of more requests than a threshold go past the cache, and stalled ones while few loads hit",
       "BUCL, section 4",
       {{"index.kind", std::string("rxi")}, {"bypass.kind", std::string("bucl")}}},
      {"l1d_iacm",
       &l1d_family(),
       "adaptive index, adaptive warp limiting and their controller, with lines protected for some loads",
       "ACI thesis, section 4",
       {{"index.kind", std::string("adi")},
        {"adaptive.period", std::int64_t{250}},
        {"adaptive.counter_bits", std::int64_t{8}},
        {"bypass.kind", std::string("protection_distance")},
        {"limit.kind", std::string("adaptive")},
        {"iacm.order", std::string("adi_awl")}}},
      index_preset("index_cvi", "conventional: the low bits of the block address", "ACI thesis, section 3.2"),
      index_preset("index_bxi", "bitwise XOR: the low S block-address bits with the next S",
                   "ACI thesis, section 3.2.1"),
      index_preset("index_rxi",
                   "reverse-engineered bitwise XOR of the NVIDIA GTX 470, 32 sets of 128-byte lines",
                   "ACI thesis, section 3.2.2"),
      index_preset("index_lin",
                   "any XOR matrix, one list of address bits per index bit (default: the XOR fold)",
                   "the general form of ACI thesis, sections 3.2.1 to 3.2.3"),
      index_preset("index_pli", "polynomial modulus: the remainder of the block address by P(x) over GF(2)",
                   "ACI thesis, section 3.2.3"),
      index_preset("index_pri",
                   "prime modulo: the remainder by the largest prime not above the number of sets",
                   "ACI thesis, section 3.2.4"),
      {"adi_monitor",
       &adi_family(),
       "adaptive indexing: victimization, selection and idle phases beside any cache",
       "ACI thesis, section 3.3",
       {}},
      {"mode_selector",
       &mode_family(),
       "fine or coarse accesses of a split cache, by misses times traffic in sampler sets",
       "TSC, section 3 (TSC+)",
       {}},
      {"filter_dueling",
       &filter_dueling_family(),
       "SM dueling: a cache with the reuse-count filter and one without decide for the others",
       "Decoupled L1D, section 4",
       {}},
      {"bucl_threshold_unit",
       &bucl_threshold_family(),
       "threshold of the un-coalescing degree, hit rate and buffer use of the bypass for un-coalesced loads",
       "BUCL, section 4",
       {}},
      {"warp_limit",
       &warp_limit_family(),
       "static warp limiting: the oldest warps of a scheduler may issue, as many as the limit says",
       "BUCL, section 4 (SWL)",
       {}},
      {"iacm_controller",
       &iacm_family(),
       "integrated adaptive cache management: when adaptive indexing and adaptive warp limiting run",
       "ACI thesis, section 4.2",
       {{"iacm.order", std::string("adi_awl")}}},
      {"awl",
       &awl_family(),
       "adaptive warp limiting: searches how many warps should issue, by the IPC of periods",
       "ACI thesis, section 4.2.3",
       {}},
      {"protection_distance",
       &protection_family(),
       "protects lines for some loads of their set; loads that find all protected bypass",
       "ACI thesis, section 4.2.5",
       {}},
      {"blpp",
       &blpp_family(),
       "page placement: which of two memory nodes a new page goes to, by latency and traffic",
       "ACI thesis, section 5",
       {}},
      {"arbiter_round_robin",
       &arbiter_family(),
       "fair arbiter: the first request at or after a pointer that moves past each grant",
       "DC-L1 thesis, chapter 5",
       {}},
      {"allocator_islip",
       &allocator_family(),
       "iSLIP: outputs offer, inputs accept, both in turn",
       "McKeown, iSLIP; DC-L1 thesis, chapter 5",
       {}},
      {"switch",
       &switch_family(),
       "words go to the output that they name, inputs are served in turn",
       "DC-L1 thesis, chapter 5",
       {},
       "word_switch"},
      {"vc_crossbar",
       &crossbar_family(),
       "packets on virtual channels with credits, matched by iSLIP",
       "DC-L1 thesis, chapter 5",
       {}},
      {"dc_l1_home",
       &home_family(),
       "slice and home of an address, and what its node's cache sees of it",
       "DC-L1 thesis, chapter 5",
       {}},
      {"packetiser",
       &packetiser_family(),
       "messages to flits, by credits: loads are one flit, stores and replies those of their mask",
       "DC-L1 thesis, chapter 5",
       {}},
      {"receiver",
       &receiver_family(),
       "flits to messages, packets in the order of their heads",
       "DC-L1 thesis, chapter 5",
       {}},
      {"crossing_fifo",
       &crossing_family(),
       "words between a clock and one twice as fast, edge-aligned",
       "DC-L1 thesis, chapter 5",
       {}},
      {"dc_l1_node", &dc_l1_node_family(), "an l1d between four queues", "DC-L1 thesis, chapter 5", {}},
      {"dc_l1",
       &topology_family(),
       "80 cores, 40 nodes in 10 clusters, 32 slices, and both networks (Sh40+C10)",
       "DC-L1 thesis, chapter 5",
       {}},
      {"shared_l1",
       &topology_family(),
       "28 cores whose L1s share their lines, and 8 slices, on a mesh of 6 x 6 (Shared++)",
       "DC-L1 thesis, chapter 4",
       {{"topology.kind", std::string("shared")},
        {"topology.cores", std::int64_t{28}},
        {"topology.slices", std::int64_t{8}}}},
      {"remote_core",
       &topology_family(),
       "28 cores that search each other's L1s for what they miss, and 8 slices, on a mesh of 6 x 6",
       "DC-L1 thesis, chapter 3",
       {{"topology.kind", std::string("remote")},
        {"topology.cores", std::int64_t{28}},
        {"topology.slices", std::int64_t{8}},
        {"mesh.vcs", std::int64_t{1}},
        {"mesh.vc_flits", std::int64_t{8}}}},
      {"dyneb",
       &dyneb_family(),
       "DynEB: a private or a shared L1 for one core, whichever a sample of both finds better",
       "DC-L1 thesis, chapter 4",
       {}},
      {"written_filter",
       &written_filter_family(),
       "lines that a core has stored to past their homes, by a bit for each hash",
       "own-store rule beside DC-L1 thesis, chapter 4",
       {}},
      {"route_select",
       &route_select_family(),
       "home and slice of a core's request, and which of them it goes to",
       "DC-L1 thesis, section 4.3",
       {{"topology.cores", std::int64_t{28}}, {"topology.slices", std::int64_t{8}}}},
      {"l1_arbiter",
       &l1_arbiter_family(),
       "a core's own requests and those that its L1 serves for other cores, in front of the L1",
       "DC-L1 thesis, chapter 4",
       {}},
      {"mesh_router",
       &mesh_router_family(),
       "router of a mesh: rows first, packets keep their virtual channels",
       "DC-L1 thesis, chapter 4",
       {}},
      {"butterfly",
       &butterfly_family(),
       "stages of switches from 36 inputs to 36 outputs; packets keep their virtual channels",
       "DC-L1 thesis, chapter 4",
       {}},
      {"sharing_predictor",
       &sharing_predictor_family(),
       "which read misses another core's L1 may have, by the instruction of the load",
       "DC-L1 thesis, section 3.3.5",
       {}},
      {"core_selector",
       &core_selector_family(),
       "draws the cores that are asked for a line: those likelier that have sent data before",
       "DC-L1 thesis, section 3.3.3",
       {{"topology.cores", std::int64_t{28}}}},
      {"probe_table",
       &probe_table_family(),
       "searches of a core's misses in other L1s: probes out, candidates, time-outs, requests to L2",
       "DC-L1 thesis, section 3.3.6",
       {{"topology.cores", std::int64_t{28}}}},
      {"probe_handler",
       &probe_handler_family(),
       "probes of other cores at the L1 that they search: they wait, go on, go back or are answered",
       "DC-L1 thesis, section 3.3.4",
       {{"topology.cores", std::int64_t{28}}}},
      {"remote_node",
       &remote_node_family(),
       "a core's L1 with all units of remote-core probing, between two networks",
       "DC-L1 thesis, chapter 3",
       {{"topology.cores", std::int64_t{28}}}},
      {"axi4_bridge",
       &axi4_bridge_family(),
       "a cache's memory side over AXI4, the requests of each line in order",
       "AMBA AXI4 (ARM IHI 0022)",
       {}},
      {"vortex_adapter",
       &vortex_adapter_family(),
       "the word-wide memory bus of a GPU core in front of a cache, and a bus of whole lines behind it",
       "the memory bus of the open GPU Vortex",
       {}},
  };
  return table;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return names;
}

const Preset* find_preset(std::string_view name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  return found == presets().end() ? nullptr : &*found;
}

const std::vector<KeyInfo>& common_keys() {
  static const std::vector<KeyInfo> table = make_common_keys();
  return table;
}

const KeyInfo* find_common_key(std::string_view key) {
  const auto found = std::ranges::find(common_keys(), key, &KeyInfo::key);
  return found == common_keys().end() ? nullptr : &*found;
}

std::vector<const Family*> families() {
  std::vector<const Family*> all;
  for (const Preset& preset : presets())
    if (!std::ranges::count(all, preset.family)) all.push_back(preset.family);
  return all;
}

Params start_of(const Preset& preset) {
  Params params = preset.family->defaults;
  for (const auto& [key, value] : preset.overrides) preset.family->find(key)->set(params, value);
  return params;
}

std::string changed_settings(const Params& params) {
  std::string text;
  const auto all = families();
  const auto family =
      std::ranges::find_if(all, [&](const Family* f) { return f->defaults.index() == params.index(); });
  for (const Key& key : (*family)->keys)
    if (const Value value = key.get(params); value != key.get((*family)->defaults))
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", key.key, to_json(value).dump());
  return text;
}

namespace {

bool holds(const Family& family, const std::pair<std::string, std::vector<std::string>>& condition,
           const Params& params) {
  const auto& [other, values] = condition;
  if (other.empty()) return true;
  return std::ranges::count(values, std::get<std::string>(family.find(other)->get(params))) > 0;
}

}  // namespace

bool counts(const Family& family, const Key& key, const Params& params) {
  return holds(family, key.only_with, params);
}

bool names(const Family& family, const Key& key, const Params& params) {
  return key.suffix && holds(family, key.named_with, params);
}

Params settled(const Family& family, Params params) {
  for (const Key& key : family.keys)
    if (!counts(family, key, params)) key.set(params, key.get(family.defaults));
  if (family.settle) family.settle(params);
  return params;
}

}  // namespace gen
