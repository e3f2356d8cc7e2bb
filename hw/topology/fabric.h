// What carries messages between the parts of a topology: an interface behind which crossbars stand, or any
// other network. A fabric has classes of messages, and ports at which parts send and take their flits.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/noc/packet.h"
#include "hw/noc/vc_crossbar_params.h"
#include "hw/topology/home.h"
#include "hw/topology/waits.h"

namespace hw {

// Where a request goes, by its address; replies find their way by their ids.
struct Destination {
  std::optional<rtl::Expr> (*of)(rtl::Module& m, const std::string& name, const HomeMap& map,
                                 const Number& address) = nullptr;
  const char* doc = "";
};

// Messages that are packed alike and take the same way through their fabric.
struct MessageClass {
  std::string name = {};               // in a fabric of several classes: "requests"
  PacketParams sent = {}, taken = {};  // of the packetisers at its senders, of the receivers at its receivers
  Destination destination = {};        // of requests
};

// Ports at which a class is sent, and taken, by number of the sender and of the receiver.
struct ClassPorts {
  std::vector<int> senders = {}, sinks = {};

  const std::vector<int>& of(bool sends) const { return sends ? senders : sinks; }
};

// The link of each round of a generate loop among links side by side: by steps where they lie so, else by a
// table in the module.
Link::Choice in_rounds(rtl::Module& m, const rtl::Expr& loop, const std::vector<int>& numbers,
                       const std::string& table, const std::string& doc);
// The sender or receiver at each port that the loop comes by.
std::vector<int> numbers_at(const std::vector<int>& ports, int first, int step, int rounds);

// What a fabric moves by: a clock and, of one that does not move in each of its cycles, an enable.
struct FabricClock {
  rtl::Clock clock = {};
  std::optional<rtl::Expr> enable = {};

  // A module as it moves by the enable, and its pins.
  rtl::Module timed(const rtl::Module& m) const;
  Pins timed(Pins pins, const rtl::Module& m) const;
};

// Like crossbars, as areas count them.
struct CrossbarGroup {
  std::string name;  // "noc1_requests"
  int count = 0;
  CrossbarParams crossbar = {};
  bool mirrors = false;  // has the shape of another group, the other way round
};

class Fabric {
 public:
  virtual ~Fabric() = default;

  virtual const std::string& name() const = 0;   // "noc1"
  virtual const std::string& title() const = 0;  // "NoC#1"
  // On clk_noc1, twice as fast as clk.
  virtual bool fast() const = 0;
  // Cycles of its clock to one in which it moves; the first after reset is one.
  virtual int cycles() const { return 1; }
  virtual const std::vector<MessageClass>& classes() const = 0;
  // The flits of a class as they leave the fabric.
  virtual FlitShape leaving(int message_class) const = 0;
  // The fabric as module `top`_`name()`, its own modules as `top`_`name()`_<part>; ports by class.
  virtual rtl::Module network(const std::string& top, const std::vector<ClassPorts>& ports) const = 0;
  // Its links of a class, side by side by number of the sender or receiver: as ports of its module, or with a
  // `prefix` as wires beside it.
  std::string link_name(int message_class, bool sends) const;
  Link port_links(rtl::Module& m, int message_class, bool sends, const ClassPorts& ports) const;
  Link wire_links(rtl::Module& m, const std::string& prefix, int message_class, bool sends,
                  const ClassPorts& ports) const;
  virtual std::vector<CrossbarGroup> crossbars() const = 0;
  // What packets of a class wait for on their ways, from packetisers to receivers.
  virtual void add_waits(WaitsFor& graph, int message_class, const ClassPorts& ports) const = 0;
  // A packetiser, or a receiver, as a node of the graph of waits.
  std::string end_name(int message_class, bool sends, int port) const;
  // Figures for the manifest.
  virtual std::vector<std::pair<std::string, int>> facts() const = 0;

 private:
  Link links(rtl::Module& m, const std::string& prefix, int message_class, bool sends,
             const ClassPorts& ports, Link::Made made) const;
};

}  // namespace hw
