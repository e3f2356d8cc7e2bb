// A link of flits with its credits, as ports of a module or as wires between instances (DC-L1 thesis,
// chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "hw/rtl/module.h"
#include "hw/rtl/stream.h"

namespace hw {

using rtl::Pins;

// Bits of the number of n things.
constexpr int number_bits(int n) { return rtl::clog2(static_cast<std::uint64_t>(n)); }

// What a link of flits carries; ports and wires of no bits do not exist.
struct FlitShape {
  int vcs = 1, destination_bits = 0, source_bits = 0, side_bits = 0, flit_bytes = 1;
  bool granted = false;  // flits ask, and leave in a cycle with a grant
};

// One link of flits and its credits, as ports of a module or as wires in it; or several of one shape side by
// side, link 0 lowest.
class Link {
 public:
  enum class Made { sender_ports, taker_ports, wires };
  // A part of so many bits of a vector.
  using Choice = std::function<rtl::Expr(const rtl::Expr& vector, int width)>;

  // Of a sender: flits leave the module and credits enter it; of a receiver the other way round.
  Link(rtl::Module& m, const std::string& name, const FlitShape& shape, Made made, int count = 1);

  // One of the links that lie side by side.
  Link one(const Choice& choice) const;
  Link one(int number) const;

  const rtl::Expr& operator[](const std::string& field) const;
  bool has(const std::string& field) const { return fields_.contains(field); }
  // Pins `prefix`_<field> of a child, all or a part of them: without the destination or the source.
  Pins pins(const std::string& prefix, bool destination, bool source) const;

 private:
  std::map<std::string, rtl::Expr> fields_;
  int count_ = 1;
};

void append(Pins& to, const Pins& more);

}  // namespace hw
