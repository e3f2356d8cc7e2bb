// What carries messages between the parts of a golden topology: an interface behind which crossbars stand, or
// any other network. Ports are numbered; each has a packetiser where parts send, a receiver where they take.
#pragma once
#include "golden/check/first_errors.h"
#include "golden/noc/crossing_fifo.h"
#include "golden/noc/home.h"
#include "golden/noc/packet.h"
#include "golden/topology/figures.h"

namespace golden {

class Fabric {
 public:
  virtual ~Fabric() = default;

  // Moves at edges of the fast clock too.
  virtual bool fast() const = 0;
  // A new cycle: nothing is driven, nothing is ready.
  virtual void begin() = 0;
  // Drives an input for this cycle, null when not valid; the message must stay until the edge. Whether it is
  // taken.
  virtual bool drive(int input, const Message* message, int destination) = 0;
  // The same once all that share a link have driven theirs.
  virtual bool taken(int input) const = 0;
  // What an output shows.
  virtual const Message* out(int output) const = 0;
  virtual void set_ready(int output, bool ready) = 0;
  // Does nothing when its clock does not rise.
  virtual void edge(Edge edge) = 0;
  virtual void reset() = 0;
  // What its checks have found first.
  virtual void report(FirstErrors::Codes&) const {}
  // A check has found something; its edge once nothing else is defined.
  virtual bool undefined() const {
    FirstErrors::Codes codes{hw::ProtocolError::none};
    report(codes);
    return codes.size() > 1;
  }
  virtual void edge_of_checks() {}
  // Flits since it was made, where it has links between nodes.
  virtual std::vector<LinkFlits> links() const { return {}; }
  // The same where it has crossbars.
  virtual std::optional<CrossbarFlits> crossbar_flits() const { return {}; }
};

// What of an address a packet is sent to: its home, or the output of its slice. Null: replies go by their
// ids.
using Destination = int Home::Place::*;

// A part's ends of fabrics.
class Sender {
 public:
  Sender(Fabric& fabric, int port, const Home& home, Destination to)
      : fabric_(&fabric), port_(port), home_(&home), to_(to) {}

  bool drive(const Message* m) const {
    return fabric_->drive(port_, m, m && to_ ? home_->of(m->address).*to_ : 0);
  }
  bool drive(const Message* m, int destination) const { return fabric_->drive(port_, m, destination); }
  bool taken() const { return fabric_->taken(port_); }
  bool fast() const { return fabric_->fast(); }

 private:
  Fabric* fabric_;
  int port_;
  const Home* home_;
  Destination to_;
};

class Sink {
 public:
  Sink(Fabric& fabric, int port) : fabric_(&fabric), port_(port) {}

  const Message* front() const { return fabric_->out(port_); }
  void set_ready(bool ready) const { fabric_->set_ready(port_, ready); }
  bool fast() const { return fabric_->fast(); }

 private:
  Fabric* fabric_;
  int port_;
};

}  // namespace golden
