// The probe handler (DC-L1 thesis, section 3.3.4).
#include "gen/config/catalogue.h"
#include "gen/cosim/port_list.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "gen/units/remote/remote_keys.h"
#include "hw/remote/probe_handler.h"
#include "hw/remote/remote_ranges.h"

namespace gen {
namespace {

std::vector<StorageAccount> accounts_of(const hw::ProbeHandlerParams& p) {
  const std::vector<std::pair<std::string, int>> probe{{"leader", 1},
                                                       {"group", p.group_bits},
                                                       {"targets", hw::list_bits(p)},
                                                       {"pointer", hw::pointer_bits(p)},
                                                       {"line", hw::line_bits(p)}};
  std::vector<StorageAccount> accounts{
      {"incoming probes", p.incoming, probe},
      {"probes at the L1", hw::most_snoops(p), probe},
      {"forwarded probes", p.forwarded, probe},
      {"replies", p.replies, {{"group", p.group_bits}, {"data", 8 * p.line_bytes}}}};
  if (p.deflected) accounts.push_back({"deflected probes", p.deflected, probe});
  return accounts;
}

Unit elaborated(const hw::ProbeHandlerParams& p, const std::string& top) {
  return {.top = hw::probe_handler(p, top), .latency = 1, .accounts = accounts_of(p)};
}

CosimMain cosim(const hw::ProbeHandlerParams& p) {
  return cycle_bench("units/probe_handler_cosim.h", "ProbeHandlerBench", "ProbeHandlerParams", p, 1'000'000,
                     {}, true);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::ProbeHandlerParams>(
      elaborated, cosim, "searches a cache for others: recorded traffic needs one; use --random");
  return table;
}

using hw::ProbeHandlerParams;

std::vector<Key> make_probe_handler_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, int ProbeHandlerParams::*member) {
    keys.push_back(field<ProbeHandlerParams>(std::move(info), member));
  };
  add(remote_cores_key(), &ProbeHandlerParams::cores);
  add(address_bits_key(), &ProbeHandlerParams::address_bits);
  add(line_bytes_key(), &ProbeHandlerParams::line_bytes);
  add(coverage_key(), &ProbeHandlerParams::coverage);
  const auto queue = [&](const char* name, const char* unit, const hw::Range& range, const char* meaning,
                         int ProbeHandlerParams::*member) {
    add({.key = std::string("remote.") + name,
         .range = range,
         .unit = unit,
         .meaning = meaning,
         .source = remote_source,
         .suffix = name},
        member);
  };
  queue("incoming", "probes", hw::RemoteRanges::incoming, "Entries of a core's queue of arriving probes.",
        &ProbeHandlerParams::incoming);
  queue("forwarded", "probes", hw::RemoteRanges::forwarded, "Entries of its queue of probes that go on.",
        &ProbeHandlerParams::forwarded);
  queue("replies", "lines", hw::RemoteRanges::replies, "Entries of its queue of lines for other cores.",
        &ProbeHandlerParams::replies);
  queue("deflected", "probes", hw::RemoteRanges::deflected,
        "Entries for probes that found the queue of arriving probes full and go on unsearched.",
        &ProbeHandlerParams::deflected);
  return keys;
}

}  // namespace

const Family& probe_handler_family() {
  static const Family family{.name = "probe handler",
                             .doc = "takes the probes of other cores to the L1 that they search, and on",
                             .defaults = ProbeHandlerParams{.cores = 80},  // as of all topologies
                             .unit = kind,
                             .keys = make_probe_handler_keys()};
  return family;
}

std::vector<Preset> probe_handler_unit() {
  return {
      {.place = 480,
       .name = "probe_handler",
       .family = &probe_handler_family(),
       .doc = "probes of other cores at the L1 that they search: they wait, go on, go back or are answered",
       .source = "DC-L1 thesis, section 3.3.4",
       .overrides = {{"topology.cores", std::int64_t{28}}}}};
}

}  // namespace gen
