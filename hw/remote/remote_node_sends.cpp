// The messages of a core among cores that search each other's L1s into the network of requests.
#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/remote/remote_node_builder.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux;

// The first that waits: what goes past all searches, requests of late ones, probes of others (deflected ones
// first), requests of searches in vain, and probes of this core.
void RemoteNodeBuilder::injection() {
  m_.section("One message at a time enters the network of requests.");
  struct Class {
    const char* name;
    Expr waits;
    const char* doc;
  };
  const Expr other = m_.let("other", down_.valid & ~fetch_, "a request that is no miss waits");
  std::vector<Class> classes{
      {"other", other, "a store, an atomic or a request past the L1"},
      {"late_ask", ask_valid_ & ask_late_, "a request of a search that took too long"}};
  if (!deflected_.empty()) classes.push_back({"deflected", deflected_.at("valid"), "a deflected probe"});
  classes.push_back({"forwarded", forwarded_.at("valid"), "a probe that goes on or back"});
  classes.push_back({"vain_ask", ask_valid_ & ~ask_late_, "a request of a search in vain"});
  classes.push_back({"own", outgoing_.at("valid"), "a probe of this core"});
  Expr before = direct_q_;
  shows_.emplace("direct", direct_q_);  // a miss that is not searched for
  for (const Class& c : classes) {
    shows_.emplace(c.name, m_.let(fmt::format("shows_{}", c.name), c.waits & ~before, c.doc));
    before = before | c.waits;
  }
  m_.assign(send_valid_, before);
  shows_.emplace("ask",
                 m_.let("shows_ask", shows_.at("late_ask") | shows_.at("vain_ask"), "a search asks L2"));
  m_.assign(direct_goes_, shows_.at("direct") & send_ready_);
  m_.assign(down_.ready, takes_ | (shows_.at("other") & send_ready_));
  m_.assign(ask_take_, shows_.at("ask") & send_ready_);
  m_.assign(forwarded_.at("ready"), shows_.at("forwarded") & send_ready_);
  m_.assign(outgoing_.at("ready"), shows_.at("own") & send_ready_);
  if (!deflected_.empty()) m_.assign(deflected_.at("ready"), shows_.at("deflected") & send_ready_);
  sent_request(sent_probe());
}

// Fields of the probe that is shown, if one is; returns its group and line.
RemoteNodeBuilder::Named RemoteNodeBuilder::sent_probe() {
  const Expr& own = shows_.at("own");
  const Named of_own{{"destination", outgoing_.at("targets").slice(core_bits_ - 1, 0)},
                     {"leader", outgoing_.at("leader")},
                     {"group", group_of(outgoing_.at("entry"), outgoing_.at("sequence"))},
                     {"targets", outgoing_.at("targets")},
                     {"pointer", lit(pointer_bits(handler_), 0)},
                     {"line", outgoing_.at("line")}};
  Named probe;
  for (const auto& [field, value] : of_own) {
    Expr e = mux(own, value, forwarded_.at(field));
    if (!deflected_.empty()) e = mux(shows_.at("deflected"), deflected_.at(field), e);
    probe.emplace(field, e);
  }
  Expr probes = own | shows_.at("forwarded");
  if (!deflected_.empty()) probes = probes | shows_.at("deflected");
  m_.assign(send_.at("probe"), probes);
  for (const char* field : {"destination", "leader", "targets", "pointer"})
    m_.assign(send_.at(field), probe.at(field));
  return probe;
}

// What probes and requests share, and the rest of a request.
void RemoteNodeBuilder::sent_request(const Named& probe) {
  const Expr &others = shows_.at("other"), &asks = shows_.at("ask");
  m_.assign(send_.at("tracked"), asks);
  m_.assign(send_.at("group"), mux(asks, group_of(ask_entry_, ask_sequence_), probe.at("group")));
  const Expr asked = mux(asks, numbered(line_q_, ask_entry_, line_bits_), probe.at("line"));
  const Expr line = mux(shows_.at("direct"), direct_line_q_, asked);
  m_.assign(send_.at("address"), mux(others, down_["address"], cat({line, lit(offset_bits_, 0)})));
  m_.assign(send_.at("id"), mux(others, down_["id"], fetch_id(mux(asks, ask_entry_, direct_entry_q_))));
  m_.assign(send_.at("kind"), down_["kind"] & rtl::replicate(2, others));
  m_.assign(send_.at("mask"), mux(others, down_["mask"], ones_of_mask()));
  m_.assign(send_.at("byte_enable"), down_["byte_enable"] & rtl::replicate(p_.l1d.line_bytes, others));
  m_.assign(send_.at("data"), down_["data"]);
}

}  // namespace hw
