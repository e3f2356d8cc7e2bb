// A core among shared L1s under construction: requests on their way in one file, what enters and leaves the
// L1 in another (DC-L1 thesis, chapter 4; docs/contracts/shared-l1.md).
#pragma once
#include <array>
#include <string>
#include <vector>

#include "hw/rtl/condition.h"
#include "hw/topology/line_organisation.h"
#include "hw/topology/part.h"
#include "hw/topology/shared_node.h"

namespace hw {

using rtl::Expr;

class SharedNodeBuilder {
 public:
  SharedNodeBuilder(const PartSite& site, const RouteParams& route);
  BuiltPart run();

 private:
  static Expr id_bit(const Channel& channel, int bit) { return channel.word.bit(channel.low_of("id") + bit); }
  Channel channel(const std::string& name, SharedEnd end, const std::string& doc) {
    return part_.channel(name, part_.end(end), doc);
  }
  // Messages of no end.
  Channel made(const std::string& name, Network network, int id_bits, const std::string& doc);
  // Ports of core, cache and networks.
  void streams();
  // The request of which home and hops are being found.
  void accept();
  // A field of the request.
  Expr asked(const std::string& field) const;
  void choose_route();
  // A request that goes elsewhere waits for the own L1 to take its drop.
  rtl::Condition unless_dropped() const;
  void to_homes_queue();
  // What comes over the meshes, in front of its queue.
  void from_network();
  void enter_cache();
  // Requests to the L1, which has a kind more where there are drops.
  Channel l1_requests();
  // Of the core's requests, the bits of an id of the L1 above the core's.
  Expr above_own_id();
  Expr l1_word(const Expr& id, const Expr& request, int low_of_kind, const rtl::Condition& drop) const;
  // Whether a request of the core failed in the cycle before: the L1 says that one did, and the requests in
  // it stand in their order.
  Expr local_failed(const Channel& in, const Expr& serves);
  // Requests of the L1 and those past it, in turn.
  void to_slices_queue();
  Channel with_slice_node(const Channel& front, std::vector<rtl::Field> fields);
  void answers();
  // Of three in their order; one that waits for the core stays.
  std::array<Expr, 3> in_front(const Expr& home, const Expr& own, const Expr& of_l1);
  void flush();
  // A reply of a slice as the L1 knows it.
  Expr without_tally(const Channel& reply) const;

  const Link& link(SharedEnd end) const { return links_[static_cast<std::size_t>(end)]; }
  int entries() const { return p_.shared.queue_entries; }
  int l1_id_bits() const { return site_.plan.cache.core_id_bits; }

  const TopologyParams& p_;
  const PartSite& site_;
  const RouteParams& route_;
  const L1d cache_;
  Part part_;
  rtl::Module m_;
  const int node_bits_, memory_id_bits_;
  rtl::Stream request_, response_;
  std::vector<Link> links_;
  Expr core_, node_, flush_valid_, flush_all_, flush_ready_, open_, stage_valid_, asked_, leaves_;
  Expr answered_, by_slice_;
  Expr local_, to_home_, direct_, home_node_, slice_node_, to_home_ready_, local_ready_, passes_,
      owner_served_;
  Channel served_, from_slice_, from_home_, missed_;
  Channel slices_reply_;  // in front of its queue
  std::unique_ptr<LineOrganisation> organisation_;
  rtl::Condition drops_;
  Expr drop_goes_, direct_open_;  // of a request that goes elsewhere and is dropped here
  Pins cache_pins_, cache_pins_of_events_;
};

}  // namespace hw
