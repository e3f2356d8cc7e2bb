// Parameters of butterflies of switches (DC-L1 thesis, chapter 4), shared by the hardware and its golden
// reference model.
#pragma once

namespace hw {

// A k-ary n-fly.
struct ButterflySize {
  int radix = 6;   // k: inputs and outputs of a switch
  int stages = 2;  // n

  bool operator==(const ButterflySize&) const = default;
};

constexpr int most_butterfly_ports = 256;

// k^n inputs and as many outputs; beyond the most there may be, some number above it.
constexpr int ports_of(const ButterflySize& size) {
  int ports = 1;
  for (int s = 0; s < size.stages && ports <= most_butterfly_ports; ++s) ports *= size.radix;
  return ports;
}

// The input of a stage that a packet comes to on its way: digits of the stages before it, the most
// significant ones, are those of where it goes.
constexpr int port_at(const ButterflySize& size, int stage, int from, int to) {
  int below = 1;
  for (int s = stage; s < size.stages; ++s) below *= size.radix;
  return to / below * below + from % below;
}

struct ButterflyParams {
  ButterflySize size = {};
  int vcs = 4;          // V: even
  int vc_flits = 4;     // D: flits of an input VC
  int link_stages = 1;  // registers of a link between stages
  int flit_bytes = 32;  // data of a flit
  int side_bits = 0;    // carried beside the data and the destination
  bool checks = false;  // outputs protocol_error and protocol_error_code

  bool operator==(const ButterflyParams&) const = default;
};

}  // namespace hw
