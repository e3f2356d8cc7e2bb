#include "golden/topology/remote_core.h"

#include "golden/topology/kinds.h"

namespace golden {
namespace {

constexpr int reply_entries = 2;

// Visits the other cores that have a line.
RemoteWatch::Holders holders(const PartSite& site) {
  const int own = static_cast<int>(site.number);
  const auto line_bytes = static_cast<unsigned>(site.params.l1d.line_bytes);
  return [own, line_bytes, caches = site.caches](std::uint64_t line, const RemoteWatch::Visit& visit) {
    for (int c = 0; c < static_cast<int>(caches->size()); ++c)
      if (c != own && (*caches)[static_cast<std::size_t>(c)]->holds(line * line_bytes)) visit(c);
  };
}

RemoteNode::Foreign foreign(const PartSite& site) {
  return [held = holders(site)](std::uint64_t line) {
    bool any = false;
    held(line, [&](int) { any = true; });
    return any;
  };
}

}  // namespace

RemoteCore::RemoteCore(const PartSite& site)
    : core_(site.number),
      messages_(site.params, static_cast<int>(site.number)),
      requests_(site.senders[0]),
      supplies_(site.senders[1]),
      probes_(site.sinks[0]),
      replies_(site.sinks[1]),
      node_(kinds::remote_node(site.params, static_cast<int>(site.number)), foreign(site)),
      watch_(kinds::remote_node(site.params, static_cast<int>(site.number)), holders(site)),
      reply_queue_(reply_entries) {}

void RemoteCore::settle(const TopologyIn& in, TopologyOut& out) {
  leaves_ = requests_.drive(sending_ ? &sending_->message : nullptr, sending_ ? sending_->node : 0);
  probes_.set_ready(true);
  replies_.set_ready(reply_queue_.ready());
  reply_.reset();
  if (reply_queue_.front()) reply_ = messages_.reply(*reply_queue_.front());
  in_ = {.rst = in.rst,
         .request = in.request[core_],
         .response_ready = in.response_ready[core_],
         .flush_valid = in.flush_valid,
         .send_ready = !sending_ || leaves_,
         .reply = reply_ ? &*reply_ : nullptr};
  if (const Message* probe = probes_.front()) in_.probe = messages_.probe(*probe);
  out_ = &node_.outputs(in_);
  watch_.look(node_);
  supply_.reset();
  if (out_->supply) supply_ = messages_.supplied(*out_->supply);
  in_.supply_ready = supplies_.drive(pointer(supply_));
  out.request_ready[core_] = out_->request_ready;
  out.response[core_] = pointer(out_->response);
  out.flush_ready = out.flush_ready && out_->flush_ready;
}

void RemoteCore::flush() {
  in_.flush_all = true;
  out_ = &node_.outputs(in_);
}

void RemoteCore::edge(const TopologyIn&, Edge edge) {
  if (edge == Edge::fast_alone) return;
  watch_.edge(node_, in_, *out_);
  reply_queue_.edge(replies_.front(), out_->reply_ready);
  if (leaves_) sending_.reset();
  if (out_->send && in_.send_ready) sending_ = messages_.sent(*out_->send);
  node_.edge(in_);
}

void RemoteCore::reset() {
  reply_queue_.reset();
  sending_.reset();
}

}  // namespace golden
