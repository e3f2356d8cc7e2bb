// What packetisers, receivers, crossbars and queues have in common: the fields of messages, as ports or as
// wires between instances (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <string>
#include <vector>

#include "hw/noc/flit_link.h"
#include "hw/noc/packet_params.h"
#include "hw/rtl/stream.h"

namespace hw {

// Throws ParamError when no packets can be made by the parameters.
void check(const PacketParams& p);

// Bits beside the data of a flit.
int side_bits(const PacketParams& p);

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

// The flits of a packetiser, or the flits that a receiver takes.
FlitShape shape_of(const PacketParams& p, bool to_receiver);

}  // namespace hw
