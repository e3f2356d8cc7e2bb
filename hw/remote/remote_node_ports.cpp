#include "hw/remote/remote_node_ports.h"

#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::Expr;

rtl::Stream request_port(RemoteNodeFrame& n) {
  std::vector<rtl::Field> asked = n.cache_fields("core_request");
  asked[0].width = n.p.l1d.core_id_bits;
  asked[1] = {"kind", 2, "0 load, 1 store, 2 atomic, 3 non-L1"};
  return rtl::input_stream(n.m, "request", asked, "a request of the core");
}

rtl::Stream response_port(RemoteNodeFrame& n) {
  std::vector<rtl::Field> answered = n.cache_fields("core_response");
  answered[0].width = n.p.l1d.core_id_bits;
  return rtl::output_stream(n.m, "response", answered, "an answer to the core");
}

SendPort send_port(RemoteNodeFrame& n) {
  rtl::Module& m = n.m;
  const int group = n.table.group_bits, list = list_bits(n.handler), pointer = pointer_bits(n.handler);
  const std::vector<rtl::Field> fields = n.cache_fields("memory_request");
  const auto of_request = [&](std::size_t i) {
    return m.output("send_" + fields[i].name, fields[i].width, fields[i].doc);
  };
  return {
      .valid = m.output("send_valid", 1, "a message for the network of requests"),
      .ready = m.input("send_ready", 1, "the message is taken; else the next cycle may offer another one"),
      .probe = m.output("send_probe", 1, "the message is a probe, for a core; else a request to a slice"),
      .destination = m.output("send_destination", n.core_bits, "of a probe"),
      .leader = m.output("send_leader", 1, "of a probe: it looks for the line itself"),
      .tracked = m.output("send_tracked", 1, "of a request: its reply carries the group"),
      .group = m.output("send_group", group, "of the search: {core, entry, sequence}"),
      .targets = m.output("send_targets", list, "of a probe: its list, the first target lowest"),
      .pointer = m.output("send_pointer", pointer, "of a probe: position of the next target"),
      .id = of_request(0),
      .kind = of_request(1),
      .address = of_request(2),
      .mask = of_request(3),
      .byte_enable = of_request(4),
      .data = of_request(5)};
}

ProbeFields probe_port(RemoteNodeFrame& n) {
  rtl::Module& m = n.m;
  return {
      .leader = m.input("probe_leader", 1, "the probe looks for the line itself"),
      .group = m.input("probe_group", n.table.group_bits, "of its search: {core, entry, sequence}"),
      .targets = m.input("probe_targets", list_bits(n.handler), "list of the probe, the first target lowest"),
      .pointer =
          m.input("probe_pointer", pointer_bits(n.handler), "position of this core, or behind the last"),
      .line = m.input("probe_line", n.line_bits, "block address")};
}

rtl::Stream supply_port(RemoteNodeFrame& n) {
  return rtl::output_stream(n.m, "supply",
                            {{"group", n.table.group_bits, "of the search that the line is for"},
                             {"data", 8 * n.p.l1d.line_bytes, "the line"}},
                            "a line for the core that the group names");
}

rtl::Stream reply_port(RemoteNodeFrame& n) {
  std::vector<rtl::Field> replied{{"core", 1, "a core sends the line; else it is of a slice"},
                                  {"supplier", bits_to_number(n.p.cores), "the core that supplies the line"},
                                  {"tracked", 1, "of a slice: the request had a group"},
                                  {"group", n.table.group_bits, "of the search"}};
  for (const rtl::Field& f : n.cache_fields("memory_response")) replied.push_back(f);
  return rtl::input_stream(n.m, "reply", replied, "a message of the network of replies");
}

}  // namespace

CoreSide::CoreSide(RemoteNodeFrame& n)
    : request(request_port(n)),
      response(response_port(n)),
      flush_valid(n.m.input("flush_valid", 1, "flush all L1s; no requests are taken")),
      flush_all(n.m.input("flush_all", 1, "all are ready: the flush takes effect")),
      flush_ready(n.m.output("flush_ready", 1, "nothing of this core is under way, and no probe is here")) {}

NetworkSide::NetworkSide(RemoteNodeFrame& n)
    : send(send_port(n)),
      probe_comes(n.m.input("probe_valid", 1, "a probe comes; always taken")),
      probe(probe_port(n)),
      supply(supply_port(n)),
      reply(reply_port(n)) {}

}  // namespace hw
