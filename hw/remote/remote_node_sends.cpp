// The messages of a core among cores that search each other's L1s into the network of requests.
#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/remote/remote_node_builder.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux;

// The first that waits: what goes past all searches, requests of late ones, probes of others (deflected ones
// first), requests of searches in vain, and probes of this core.
void RemoteNodeBuilder::injection() {
  m_.section("Messages enter the network of requests one at a time.");
  const Expr other = m_.let("other", down_.valid & ~fetch_, "a request that is no miss waits");
  Expr before = direct_q_;
  const auto shown = [&](const char* name, const Expr& waits, const char* doc) {
    const Expr shows = m_.let(fmt::format("shows_{}", name), waits & ~before, doc);
    before = before | waits;
    return shows;
  };
  const bool deflects = handler_.deflected > 0;
  shows_.direct = direct_q_;
  shows_.other = shown("other", other, "a store, an atomic or a request past the L1");
  shows_.late_ask = shown("late_ask", ask_valid_ & ask_late_, "a request of a search that took too long");
  if (deflects) shows_.deflected = shown("deflected", deflected_.valid, "a deflected probe");
  shows_.forwarded = shown("forwarded", forwarded_.valid, "a probe that goes on or back");
  shows_.vain_ask = shown("vain_ask", ask_valid_ & ~ask_late_, "a request of a search in vain");
  shows_.own = shown("own", outgoing_.valid, "a probe of this core");
  m_.assign(send_valid_, before);
  shows_.ask = m_.let("shows_ask", shows_.late_ask | shows_.vain_ask, "a search asks L2");
  m_.assign(direct_goes_, shows_.direct & send_ready_);
  m_.assign(down_.ready, takes_ | (shows_.other & send_ready_));
  m_.assign(ask_take_, shows_.ask & send_ready_);
  m_.assign(forwarded_.ready, shows_.forwarded & send_ready_);
  m_.assign(outgoing_.ready, shows_.own & send_ready_);
  if (deflects) m_.assign(deflected_.ready, shows_.deflected & send_ready_);
  sent_request(sent_probe());
}

// Fields of the probe that is shown, if one is; returns them.
RemoteNodeBuilder::ProbeFields RemoteNodeBuilder::sent_probe() {
  const ProbeFields own{.leader = outgoing_.leader,
                        .group = group_of(outgoing_.entry, outgoing_.sequence),
                        .targets = outgoing_.targets,
                        .pointer = lit(pointer_bits(handler_), 0),
                        .line = outgoing_.line,
                        .destination = outgoing_.targets.slice(core_bits_ - 1, 0)};
  const bool deflects = handler_.deflected > 0;
  const auto shown = [&](Expr ProbeFields::*field) {
    const Expr e = mux(shows_.own, own.*field, forwarded_.*field);
    return deflects ? mux(shows_.deflected, deflected_.*field, e) : e;
  };
  const ProbeFields probe{.leader = shown(&ProbeFields::leader),
                          .group = shown(&ProbeFields::group),
                          .targets = shown(&ProbeFields::targets),
                          .pointer = shown(&ProbeFields::pointer),
                          .line = shown(&ProbeFields::line),
                          .destination = shown(&ProbeFields::destination)};
  const Expr probes = shows_.own | shows_.forwarded;
  m_.assign(send_.probe, deflects ? probes | shows_.deflected : probes);
  m_.assign(send_.destination, probe.destination);
  m_.assign(send_.leader, probe.leader);
  m_.assign(send_.targets, probe.targets);
  m_.assign(send_.pointer, probe.pointer);
  return probe;
}

// What probes and requests share, and the rest of a request.
void RemoteNodeBuilder::sent_request(const ProbeFields& probe) {
  const Expr &others = shows_.other, &asks = shows_.ask;
  m_.assign(send_.tracked, asks);
  m_.assign(send_.group, mux(asks, group_of(ask_entry_, ask_sequence_), probe.group));
  const Expr asked = mux(asks, numbered(line_q_, ask_entry_, line_bits_), probe.line);
  const Expr line = mux(shows_.direct, direct_line_q_, asked);
  m_.assign(send_.address, mux(others, down_["address"], cat({line, lit(offset_bits_, 0)})));
  m_.assign(send_.id, mux(others, down_["id"], fetch_id(mux(asks, ask_entry_, direct_entry_q_))));
  m_.assign(send_.kind, down_["kind"] & rtl::replicate(2, others));
  m_.assign(send_.mask, mux(others, down_["mask"], ones_of_mask()));
  m_.assign(send_.byte_enable, down_["byte_enable"] & rtl::replicate(p_.l1d.line_bytes, others));
  m_.assign(send_.data, down_["data"]);
}

}  // namespace hw
