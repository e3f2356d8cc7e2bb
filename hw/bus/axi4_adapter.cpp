#include "hw/bus/axi4_adapter.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/bus/axi4_burst.h"
#include "hw/bus/ordered_slots.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/register_file.h"
#include "hw/prim/sram.h"
#include "hw/rtl/stream.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::Stream, rtl::zext;

// The beat that a burst shows.
struct Beat {
  Expr busy, refused, last, id, address, below, cacheable;
  Expr present;  // it has a slot, and of a write its data
  Expr advance;  // it leaves
};

class Axi4AdapterBuilder {
 public:
  Axi4AdapterBuilder(const Axi4AdapterParams& p, const std::string& name)
      : p_(p),
        chunks_(chunks_of_line(p)),
        words_(words_of_line(p)),
        offset_bits_(bits_to_number(p.data_bytes)),
        place_bits_(bits_to_number(words_)),
        slot_bits_(bits_to_number(std::max(p.reads, p.writes))),
        m_(name, fmt::format("Adapter between an AXI4 bus of {} bytes and an L1 data cache.", p.data_bytes)) {
  }

  rtl::Module run() {
    ports();
    read_ = burst("ar", "read");
    write_ = burst("aw", "write");
    slots();
    requests();
    m_.section("Answers of the cache.");
    m_.assign(response_.ready, lit(1, 1));
    m_.unused("unused_mask", response_["mask"], "mask of the request, or 0");
    if (slot_bits_ + 1 < p_.core_id_bits)
      m_.unused("unused_id", response_["id"].slice(p_.core_id_bits - 1, slot_bits_ + 1), "0, as sent");
    write_answers();
    read_answers();
    return m_;
  }

 private:
  // Of an address channel: ready, ID, address, length, size, type, whether a cache may hold the bytes.
  struct Channel {
    Expr valid, ready, id, address, length, size, type, cache;
  };

  Channel address_channel(const std::string& name, const std::string& what) {
    const auto port = [&](const char* field) { return fmt::format("s_axi_{}{}", name, field); };
    Channel c;
    c.id = m_.input(port("id"), p_.id_bits, "ID of the " + what);
    c.address = m_.input(port("addr"), p_.address_bits, "byte address of the first beat");
    c.length = m_.input(port("len"), 8, "beats - 1");
    c.size = m_.input(port("size"), 3, "log2 of the bytes of a beat");
    c.type = m_.input(port("burst"), 2, "0 FIXED, 1 INCR, 2 WRAP");
    c.cache = m_.input(port("cache"), 4, "bits 3, 2: allocate; others have no meaning here");
    c.valid = m_.input(port("valid"), 1, "a " + what);
    c.ready = m_.output(port("ready"), 1, "taken at this edge if valid");
    return c;
  }

  void ports() {
    aw_ = address_channel("aw", "write");
    w_data_ = m_.input("s_axi_wdata", 8 * p_.data_bytes, "values to write");
    w_strobe_ = m_.input("s_axi_wstrb", p_.data_bytes, "bytes to write");
    const Expr w_last = m_.input("s_axi_wlast", 1, "the last beat of its write");
    w_valid_ = m_.input("s_axi_wvalid", 1, "a beat of write data");
    w_ready_ = m_.output("s_axi_wready", 1, "taken at this edge if valid");
    m_.unused("unused_wlast", w_last, "the length says it");
    b_id_ = m_.output("s_axi_bid", p_.id_bits, "ID of the write that is done");
    b_resp_ = m_.output("s_axi_bresp", 2, "0 OKAY, 2 SLVERR");
    b_valid_ = m_.output("s_axi_bvalid", 1, "a write is done");
    b_ready_ = m_.input("s_axi_bready", 1, "taken at this edge if valid");
    ar_ = address_channel("ar", "read");
    r_id_ = m_.output("s_axi_rid", p_.id_bits, "ID of the read");
    r_data_ = m_.output("s_axi_rdata", 8 * p_.data_bytes, "values that are read");
    r_resp_ = m_.output("s_axi_rresp", 2, "0 OKAY, 2 SLVERR");
    r_last_ = m_.output("s_axi_rlast", 1, "the last beat of its read");
    r_valid_ = m_.output("s_axi_rvalid", 1, "a beat of read data");
    r_ready_ = m_.input("s_axi_rready", 1, "taken at this edge if valid");
    request_ = rtl::output_stream(m_, "core_request",
                                  {{"id", p_.core_id_bits, "id of the request"},
                                   {"kind", 2, "0 load, 1 store, 3 non-L1"},
                                   {"address", p_.address_bits, "byte address"},
                                   {"mask", chunks_, "chunks of the line"},
                                   {"byte_enable", p_.line_bytes, "bytes to write"},
                                   {"data", 8 * p_.line_bytes, "values of those bytes"}},
                                  "a request to the cache");
    response_ = rtl::input_stream(m_, "core_response",
                                  {{"id", p_.core_id_bits, "id of the request"},
                                   {"mask", chunks_, "chunks that are answered; 0 for a store"},
                                   {"data", 8 * p_.line_bytes, "values of their bytes"}},
                                  "an answer of the cache");
  }

  Beat burst(const std::string& channel, const std::string& what) {
    m_.section(fmt::format("The beat of the {} burst.", what));
    const Channel& c = channel == "aw" ? aw_ : ar_;
    Beat beat;
    const auto wire = [&](const char* name, int width, const char* doc) {
      return m_.wire(fmt::format("{}_{}", what, name), width, doc);
    };
    beat.busy = wire("busy", 1, "there is a beat");
    beat.refused = wire("refused", 1, "the burst is none of this bus");
    beat.last = wire("last", 1, "the last beat of the burst");
    beat.id = wire("id", p_.id_bits, "ID of the burst");
    beat.address = wire("address", p_.address_bits, "byte address of the beat");
    beat.below = wire("below", offset_bits_, "address bits within a beat");
    beat.cacheable = wire("cacheable", 1, "the cache may hold its bytes");
    beat.advance = wire("advance", 1, "the beat leaves its burst");
    const bool all = p_.cacheable == Axi4Cacheable::all;
    m_.unused("unused_" + channel + "cache", all ? c.cache : c.cache.slice(1, 0),
              all ? "every access is cacheable" : "neither allocates");
    m_.instance(axi4_burst(p_.address_bits, p_.id_bits, p_.data_bytes), what + "_burst",
                {{"valid", c.valid},
                 {"ready", c.ready},
                 {"id", c.id},
                 {"address", c.address},
                 {"length", c.length},
                 {"size", c.size},
                 {"kind", c.type},
                 {"cacheable", all ? lit(1, 1) : rtl::any(c.cache.slice(3, 2))},
                 {"advance", beat.advance},
                 {"busy", beat.busy},
                 {"refused", beat.refused},
                 {"last", beat.last},
                 {"beat_id", beat.id},
                 {"beat_address", beat.address},
                 {"beat_below", beat.below},
                 {"beat_cacheable", beat.cacheable}},
                fmt::format("Addresses of the {}'s beats.", what));
    return beat;
  }

  // Ring of slots of one direction, with ID, end and refusal of the burst; data of reads is in a RAM.
  struct Ring {
    Expr slot, oldest_answered, oldest, word, leave, coming, coming_answered;
    Expr answer;
  };

  Ring ring(const std::string& what, int slots, bool ram, Beat& beat, const Expr& offered) {
    Ring r;
    const int bits = bits_to_number(slots);
    const auto wire = [&](const char* name, int width, const char* doc) {
      return m_.wire(fmt::format("{}_{}", what, name), width, doc);
    };
    const Expr free = wire("slot_free", 1, "the next slot is free");
    r.slot = wire("slot", bits, "number of the next slot");
    r.answer = wire("answer", 1, "a slot is answered, and does not leave at once");
    r.word = wire("oldest_word", p_.id_bits + 2, "refused, last, ID");
    r.leave = wire("leave", 1, "the oldest slot leaves");
    rtl::Pins pins{{"take", beat.advance},
                   {"word", cat({beat.refused, beat.last, beat.id})},
                   {"take_answered", beat.refused},
                   {"free", free},
                   {"slot", r.slot},
                   {"answer", r.answer},
                   {"answered_slot", response_["id"].slice(bits - 1, 0)},
                   {"oldest_word", r.word},
                   {"leave", r.leave}};
    const auto shown = [&](Expr& to, const char* name, int width, const char* doc) {
      to = wire(name, width, doc);
      pins.emplace_back(name, to);
    };
    if (ram) {
      shown(r.oldest, "oldest", bits, "number of the oldest slot");
      shown(r.coming, "coming", bits, "number of the oldest slot after this edge");
      shown(r.coming_answered, "coming_answered", 1, "that slot was answered before");
    } else {
      shown(r.oldest_answered, "oldest_answered", 1, "the oldest slot is answered");
    }
    m_.instance(ordered_slots(slots, p_.id_bits + 2, ram), what + "_slots", pins,
                fmt::format("Beats of {}s that have not left.", what));
    beat.present = m_.let(what + "_present", offered & free, fmt::format("a {} beat has a slot", what));
    return r;
  }

  void slots() {
    m_.section("Beats on their way.");
    reads_ = ring("read", p_.reads, true, read_, read_.busy);
    writes_ = ring("write", p_.writes, false, write_, write_.busy & w_valid_);
  }

  void requests() {
    m_.section("The request to the cache.");
    const Expr read = m_.let("read_candidate", read_.present & ~read_.refused, "a read beat for the cache");
    const Expr write =
        m_.let("write_candidate", write_.present & ~write_.refused, "a write beat for the cache");
    const Expr turn = m_.reg("write_next_q", 1, 0, "a write beat goes before a read beat");
    writes_now_ = m_.let("writes", write & (turn | ~read), "the request is a write beat");
    m_.assign(request_.valid, read | write);
    m_.clocked("A waiting beat stays chosen; the other direction follows a taken one.",
               [&] { m_.when(request_.valid, [&] { m_.set(turn, writes_now_ ^ request_.ready); }); });
    m_.assign(read_.advance, mux(read_.refused, read_.present, read & ~writes_now_ & request_.ready));
    m_.assign(write_.advance, mux(write_.refused, write_.present, writes_now_ & request_.ready));
    m_.assign(w_ready_, write_.advance);
    const Expr word = m_.let("word_number", mux(writes_now_, number_of_word(write_), number_of_word(read_)),
                             "address of the beat, in words of the bus");
    const Expr some = m_.let("some", rtl::any(w_strobe_), "the write has a byte");
    const Expr slot = mux(writes_now_, zext(writes_.slot, slot_bits_), zext(reads_.slot, slot_bits_));
    m_.assign(request_["id"], zext(cat({writes_now_, slot}), p_.core_id_bits));
    const Expr past = m_.let("non_l1", mux(writes_now_, ~write_.cacheable & some, ~read_.cacheable),
                             "passes by the cache; a write of no byte is a plain store");
    m_.assign(request_["kind"], cat({past, past | writes_now_}));
    m_.assign(request_["address"], cat({word, lit(offset_bits_, 0)}));
    m_.assign(request_["mask"], sectors(word, some));
    m_.assign(request_["byte_enable"], enables(word));
    m_.assign(request_["data"], words_ == 1 ? w_data_ : replicate(words_, w_data_));
    unused_address_bits();
  }

  int sector_bits() const { return bits_to_number(p_.chunk_bytes); }

  // Offsets in a word matter for the sectors of reads alone.
  void unused_address_bits() {
    const bool parts = p_.data_bytes > p_.chunk_bytes;
    const int unread = parts ? sector_bits() : offset_bits_;
    m_.unused("unused_offset", read_.address.slice(unread - 1, 0), "the mask selects the bytes");
    m_.unused("unused_write_offset", write_.address.slice(offset_bits_ - 1, 0), "wstrb selects the bytes");
    m_.unused("unused_below", parts ? read_.below.slice(sector_bits() - 1, 0) : read_.below,
              "within a sector");
    m_.unused("unused_write_below", write_.below, "wstrb selects the bytes");
  }

  Expr number_of_word(const Beat& beat) const {
    return beat.address.slice(p_.address_bits - 1, offset_bits_);
  }
  // Position of a word in its line.
  Expr place_of(const Expr& word) const { return word.slice(place_bits_ - 1, 0); }

  // Sectors of the bytes that are written, or of those from the address to the end of the beat.
  Expr sectors(const Expr& word, const Expr& some) {
    if (chunks_ == 1) return lit(1, 1);
    if (p_.data_bytes <= p_.chunk_bytes)
      return one_hot_of(m_, "sectors", word.slice(place_bits_ - 1, sector_bits() - offset_bits_), chunks_,
                        "the sector of the word");
    const int each = p_.data_bytes / p_.chunk_bytes, bits = bits_to_number(each);
    const Expr written = m_.wire("written", each, "sectors of the word with bytes to write");
    m_.comb("Sectors of a write.", [&] {
      m_.loop("sector", each, [&](const Expr& c) {
        m_.set(written.at(c), rtl::any(w_strobe_.part(c, p_.chunk_bytes)) | ~some);
      });
    });
    const Expr first =
        m_.let("first_sector", read_.address.slice(offset_bits_ - 1, sector_bits()), "of the read beat");
    const Expr last = m_.let("last_sector", first | read_.below.slice(offset_bits_ - 1, sector_bits()),
                             "the read beat ends in it");
    std::vector<Expr> within;
    for (int c = each; c-- > 0;) {
      const Expr number = lit(bits, static_cast<std::uint64_t>(c));
      within.push_back(c == each - 1 ? last == number
                       : c == 0      ? first == number
                                     : ~(number < first) & (last >= number));
    }
    const Expr touched =
        m_.let("touched", mux(writes_now_, written, cat(within)), "sectors of the word that are meant");
    if (words_ == 1) return touched;
    const Expr mask = m_.wire("sectors", chunks_, "sectors of the line that the request is of");
    m_.comb("Sectors at the word's position.", [&] {
      m_.set(mask, lit(chunks_, 0));
      m_.set(mask.part(place_of(word), each), touched);
    });
    return mask;
  }

  // The strobes of a write, at the word's position in the line.
  Expr enables(const Expr& word) {
    const Expr bytes =
        m_.let("bytes", w_strobe_ & replicate(p_.data_bytes, writes_now_), "bytes of the bus to write");
    if (words_ == 1) return bytes;
    const Expr placed = m_.wire("placed", p_.line_bytes, "bytes of the line to write");
    m_.comb("Bytes at the word's position.", [&] {
      m_.set(placed, lit(p_.line_bytes, 0));
      m_.set(placed.part(place_of(word), p_.data_bytes), bytes);
    });
    return placed;
  }

  // Channel R or B: a register that takes a beat when it is empty or taken.
  Expr not_full(const Expr& valid_q, const Expr& ready, const std::string& name) {
    return m_.let(name, ~valid_q | ready, "the channel takes another one at this edge");
  }

  void write_answers() {
    m_.section("Channel B: the answer of the last beat of a write.");
    m_.assign(writes_.answer, response_.valid & response_["id"].bit(slot_bits_));
    const Expr valid = m_.reg("b_valid_q", 1, 0, "a response is on channel B");
    const Expr id = m_.data_reg("b_id_q", p_.id_bits, "ID of the write");
    const Expr refused = m_.data_reg("b_refused_q", 1, "the write was refused");
    const Expr last = m_.let("write_ends", writes_.word.bit(p_.id_bits), "the oldest beat is a burst's last");
    const Expr free = not_full(valid, b_ready_, "b_not_full");
    m_.assign(writes_.leave, writes_.oldest_answered & (~last | free));
    const Expr loads = m_.let("b_loads", writes_.leave & last, "channel B takes a response");
    m_.clocked("A response stays until it is taken.", [&] { m_.when(free, [&] { m_.set(valid, loads); }); });
    m_.clocked("ID and outcome of the write.", [&] {
      m_.when(loads, [&] {
        m_.set(id, writes_.word.slice(p_.id_bits - 1, 0));
        m_.set(refused, writes_.word.bit(p_.id_bits + 1));
      });
    });
    m_.assign(b_valid_, valid);
    m_.assign(b_id_, id);
    m_.assign(b_resp_, cat({refused, lit(1, 0)}));
  }

  // The word of a line that the slot of an answer names.
  Expr answered_word() {
    if (words_ == 1) return response_["data"];
    const int bits = bits_to_number(p_.reads);
    const Expr place = m_.wire("place", place_bits_, "position of the answered word in its line");
    m_.instance(register_file(p_.reads, place_bits_), "places",
                {{"write", read_.advance},
                 {"write_row", reads_.slot},
                 {"write_data", read_.address.slice(offset_bits_ + place_bits_ - 1, offset_bits_)},
                 {"read_row", response_["id"].slice(bits - 1, 0)},
                 {"read_data", place}},
                "Positions of the words that are read.");
    return response_["data"].part(place, 8 * p_.data_bytes);
  }

  void read_answers() {
    m_.section("Channel R: beats of reads, in their order.");
    const int bits = bits_to_number(p_.reads), width = 8 * p_.data_bytes;
    const Expr answered = m_.let("read_answered", response_.valid & ~response_["id"].bit(slot_bits_),
                                 "the cache answers a read beat");
    const Expr word = m_.let("word", answered_word(), "the word of its slot");
    const Expr valid = m_.reg("r_valid_q", 1, 0, "a beat is on channel R");
    const Expr fetched = m_.reg("fetched_q", 1, 0, "the RAM shows the data of the oldest slot");
    const Expr free = not_full(valid, r_ready_, "r_not_full");
    const Expr direct =
        m_.let("direct", answered & free & (response_["id"].slice(bits - 1, 0) == reads_.oldest),
               "the answer goes to channel R at once");
    m_.assign(reads_.leave, (fetched & free) | direct);
    m_.assign(reads_.answer, answered & ~direct);
    const Expr waiting = m_.wire("waiting", width, "data of the oldest slot, from the RAM");
    m_.instance(sram_1r1w(p_.reads, width), "data",
                {{"read", reads_.coming_answered},
                 {"read_row", reads_.coming},
                 {"write", reads_.answer},
                 {"write_row", response_["id"].slice(bits - 1, 0)},
                 {"write_data", word},
                 {"read_data", waiting}},
                "Data of beats that wait for older ones.");
    const Expr id = m_.data_reg("r_id_q", p_.id_bits, "ID of the beat on channel R");
    const Expr last = m_.data_reg("r_last_q", 1, "the last beat of a read");
    const Expr refused = m_.data_reg("r_refused_q", 1, "the read was refused");
    const Expr data = m_.data_reg("r_data_q", width, "data of the beat");
    m_.clocked("Channel R and the row of the RAM.", [&] {
      m_.set(fetched, reads_.coming_answered);
      m_.when(free, [&] { m_.set(valid, reads_.leave); });
    });
    m_.clocked("A beat stays until it is taken.", [&] {
      m_.when(reads_.leave, [&] {
        m_.set(id, reads_.word.slice(p_.id_bits - 1, 0));
        m_.set(last, reads_.word.bit(p_.id_bits));
        m_.set(refused, reads_.word.bit(p_.id_bits + 1));
        m_.set(data, mux(fetched, waiting, word));
      });
    });
    m_.assign(r_valid_, valid);
    m_.assign(r_id_, id);
    m_.assign(r_last_, last);
    m_.assign(r_resp_, cat({refused, lit(1, 0)}));
    m_.assign(r_data_, data);
  }

  const Axi4AdapterParams& p_;
  const int chunks_, words_, offset_bits_, place_bits_, slot_bits_;
  rtl::Module m_;
  Channel aw_, ar_;
  Expr w_data_, w_strobe_, w_valid_, w_ready_, b_id_, b_resp_, b_valid_, b_ready_;
  Expr r_id_, r_data_, r_resp_, r_last_, r_valid_, r_ready_;
  Stream request_, response_;
  Beat read_, write_;
  Ring reads_, writes_;
  Expr writes_now_;
};

}  // namespace

rtl::Module axi4_adapter(const Axi4AdapterParams& p, const std::string& name) {
  check(p);
  return Axi4AdapterBuilder(p, name).run();
}

}  // namespace hw
