#include "hw/client/vortex_adapter.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/client/bus_front.h"
#include "hw/client/event_counter.h"
#include "hw/client/slot_table.h"
#include "hw/client/vortex_adapter_memory.h"
#include "hw/client/vortex_adapter_ranges.h"
#include "hw/geometry_ranges.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"
#include "hw/rtl/stream.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::Stream, rtl::zext;

class VortexAdapterBuilder {
 public:
  VortexAdapterBuilder(const VortexAdapterParams& p, const std::string& name)
      : p_(p),
        chunks_(chunks_of_line(p)),
        words_(words_of_line(p)),
        word_(word_bytes(p)),
        word_bits_(p.address_bits - bits_to_number(word_)),
        place_bits_(bits_to_number(words_)),
        port_bits_(bits_to_number(p.ports)),
        m_(name, fmt::format("Adapter between the bus of a core, in words of {} bytes, and an L1 data cache, "
                             "and between the cache and the same bus with lines of {} bytes.",
                             word_, p.line_bytes)) {}

  rtl::Module run() {
    ports();
    front();
    fence();
    requests();
    answers();
    memory();
    counts();
    return m_;
  }

 private:
  void ports() {
    for (int n = 0; n < p_.ports; ++n) {
      const std::string bus = p_.ports == 1 ? "bus" : fmt::format("bus{}", n);
      bus_requests_.push_back(rtl::input_stream(m_, bus + "_request",
                                                bus_request_fields({word_bits_, word_, p_.tag_bits}),
                                                "a request of the core"));
      bus_responses_.push_back(rtl::output_stream(m_, bus + "_response",
                                                  bus_response_fields({word_bits_, word_, p_.tag_bits}),
                                                  "the answer to a load or to a fence that is none's store"));
    }
    core_ports();
    count_ports();
  }

  void core_ports() {
    core_request_ = rtl::output_stream(m_, "core_request", cache_request_fields(p_, p_.core_id_bits),
                                       "a request to the cache");
    core_response_ = rtl::input_stream(m_, "core_response", cache_response_fields(p_, p_.core_id_bits),
                                       "an answer of the cache");
    flush_valid_ = m_.output("flush_valid", 1, "all lines of the cache are to become invalid");
    flush_ready_ = m_.input("flush_ready", 1, "all lines become invalid at this edge");
  }

  // What the cache shows of its lookups.
  void count_ports() {
    if (p_.counts == ClientCounts::lookups) {
      looked_up_ = m_.input("probe_valid", 1, "the cache has looked a load up");
      missed_ = m_.input("probe_miss", 1, "the load was not found");
      return;
    }
    const auto event = [&](const char* name, const char* doc) {
      return m_.input(fmt::format("event_{}", name), 1, doc);
    };
    loads_ = event("loads", "a load has left the tag lookup");
    hits_ = event("hits", "it was a hit");
    stores_ = event("stores", "a store has left the tag lookup");
    updates_ = event("store_updates", "it has written into its line");
    no_entry_ = event("reservation_fail_mshr", "a load waits for an MSHR entry");
    no_target_ = event("reservation_fail_merge", "a load waits for an MSHR target");
  }

  void front() {
    m_.section("The request that is served.");
    taken_ = m_.wire("taken", 1, "the request is taken");
    front_ = bus_front(m_, bus_requests_, taken_);
    if (p_.ports == 1 || p_.counts == ClientCounts::lookups) return;
    std::vector<Expr> valid;
    for (const Stream& s : bus_requests_) valid.insert(valid.begin(), s.valid);
    const Expr offered = m_.let("offered", cat(valid), "ports with a request");
    several_ =
        m_.let("several", rtl::any(offered & (offered - lit(p_.ports, 1))), "more ports than one have");
  }

  void fence() {
    m_.section("A fence: all is answered, the cache is flushed, memory is notified.");
    flushed_ = m_.reg("flushed_q", 1, 0, "the cache has been flushed for the fence in front");
    fence_tag_ = m_.data_reg("fence_tag_q", p_.tag_bits, "tag of the last fence");
    if (p_.ports > 1) fence_port_ = m_.data_reg("fence_port_q", port_bits_, "port of the last fence");
    fence_ready_ = m_.wire("fence_ready", 1, "memory can take the fence");
    fence_waits_ = m_.wire("fence_waits", 1, "memory has not answered the last fence yet");
    fence_answer_ = m_.wire("fence_answer", 1, "memory answers the last fence");
    busy_ = m_.wire("busy", 1, "the cache has requests that it has not answered");
    may_go_ = m_.let("may_go", front_.valid & ~fence_waits_, "no fence is under way before the request");
    m_.assign(flush_valid_, may_go_ & front_.flush & ~busy_ & ~flushed_);
    fence_passes_ = m_.let("fence_passes", flushed_ & fence_ready_, "memory takes the fence");
    m_.clocked("The cache is flushed once for a fence.", [&] {
      m_.when(flush_valid_ & flush_ready_, [&] { m_.set(flushed_, lit(1, 1)); });
      m_.when(fence_passes_, [&] { m_.set(flushed_, lit(1, 0)); });
    });
    m_.clocked("Tag and port of the pending fence.", [&] {
      m_.when(fence_passes_, [&] {
        m_.set(fence_tag_, front_.tag);
        if (p_.ports > 1) m_.set(fence_port_, front_.port);
      });
    });
  }

  void requests() {
    m_.section("The request to the cache.");
    const int id_bits = bits_to_number(core_requests(p_));
    slot_ = m_.wire("slot", id_bits, "id of the request");
    slot_free_ = m_.wire("slot_free", 1, "the slot of that number is free");
    placed();
    const Expr enables = m_.let("enables", rtl::any(front_.byte_enable), "any byte is enabled");
    const Expr device = m_.let("device", front_.io & (enables | ~front_.rw),
                               "non-L1; a store of no byte would be a load there, and is a plain store");
    m_.assign(core_request_.valid, may_go_ & ~front_.flush & slot_free_);
    m_.assign(core_request_["id"], zext(slot_, p_.core_id_bits));
    m_.assign(core_request_["kind"], cat({device, device | front_.rw}));
    m_.assign(core_request_["address"], cat({front_.address, lit(bits_to_number(word_), 0)}));
    m_.assign(core_request_["mask"], mask(enables));
    m_.assign(core_request_["byte_enable"], placed_ & replicate(p_.line_bytes, front_.rw));
    m_.assign(core_request_["data"], words_ == 1 ? front_.data : replicate(words_, front_.data));
    sent_ = m_.let("sent", core_request_.valid & core_request_.ready, "the cache takes it");
    m_.assign(taken_, sent_ | fence_passes_);
  }

  // The byte enables at the word's offset in the line.
  void placed() {
    if (words_ == 1) {
      placed_ = front_.byte_enable;
      return;
    }
    place_ = m_.let("place", front_.address.slice(place_bits_ - 1, 0), "number of the word in the line");
    placed_ = m_.wire("placed", p_.line_bytes, "byte enables of the word, as of the line");
    m_.comb("The bytes at the word's offset in the line.", [&] {
      m_.loop("word", words_, [&](const Expr& i) {
        m_.set(placed_.part(i, word_),
               front_.byte_enable & replicate(word_, place_ == i.slice(place_bits_ - 1, 0)));
      });
    });
  }

  // Chunks with a byte enabled; all of the word where none is.
  Expr mask(const Expr& enables) {
    if (chunks_ == 1) return lit(1, 1);
    const Expr chunks = m_.wire("chunks", chunks_, "chunks of the request");
    const int in_word = word_ / p_.chunk_bytes;
    m_.comb("Chunks of the enabled bytes; without an enabled byte, of the word.", [&] {
      m_.loop("chunk", chunks_, [&](const Expr& c) {
        const int bits = bits_to_number(chunks_);
        Expr here = ~enables;
        if (words_ > 1 && in_word <= 1) here = place_part(bits) == c.slice(bits - 1, 0);
        if (words_ > 1 && in_word > 1) here = here & (place_ == c.slice(bits - 1, bits_to_number(in_word)));
        m_.set(chunks.at(c),
               in_word > 1 || words_ == 1 ? rtl::any(placed_.part(c, p_.chunk_bytes)) | here : here);
      });
    });
    return chunks;
  }
  // The number of the chunk in which a word no longer than a chunk lies.
  Expr place_part(int chunk_bits) const { return place_.slice(place_bits_ - 1, place_bits_ - chunk_bits); }

  void answers() {
    m_.section("Answers to the core; those to stores go no further.");
    std::vector<Expr> kept{front_.tag};
    if (p_.ports > 1) kept.insert(kept.begin(), front_.port);
    if (words_ > 1) kept.push_back(place_);
    const Expr word = kept.size() == 1 ? kept[0] : cat(kept);
    const int id_bits = bits_to_number(core_requests(p_));
    const Expr of_slot = m_.wire("of_slot", word.width(), "kept fields of the answered request");
    const Expr done = m_.let("done", core_response_.valid & core_response_.ready, "an answer leaves");
    m_.instance(slot_table(core_requests(p_), word.width()), "slots",
                {{"take", sent_},
                 {"word", word},
                 {"free", slot_free_},
                 {"slot", slot_},
                 {"released", done},
                 {"released_slot", core_response_["id"].slice(id_bits - 1, 0)},
                 {"released_word", of_slot},
                 {"busy", busy_}},
                "Requests that the cache has not answered.");
    if (id_bits < p_.core_id_bits)
      m_.unused("unused_id", core_response_["id"].slice(p_.core_id_bits - 1, id_bits), "0, as sent");
    const int tag_low = words_ > 1 ? place_bits_ : 0;
    const Expr loaded = m_.let("loaded", rtl::any(core_response_["mask"]), "the answer is a load's");
    const Expr tag =
        m_.let("answer_tag", mux(fence_waits_, fence_tag_, of_slot.slice(tag_low + p_.tag_bits - 1, tag_low)),
               "tag of the answer");
    const Expr valid = m_.let("answer_valid", (core_response_.valid & loaded) | fence_answer_,
                              "there is an answer for the core");
    Expr data = core_response_["data"];
    if (words_ > 1)
      data = m_.let("answer_data", data.part(of_slot.slice(place_bits_ - 1, 0), 8 * word_), "the word of it");
    answer_ready_ = answer_ready(of_slot);
    answer_waits_ = valid & ~answer_ready_;
    m_.assign(core_response_.ready, answer_ready_ | ~loaded);
    for (int n = 0; n < p_.ports; ++n) {
      const Stream& s = bus_responses_[static_cast<std::size_t>(n)];
      m_.assign(s.valid,
                p_.ports == 1 ? valid : valid & (answer_port_ == lit(port_bits_, static_cast<unsigned>(n))));
      m_.assign(s["data"], data);
      m_.assign(s["tag"], tag);
    }
  }

  // Its port can take the answer.
  Expr answer_ready(const Expr& of_slot) {
    if (p_.ports == 1) return bus_responses_[0].ready;
    answer_port_ = m_.let(
        "answer_port",
        mux(fence_waits_, fence_port_, of_slot.slice(of_slot.width() - 1, of_slot.width() - port_bits_)),
        "port of the answer");
    std::vector<Expr> ready;
    for (const Stream& s : bus_responses_) ready.insert(ready.begin(), s.ready);
    const Expr all = m_.let("responses_ready", cat(ready), "ports that can take an answer");
    return m_.let("answer_ready", all.part_below(answer_port_, 1), "the answer's can");
  }

  // The cache's memory side, and the fence behind all of it.
  void memory() {
    m_.section("The memory side.");
    const rtl::Module part = vortex_adapter_memory(p_, m_.name() + "_memory");
    rtl::Pins pins;
    for (const char* stream :
         {"memory_request", "memory_response", "memory_bus_request", "memory_bus_response"}) {
      const rtl::Pins passed = rtl::pass_on(m_, rtl::stream_of(part, stream));
      pins.insert(pins.end(), passed.begin(), passed.end());
    }
    const auto pin = [&](const char* name) {
      return std::ranges::find(pins, name, &rtl::Pins::value_type::first)->second;
    };
    memory_waits_ = pin("memory_bus_request_valid") & ~pin("memory_bus_request_ready");
    const rtl::Pins fence{{"fence_valid", flushed_},
                          {"fence_ready", fence_ready_},
                          {"fence_rw", front_.rw},
                          {"fence_io", front_.io},
                          {"fence_line", front_.address.slice(word_bits_ - 1, place_bits_)},
                          {"fence_waits", fence_waits_},
                          {"fence_answer_valid", fence_answer_},
                          {"fence_answer_ready", answer_ready_}};
    pins.insert(pins.end(), fence.begin(), fence.end());
    m_.instance(part, "memory", pins, "The requests of the cache to memory, and fences.");
  }

  void counts() {
    m_.section("Counts.");
    const rtl::Module counter = event_counter(p_.count_bits);
    const auto count = [&](const std::string& what, const Expr& seen, const std::string& doc) {
      m_.instance(counter, what + "_counter",
                  {{"event_seen", seen}, {"count", m_.output(what + "_count", p_.count_bits, doc)}},
                  doc + ".");
    };
    if (p_.counts == ClientCounts::lookups) {
      count("hit", looked_up_ & ~missed_, "loads that the cache found");
      count("miss", looked_up_ & missed_, "loads that the cache did not find");
      count("stall", front_.valid & ~taken_, "cycles in which a request in front waited");
      return;
    }
    count("read", loads_, "loads, without those of devices");
    count("write", stores_, "stores, without those of devices");
    count("read_miss", loads_ & ~hits_, "loads whose data were not in the cache");
    count("write_miss", stores_ & ~updates_, "stores whose bytes were not in the cache");
    if (p_.ports == 1)
      m_.assign(m_.output("bank_stall_count", p_.count_bits, "0: one port waits for no other"),
                lit(p_.count_bits, 0));
    else
      count("bank_stall", taken_ & several_, "cycles in which a port waited for another");
    count("mshr_stall", no_entry_ | no_target_, "cycles in which a load waited for the MSHRs");
    count("memory_stall", memory_waits_, "cycles in which memory did not accept a request");
    count("response_stall", answer_waits_, "cycles in which the core did not accept an answer");
  }

  const VortexAdapterParams& p_;
  const int chunks_, words_, word_, word_bits_, place_bits_, port_bits_;
  rtl::Module m_;
  std::vector<Stream> bus_requests_, bus_responses_;
  Stream core_request_, core_response_;
  Expr flush_valid_, flush_ready_, looked_up_, missed_;
  Expr loads_, hits_, stores_, updates_, no_entry_, no_target_, several_, memory_waits_, answer_waits_;
  BusFront front_;
  Expr taken_;
  Expr flushed_, fence_tag_, fence_port_, fence_ready_, fence_waits_, fence_answer_, fence_passes_;
  Expr busy_, may_go_, slot_, slot_free_, place_, placed_, sent_;
  Expr answer_port_, answer_ready_;
};

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
  return VortexAdapterBuilder(p, name).run();
}

}  // namespace hw
