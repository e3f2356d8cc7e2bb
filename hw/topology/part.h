// A part of a topology under construction: its links to fabrics, and the packetisers, receivers and queues
// between them (DC-L1 thesis, chapters 4 and 5; docs/contracts/dc-l1.md).
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hw/packet/packet.h"
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

  BuiltPart built(const std::optional<L1dFacts>& cache = {}) const { return {m, passed_, cache}; }

  rtl::Module m;

 private:
  // The unit of an end: on its clock, or moving with its enable.
  void instance(const End& end, const rtl::Module& unit, const std::string& name, Pins pins,
                const std::string& doc);
  std::string inner_name(const std::string& instance) const;

  const PartSite& site_;
  std::vector<End> ends_;
  std::vector<PassedPort> passed_;
  rtl::Clock clk_ = {}, fast_ = {};
  std::map<int, rtl::Expr> enables_;  // of fabrics that do not move in each cycle, by their cycles
};

}  // namespace hw
