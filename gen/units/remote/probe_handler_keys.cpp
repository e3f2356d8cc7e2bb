#include "gen/units/remote/probe_handler_keys.h"

#include "gen/units/l1d/geometry_keys.h"
#include "gen/units/remote/probe_handler.h"
#include "gen/units/remote/remote_keys.h"

namespace gen {
namespace {

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
  const auto queue = [&](const char* name, const char* unit, int min, int max, const char* meaning,
                         int ProbeHandlerParams::*member) {
    add({.key = std::string("remote.") + name,
         .min = min,
         .max = max,
         .unit = unit,
         .meaning = meaning,
         .source = remote_source,
         .suffix = name},
        member);
  };
  queue("incoming", "probes", 2, 32, "Places of a core's queue of probes that come.",
        &ProbeHandlerParams::incoming);
  queue("forwarded", "probes", 1, 32, "Places of its queue of probes that go on.",
        &ProbeHandlerParams::forwarded);
  queue("replies", "lines", 1, 32, "Places of its queue of lines for other cores.",
        &ProbeHandlerParams::replies);
  queue("deflected", "probes", 0, 8,
        "Places for probes that found the queue of those that come full and go on unsearched.",
        &ProbeHandlerParams::deflected);
  return keys;
}

}  // namespace

const Family& probe_handler_family() {
  static const Family family{.name = "probe handler",
                             .doc = "takes the probes of other cores to the L1 that they search, and on",
                             .defaults = ProbeHandlerParams{.cores = 80},  // as of all topologies
                             .unit = probe_handler_unit,
                             .keys = make_probe_handler_keys()};
  return family;
}

}  // namespace gen
