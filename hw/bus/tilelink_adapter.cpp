#include "hw/bus/tilelink_adapter.h"

#include <fmt/format.h>

#include "hw/bus/slot_table.h"
#include "hw/bus/tilelink_adapter_ranges.h"
#include "hw/bus/tilelink_bursts.h"
#include "hw/geometry_ranges.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"
#include "hw/rtl/stream.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::Stream, rtl::zext;

std::string title(const TilelinkAdapterParams& p) {
  const std::string bus = most_beats(p) > 1
                              ? fmt::format("TileLink-UH bus of {} bytes, with messages of up to {},",
                                            p.data_bytes, p.burst_bytes)
                              : fmt::format("TileLink-UL bus of {} bytes", p.data_bytes);
  return fmt::format("Adapter between a {} and an L1 data cache.", bus);
}

// What the message on channel A means, with the words of its earlier beats: bytes of a block, as large as the
// largest message.
struct Block {
  Expr mask, data, corrupt;
  Expr some, sectors;  // of bursts
};

class TilelinkAdapterBuilder {
 public:
  TilelinkAdapterBuilder(const TilelinkAdapterParams& p, const std::string& name)
      : p_(p),
        chunks_(chunks_of_line(p)),
        words_(words_of_line(p)),
        offset_bits_(bits_to_number(p.data_bytes)),
        place_bits_(bits_to_number(words_)),
        block_bytes_(largest_message(p)),
        bursts_(most_beats(p) > 1),
        m_(name, title(p)) {}

  rtl::Module run() {
    ports();
    requests();
    answers();
    return m_;
  }

 private:
  void ports() {
    a_ = rtl::input_stream(m_, "a",
                           {{"opcode", 3, "0 PutFullData, 1 PutPartialData, 4 Get"},
                            {"param", 3, "no meaning in these"},
                            {"size", p_.size_bits, "logarithm of the bytes"},
                            {"source", p_.source_bits, "number of the request"},
                            {"address", p_.address_bits, "byte address"},
                            {"mask", p_.data_bytes, "bytes of the bus that the request means"},
                            {"data", 8 * p_.data_bytes, "values to write"},
                            {"corrupt", 1, "the values are not valid"}},
                           "channel A: a request of the core");
    d_ = rtl::output_stream(m_, "d",
                            {{"opcode", 3, "0 AccessAck, 1 AccessAckData, 2 HintAck"},
                             {"param", 2, "0"},
                             {"size", p_.size_bits, "of the request"},
                             {"source", p_.source_bits, "of the request"},
                             {"sink", 1, "0"},
                             {"denied", 1, "the request had no effect"},
                             {"data", 8 * p_.data_bytes, "values that are read"},
                             {"corrupt", 1, "the values are not valid"}},
                            "channel D: the answer");
    std::vector<rtl::Field> request{{"id", p_.core_id_bits, "id of the request"},
                                    {"kind", 2, "0 load, 1 store, 3 non-L1"},
                                    {"address", p_.address_bits, "byte address"},
                                    {"mask", chunks_, "chunks of the line"},
                                    {"byte_enable", p_.line_bytes, "bytes to write"},
                                    {"data", 8 * p_.line_bytes, "values of those bytes"}};
    request_ = rtl::output_stream(m_, "core_request", request, "a request to the cache");
    response_ = rtl::input_stream(m_, "core_response",
                                  {{"id", p_.core_id_bits, "id of the request"},
                                   {"mask", chunks_, "chunks that are answered; 0 for a store"},
                                   {"data", 8 * p_.line_bytes, "values of their bytes"}},
                                  "an answer of the cache");
  }

  void requests() {
    m_.section("The request to the cache.");
    const Expr opcode = a_["opcode"];
    put_ = m_.let("put", ~rtl::any(opcode.slice(2, 1)), "the message writes");
    const Expr get = m_.let("get", opcode == m_.constant("GET", 3, 4, "opcode of Get"), "the message reads");
    m_.unused("unused_param", a_["param"], "no meaning in the messages of this bus");
    const Block block = bursts_ ? gathered(get) : Block{a_["mask"], a_["data"], a_["corrupt"], {}, {}};
    const Expr refused = m_.let("refused", ~((put_ & ~block.corrupt) | get), "no message for a cache");
    slot_free_ = m_.wire("slot_free", 1, "the next slot is free");
    slot_ = m_.wire("slot", bits_to_number(p_.requests), "number of that slot, the id of the request");
    denied_ = m_.reg("denied_q", 1, 0, "a refused message has no answer yet");
    const Expr whole = bursts_ ? a_.valid & a_last_ : a_.valid;
    const Expr taken = mux(refused, ~denied_, request_.ready & slot_free_);
    m_.assign(request_.valid, whole & ~refused & slot_free_);
    m_.assign(a_.ready, bursts_ ? ~a_last_ | taken : taken);
    m_.assign(request_["id"], zext(slot_, p_.core_id_bits));
    const bool several = chunks_ > 1 && p_.data_bytes > p_.chunk_bytes;
    Expr some = block.some;
    if (!bursts_ && (several || p_.devices != DeviceHalf::none))
      some = m_.let("some", rtl::any(a_["mask"]), "any byte of the bus is meant");
    m_.assign(request_["kind"], kind(some));
    m_.assign(request_["address"],
              cat({a_["address"].slice(p_.address_bits - 1, offset_bits_), lit(offset_bits_, 0)}));
    m_.unused("unused_offset", a_["address"].slice(offset_bits_ - 1, 0), "the mask selects the bytes");
    m_.assign(request_["mask"], sectors(block, some));
    m_.assign(request_["byte_enable"], enables(block));
    m_.assign(request_["data"], blocks() == 1 ? block.data : replicate(blocks(), block.data));
    sent_ = m_.let("sent", request_.valid & request_.ready, "the cache takes the request");
    deny(refused, whole);
  }

  // A write of no byte to a device would be a load there, and is a plain store.
  Expr kind(const Expr& some) {
    if (p_.devices == DeviceHalf::none) return cat({lit(1, 0), put_});
    const Expr bit = a_["address"].bit(p_.device_bit);
    const Expr device = m_.let("device", (p_.devices == DeviceHalf::high ? bit : ~bit) & some,
                               "non-L1; a write of no byte is a plain store");
    return cat({device, device | put_});
  }

  Block gathered(const Expr& get) {
    m_.section("The beats of a message.");
    const int bits = bits_to_number(most_beats(p_));
    const Expr beat = m_.wire("a_beat", bits, "number of the beat on channel A");
    const Expr behind = m_.wire("a_behind", bits, "words of its message behind the first one");
    a_last_ = m_.wire("a_last", 1, "the beat is the last of its message");
    const Expr taken = m_.let("a_taken", a_.valid & a_.ready, "a beat leaves channel A");
    m_.instance(tilelink_beats(p_), "a_beats",
                {{"size", a_["size"]},
                 {"data", ~a_["opcode"].bit(2)},
                 {"taken", taken},
                 {"beat", beat},
                 {"behind", behind},
                 {"last", a_last_}},
                "Beats of channel A.");
    Block b{m_.wire("block_mask", block_bytes_, "bytes of the block that the message means"),
            m_.wire("block_data", 8 * block_bytes_, "values to write"),
            m_.wire("corrupt", 1, "a beat of the message has no valid values"),
            m_.wire("some", 1, "any byte is meant"),
            {}};
    rtl::Pins pins{{"keep", taken & put_ & ~a_last_},
                   {"ends", taken & a_last_},
                   {"first", a_["address"].slice(offset_bits_ + bits - 1, offset_bits_)},
                   {"beat", beat},
                   {"mask", a_["mask"]},
                   {"data", a_["data"]},
                   {"corrupt", a_["corrupt"]},
                   {"block_mask", b.mask},
                   {"block_data", b.data},
                   {"some", b.some},
                   {"any_corrupt", b.corrupt}};
    if (block_bytes_ > p_.chunk_bytes) {
      b.sectors = m_.wire("touched", block_bytes_ / p_.chunk_bytes, "sectors of the block that are meant");
      pins.insert(pins.end(), {{"behind", behind}, {"read", get}, {"sectors", b.sectors}});
    } else {
      m_.unused("unused_behind", behind, "the block is in one sector");
    }
    if (p_.devices == DeviceHalf::none) m_.unused("unused_some", b.some, "no address is of a device");
    m_.instance(tilelink_gather(p_), "gather", pins, "Words of a write that came in earlier beats.");
    return b;
  }

  int blocks() const { return p_.line_bytes / block_bytes_; }
  // Position of the word in its line, and of its block.
  Expr place() { return a_["address"].slice(offset_bits_ + place_bits_ - 1, offset_bits_); }
  Expr block_place() {
    return a_["address"].slice(offset_bits_ + place_bits_ - 1, bits_to_number(block_bytes_));
  }

  // Sectors of the bytes that are meant, or of the words.
  Expr sectors(const Block& block, const Expr& some) {
    if (chunks_ == 1) return lit(1, 1);
    const std::string what = bursts_ ? "block" : "word";
    if (bursts_ && blocks() == 1) return block.sectors;
    const Expr mask = m_.wire("sectors", chunks_, "sectors of the line that the request is of");
    const int high = bits_to_number(p_.line_bytes) - 1, low = bits_to_number(p_.chunk_bytes);
    if (block_bytes_ <= p_.chunk_bytes) {
      m_.comb("The sector of the " + what + ".", [&] {
        m_.set(mask, lit(chunks_, 0));
        m_.set(mask.at(a_["address"].slice(high, low)), lit(1, 1));
      });
      return mask;
    }
    const int each = block_bytes_ / p_.chunk_bytes;
    const Expr touched = bursts_ ? block.sectors : touched_in_word(each, some);
    if (blocks() == 1) {
      m_.assign(mask, touched);
      return mask;
    }
    m_.comb("Sectors at the " + what + "'s position.", [&] {
      m_.set(mask, lit(chunks_, 0));
      m_.set(mask.part(block_place(), each), touched);
    });
    return mask;
  }

  Expr touched_in_word(int each, const Expr& some) {
    const Expr touched = m_.wire("touched", each, "sectors of the word with bytes that are meant");
    m_.comb("Sectors of the word.", [&] {
      m_.loop("sector", each, [&](const Expr& c) {
        m_.set(touched.at(c), rtl::any(a_["mask"].part(c, p_.chunk_bytes)) | ~some);
      });
    });
    return touched;
  }

  // The mask of a write, at its position in the line.
  Expr enables(const Block& block) {
    const std::string what = bursts_ ? "block" : "bus";
    const Expr bytes =
        m_.let("bytes", block.mask & replicate(block_bytes_, put_), "bytes of the " + what + " to write");
    if (blocks() == 1) return bytes;
    const Expr placed = m_.wire("placed", p_.line_bytes, "bytes of the line to write");
    m_.comb(bursts_ ? "Bytes at the block's position." : "Bytes at the word's position.", [&] {
      m_.set(placed, lit(p_.line_bytes, 0));
      m_.set(placed.part(block_place(), block_bytes_), bytes);
    });
    return placed;
  }

  // Source, size and kind of the answer of a message that no cache takes.
  void deny(const Expr& refused, const Expr& whole) {
    m_.section("A message that is refused.");
    denied_source_ = m_.data_reg("denied_source_q", p_.source_bits, "source of the refused message");
    denied_size_ = m_.data_reg("denied_size_q", p_.size_bits, "size of the refused message");
    denied_opcode_ = m_.data_reg("denied_opcode_q", 2, "opcode of the answer to the refused message");
    const Expr opcode = a_["opcode"];
    const Expr atomic = m_.let("atomic", ~opcode.bit(2) & opcode.bit(1), "the message would have data back");
    const Expr hint =
        m_.let("hint", opcode == m_.constant("INTENT", 3, 5, "opcode of Intent"), "the message is a hint");
    const Expr taken = m_.let("deny", whole & refused & ~denied_, "a message is refused at this edge");
    denies_ = m_.wire("denies", 1, "channel D shows that answer");
    d_done_ = bursts_ ? m_.wire("d_done", 1, "the core is ready for the last beat of an answer") : d_.ready;
    m_.clocked("One at a time.", [&] {
      m_.when(taken, [&] { m_.set(denied_, lit(1, 1)); });
      m_.when(denies_ & d_done_, [&] { m_.set(denied_, lit(1, 0)); });
    });
    m_.clocked("Fields of the refused message that its answer needs.", [&] {
      m_.when(taken, [&] {
        m_.set(denied_source_, a_["source"]);
        m_.set(denied_size_, a_["size"]);
        m_.set(denied_opcode_, cat({hint, atomic}));
      });
    });
  }

  void answers() {
    m_.section("Channel D.");
    const int width = 1 + p_.size_bits + p_.source_bits + (words_ > 1 ? place_bits_ : 0);
    const Expr of_slot = m_.wire("of_slot", width, "request fields in the slot");
    std::vector<Expr> kept{put_, a_["size"], a_["source"]};
    if (words_ > 1) kept.push_back(place());
    const int id_bits = bits_to_number(p_.requests);
    const Expr busy = m_.wire("busy", 1, "a slot is taken");
    m_.instance(slot_table(p_.requests, width), "slots",
                {{"take", sent_},
                 {"word", cat(kept)},
                 {"free", slot_free_},
                 {"slot", slot_},
                 {"released", response_.valid & response_.ready},
                 {"released_slot", response_["id"].slice(id_bits - 1, 0)},
                 {"released_word", of_slot},
                 {"busy", busy}},
                "Requests that the cache has not answered.");
    m_.unused("unused_busy", busy, "nothing waits for all answers");
    if (id_bits < p_.core_id_bits)
      m_.unused("unused_id", response_["id"].slice(p_.core_id_bits - 1, id_bits), "0, as sent");
    m_.unused("unused_mask", response_["mask"], "mask of the request, or 0");
    const Expr turn = m_.reg("deny_next_q", 1, 0, "a refused message is answered before a request");
    m_.assign(denies_, denied_ & (turn | ~response_.valid));
    m_.assign(d_.valid, denied_ | response_.valid);
    m_.assign(response_.ready, d_done_ & ~denies_);
    fields(of_slot, width);
    m_.clocked("A waiting answer stays chosen; the other source follows a taken one.",
               [&] { m_.when(d_.valid, [&] { m_.set(turn, denies_ ^ d_done_); }); });
  }

  void fields(const Expr& of_slot, int width) {
    const int source_low = words_ > 1 ? place_bits_ : 0, size_low = source_low + p_.source_bits;
    const Expr read = ~of_slot.bit(width - 1);
    const Expr denied_data = m_.let("denied_data", denies_ & denied_opcode_.bit(0),
                                    "the refused message has data back, none valid");
    m_.assign(d_["opcode"], cat({lit(1, 0), mux(denies_, denied_opcode_, cat({lit(1, 0), read}))}));
    m_.assign(d_["param"], lit(2, 0));
    m_.assign(d_["size"], mux(denies_, denied_size_, of_slot.slice(width - 2, size_low)));
    m_.assign(d_["source"], mux(denies_, denied_source_, of_slot.slice(size_low - 1, source_low)));
    m_.assign(d_["sink"], lit(1, 0));
    m_.assign(d_["denied"], bursts_ ? denies_ & ~denied_opcode_.bit(1) : denies_);
    m_.assign(d_["corrupt"], denied_data);
    Expr data = response_["data"];
    if (words_ > 1) {
      const Expr first = of_slot.slice(place_bits_ - 1, 0);
      data = data.part(bursts_ ? first | zext(d_beat(), place_bits_) : first, 8 * p_.data_bytes);
    }
    m_.assign(d_["data"], data);
  }

  Expr d_beat() {
    const int bits = bits_to_number(most_beats(p_));
    const Expr beat = m_.wire("d_beat", bits, "number of the beat on channel D");
    const Expr behind = m_.wire("d_behind", bits, "words of its message behind the first one");
    const Expr last = m_.wire("d_last", 1, "the beat is the last of its answer");
    m_.instance(tilelink_beats(p_), "d_beats",
                {{"size", d_["size"]},
                 {"data", d_["opcode"].bit(0)},
                 {"taken", d_.valid & d_.ready},
                 {"beat", beat},
                 {"behind", behind},
                 {"last", last}},
                "Beats of channel D.");
    m_.unused("unused_d_behind", behind, "nothing waits for their number");
    m_.assign(d_done_, d_.ready & last);
    return beat;
  }

  const TilelinkAdapterParams& p_;
  const int chunks_, words_, offset_bits_, place_bits_, block_bytes_;
  const bool bursts_;
  rtl::Module m_;
  Stream a_, d_, request_, response_;
  Expr put_, slot_free_, slot_, sent_;
  Expr denied_, denied_source_, denied_size_, denied_opcode_, denies_;
  Expr a_last_;  // of bursts
  Expr d_done_;  // the answer on channel D is accepted, to its last beat
};

void check_bursts(const TilelinkAdapterParams& p) {
  const char* const key = "tilelink.burst_bytes";
  if (p.burst_bytes == 0) return;
  require_in(TilelinkAdapterRanges::burst_bytes, key, p.burst_bytes, "use 0, the bytes of the bus");
  require(p.burst_bytes >= p.data_bytes, key, p.burst_bytes,
          fmt::format("must be at least tilelink.data_bytes = {}", p.data_bytes),
          "use 0, the bytes of the bus");
  require(p.burst_bytes <= p.line_bytes, key, p.burst_bytes,
          fmt::format("must be at most geometry.line_bytes = {}: a message is one request of a cache",
                      p.line_bytes),
          "let the core send one message a line");
  require((1 << p.size_bits) > bits_to_number(p.burst_bytes), "tilelink.size_bits", p.size_bits,
          fmt::format("cannot express tilelink.burst_bytes = {}", p.burst_bytes), "use 4");
}

}  // namespace

void check(const TilelinkAdapterParams& p) {
  using Ranges = TilelinkAdapterRanges;
  check_bus(p, "tilelink.data_bytes");
  require_in(Ranges::source_bits, "tilelink.source_bits", p.source_bits, "use those of the bus");
  require_in(Ranges::size_bits, "tilelink.size_bits", p.size_bits, "use those of the bus");
  require((1 << p.size_bits) > bits_to_number(p.data_bytes), "tilelink.size_bits", p.size_bits,
          fmt::format("cannot express tilelink.data_bytes = {}", p.data_bytes), "use 3");
  check_bursts(p);
  require_in(Ranges::requests, "tilelink.requests", p.requests, "use 32");
  require_in(Ranges::device_bit, "tilelink.device_bit", p.device_bit, "use 31");
  require(p.devices == DeviceHalf::none || p.device_bit < p.address_bits, "tilelink.device_bit", p.device_bit,
          fmt::format("is none of the geometry.address_bits = {}", p.address_bits),
          "use a bit of the address");
  require_in(Ranges::core_id_bits, "core.id_bits", p.core_id_bits, "use 8, those of the cache");
  require(p.core_id_bits >= bits_to_number(p.requests), "core.id_bits", p.core_id_bits,
          fmt::format("cannot number tilelink.requests = {}", p.requests), "use 8, those of the cache");
}

rtl::Module tilelink_adapter(const TilelinkAdapterParams& p, const std::string& name) {
  check(p);
  return TilelinkAdapterBuilder(p, name).run();
}

}  // namespace hw
