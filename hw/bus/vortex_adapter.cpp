#include "hw/bus/vortex_adapter.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/bus/bus_front.h"
#include "hw/bus/slot_table.h"
#include "hw/bus/vortex_adapter_counts.h"
#include "hw/bus/vortex_adapter_memory.h"
#include "hw/bus/vortex_adapter_ranges.h"
#include "hw/geometry_ranges.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"
#include "hw/rtl/stream.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::Stream, rtl::zext;

// The module with its parameters and sizes.
struct AdapterFrame {
  AdapterFrame(const VortexAdapterParams& params, rtl::Module module)
      : m(std::move(module)),
        p(params),
        chunks(chunks_of_line(p)),
        words(words_of_line(p)),
        word(word_bytes(p)),
        word_bits(p.address_bits - bits_to_number(word)),
        place_bits(bits_to_number(words)),
        port_bits(bits_to_number(p.ports)) {}

  rtl::Module m;
  const VortexAdapterParams& p;
  const int chunks, words, word, word_bits, place_bits, port_bits;
};

struct CoreBuses {
  std::vector<Stream> requests, responses;
};
struct CacheSide {
  Stream request, response;
  Expr flush_valid, flush_ready;
};

CoreBuses bus_ports(AdapterFrame& f) {
  const BusShape shape{f.word_bits, f.word, f.p.tag_bits};
  CoreBuses buses;
  for (int n = 0; n < f.p.ports; ++n) {
    const std::string bus = f.p.ports == 1 ? "bus" : fmt::format("bus{}", n);
    buses.requests.push_back(
        rtl::input_stream(f.m, bus + "_request", bus_request_fields(shape), "a request of the core"));
    buses.responses.push_back(rtl::output_stream(f.m, bus + "_response", bus_response_fields(shape),
                                                 "the answer to a load or to a fence that is none's store"));
  }
  return buses;
}

CacheSide cache_ports(AdapterFrame& f) {
  return {.request = rtl::output_stream(f.m, "core_request", cache_request_fields(f.p, f.p.core_id_bits),
                                        "a request to the cache"),
          .response = rtl::input_stream(f.m, "core_response", cache_response_fields(f.p, f.p.core_id_bits),
                                        "an answer of the cache"),
          .flush_valid = f.m.output("flush_valid", 1, "all lines of the cache are to become invalid"),
          .flush_ready = f.m.input("flush_ready", 1, "all lines become invalid at this edge")};
}

// The request that is served; `taken`: a wire.
struct Served {
  BusFront front;
  Expr taken;
  std::optional<Expr> several;  // more ports than one have a request, where that is counted
};

Served serve(AdapterFrame& f, const CoreBuses& buses) {
  f.m.section("The request that is served.");
  const Expr taken = f.m.wire("taken", 1, "the request is taken");
  const BusFront front = bus_front(f.m, buses.requests, taken);
  if (f.p.ports == 1 || f.p.counts == ClientCounts::lookups) return {front, taken, {}};
  std::vector<Expr> valid;
  for (const Stream& s : buses.requests) valid.insert(valid.begin(), s.valid);
  const Expr offered = f.m.let("offered", cat(valid), "ports with a request");
  const Expr several =
      f.m.let("several", rtl::any(offered & (offered - lit(f.p.ports, 1))), "more ports than one have");
  return {front, taken, several};
}

// The last fence, and the request behind it. `ready`, `waits`, `answer` are of memory, and `busy` of the
// requests: wires.
struct Fence {
  Expr flushed, tag;
  std::optional<Expr> port;  // where there are several
  Expr ready, waits, answer, busy;
  Expr may_go, passes;
};

Fence fence(AdapterFrame& f, const BusFront& front, const CacheSide& cache) {
  rtl::Module& m = f.m;
  m.section("A fence: all is answered, the cache is flushed, memory is notified.");
  const Expr flushed = m.reg("flushed_q", 1, 0, "the cache has been flushed for the fence in front"),
             tag = m.data_reg("fence_tag_q", f.p.tag_bits, "tag of the last fence");
  std::optional<Expr> port;
  if (f.p.ports > 1) port = m.data_reg("fence_port_q", f.port_bits, "port of the last fence");
  const Expr ready = m.wire("fence_ready", 1, "memory can take the fence"),
             waits = m.wire("fence_waits", 1, "memory has not answered the last fence yet"),
             answer = m.wire("fence_answer", 1, "memory answers the last fence"),
             busy = m.wire("busy", 1, "the cache has requests that it has not answered");
  const Expr may_go = m.let("may_go", front.valid & ~waits, "no fence is under way before the request");
  m.assign(cache.flush_valid, may_go & front.flush & ~busy & ~flushed);
  const Expr passes = m.let("fence_passes", flushed & ready, "memory takes the fence");
  m.clocked("The cache is flushed once for a fence.", [&] {
    m.when(cache.flush_valid & cache.flush_ready, [&] { m.set(flushed, lit(1, 1)); });
    m.when(passes, [&] { m.set(flushed, lit(1, 0)); });
  });
  m.clocked("Tag and port of the pending fence.", [&] {
    m.when(passes, [&] {
      m.set(tag, front.tag);
      if (port) m.set(*port, front.port);
    });
  });
  return {flushed, tag, port, ready, waits, answer, busy, may_go, passes};
}

// The word of the request in its line, and its byte enables there.
struct PlacedWord {
  std::optional<Expr> place;  // number of the word, where a line has several
  Expr byte_enable;
};

PlacedWord place_word(AdapterFrame& f, const BusFront& front) {
  if (f.words == 1) return {{}, front.byte_enable};
  rtl::Module& m = f.m;
  const Expr place =
      m.let("place", front.address.slice(f.place_bits - 1, 0), "number of the word in the line");
  const Expr placed = m.wire("placed", f.p.line_bytes, "byte enables of the word, as of the line");
  m.comb("The bytes at the word's offset in the line.", [&] {
    m.loop("word", f.words, [&](const Expr& i) {
      m.set(placed.part(i, f.word),
            front.byte_enable & replicate(f.word, place == i.slice(f.place_bits - 1, 0)));
    });
  });
  return {place, placed};
}

// Chunks with a byte enabled; all of the word where none is.
Expr mask_of(AdapterFrame& f, const PlacedWord& word, const Expr& enables) {
  if (f.chunks == 1) return lit(1, 1);
  rtl::Module& m = f.m;
  const Expr chunks = m.wire("chunks", f.chunks, "chunks of the request");
  const int in_word = f.word / f.p.chunk_bytes;
  m.comb("Chunks of the enabled bytes; without an enabled byte, of the word.", [&] {
    m.loop("chunk", f.chunks, [&](const Expr& c) {
      const int bits = bits_to_number(f.chunks);
      Expr here = ~enables;
      // The number of the chunk in which a word no longer than a chunk lies.
      if (word.place && in_word <= 1)
        here = word.place->slice(f.place_bits - 1, f.place_bits - bits) == c.slice(bits - 1, 0);
      if (word.place && in_word > 1)
        here = here & (*word.place == c.slice(bits - 1, bits_to_number(in_word)));
      m.set(chunks.at(c),
            in_word > 1 || !word.place ? rtl::any(word.byte_enable.part(c, f.p.chunk_bytes)) | here : here);
    });
  });
  return chunks;
}

// The request to the cache; `slot` and `slot_free` are of the table of requests: wires.
struct CacheRequest {
  Expr slot, slot_free, sent;
  std::optional<Expr> place;
};

CacheRequest request_cache(AdapterFrame& f, const Served& served, const Fence& fence, const Stream& request) {
  rtl::Module& m = f.m;
  const BusFront& front = served.front;
  m.section("The request to the cache.");
  const Expr slot = m.wire("slot", bits_to_number(core_requests(f.p)), "id of the request"),
             slot_free = m.wire("slot_free", 1, "the slot of that number is free");
  const PlacedWord word = place_word(f, front);
  const Expr enables = m.let("enables", rtl::any(front.byte_enable), "any byte is enabled");
  const Expr device = m.let("device", front.io & (enables | ~front.rw),
                            "non-L1; a store of no byte would be a load there, and is a plain store");
  m.assign(request.valid, fence.may_go & ~front.flush & slot_free);
  m.assign(request["id"], zext(slot, f.p.core_id_bits));
  m.assign(request["kind"], cat({device, device | front.rw}));
  m.assign(request["address"], cat({front.address, lit(bits_to_number(f.word), 0)}));
  m.assign(request["mask"], mask_of(f, word, enables));
  m.assign(request["byte_enable"], word.byte_enable & replicate(f.p.line_bytes, front.rw));
  m.assign(request["data"], f.words == 1 ? front.data : replicate(f.words, front.data));
  const Expr sent = m.let("sent", request.valid & request.ready, "the cache takes it");
  m.assign(served.taken, sent | fence.passes);
  return {slot, slot_free, sent, word.place};
}

// What is kept of a request that the cache has not answered: port, tag and word, as they are when it answers.
Expr kept_request(AdapterFrame& f, const BusFront& front, const CacheRequest& request, const Fence& fence,
                  const Stream& response) {
  rtl::Module& m = f.m;
  std::vector<Expr> kept{front.tag};
  if (f.p.ports > 1) kept.insert(kept.begin(), front.port);
  if (request.place) kept.push_back(*request.place);
  const Expr word = kept.size() == 1 ? kept[0] : cat(kept);
  const int id_bits = request.slot.width();
  const Expr of_slot = m.wire("of_slot", word.width(), "kept fields of the answered request");
  const Expr done = m.let("done", response.valid & response.ready, "an answer leaves");
  m.instance(slot_table(core_requests(f.p), word.width()), "slots",
             {{"take", request.sent},
              {"word", word},
              {"free", request.slot_free},
              {"slot", request.slot},
              {"released", done},
              {"released_slot", response["id"].slice(id_bits - 1, 0)},
              {"released_word", of_slot},
              {"busy", fence.busy}},
             "Requests that the cache has not answered.");
  if (id_bits < f.p.core_id_bits)
    m.unused("unused_id", response["id"].slice(f.p.core_id_bits - 1, id_bits), "0, as sent");
  return of_slot;
}

// The port of the answer, where there are several, and whether it can take one.
struct AnswerPort {
  std::optional<Expr> number;
  Expr ready;
};

AnswerPort port_of_answer(AdapterFrame& f, const std::vector<Stream>& responses, const Fence& fence,
                          const Expr& of_slot) {
  if (!fence.port) return {{}, responses[0].ready};
  const int high = of_slot.width() - 1;
  const Expr port =
      f.m.let("answer_port", mux(fence.waits, *fence.port, of_slot.slice(high, high + 1 - f.port_bits)),
              "port of the answer");
  std::vector<Expr> ready;
  for (const Stream& s : responses) ready.insert(ready.begin(), s.ready);
  const Expr all = f.m.let("responses_ready", cat(ready), "ports that can take an answer");
  return {port, f.m.let("answer_ready", all.part_below(port, 1), "the answer's can")};
}

// An answer for the core can leave; and one waits.
struct Answered {
  Expr ready, waits;
};

Answered answer_core(AdapterFrame& f, const CoreBuses& buses, const CacheSide& cache, const BusFront& front,
                     const CacheRequest& request, const Fence& fence) {
  rtl::Module& m = f.m;
  const Stream& response = cache.response;
  m.section("Answers to the core; those to stores go no further.");
  const Expr of_slot = kept_request(f, front, request, fence, response);
  const int tag_low = request.place ? f.place_bits : 0;
  const Expr loaded = m.let("loaded", rtl::any(response["mask"]), "the answer is a load's");
  const Expr tag =
      m.let("answer_tag", mux(fence.waits, fence.tag, of_slot.slice(tag_low + f.p.tag_bits - 1, tag_low)),
            "tag of the answer");
  const Expr valid =
      m.let("answer_valid", (response.valid & loaded) | fence.answer, "there is an answer for the core");
  Expr data = response["data"];
  if (request.place)
    data = m.let("answer_data", data.part(of_slot.slice(f.place_bits - 1, 0), 8 * f.word), "the word of it");
  const AnswerPort port = port_of_answer(f, buses.responses, fence, of_slot);
  m.assign(response.ready, port.ready | ~loaded);
  for (int n = 0; n < f.p.ports; ++n) {
    const Stream& s = buses.responses[static_cast<std::size_t>(n)];
    m.assign(s.valid,
             port.number ? valid & (*port.number == lit(f.port_bits, static_cast<unsigned>(n))) : valid);
    m.assign(s["data"], data);
    m.assign(s["tag"], tag);
  }
  return {port.ready, valid & ~port.ready};
}

// The cache's memory side, and the fence behind all of it. Returns that memory does not take a request.
Expr memory_side(AdapterFrame& f, const BusFront& front, const Fence& fence, const Expr& answer_ready) {
  rtl::Module& m = f.m;
  m.section("The memory side.");
  const rtl::Module part = vortex_adapter_memory(f.p, m.name() + "_memory");
  rtl::Pins pins;
  for (const char* stream :
       {"memory_request", "memory_response", "memory_bus_request", "memory_bus_response"}) {
    const rtl::Pins passed = rtl::pass_on(m, rtl::stream_of(part, stream));
    pins.insert(pins.end(), passed.begin(), passed.end());
  }
  const auto pin = [&](const char* name) {
    return std::ranges::find(pins, name, &rtl::Pins::value_type::first)->second;
  };
  const Expr waits = pin("memory_bus_request_valid") & ~pin("memory_bus_request_ready");
  pins.insert(pins.end(), {{"fence_valid", fence.flushed},
                           {"fence_ready", fence.ready},
                           {"fence_rw", front.rw},
                           {"fence_io", front.io},
                           {"fence_line", front.address.slice(f.word_bits - 1, f.place_bits)},
                           {"fence_waits", fence.waits},
                           {"fence_answer_valid", fence.answer},
                           {"fence_answer_ready", answer_ready}});
  m.instance(part, "memory", pins, "The requests of the cache to memory, and fences.");
  return waits;
}

}  // namespace

void check(const VortexAdapterParams& p) {
  using Ranges = VortexAdapterRanges;
  require_in(GeometryRanges::address_bits, "geometry.address_bits", p.address_bits,
             "use 32 unless the GPU's addresses are wider");
  require_in(Ranges::line_bytes, "geometry.line_bytes", p.line_bytes, "use the line of the cache");
  require_in(GeometryRanges::chunk_bytes, "geometry.chunk_bytes", p.chunk_bytes,
             "use 32, the sector of the reference cache");
  require_in(Ranges::lanes, "client.lanes", p.lanes, "use the lanes of the core's load/store unit");
  require_in(Ranges::lane_bytes, "client.lane_bytes", p.lane_bytes, "use 4, or 8 for a core of 64 bits");
  require_in(Ranges::ports, "client.ports", p.ports, "use 1");
  require_in(Ranges::tag_bits, "client.tag_bits", p.tag_bits, "use those of the core's requests");
  if (p.requests != 0)
    require_in(Ranges::requests, "client.requests", p.requests, "use 0 for two a lane, or 32");
  require_in(Ranges::core_id_bits, "core.id_bits", p.core_id_bits, "use 8, those of the cache");
  require(p.core_id_bits >= bits_to_number(core_requests(p)), "core.id_bits", p.core_id_bits,
          fmt::format("cannot number client.requests = {}", core_requests(p)), "use 8, those of the cache");
  require_in(Ranges::memory_id_bits, "client.memory_id_bits", p.memory_id_bits,
             "use those of the cache's memory_request_id");
  require_in(Ranges::memory_tag_bits, "client.memory_tag_bits", p.memory_tag_bits,
             "use those of the memory bus");
  require_in(Ranges::count_bits, "client.count_bits", p.count_bits, "use 44");
}

rtl::Module vortex_adapter(const VortexAdapterParams& p, const std::string& name) {
  check(p);
  AdapterFrame f(
      p, rtl::Module(name, fmt::format("Adapter between the bus of a core, in words of {} bytes, and an "
                                       "L1 data cache, and between the cache and the same bus with "
                                       "lines of {} bytes.",
                                       word_bytes(p), p.line_bytes)));
  const CoreBuses buses = bus_ports(f);
  const CacheSide cache = cache_ports(f);
  const CountInputs inputs = count_inputs(f.m, p);
  const Served served = serve(f, buses);
  const Fence of_fences = fence(f, served.front, cache);
  const CacheRequest request = request_cache(f, served, of_fences, cache.request);
  const Answered answered = answer_core(f, buses, cache, served.front, request, of_fences);
  const Expr memory_waits = memory_side(f, served.front, of_fences, answered.ready);
  add_counts(f.m, p, inputs,
             {.front = served.front.valid,
              .taken = served.taken,
              .several = served.several,
              .memory = memory_waits,
              .answer = answered.waits});
  return f.m;
}

}  // namespace hw
