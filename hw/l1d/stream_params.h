// The streams of an L1 data cache, pinned: the kinds of requests, and each field's name, width and
// description. Hardware, packets, models and benches read these tables.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "hw/l1d/l1d_params.h"
#include "hw/sideband_params.h"

namespace hw {

// What a request asks for; the numbers are those of ports. Drops and snoops are of topologies that let caches
// see each other's requests.
enum class RequestKind : std::uint8_t { load, store, atomic, non_l1, drop, snoop };
inline constexpr std::array<std::string_view, 6> kind_names{"load",   "store", "atomic",
                                                            "non-L1", "drop",  "snoop"};

// What the fields of a message are as wide as; of width 0 are fields that nobody reads, and there are none
// of them.
struct MessageShape {
  int address_bits = 32, line_bytes = 128, chunk_bytes = 32, id_bits = 8;
  int kinds = 4;               // the first so many kinds occur,
  bool drops = true;           // kind 4 among them
  SidebandBits sideband = {};  // of a core's request
  bool homes = false;          // requests say whether their line's home is elsewhere
};

struct StreamField {
  std::string_view name;
  int (*width)(const MessageShape&);
  std::string_view doc;  // "": the names of the kinds that occur
};

constexpr int kind_bits(const MessageShape& s) { return std::bit_width(static_cast<unsigned>(s.kinds - 1)); }

namespace width_of {
constexpr int id(const MessageShape& s) { return s.id_bits; }
constexpr int kind(const MessageShape& s) { return kind_bits(s); }
constexpr int address(const MessageShape& s) { return s.address_bits; }
constexpr int mask(const MessageShape& s) { return s.line_bytes / s.chunk_bytes; }
constexpr int byte_enable(const MessageShape& s) { return s.line_bytes; }
constexpr int data(const MessageShape& s) { return 8 * s.line_bytes; }
template <std::size_t place>
constexpr int sideband(const MessageShape& s) {
  return s.sideband[place];
}
// Of the sideband; a fetch carries it on.
constexpr int pc(const MessageShape& s) { return s.sideband[sideband_place(sideband::pc.name)]; }
constexpr int foreign(const MessageShape& s) { return s.homes ? 1 : 0; }
}  // namespace width_of

inline constexpr auto sideband_stream_fields = []<std::size_t... place>(std::index_sequence<place...>) {
  return std::array{StreamField{std::get<place>(sideband_fields).name, width_of::sideband<place>,
                                std::get<place>(sideband_fields).doc}...};
}
(std::make_index_sequence<sideband_count>());

template <std::size_t... size>
constexpr auto joined(const std::array<StreamField, size>&... parts) {
  std::array<StreamField, (size + ...)> all{};
  auto at = all.begin();
  ((at = std::ranges::copy(parts, at).out), ...);
  return all;
}

inline constexpr auto core_request_fields = joined(
    std::array{StreamField{"id", width_of::id, "id of the answer"}, StreamField{"kind", width_of::kind, ""},
               StreamField{"address", width_of::address, "byte address; the line counts"},
               StreamField{"mask", width_of::mask, "chunks of the line"},
               StreamField{"byte_enable", width_of::byte_enable, "bytes to write"},
               StreamField{"data", width_of::data, "values of those bytes"}},
    sideband_stream_fields,
    std::array{StreamField{"foreign", width_of::foreign, "another cache is the home of the line"}});
inline constexpr std::array core_response_fields{StreamField{"id", width_of::id, "of the request"},
                                                 StreamField{"mask", width_of::mask, "chunks"},
                                                 StreamField{"data", width_of::data, "values"}};
inline constexpr std::array memory_request_fields{
    StreamField{"id", width_of::id, "id of the answer"},
    StreamField{"kind", width_of::kind, ""},
    StreamField{"address", width_of::address, "byte address of the line"},
    StreamField{"mask", width_of::mask, "chunks"},
    StreamField{"byte_enable", width_of::byte_enable, "bytes to write"},
    StreamField{"data", width_of::data, "values of those bytes"},
    StreamField{"pc", width_of::pc, "number of the instruction that asked"}};
inline constexpr std::array memory_response_fields = core_response_fields;

// The same messages on their way through networks.
inline constexpr auto packed_request_fields =
    joined(std::array{StreamField{"id", width_of::id, "number of the request"},
                      StreamField{"kind", width_of::kind, ""},
                      StreamField{"address", width_of::address, "byte address"},
                      StreamField{"mask", width_of::mask, "chunks of the line"},
                      StreamField{"byte_enable", width_of::byte_enable, "bytes to be written"},
                      StreamField{"data", width_of::data, "the line"}},
           sideband_stream_fields);
inline constexpr std::array packed_reply_fields{StreamField{"id", width_of::id, "number of the request"},
                                                StreamField{"mask", width_of::mask, "chunks of the line"},
                                                StreamField{"data", width_of::data, "the line"}};

struct StreamRow {
  std::string_view name, doc;
  bool enters;       // the cache
  bool memory_side;  // where ids are the cache's own
  std::span<const StreamField> fields;
};

inline constexpr std::array cache_streams{
    StreamRow{"core_request", "a request from the core", true, false, core_request_fields},
    StreamRow{"core_response", "an answer to the core", false, false, core_response_fields},
    StreamRow{"memory_request", "a request to memory", false, true, memory_request_fields},
    StreamRow{"memory_response", "an answer from memory", true, true, memory_response_fields}};

inline std::string doc_of(const StreamField& field, const MessageShape& shape) {
  if (!field.doc.empty()) return std::string(field.doc);
  std::string kinds;
  for (int k = 0; k < shape.kinds; ++k)
    if (shape.drops || k != static_cast<int>(RequestKind::drop))
      kinds += (k ? ", " : "") + std::to_string(k) + " " + std::string(kind_names[static_cast<unsigned>(k)]);
  return kinds;
}

// Messages of a cache on one of its streams; drops and snoops go no further than to the cache.
constexpr MessageShape message_shape(const L1dParams& p, const StreamRow& stream, int id_bits) {
  return {.address_bits = p.address_bits,
          .line_bytes = p.line_bytes,
          .chunk_bytes = p.chunk_bytes,
          .id_bits = id_bits,
          .kinds = stream.memory_side ? 4
                   : p.snoops         ? 6
                   : p.drops          ? 5
                                      : 4,
          .drops = p.drops,
          .sideband = sideband_bits(p),
          .homes = p.stale_lines};
}

// Width of a port of the cache; a memory id has that of the widest.
constexpr int width_of_port(const L1dParams& p, std::string_view name) {
  for (const StreamRow& stream : cache_streams) {
    if (!name.starts_with(stream.name)) continue;
    for (const StreamField& f : stream.fields)
      if (name.substr(stream.name.size() + 1) == f.name)
        return f.width(message_shape(p, stream, stream.memory_side ? 64 : p.core_id_bits));
  }
  return 1;
}

}  // namespace hw
