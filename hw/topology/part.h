// A part of a topology under construction: its links to fabrics, and the packetisers, receivers and queues
// between them (DC-L1 thesis, chapters 4 and 5; docs/contracts/dc-l1.md).
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hw/noc/packet.h"
#include "hw/rtl/module_data.h"
#include "hw/topology/plan.h"

namespace hw {

// One end of a link: what a part sends to a fabric, or takes from it.
struct End {
  std::string link;
  PacketParams packets;
  Destination destination;
  bool sends = false, fast = false;
  int cycles = 1;  // to one in which its fabric moves
};

class Part {
 public:
  Part(const PartSite& site, const std::string& doc, const rtl::Loc& loc = rtl::Loc::current());

  // The ends of the part's group, by number.
  const End& end(std::size_t n) const { return ends_[n]; }
  Link link(const End& end);

  // The messages of an end.
  static std::vector<rtl::Field> fields(const End& end);
  Channel channel(const std::string& name, const End& end, const std::string& doc) {
    return {m, name, fields(end), doc};
  }

  // Where a request goes is said by a field `destination`, where `in` has one; else by the end.
  void packetise(const End& end, const std::string& instance, const Channel& in, const Link& out,
                 const std::string& doc);
  void receive(const End& end, const std::string& instance, const Link& in, const Channel& out,
               const std::string& doc);
  // A queue between an end and clk.
  void queue(const End& end, int entries, const std::string& instance, const Channel& in, const Channel& out,
             const std::string& doc);

  // With checks, an instance `name` of one: of a core's requests and their responses, or of the fetches among
  // the requests of a cache.
  template <class Requests, class Responses>
  void check_requests(const std::string& name, const Requests& asked, const Responses& answered) {
    if (!checks()) return;
    check({.name = name,
           .sent = asked.valid & asked.ready,
           .sent_id = asked["id"],
           .sent_mask = mask_of_response(name, asked["kind"], asked["mask"], asked["byte_enable"]),
           .offered = answered.valid,
           .came = answered.valid & answered.ready,
           .came_id = answered["id"],
           .came_mask = answered["mask"]});
  }
  void check_fetches(const std::string& name, const L1dParams& cache, const Channel& asked,
                     const Channel& answered);

  // What `add` makes; its ports are the topology's too.
  template <class Add>
  auto passed(Add add) {
    const std::size_t first = m.data().signals.size();
    auto made = add();
    for (std::size_t s = first; s < m.data().signals.size(); ++s) pass(m.data().signals[s]);
    return made;
  }
  // Ports and pins of a child that are no stream's; the topology has them too but for the flush.
  Pins further(const rtl::Module& child);
  void pass(const rtl::Signal& s);
  // An output of a child that says what its checks have found, and the pin that takes it.
  static bool is_error(const rtl::Signal& port) { return port.name.starts_with("protocol_"); }
  std::pair<std::string, rtl::Expr> take_error(const rtl::Signal& port);

  // Closes the part.
  BuiltPart built(const std::optional<L1dFacts>& cache = {});

  rtl::Module m;

 private:
  // The unit of an end: on its clock, or moving with its enable.
  void instance(const End& end, const rtl::Module& unit, const std::string& name, Pins pins,
                const std::string& doc);
  std::string inner_name(const std::string& instance) const;

  bool checks() const { return site_.params.l1d.check.ports; }
  // Responses and the requests that they are for, of one class of ids.
  struct CheckedResponses {
    std::string name;
    rtl::Expr sent, sent_id, sent_mask, offered, came, came_id, came_mask;
  };
  void check(const CheckedResponses& c);
  rtl::Expr mask_of_response(const std::string& name, const rtl::Expr& kind, const rtl::Expr& mask,
                             const rtl::Expr& byte_enable);

  const PartSite& site_;
  std::vector<End> ends_;
  std::vector<PassedPort> passed_;
  std::vector<rtl::Expr> codes_;  // of checks
  rtl::Clock clk_ = {}, fast_ = {};
  std::map<int, rtl::Expr> enables_;  // of fabrics that do not move in each cycle, by their cycles
};

}  // namespace hw
