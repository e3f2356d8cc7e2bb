// What carries messages between the parts of a topology: an interface behind which crossbars stand, or any
// other network. A fabric has classes of messages, and ports at which parts send and take their flits.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hw/noc/vc_crossbar_params.h"
#include "hw/packet/packet.h"
#include "hw/topology/home.h"
#include "hw/topology/waits.h"

namespace hw {

// Where a request goes, by its address; replies find their way by their ids.
struct Destination {
  rtl::Expr (*of)(rtl::Module& m, const std::string& name, const HomeMap& map,
                  const Number& address) = nullptr;
  const char* doc = "";
};

// Messages that are packed alike and take the same way through their fabric.
struct MessageClass {
  PacketParams sent = {}, taken = {};  // of the packetisers at its senders, of the receivers at its receivers
  Destination destination = {};        // of requests
};

// The links of one class at its fabric, by port.
struct ClassLinks {
  std::map<int, Link> senders = {}, takers = {};
};

// Ports at which a class is sent, and taken.
struct ClassPorts {
  std::vector<int> senders = {}, takers = {};
};

// What a fabric moves by: a clock and, of one that does not move in each of its cycles, an enable.
struct FabricClock {
  rtl::Clock clock = {};
  rtl::Expr enable = {};

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
  // Adds the fabric to the module of a topology, its own modules as `top`_`name()`_<part>; links by class.
  virtual void build(rtl::Module& m, const FabricClock& clock, const std::string& top,
                     const std::vector<ClassLinks>& links) const = 0;
  virtual std::vector<CrossbarGroup> crossbars() const = 0;
  // What packets of a class wait for on their ways, from packetisers to receivers.
  virtual void add_waits(WaitsFor& graph, int message_class, const ClassPorts& ports) const = 0;
  // A packetiser, or a receiver, as a node of the graph of waits.
  std::string end_name(int message_class, bool sends, int port) const;
  // Figures for the manifest.
  virtual std::vector<std::pair<std::string, int>> facts() const = 0;
};

}  // namespace hw
