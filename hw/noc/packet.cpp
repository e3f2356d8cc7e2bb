#include "hw/noc/packet.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "hw/geometry_ranges.h"
#include "hw/l1d/l1d_ports.h"
#include "hw/noc/noc_ranges.h"
#include "hw/noc/packet_ranges.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::Expr, rtl::Field;

int offset_bits(const PacketParams& p) { return number_bits(p.line_bytes); }

}  // namespace

void check(const PacketParams& p) {
  require_in(GeometryRanges::address_bits, "geometry.address_bits", p.address_bits,
             "use 32 unless the GPU's addresses are wider");
  require_in(GeometryRanges::line_bytes, "geometry.line_bytes", p.line_bytes,
             "use 128, the line of the reference cache");
  require_in(GeometryRanges::chunk_bytes, "geometry.chunk_bytes", p.chunk_bytes,
             "use 32, the sector of the reference cache");
  require(p.chunk_bytes <= p.line_bytes, "geometry.chunk_bytes", p.chunk_bytes,
          fmt::format("is more than a line of {} bytes", p.line_bytes), "use at most a line");
  require_in({p.chunk_bytes, p.line_bytes, true}, "crossbar.flit_bytes", p.flit_bytes,
             fmt::format("use {}, from a chunk to a line", std::clamp(32, p.chunk_bytes, p.line_bytes)));
  require_in(PacketRanges::id_bits, "packet.id_bits", p.id_bits, "use 8, ids of 256 requests under way");
  require_in(PacketRanges::numbers, "packet.ports", p.ports, "use 4");
  require_in(CrossbarRanges::vcs, "crossbar.vcs", p.vcs, "use 4");
  require_in(CrossbarRanges::vc_depth, "crossbar.vc_depth", p.vc_depth,
             "use 4, which keeps one VC at full rate");
}

int side_bits(const PacketParams& p) {
  const int head = p.id_bits + chunks_of_line(p);
  if (p.network == Network::reply) return head;
  return sum_of_bits(p.sideband) + 2 + head + p.address_bits - offset_bits(p) + p.flit_bytes;
}

std::vector<Field> message_fields(const PacketParams& p, int id_bits) {
  const MessageShape shape{.address_bits = p.address_bits,
                           .line_bytes = p.line_bytes,
                           .chunk_bytes = p.chunk_bytes,
                           .id_bits = id_bits,
                           .sideband = p.sideband};
  if (p.network == Network::reply) return fields_of(packed_reply_fields, shape);
  return fields_of(packed_request_fields, shape);
}

Channel::Channel(rtl::Module& m, const std::string& name, std::vector<Field> fields, const std::string& doc)
    : fields_(std::move(fields)) {
  int width = 0;
  std::string order;
  for (const Field& f : fields_) {
    width += f.width;
    order += (order.empty() ? "" : ", ") + f.name;
  }
  valid = m.wire(name + "_valid", 1, doc);
  ready = m.wire(name + "_ready", 1, "taken at this edge if valid");
  word = m.wire(name + "_word", width, fmt::format("{{{}}}", order));
}

int Channel::low_of(const std::string& field) const {
  int low = width();
  for (const Field& f : fields_) {
    low -= f.width;
    if (f.name == field) return low;
  }
  throw std::logic_error(fmt::format("no field '{}' in the message {}", field, rtl::verilog(word)));
}

bool Channel::has(const std::string& field) const {
  return std::ranges::find(fields_, field, &Field::name) != fields_.end();
}

Expr Channel::operator[](const std::string& field) const {
  const int low = low_of(field);
  const auto f = std::ranges::find(fields_, field, &Field::name);
  return word.slice(low + f->width - 1, low);
}

Pins Channel::pins(const std::string& prefix) const {
  Pins pins{{prefix + "_valid", valid}, {prefix + "_ready", ready}};
  for (const Field& f : fields_) pins.emplace_back(prefix + "_" + f.name, (*this)[f.name]);
  return pins;
}

Pins Channel::word_pins(const std::string& prefix) const {
  return {{prefix + "_valid", valid}, {prefix + "_ready", ready}, {prefix + "_data", word}};
}

void Channel::from(rtl::Module& m, const rtl::Stream& in) const {
  m.assign(valid, in.valid);
  m.assign(in.ready, ready);
  std::vector<Expr> parts;
  for (const Field& f : fields_) parts.push_back(in[f.name]);
  m.assign(word, rtl::cat(parts));
}

void Channel::to(rtl::Module& m, const rtl::Stream& out) const {
  m.assign(out.valid, valid);
  m.assign(ready, out.ready);
  for (const Field& f : fields_) m.assign(out[f.name], (*this)[f.name]);
}

FlitShape shape_of(const PacketParams& p, bool to_receiver) {
  const int route = number_bits(p.ports);
  return {.vcs = p.vcs,
          .destination_bits = to_receiver ? 0 : route,
          .source_bits = to_receiver && p.network == Network::request ? route : 0,
          .side_bits = side_bits(p),
          .flit_bytes = p.flit_bytes,
          .granted = p.granted && !to_receiver};
}

}  // namespace hw
