#include "hw/topology/remote_core.h"

#include <fmt/format.h>

#include "hw/l1d/request_kind.h"
#include "hw/remote/own_core.h"
#include "hw/remote/remote_node.h"
#include "hw/rtl/module_data.h"
#include "hw/shared/home_select.h"
#include "hw/shared/route_select.h"
#include "hw/topology/part.h"
#include "hw/topology/shared_fabrics.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux;

constexpr int reply_entries = 2;  // of the queue of replies

class RemoteCoreBuilder {
 public:
  explicit RemoteCoreBuilder(const PartSite& site)
      : site_(site),
        p_(site.params),
        node_params_(remote_node_params(p_)),
        handler_(handler_params(node_params_)),
        node_(remote_node(node_params_, site.top + "_node")),
        route_(route_of(p_)),
        part_(site,
              "A core among cores that search each other's L1s, with its ends of both networks (DC-L1 "
              "thesis, chapter 3)."),
        m_(part_.m),
        core_bits_(number_bits(p_.shape.cores)),
        named_bits_(core_or_none_bits(p_.shape.cores)),
        node_bits_(number_bits(nodes_of(p_))),
        rest_bits_(rest_of_group_bits(p_)),
        offset_bits_(number_bits(p_.l1d.line_bytes)) {}

  BuiltPart run() {
    core_ = m_.input("core", core_bits_, "number of the core; constant");
    place_ = m_.input("place", node_bits_, "node of the mesh at which it stands; constant");
    pins_.emplace_back("core", core_);
    outer_ports();
    for (const RemoteEnd end : {to_requests, from_requests, to_replies, from_replies})
      links_.push_back(part_.link(part_.end(end)));
    sending();
    probes();
    lines();
    replies();
    m_.section("The core's L1 and all around it.");
    m_.instance(node_.module, "node", pins_, "The core.");
    return part_.built(node_.facts);
  }

 private:
  const Link& link(RemoteEnd end) const { return links_[end]; }
  Channel channel(RemoteEnd end, const std::string& name, const std::string& doc) {
    return part_.channel(name, part_.end(end), doc);
  }

  void outer_ports() {
    append(pins_, part_.passed([&] {
      Pins pins = rtl::pass_on(m_, rtl::stream_of(node_.module, "request"));
      append(pins, rtl::pass_on(m_, rtl::stream_of(node_.module, "response")));
      return pins;
    }));
    for (const rtl::Signal& port : rtl::other_ports(node_.module)) {
      if (Part::is_error(port)) pins_.push_back(part_.take_error(port));
      const bool flush = port.name.starts_with("flush_");
      if (!flush && !port.name.starts_with("event_") && !port.name.starts_with("ecc_")) continue;
      pins_.push_back(rtl::pass_on(m_, port));
      if (!flush) part_.pass(port);
    }
  }

  // What the node sends: its ports send_<field>, in their order.
  struct Sent {
    Expr valid, ready, probe, destination, leader, tracked, group, targets, pointer;
    Expr id, kind, address, mask, byte_enable, data;
  };

  Sent wires_of_sent() {
    const auto wire = [&](const std::string& field) {
      const rtl::Signal& port = *node_.module.data().signal("send_" + field);
      pins_.emplace_back(port.name, m_.wire(port.name, port.width, port.doc));
      return pins_.back().second;
    };
    return {wire("valid"),   wire("ready"),   wire("probe"),   wire("destination"), wire("leader"),
            wire("tracked"), wire("group"),   wire("targets"), wire("pointer"),     wire("id"),
            wire("kind"),    wire("address"), wire("mask"),    wire("byte_enable"), wire("data")};
  }

  // A probe has the form of a store to the first flit of its line.
  Expr first_flit() const {
    const int chunks = p_.l1d.line_bytes / p_.l1d.chunk_bytes, of_flit = p_.flit_bytes / p_.l1d.chunk_bytes;
    const Expr first = rtl::ones(of_flit);
    return of_flit < chunks ? rtl::zext(first, chunks) : first;
  }
  Expr probe_data(const Sent& sent) const {
    const Expr fields = cat({sent.pointer, sent.targets, sent.group, sent.leader, lit(1, 1)});
    return rtl::zext(fields, 8 * p_.l1d.line_bytes);
  }

  void sending() {
    m_.section("Messages of the core: one waits for its packet.");
    const Sent sent = wires_of_sent();
    const Expr valid_q = m_.reg("sent_valid_q", 1, 0, "a message waits"),
               leaves = m_.wire("leaves", 1, "the last flit of the message leaves");
    const Expr probe = sent.probe, tracked = sent.tracked;
    m_.assign(sent.ready, ~valid_q | leaves);
    const Expr enters = m_.let("enters", sent.valid & sent.ready, "a message is taken");
    const Expr address = sent.address, group = sent.group;
    m_.unused("unused_offset", address.slice(offset_bits_ - 1, 0), "always 0");
    if (named_bits_ > core_bits_)
      m_.unused("unused_destination", sent.destination.bit(core_bits_), "a probe is for a core");
    const Expr probe_q = m_.data_reg("probe_q", 1, "the message is a probe"),
               target_q = m_.data_reg("target_q", core_bits_, "the core that a probe is for"),
               tracked_q = m_.data_reg("tracked_q", 1, "a search asks L2"),
               rest_q =
                   m_.data_reg("rest_q", rest_bits_, "the field that distinguishes the reply for this core"),
               kind_q = m_.data_reg("kind_q", 2, "0 load, 1 store, 2 atomic, 3 non-L1"),
               line_q = m_.data_reg("line_q", p_.l1d.address_bits - offset_bits_, "line number"),
               mask_q = m_.data_reg("mask_q", sent.mask.width(), "chunks of the line"),
               bytes_q = m_.data_reg("byte_enable_q", p_.l1d.line_bytes, "bytes that are written"),
               data_q = m_.data_reg("data_q", 8 * p_.l1d.line_bytes, "the line, or the probe");
    m_.clocked("Whether one waits.", [&] { m_.when(enters | leaves, [&] { m_.set(valid_q, enters); }); });
    m_.clocked("The message that waits.", [&] {
      m_.when(enters, [&] {
        m_.set(probe_q, probe);
        m_.set(target_q, sent.destination.slice(core_bits_ - 1, 0));
        m_.set(tracked_q, tracked);
        m_.set(rest_q, mux(tracked, group.slice(rest_bits_ - 1, 0), rtl::zext(sent.id, rest_bits_)) &
                           rtl::replicate(rest_bits_, ~probe));
        m_.set(kind_q, mux(probe, kind_constant(m_, 2, RequestKind::store), sent.kind));
        m_.set(line_q, address.slice(p_.l1d.address_bits - 1, offset_bits_));
        m_.set(mask_q, mux(probe, first_flit(), sent.mask));
        m_.set(bytes_q, sent.byte_enable);
        m_.set(data_q, mux(probe, probe_data(sent), sent.data));
      });
    });
    const Expr whole = m_.let("sent_address", cat({line_q, lit(offset_bits_, 0)}), "of the message's line");
    const Expr to_core = node_of(m_, "target", route_, core_nodes(route_), target_q, "nodes of the cores"),
               to_slice = slice_node(m_, "request", route_, {whole, 0, p_.l1d.address_bits});
    std::vector<rtl::Field> fields = Part::fields(part_.end(to_requests));
    fields.insert(fields.begin(), rtl::Field{"destination", node_bits_, "node of the core or the slice"});
    const Channel out(m_, "sent", fields, "the message that waits");
    m_.assign(out.valid, valid_q);
    m_.assign(leaves, out.ready);
    const Expr id = cat({place_ & rtl::replicate(node_bits_, ~probe_q), of_slice(tracked_q), rest_q});
    m_.assign(out.word, cat({mux(probe_q, to_core, to_slice), id, kind_q, whole, mask_q, bytes_q, data_q}));
    part_.packetise(part_.end(to_requests), "requests", out, link(to_requests), "Messages to flits.");
  }

  // What stands above the rest in the id of a request, and of its reply.
  Expr of_slice(const Expr& tracked) const { return cat({lit(1, 0), rtl::zext(tracked, core_bits_)}); }

  void probes() {
    m_.section("Probes that come.");
    const Channel came = channel(from_requests, "came", "a probe");
    part_.receive(part_.end(from_requests), "probes", link(from_requests), came, "Flits to probes.");
    m_.assign(came.ready, lit(1, 1));
    const Expr data = came["data"];
    int low = 1;
    const auto field = [&](int width) {
      low += width;
      return came.word.slice(came.low_of("data") + low - 1, came.low_of("data") + low - width);
    };
    pins_.emplace_back("probe_valid", came.valid);
    pins_.emplace_back("probe_leader", field(1));
    pins_.emplace_back("probe_group", field(handler_.group_bits));
    pins_.emplace_back("probe_targets", field(list_bits(handler_)));
    pins_.emplace_back("probe_pointer", field(pointer_bits(handler_)));
    const int line_low = came.low_of("address") + offset_bits_,
              line_high = line_low + line_bits(handler_) - 1;
    pins_.emplace_back("probe_line", came.word.slice(line_high, line_low));
    const int unread = came.low_of("data") + low;
    m_.unused("unused_came",
              cat({came.word.slice(came.width() - 1, line_high + 1), came.word.slice(line_low - 1, unread),
                   came.word.bit(came.low_of("data"))}),
              "all that comes are probes");
  }

  void lines() {
    m_.section("Lines for other cores.");
    const rtl::StreamPorts& stream = rtl::stream_of(node_.module, "supply");
    const Channel line(m_, "line", stream.fields, "a line for another core"),
        out = channel(to_replies, "supplied", "the line as a reply");
    append(pins_, line.pins("supply"));
    const Expr group = m_.let("line_group", line["group"], "of the search that it is for");
    const Expr asker = group.slice(rest_bits_ + core_bits_ - 1, rest_bits_);
    if (named_bits_ > core_bits_) m_.unused("unused_asker", group.bit(rest_bits_ + core_bits_), "a core");
    const Expr to = node_of(m_, "asker", route_, core_nodes(route_), asker, "nodes of the cores");
    m_.assign(out.valid, line.valid);
    m_.assign(line.ready, out.ready);
    m_.assign(out.word, cat({to, lit(1, 1), core_, group.slice(rest_bits_ - 1, 0),
                             rtl::ones(p_.l1d.line_bytes / p_.l1d.chunk_bytes), line["data"]}));
    part_.packetise(part_.end(to_replies), "supplies", out, link(to_replies), "Lines to flits.");
  }

  void replies() {
    m_.section("Replies of cores and slices.");
    const Channel got = channel(from_replies, "got", "a reply"),
                  front = channel(from_replies, "replied", "the reply in front");
    part_.receive(part_.end(from_replies), "replies", link(from_replies), got, "Flits to replies.");
    part_.queue(part_.end(from_replies), reply_entries, "reply_queue", got, front, "Replies wait.");
    const int id_low = front.low_of("id");
    const auto bits = [&](int high, int low) { return front.word.slice(id_low + high, id_low + low); };
    const Expr asker = named_bits_ > core_bits_ ? rtl::zext(core_, named_bits_) : core_;
    append(pins_, {{"reply_valid", front.valid},
                   {"reply_ready", front.ready},
                   {"reply_core", bits(rest_bits_ + core_bits_, rest_bits_ + core_bits_)},
                   {"reply_supplier", bits(rest_bits_ + core_bits_ - 1, rest_bits_)},
                   {"reply_tracked", bits(rest_bits_, rest_bits_)},
                   {"reply_group", cat({asker, bits(rest_bits_ - 1, 0)})},
                   {"reply_id", bits(node_.facts.memory_id_bits - 1, 0)},
                   {"reply_mask", front["mask"]},
                   {"reply_data", front["data"]}});
  }

  const PartSite& site_;
  const TopologyParams& p_;
  const RemoteNodeParams node_params_;
  const ProbeHandlerParams handler_;
  const L1d node_;
  const RouteParams route_;
  Part part_;
  rtl::Module m_;
  const int core_bits_, named_bits_, node_bits_, rest_bits_, offset_bits_;
  Expr core_, place_;
  std::vector<Link> links_;
  Pins pins_;
};

}  // namespace

RemoteNodeParams remote_node_params(const TopologyParams& p) {
  return {.cores = p.shape.cores, .core = any_core, .remote = p.remote, .l1d = p.l1d};
}

int rest_of_group_bits(const TopologyParams& p) {
  return ProbeTableParams{}.group_bits - core_or_none_bits(p.shape.cores);
}

int travelling_id_bits(const TopologyParams& p) {
  return 1 + number_bits(p.shape.cores) + rest_of_group_bits(p);
}

BuiltPart remote_core(const PartSite& site) { return RemoteCoreBuilder(site).run(); }

// Fills are always taken, and the core takes all answers in the end. Snoops need no entry, and so wait for
// nothing that an entry waits for. A search waits for its probes, here and elsewhere.
std::vector<Wait> remote_core_waits() {
  constexpr const char *drop = "a probe without a place is dropped", *time_out = "a search takes too long";
  return {{"request", "L1"},
          {"L1", "MSHRs"},
          {"L1", "sent"},
          {"L1", "answers"},
          {"MSHRs", "sent"},
          {"MSHRs", "answers"},
          {"MSHRs", "own probes", time_out},
          {"MSHRs", "from_requests", time_out},
          {"own probes", "sent"},
          {"from_requests", "incoming", drop},
          {"incoming", "snoops"},
          {"snoops", "forwarded"},
          {"snoops", "lines"},
          {"snoops", "answers"},
          {"forwarded", "sent"},
          {"deflected", "sent"},
          {"sent", "to_requests"},
          {"lines", "to_replies"},
          {"from_replies", "reply queue"},
          {"reply queue", "answers"}};
}

}  // namespace hw
