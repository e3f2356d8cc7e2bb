// The parts of networks between caches and crossbars that make packets and take them (DC-L1 thesis, chapter
// 5).
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "hw/noc/noc_ranges.h"
#include "hw/noc/packet.h"
#include "hw/noc/packet_ranges.h"
#include "hw/noc/packetiser.h"
#include "hw/noc/receiver.h"

namespace gen {
namespace {

const char* const thesis = "DC-L1 thesis, chapter 5";
const char* const no_cache = "is a part of a network: recorded cache traffic needs a cache; use --random";

Unit elaborated(const hw::PacketiserParams& p, const std::string& top) {
  return {.top = hw::packetiser(p.packet, top), .facts = {{"side_bits", hw::side_bits(p.packet)}}};
}

CosimMain cosim(const hw::PacketiserParams& p) {
  return cycle_bench("noc/packetiser_cosim.h", "PacketiserBench", "PacketiserParams", p, 200'000);
}

Unit elaborated(const hw::ReceiverParams& p, const std::string& top) {
  return {
      .top = hw::receiver(p.packet, top), .latency = 1, .facts = {{"side_bits", hw::side_bits(p.packet)}}};
}

CosimMain cosim(const hw::ReceiverParams& p) {
  return cycle_bench("noc/receiver_cosim.h", "ReceiverBench", "ReceiverParams", p, 200'000);
}

template <class P>
class Table {
 public:
  template <class Member>
  void add(KeyInfo info, Member member) {
    if (info.source.empty()) info.source = thesis;
    keys.push_back(field<P>(
        std::move(info), [member](auto& p) -> auto& { return p.packet.*member; }));
  }

  std::vector<Key> keys = {};
};

// `ports` says what the unit's ports key counts.
template <class P>
std::vector<Key> packet_keys(const char* ports, const char* ports_meaning) {
  using hw::PacketParams;
  Table<P> table;
  table.add({.key = "packet.network",
             .type = KeyType::choice,
             .choices = {"request", "reply"},
             .meaning = "Which messages: requests with kind, address and byte enables, or replies.",
             .suffix = ""},
            &PacketParams::network);
  table.add({.key = "packet.id_bits",
             .range = hw::PacketRanges::id_bits,
             .unit = "bits",
             .meaning = "Width of the id that travels; the crossbar's port stands above it outside.",
             .suffix = "i"},
            &PacketParams::id_bits);
  table.add({.key = ports,
             .range = hw::PacketRanges::ports,
             .unit = "ports",
             .meaning = ports_meaning,
             .suffix = "p"},
            &PacketParams::ports);
  table.add(address_bits_key(), &PacketParams::address_bits);
  table.add(line_bytes_key(), &PacketParams::line_bytes);
  KeyInfo chunk = chunk_bytes_key();
  chunk.depends = true;
  table.add(chunk, &PacketParams::chunk_bytes);
  table.add({.key = "crossbar.flit_bytes",
             .range = hw::PacketRanges::flit_bytes,
             .depends = true,
             .unit = "bytes",
             .meaning = "Data of a flit.",
             .suffix = "f"},
            &PacketParams::flit_bytes);
  table.add({.key = "crossbar.vcs",
             .range = hw::CrossbarRanges::vcs,
             .unit = "channels",
             .meaning = "Virtual channels of each input and of each output.",
             .suffix = "v"},
            &PacketParams::vcs);
  table.add({.key = "crossbar.vc_depth",
             .range = hw::CrossbarRanges::vc_depth,
             .unit = "flits",
             .meaning = "Flits of an input VC and of a receiver's; 4 keep one at full rate.",
             .suffix = "d"},
            &PacketParams::vc_depth);
  return table.keys;
}

template <class P>
Key sectoring_key() {
  return field<P>(
      {.key = "node.sectoring",
       .type = KeyType::boolean,
       .meaning = "Replies have the flits of their mask; else all flits of the line.",
       .source = thesis,
       .suffix = "sectoring"},
      [](auto& p) -> auto& { return p.packet.sectoring; });
}

const UnitKind& packetiser_kind() {
  static const UnitKind table = unit_kind<hw::PacketiserParams>(elaborated, cosim, no_cache);
  return table;
}

const Family& packetiser_family() {
  static const Family family = [] {
    Family f{.name = "packetiser",
             .doc = "makes packets of messages, by credits and without a register",
             .defaults = hw::PacketiserParams{},
             .unit = packetiser_kind,
             .keys = packet_keys<hw::PacketiserParams>("packet.outputs", "Outputs J of the crossbar.")};
    f.keys.push_back(field<hw::PacketiserParams>(
        {.key = "topology.vc_select",
         .type = KeyType::choice,
         .choices = {"destination", "line"},
         .meaning = "The VC of a packet follows its output, or its line (of a reply: its id) alone.",
         .source = thesis,
         .suffix = "by_"},
        [](auto& p) -> auto& { return p.packet.vc_select; }));
    f.keys.push_back(sectoring_key<hw::PacketiserParams>());
    return f;
  }();
  return family;
}

const UnitKind& receiver_kind() {
  static const UnitKind table = unit_kind<hw::ReceiverParams>(elaborated, cosim, no_cache);
  return table;
}

const Family& receiver_family() {
  static const Family family = [] {
    Family f{.name = "receiver",
             .doc = "puts messages together from flits, in the order of their heads",
             .defaults = hw::ReceiverParams{},
             .unit = receiver_kind,
             .keys = packet_keys<hw::ReceiverParams>("packet.inputs", "Inputs I of the crossbar.")};
    f.keys.push_back(sectoring_key<hw::ReceiverParams>());
    return f;
  }();
  return family;
}

}  // namespace

std::vector<Preset> packet_unit() {
  return {{.place = 320,
           .name = "packetiser",
           .family = &packetiser_family(),
           .doc = "messages to flits, by credits: loads are one flit, stores and replies those of their mask",
           .source = "DC-L1 thesis, chapter 5"},
          {.place = 330,
           .name = "receiver",
           .family = &receiver_family(),
           .doc = "flits to messages, packets in the order of their heads",
           .source = "DC-L1 thesis, chapter 5"}};
}

}  // namespace gen
