// A link of flits with its credits, as ports of a module or as wires between instances (DC-L1 thesis,
// chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

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

// The fields of a link, in the order of an instance's pins.
inline constexpr std::array<std::string_view, 11> link_fields{
    "credit_valid", "credit_vc", "data", "destination", "grant", "head",
    "side",         "source",    "tail", "valid",       "vc"};

// A field by name, looked up as the program is compiled.
class LinkField {
 public:
  consteval LinkField(const char* name) {  // NOLINT: a name is a field
    while (link_fields.at(place_) != name) ++place_;
  }
  static constexpr LinkField at(std::size_t place) { return LinkField(place); }

  constexpr std::size_t place() const { return place_; }
  // From the receiver to the sender.
  constexpr bool goes_back() const { return link_fields[place_].starts_with("credit"); }

 private:
  constexpr explicit LinkField(std::size_t place) : place_(place) {}

  std::size_t place_ = 0;
};

// One link of flits and its credits, as ports of a module or as wires in it; or several of one shape side by
// side, link 0 lowest.
class Link {
 public:
  enum class Made { sender_ports, sink_ports, wires };
  // A part of so many bits of a vector.
  using Choice = std::function<rtl::Expr(const rtl::Expr& vector, int width)>;

  // Of a sender: flits leave the module and credits enter it; of a receiver the other way round.
  Link(rtl::Module& m, const std::string& name, const FlitShape& shape, Made made, int count = 1);

  // One of the links that lie side by side.
  Link one(const Choice& choice) const;
  Link one(int number) const;

  const rtl::Expr& operator[](LinkField field) const { return fields_[field.place()].value(); }
  // visit(field, expression), of each that exists.
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::size_t i = 0; i < fields_.size(); ++i)
      if (fields_[i]) visit(LinkField::at(i), *fields_[i]);
  }
  // Pins `prefix`_<field> of a child, all or a part of them: without the destination or the source.
  Pins pins(const std::string& prefix, bool destination, bool source) const;

 private:
  std::array<std::optional<rtl::Expr>, link_fields.size()> fields_;
  int count_ = 1;
};

void append(Pins& to, const Pins& more);

}  // namespace hw
