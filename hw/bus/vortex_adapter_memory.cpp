#include "hw/bus/vortex_adapter_memory.h"

#include "hw/bus/slot_table.h"
#include "hw/l1d/request_kind.h"
#include "hw/prim/fifo.h"
#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::Stream, rtl::zext;

class VortexMemoryBuilder {
 public:
  VortexMemoryBuilder(const VortexAdapterParams& p, const std::string& name)
      : p_(p),
        chunks_(chunks_of_line(p)),
        line_bits_(p.address_bits - bits_to_number(p.line_bytes)),
        slot_bits_(bits_to_number(memory_loads(p))),
        m_(name, "The memory side of an adapter: a cache's requests, and fences, on a bus of whole lines.") {}

  rtl::Module run() {
    ports();
    requests();
    fence();
    answers();
    return m_;
  }

 private:
  void ports() {
    const BusShape bus{line_bits_, p_.line_bytes, p_.memory_tag_bits};
    asks_ = rtl::input_stream(m_, "memory_request", cache_request_fields(p_, p_.memory_id_bits),
                              "a request of the cache to memory");
    answer_ = rtl::output_stream(m_, "memory_response", cache_response_fields(p_, p_.memory_id_bits),
                                 "memory's answer to the cache");
    bus_request_ =
        rtl::output_stream(m_, "memory_bus_request", bus_request_fields(bus), "a request to memory");
    bus_response_ = rtl::input_stream(m_, "memory_bus_response", bus_response_fields(bus), "memory's answer");
    fence_ = m_.input("fence_valid", 1, "a fence, when the cache has nothing under way");
    fence_ready_ = m_.output("fence_ready", 1, "the fence is taken at this edge if valid");
    fence_rw_ = m_.input("fence_rw", 1, "the fence has no answer");
    fence_io_ = m_.input("fence_io", 1, "the fence is of a device");
    fence_line_ = m_.input("fence_line", line_bits_, "number of the fence's line");
    fence_waits_ = m_.output("fence_waits", 1, "memory has not answered the last fence yet");
    fence_answer_ = m_.output("fence_answer_valid", 1, "memory answers the last fence");
    fence_answer_ready_ =
        m_.input("fence_answer_ready", 1, "the answer to the fence is taken at this edge if valid");
  }

  void requests() {
    m_.section("Requests to memory: of the cache, or a fence.");
    const Expr kind = asks_["kind"], enables = asks_["byte_enable"];
    const Expr device =
        m_.let("device", is_kind(m_, kind, RequestKind::non_l1), "the cache's request is non-L1");
    writes_ = m_.let("writes", is_kind(m_, kind, RequestKind::store) | (device & rtl::any(enables)),
                     "the cache's request writes");
    tag_free_ = m_.wire("tag_free", 1, "there is a tag for a load");
    not_full_ = m_.wire("not_full", 1, "a store can be acknowledged");
    slot_ = m_.wire("slot", slot_bits_, "the tag");
    const Expr goes =
        m_.let("goes", mux(writes_, not_full_, tag_free_) & ~fence_, "the cache's request may go");
    const int offset = p_.address_bits - line_bits_;
    m_.assign(bus_request_.valid, fence_ | (asks_.valid & goes));
    m_.assign(asks_.ready, bus_request_.ready & goes);
    m_.assign(fence_ready_, bus_request_.ready);
    m_.assign(bus_request_["rw"], mux(fence_, fence_rw_, writes_));
    m_.assign(bus_request_["address"],
              mux(fence_, fence_line_, asks_["address"].slice(p_.address_bits - 1, offset)));
    m_.unused("unused_offset", asks_["address"].slice(offset - 1, 0), "always 0");
    m_.assign(bus_request_["data"], asks_["data"]);
    m_.assign(bus_request_["byte_enable"], (enables | bytes_to_read()) & replicate(p_.line_bytes, ~fence_));
    m_.assign(bus_request_["flush"], fence_);
    m_.assign(bus_request_["io"], mux(fence_, fence_io_, device));
    m_.assign(bus_request_["tag"], zext(slot_, p_.memory_tag_bits));
    sent_ = m_.let("sent", asks_.valid & asks_.ready, "memory takes the cache's request");
  }

  Expr bytes_to_read() {
    const Expr reads = m_.let("reads", asks_["mask"] & replicate(chunks_, ~writes_), "chunks to read");
    const Expr bytes = m_.wire("read_bytes", p_.line_bytes, "bytes of the chunks");
    m_.comb("Byte enables of whole chunks.", [&] {
      m_.loop("chunk", chunks_, [&](const Expr& c) {
        m_.set(bytes.part(c, p_.chunk_bytes), replicate(p_.chunk_bytes, reads.at(c)));
      });
    });
    return bytes;
  }

  void fence() {
    m_.section("The fence.");
    const Expr waits = m_.reg("fence_waits_q", 1, 0, "drives fence_waits");
    m_.assign(fence_waits_, waits);
    m_.assign(fence_answer_, waits & bus_response_.valid);
    m_.clocked("A fence with an answer.", [&] {
      m_.when(fence_ & bus_request_.ready, [&] { m_.set(waits, ~fence_rw_); });
      m_.when(fence_answer_ & fence_answer_ready_, [&] { m_.set(waits, lit(1, 0)); });
    });
  }

  void answers() {
    m_.section("Answers to the cache: a store is acknowledged when memory has taken it.");
    const int id = p_.memory_id_bits;
    const Expr acknowledged = m_.wire("acknowledged", 1, "a store is to be acknowledged"),
               store_id = m_.wire("store_id", id, "id of that store"),
               of_load = m_.wire("of_load", id + chunks_, "id and mask of the load that is answered"),
               load_done = m_.wire("load_done", 1, "memory's answer goes to the cache");
    const Expr turn = m_.reg("store_next_q", 1, 0, "a store is acknowledged before a load is answered");
    const Expr comes = m_.let("comes", bus_response_.valid & ~fence_waits_, "memory answers a load");
    const Expr stored =
        m_.let("stored", acknowledged & (turn | ~comes), "the answer to the cache is to a store");
    tables(acknowledged, stored, store_id, load_done, of_load);
    m_.assign(answer_.valid, acknowledged | comes);
    m_.assign(answer_["id"], mux(stored, store_id, of_load.slice(id + chunks_ - 1, chunks_)));
    m_.assign(answer_["mask"], of_load.slice(chunks_ - 1, 0) & replicate(chunks_, ~stored));
    m_.assign(answer_["data"], bus_response_["data"]);
    m_.assign(load_done, comes & ~stored & answer_.ready);
    m_.assign(bus_response_.ready, mux(fence_waits_, fence_answer_ready_, ~stored & answer_.ready));
    m_.clocked("A waiting answer stays chosen; the other source follows a taken one.",
               [&] { m_.when(answer_.valid, [&] { m_.set(turn, stored ^ answer_.ready); }); });
  }

  void tables(const Expr& acknowledged, const Expr& stored, const Expr& store_id, const Expr& load_done,
              const Expr& of_load) {
    const Expr busy = m_.wire("loads_busy", 1, "memory has loads to answer");
    m_.instance(fifo(acknowledgements, p_.memory_id_bits), "stores",
                {{"in_valid", sent_ & writes_},
                 {"in_ready", not_full_},
                 {"in_data", asks_["id"]},
                 {"out_valid", acknowledged},
                 {"out_ready", stored & answer_.ready},
                 {"out_data", store_id}},
                "Stores that memory has taken.");
    m_.instance(slot_table(memory_loads(p_), p_.memory_id_bits + chunks_), "loads",
                {{"take", sent_ & ~writes_},
                 {"word", cat({asks_["id"], asks_["mask"]})},
                 {"free", tag_free_},
                 {"slot", slot_},
                 {"released", load_done},
                 {"released_slot", bus_response_["tag"].slice(slot_bits_ - 1, 0)},
                 {"released_word", of_load},
                 {"busy", busy}},
                "Loads that memory has not answered.");
    m_.unused("unused_busy", busy, "a cache that has answered all has no load at memory");
    if (slot_bits_ < p_.memory_tag_bits)
      m_.unused("unused_tag", bus_response_["tag"].slice(p_.memory_tag_bits - 1, slot_bits_), "0, as sent");
  }

  const VortexAdapterParams& p_;
  const int chunks_, line_bits_, slot_bits_;
  rtl::Module m_;
  Stream asks_, answer_, bus_request_, bus_response_;
  Expr fence_, fence_ready_, fence_rw_, fence_io_, fence_line_, fence_waits_, fence_answer_,
      fence_answer_ready_;
  Expr writes_, tag_free_, not_full_, slot_, sent_;
};

std::vector<rtl::Field> with_id(int bits, std::vector<rtl::Field> fields) {
  fields.insert(fields.begin(), {"id", bits, "id of the request"});
  return fields;
}

}  // namespace

std::vector<rtl::Field> bus_request_fields(const BusShape& bus) {
  return {{"rw", 1, "a store"},
          {"address", bus.address_bits, "number of the word, of as many bytes as data has"},
          {"data", 8 * bus.bytes, "values of the bytes, to write"},
          {"byte_enable", bus.bytes, "bytes to read or write"},
          {"flush", 1, "a fence: caches forget what they hold"},
          {"io", 1, "of a device: past all caches"},
          {"tag", bus.tag_bits, "tag of the answer"}};
}

std::vector<rtl::Field> bus_response_fields(const BusShape& bus) {
  return {{"data", 8 * bus.bytes, "the read data"}, {"tag", bus.tag_bits, "tag of the request"}};
}

std::vector<rtl::Field> cache_request_fields(const VortexAdapterParams& p, int id_bits) {
  return with_id(id_bits, {{"kind", 2, "0 load, 1 store, 3 non-L1"},
                           {"address", p.address_bits, "byte address"},
                           {"mask", chunks_of_line(p), "chunks of the line"},
                           {"byte_enable", p.line_bytes, "bytes to write"},
                           {"data", 8 * p.line_bytes, "values of those bytes"}});
}

std::vector<rtl::Field> cache_response_fields(const VortexAdapterParams& p, int id_bits) {
  return with_id(id_bits, {{"mask", chunks_of_line(p), "chunks that are answered; 0 for a store"},
                           {"data", 8 * p.line_bytes, "values of their bytes"}});
}

rtl::Module vortex_adapter_memory(const VortexAdapterParams& p, const std::string& name) {
  return VortexMemoryBuilder(p, name).run();
}

}  // namespace hw
