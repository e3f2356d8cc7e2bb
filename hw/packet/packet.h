// What packetisers, receivers, crossbars and queues have in common: the fields of messages and flits, as
// ports or as wires between instances (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hw/noc/vc_crossbar_params.h"
#include "hw/packet/packet_params.h"
#include "hw/rtl/stream.h"

namespace hw {

using rtl::Pins;

// Throws ParamError when no packets can be made by the parameters.
void check(const PacketParams& p);

// Bits beside the data of a flit.
int side_bits(const PacketParams& p);

// Bits of the number of n things.
constexpr int number_bits(int n) { return rtl::clog2(static_cast<std::uint64_t>(n)); }

// The fields of a message, ids of `id_bits`.
std::vector<rtl::Field> message_fields(const PacketParams& p, int id_bits);

// The fields of a message, first field highest, as wires between a sender and a receiver.
class Channel {
 public:
  Channel() = default;
  // Adds the wires `name`_valid, `name`_ready and `name`_word to `m`.
  Channel(rtl::Module& m, const std::string& name, std::vector<rtl::Field> fields, const std::string& doc);

  int width() const { return word.width(); }
  int low_of(const std::string& field) const;
  bool has(const std::string& field) const;
  rtl::Expr operator[](const std::string& field) const;
  // Pins of a child's stream `prefix`.
  Pins pins(const std::string& prefix) const;
  // Pins of one side of a FIFO.
  Pins word_pins(const std::string& prefix) const;
  // Drives the channel from an input stream of `m`, or an output stream from the channel.
  void from(rtl::Module& m, const rtl::Stream& in) const;
  void to(rtl::Module& m, const rtl::Stream& out) const;

  rtl::Expr valid, ready, word;

 private:
  std::vector<rtl::Field> fields_;
};

// What a link of flits carries; ports and wires of no bits do not exist.
struct FlitShape {
  int vcs = 1, destination_bits = 0, source_bits = 0, side_bits = 0, flit_bytes = 1;
  bool granted = false;  // flits ask, and leave in a cycle with a grant
};

// The flits of a packetiser, or the flits that a receiver takes.
FlitShape shape_of(const PacketParams& p, bool to_receiver);

// One link of flits and its credits, as ports of a module or as wires in it.
class Link {
 public:
  enum class Made { sender_ports, taker_ports, wires };

  // Of a sender: flits leave the module and credits enter it; of a receiver the other way round.
  Link(rtl::Module& m, const std::string& name, const FlitShape& shape, Made made);

  const rtl::Expr& operator[](const std::string& field) const;
  bool has(const std::string& field) const { return fields_.contains(field); }
  // Pins `prefix`_<field> of a child, all or a part of them: without the destination or the source.
  Pins pins(const std::string& prefix, bool destination, bool source) const;

 private:
  std::map<std::string, rtl::Expr> fields_;
};

void append(Pins& to, const Pins& more);

}  // namespace hw
