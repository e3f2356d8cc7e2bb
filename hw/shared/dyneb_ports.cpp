#include "hw/shared/dyneb_ports.h"

namespace hw {
namespace {

DynebPorts::Request dyneb_request(rtl::Module& m) {
  return {
      .valid = m.input(
          "request", 1,
          "a load, store or atomic of the core is sent on its way; not in `hold` but for its first cycle"),
      .load = m.input("request_load", 1, "the request is a load"),
      .odd = m.input("request_odd", 1, "the line has an odd set"),
      .home = m.input("request_home", 1, "the request goes to another core, the home of the line")};
}

DynebPorts::Probe dyneb_probe(rtl::Module& m) {
  return {.valid = m.input("probe", 1, "a load leaves the probe of this cache, served or missed"),
          .odd = m.input("probe_odd", 1, "the line has an odd set"),
          .served = m.input("probe_served", 1, "the load is another core's"),
          .miss = m.input("probe_miss", 1, "the load has missed")};
}

DynebPorts::SliceReply dyneb_slice(rtl::Module& m) {
  return {.valid = m.input("slice_reply", 1, "a fill, data or acknowledgement has come from a slice"),
          .odd = m.input("slice_odd", 1, "the line has an odd set"),
          .served = m.input("slice_served", 1, "the reply is for another core")};
}

DynebPorts::HomeReply dyneb_home(rtl::Module& m) {
  return {.valid = m.input("home_reply", 1, "data or an acknowledgement has come from a home"),
          .odd = m.input("home_odd", 1, "the line has an odd set"),
          .load = m.input("home_load", 1, "the reply answers a load"),
          .hit = m.input("home_hit", 1, "the load hit at the home")};
}

DynebPorts::Result dyneb_result(rtl::Module& m) {
  return {.phase = m.output("phase", dyneb_phase_bits,
                            "0 sample, 1 evaluate, 2 drain and execute, 3 execute, 4 drain and sample"),
          .even = m.output("even_shared", 1, "lines of even sets are shared"),
          .odd = m.output("odd_shared", 1, "lines of odd sets are shared"),
          .hold = m.output("hold", 1, "new requests wait"),
          .idle = m.output("idle", 1, "all requests have been answered")};
}

}  // namespace

DynebPorts::DynebPorts(rtl::Module& m)
    : flush(m.input("flush", 1, "begin again; no other event in this cycle")),
      request(dyneb_request(m)),
      answer(m.input("answer", 1, "one of these requests has been answered")),
      probe(dyneb_probe(m)),
      slice(dyneb_slice(m)),
      home(dyneb_home(m)),
      result(dyneb_result(m)) {}

}  // namespace hw
