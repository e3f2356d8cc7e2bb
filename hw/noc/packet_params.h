// Parameters of packetisers and receivers, shared by the hardware and its reference model (DC-L1 thesis,
// chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include "hw/sideband_params.h"

namespace hw {

enum class Network { request, reply };

// Which VC a packet takes: by its output, or by its line (of a reply: by its id).
enum class VcSelect { destination, line };

struct PacketParams {
  Network network = Network::request;
  int address_bits = 32;  // N of requests
  int line_bytes = 128;   // 2^B
  int chunk_bytes = 32;   // at most a line
  int flit_bytes = 32;    // F: from a chunk to a line, a power of two
  int id_bits = 8;        // of the id that travels
  int ports = 4;          // packetiser: J outputs; receiver: I inputs that `_source` names
  int vcs = 4;            // V
  int vc_depth = 4;       // D
  VcSelect vc_select = VcSelect::destination;
  bool sectoring = true;       // replies: flits by the mask, else all
  SidebandBits sideband = {};  // requests: what they carry of a core's request
  bool granted = false;        // packetiser: its link is shared, and a flit leaves only when it is granted

  bool operator==(const PacketParams&) const = default;
};

// The two units as configurations of their own.
struct PacketiserParams {
  PacketParams packet = {};

  bool operator==(const PacketiserParams&) const = default;
};
struct ReceiverParams {
  PacketParams packet = {};

  bool operator==(const ReceiverParams&) const = default;
};

constexpr int chunks_of_line(const PacketParams& p) { return p.line_bytes / p.chunk_bytes; }
constexpr int flits_of_line(const PacketParams& p) { return p.line_bytes / p.flit_bytes; }

}  // namespace hw
