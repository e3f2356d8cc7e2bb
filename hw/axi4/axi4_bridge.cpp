#include "hw/axi4/axi4_bridge.h"

#include <map>
#include <optional>

#include "hw/axi4/axi4_block.h"
#include "hw/axi4/axi4_check.h"
#include "hw/axi4/axi4_ports.h"
#include "hw/axi4/axi4_ranges.h"
#include "hw/axi4/axi4_read_order.h"
#include "hw/axi4/axi4_read_order_params.h"
#include "hw/axi4/axi4_table.h"
#include "hw/check/first_error.h"
#include "hw/geometry_ranges.h"
#include "hw/l1d/request_kind.h"
#include "hw/prim/fifo.h"
#include "hw/require.h"
#include "hw/rtl/stream.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

int log2_of(int n) { return rtl::clog2(static_cast<std::uint64_t>(n)); }

class Builder {
 public:
  Builder(const Axi4BridgeParams& p, rtl::Module& m)
      : p_(p),
        m_(m),
        chunks_(chunks_of_line(p)),
        line_bits_(p.address_bits - log2_of(p.line_bytes)),
        place_bits_(axi_id_bits(p)),
        two_beats_(p.line_bytes > beat_bytes(p)),
        scatters_(chunks_ > 2) {}

  void run() {
    ports();
    registers();
    answers();
    kinds();
    order();
    writes();
    reads();
    arrivals();
    if (p_.check.ports) checks();
  }

 private:
  void ports() {
    request_ = rtl::input_stream(m_, "memory_request",
                                 {{"id", p_.id_bits, "unique among requests without an answer"},
                                  {"kind", 2, "0 load, 1 store, 2 atomic, 3 non-L1"},
                                  {"address", p_.address_bits, "byte address; offset bits are ignored"},
                                  {"mask", chunks_, "chunks of the line"},
                                  {"byte_enable", p_.line_bytes, "bytes to write"},
                                  {"data", 8 * p_.line_bytes, "the line, to write"}},
                                 "a request of the cache");
    response_ = rtl::output_stream(m_, "memory_response",
                                   {{"id", p_.id_bits, "id of the request"},
                                    {"mask", chunks_, "chunks that are answered; 0 for a write"},
                                    {"data", 8 * p_.line_bytes, "the line, as read"}},
                                   "the answer to a request");
    for (const Axi4Port& port : axi4_ports(p_))
      axi_[port.name.substr(4)] = port.output ? m_.output(port.name, port.width, port.doc)
                                              : m_.input(port.name, port.width, port.doc);
  }

  void registers() {
    m_.section("The entry of the next request.");
    spare_ = m_.wire("spare", place_bits_, "number of the free entry");
    spare_valid_ = m_.wire("spare_valid", 1, "there is one");
    taken_ = m_.wire("taken", 1, "the request is taken");
    m_.section("The request at memory_request.");
    aw_done_ = m_.reg("aw_done_q", 1, 0, "the write address of the request was sent");
    w_done_ = m_.reg("w_done_q", 1, 0, "all its write data was sent");
    if (two_beats_) w_second_ = m_.reg("w_second_q", 1, 0, "the first half of its write data was sent");
    if (scatters_) {
      gathered_ = m_.reg("gathered_q", chunks_, 0, "chunks that a scattered load has got");
      gathering_ = m_.reg("gathering_q", 1, 0, "one of its reads is on its way");
    }
    m_.section("Answers.");
    read_full_ = m_.reg("read_full_q", 1, 0, "there is a load's answer");
    read_place_ = m_.data_reg("read_place_q", place_bits_, "entry of the request that is read");
    read_data_ = m_.data_reg("read_data_q", 8 * p_.line_bytes, "line that is read");
    if (two_beats_) read_second_ = m_.reg("read_second_q", 1, 0, "the first beat of two has come");
    ack_full_ = m_.reg("ack_full_q", 1, 0, "there is a write's answer");
    ack_place_ = m_.data_reg("ack_place_q", place_bits_, "entry of the request that is acknowledged");
    turn_ack_ = m_.reg("turn_ack_q", 1, 0, "a write's answer is preferred");
    error_ = m_.reg("error_q", 1, 0, "drives axi_error");
  }

  // memory_response, and space for the next R and B.
  void answers() {
    m_.section("Loads and writes are answered in turn.");
    const Expr read = m_.let("answers_read", read_full_ & ~(turn_ack_ & ack_full_), "a load is answered");
    answer_place_ = m_.let("answer_place", mux(read, read_place_, ack_place_), "entry of the answer");
    m_.assign(response_.valid, read_full_ | ack_full_);
    m_.assign(response_["data"], read_data_);
    answered_ = m_.let("answered", (read_full_ | ack_full_) & response_.ready, "the answer leaves");
    const Expr r_ready = m_.let("read_free", ~read_full_ | (read & response_.ready), "an R can be taken");
    const Expr b_ready = m_.let("ack_free", ~ack_full_ | (~read & response_.ready), "a B can be taken");
    m_.assign(axi_["rready"], r_ready);
    m_.assign(axi_["bready"], b_ready);
    r_taken_ = m_.let("r_taken", axi_["rvalid"] & r_ready, "an R is taken");
    b_taken_ = m_.let("b_taken", axi_["bvalid"] & b_ready, "a B is taken");
    m_.clocked("An answer that waits stays in front; behind one that leaves it is the other's turn.", [&] {
      m_.when(read_full_ | ack_full_, [&] { m_.set(turn_ack_, ~(read ^ response_.ready)); });
    });
    m_.clocked("The acknowledgement stage.", [&] {
      m_.when(b_taken_, [&] { m_.set(ack_place_, axi_["bid"]); });
      m_.when(b_ready, [&] { m_.set(ack_full_, axi_["bvalid"]); });
    });
    read_free_ = r_ready;
  }

  void kinds() {
    m_.section("The kind of the request.");
    const Expr kind = request_["kind"];
    device_ = m_.let("device", is_kind(m_, kind, RequestKind::non_l1), "non-L1");
    const Expr device_writes = device_ & rtl::any(request_["byte_enable"]);
    writes_ = m_.let("writes", is_kind(m_, kind, RequestKind::store) | device_writes, "the request writes");
    const int offset = p_.address_bits - line_bits_;
    own_line_ =
        m_.let("own_line", request_["address"].slice(p_.address_bits - 1, offset), "line of the request");
    m_.unused("unused_offset", request_["address"].slice(offset - 1, 0), "a mask says which bytes");
    read_id_ = axi4_read_id(m_, p_, own_line_);
    block_ = axi4_block(m_, p_, request_["mask"]);
    if (!scatters_) return;
    scattered_ = m_.let("scattered", device_ & ~writes_ & block_.holes,
                        "a load of devices that leaves chunks out: read chunk by chunk");
    const Expr left =
        m_.let("left", request_["mask"] & ~gathered_, "chunks of the request that have not come");
    chunk_ = m_.let("next_chunk", left & (~left + lit(chunks_, 1)), "the lowest of them, one-hot");
    last_chunk_ = m_.let("last_chunk", ~rtl::any(left & ~chunk_), "the chunk is the only one left");
  }

  // The table of requests, and whether this one may go.
  void order() {
    m_.section("Requests on their way.");
    const Expr held = m_.wire("held", 1, "something on its way must come first");
    m_.instance(axi4_table(p_), "on_their_way",
                {{"line", own_line_},
                 {"writes", writes_},
                 {"alone", scatters_ ? scattered_ : lit(1, 0)},
                 {"id", request_["id"]},
                 {"mask", request_["mask"] & replicate(chunks_, ~writes_)},
                 {"taken", taken_},
                 {"held", held},
                 {"spare_valid", spare_valid_},
                 {"spare", spare_},
                 {"answer_place", answer_place_},
                 {"answered", answered_},
                 {"answer_id", response_["id"]},
                 {"answer_mask", response_["mask"]}},
                "Reads wait for writes of their line, writes for everything of their line.");
    goes_ = m_.let("goes", request_.valid & spare_valid_ & ~held, "the request may go");
  }

  Expr address_of(const Expr& chunk) const {
    const int chunk_bits = log2_of(p_.chunk_bytes);
    if (chunks_ == 1) return cat({own_line_, lit(chunk_bits, 0)});
    return cat({own_line_, chunk, lit(chunk_bits, 0)});
  }

  // What AW and AR have in common.
  void constants(const std::string& channel) {
    m_.assign(axi_[channel + "burst"], m_.constant("BURST_INCR", 2, 1, "addresses of a burst's beats grow"));
    m_.assign(axi_[channel + "cache"], mux(device_, lit(4, 0), lit(4, 3)));
    m_.assign(axi_[channel + "prot"], lit(3, 0));
  }

  void writes() {
    m_.section("Writes: address and data go independently.");
    const Expr aw = m_.let("aw_valid", goes_ & writes_ & ~aw_done_, "the address is to be sent");
    const Expr w = m_.let("w_valid", goes_ & writes_ & ~w_done_, "data is to be sent");
    const Expr last = two_beats_ ? m_.let("w_last", w_second_ | ~block_.two, "the last beat") : lit(1, 1);
    m_.assign(axi_["awid"], spare_);
    m_.assign(axi_["awaddr"], address_of(block_.offset));
    m_.assign(axi_["awlen"], two_beats_ ? cat({lit(7, 0), block_.two}) : lit(8, 0));
    m_.assign(axi_["awsize"], block_.size);
    constants("aw");
    m_.assign(axi_["awvalid"], aw);
    m_.assign(axi_["wvalid"], w);
    m_.assign(axi_["wlast"], last);
    const auto half = [&](const Expr& whole) {
      const int width = whole.width() / 2;
      return mux(upper_, whole.slice(2 * width - 1, width), whole.slice(width - 1, 0));
    };
    if (two_beats_)
      upper_ = m_.let("upper", mux(block_.two, w_second_, block_.offset.bit(block_.offset.width() - 1)),
                      "the beat is the upper half of the line");
    m_.assign(axi_["wdata"], two_beats_ ? half(request_["data"]) : request_["data"]);
    m_.assign(axi_["wstrb"], two_beats_ ? half(request_["byte_enable"]) : request_["byte_enable"]);
    const Expr aw_taken = m_.let("aw_sent", aw_done_ | axi_["awready"], "the address is sent");
    const Expr w_taken =
        m_.let("w_sent", w_done_ | (two_beats_ ? axi_["wready"] & last : axi_["wready"]), "the data is sent");
    write_taken_ = m_.let("write_taken", goes_ & writes_ & aw_taken & w_taken, "address and data are taken");
    m_.clocked("The parts of a write that have been sent.", [&] {
      m_.when(write_taken_, [&] {
          m_.set(aw_done_, lit(1, 0));
          m_.set(w_done_, lit(1, 0));
          if (two_beats_) m_.set(w_second_, lit(1, 0));
        }).otherwise([&] {
        m_.when(aw & axi_["awready"], [&] { m_.set(aw_done_, lit(1, 1)); });
        m_.when(w & axi_["wready"], [&] {
          m_.set(w_done_, last);
          if (two_beats_) m_.set(w_second_, lit(1, 1));
        });
      });
    });
  }

  void reads() {
    m_.section("Reads.");
    const Expr asks = goes_ & ~writes_;
    const Expr ar = m_.let("ar_valid", scatters_ ? asks & ~gathering_ : asks, "a read is to be sent");
    const Expr whole = scatters_ ? ar & ~scattered_ : ar;
    read_taken_ = m_.let("read_taken", whole & axi_["arready"], "a load's only read is sent");
    Expr offset = block_.offset, size = block_.size;
    if (scatters_) {
      offset = mux(scattered_, number_of(chunk_), offset);
      size = mux(scattered_, lit(3, static_cast<std::uint64_t>(log2_of(p_.chunk_bytes))), size);
    }
    m_.assign(axi_["arid"], read_id_ ? rtl::zext(*read_id_, place_bits_) : lit(place_bits_, 0));
    m_.assign(axi_["araddr"], address_of(offset));
    m_.assign(axi_["arlen"], two_beats_ ? cat({lit(7, 0), block_.two & ~scattered_}) : lit(8, 0));
    m_.assign(axi_["arsize"], size);
    constants("ar");
    m_.assign(axi_["arvalid"], ar);
    if (!scatters_) {
      m_.assign(taken_, write_taken_ | read_taken_);
    } else {
      gathers_ = m_.let("gathers", gathering_ & r_taken_, "a chunk of a scattered load comes");
      gathered_all_ = m_.let("gathered_all", gathers_ & last_chunk_, "the last chunk of the line");
      m_.assign(taken_, write_taken_ | read_taken_ | gathered_all_);
      m_.clocked("A scattered load.", [&] {
        m_.when(ar & scattered_ & axi_["arready"], [&] { m_.set(gathering_, lit(1, 1)); });
        m_.when(gathers_, [&] {
          m_.set(gathering_, lit(1, 0));
          m_.set(gathered_, mux(last_chunk_, lit(chunks_, 0), gathered_ | chunk_));
        });
      });
    }
    m_.assign(request_.ready, taken_);
  }

  // The number of the one bit that is set.
  Expr number_of(const Expr& one_hot) const {
    std::vector<Expr> bits;
    for (int j = log2_of(chunks_); j-- > 0;) {
      std::vector<Expr> with;
      for (int c = chunks_; c-- > 0;)
        if (c >> j & 1) with.push_back(one_hot.bit(c));
      bits.push_back(with.size() == 1 ? with[0] : rtl::any(cat(with)));
    }
    return cat(bits);
  }

  void arrivals() {
    m_.section("Answers of the memory.");
    const Expr last = two_beats_ ? axi_["rlast"] : lit(1, 1);
    Expr place = two_beats_ ? oldest_read() : oldest_of_id();
    if (scatters_) place = mux(gathering_, spare_, place);
    r_place_ = place;
    const Expr whole = two_beats_ ? r_taken_ & last : r_taken_;
    const Expr done = scatters_ ? mux(gathering_, gathered_all_, whole) : whole;
    m_.clocked("The read stage.", [&] {
      m_.when(r_taken_, [&] { m_.set(read_place_, place); });
      m_.when(read_free_, [&] { m_.set(read_full_, done); });
      if (two_beats_) m_.when(r_taken_ & ~gathering_, [&] { m_.set(read_second_, ~last); });
    });
    read_data();
    m_.clocked("Errors.", [&] {
      m_.set(error_, (r_taken_ & axi_["rresp"].bit(1)) | (b_taken_ & axi_["bresp"].bit(1)) |
                         (taken_ & is_kind(m_, request_["kind"], RequestKind::atomic)));
    });
    m_.unused("unused_resp", cat({axi_["rresp"].bit(0), axi_["bresp"].bit(0)}), "bit 1 reports an error");
    m_.assign(axi_["error"], error_);
  }

  void read_data() {
    if (!scatters_) {
      m_.clocked("The line.", [&] { m_.when(r_taken_, [&] { m_.set(read_data_, axi_["rdata"]); }); });
      return;
    }
    Expr beat = axi_["rdata"], fresh = lit(chunks_, 0);
    if (two_beats_) {
      beat = m_.let("arriving", cat({beat, beat}), "the beat in both halves");
      fresh = cat({lit(chunks_ / 2, 0), replicate(chunks_ / 2, read_second_)});
    }
    const Expr kept = m_.let("kept", mux(gathering_, ~chunk_, fresh), "chunks that came before");
    m_.clocked("The line, chunk by chunk.", [&] {
      m_.when(r_taken_, [&] {
        m_.loop("chunk", chunks_, [&](const Expr& c) {
          m_.when(~kept.at(c),
                  [&] { m_.set(read_data_.part(c, 8 * p_.chunk_bytes), beat.part(c, 8 * p_.chunk_bytes)); });
        });
      });
    });
  }

  // Reads of one ID come back in order.
  Expr oldest_of_id() {
    if (!p_.check.ports) m_.unused("unused_rlast", axi_["rlast"], "each read has one beat");
    const int bits = axi_read_id_bits(p_);
    const Expr oldest = m_.wire("oldest_read", place_bits_, "entry of the oldest read of the ID that comes");
    m_.instance(axi4_read_order(p_), "order",
                {{"sent", read_taken_},
                 {"sent_id", *read_id_},
                 {"sent_place", spare_},
                 {"came", scatters_ ? r_taken_ & ~gathering_ : r_taken_},
                 {"came_id", axi_["rid"].slice(bits - 1, 0)},
                 {"came_place", oldest}},
                "The entries of reads, in the order in which the reads of each ID were sent.");
    if (bits < place_bits_ && !p_.check.ports)
      m_.unused("unused_rid", axi_["rid"].slice(place_bits_ - 1, bits), "0, as in what was sent");
    return oldest;
  }

  // Reads with one ID for all come back in order.
  Expr oldest_read() {
    if (!p_.check.ports) m_.unused("unused_rid", axi_["rid"], "all reads have the same");
    const Expr oldest = m_.wire("oldest_read", place_bits_, "entry of the oldest read on its way");
    const Expr not_full = m_.wire("order_not_full", 1, "never full: as many entries as requests");
    const Expr any = m_.wire("order_any", 1, "a read is on its way");
    m_.instance(fifo(p_.requests, place_bits_), "order",
                {{"in_valid", read_taken_},
                 {"in_ready", not_full},
                 {"in_data", spare_},
                 {"out_valid", any},
                 {"out_ready", r_taken_ & axi_["rlast"]},  // empty while a scattered load gathers
                 {"out_data", oldest}},
                "The entries of reads, in the order in which they were sent.");
    m_.unused("unused_order", cat({not_full, any}), "never full, and no R without a read");
    return oldest;
  }

  void checks() {
    m_.section("Checks that each answer belongs to a request.");
    const Expr code = m_.wire("protocol_code", protocol_code_bits, "rule that was broken first; 0 for none");
    rtl::Pins pins{{"write_sent", write_taken_},
                   {"read_sent", axi_["arvalid"] & axi_["arready"]},
                   {"sent_place", spare_},
                   {"b", b_taken_},
                   {"r", r_taken_},
                   {"code", code}};
    for (const auto* name : {"bid", "rid", "rlast"}) pins.emplace_back(name, axi_[name]);
    pins.emplace_back(read_id_ ? "read_id" : "read_two", read_id_ ? *read_id_ : axi_["arlen"].bit(0));
    if (p_.check.timeout) pins.emplace_back("r_place", r_place_);
    m_.instance(axi4_check(p_, m_.name() + "_check"), "answers", pins, "Responses against requests.");
    add_protocol_ports(m_, code);
  }

  const Axi4BridgeParams& p_;
  rtl::Module& m_;
  int chunks_, line_bits_, place_bits_;
  bool two_beats_;
  bool scatters_;  // one chunk or two are always a block
  rtl::Stream request_, response_;
  std::map<std::string, Expr> axi_;
  Axi4Block block_;
  Expr spare_, spare_valid_, taken_;
  Expr aw_done_, w_done_, w_second_, gathered_, gathering_, upper_;
  Expr read_full_, read_place_, read_data_, read_second_, read_free_;
  Expr ack_full_, ack_place_, turn_ack_, error_;
  Expr answer_place_, answered_, r_taken_, b_taken_, r_place_;
  std::optional<Expr> read_id_;  // where reads of several lines are on their way under IDs of their own
  Expr device_, writes_, own_line_, scattered_, chunk_, last_chunk_, goes_;
  Expr write_taken_, read_taken_, gathers_, gathered_all_;
};

}  // namespace

void check(const Axi4BridgeParams& p) {
  require_in(GeometryRanges::address_bits, "geometry.address_bits", p.address_bits,
             "use 32 unless the GPU's addresses are wider");
  require_in(GeometryRanges::line_bytes, "geometry.line_bytes", p.line_bytes,
             "use 128, the line of the reference cache");
  require_in(GeometryRanges::chunk_bytes, "geometry.chunk_bytes", p.chunk_bytes,
             "use 32, the chunk of the reference cache");
  require(p.chunk_bytes <= p.line_bytes, "geometry.chunk_bytes", p.chunk_bytes,
          fmt::format("is more than a line of {} bytes", p.line_bytes), "use smaller chunks or longer lines");
  require_in(Axi4Ranges::id_bits, "axi4.id_bits", p.id_bits, "use as many as the cache's memory side has");
  require_in(Axi4Ranges::requests, "axi4.requests", p.requests, "use 16, or more for a distant memory");
  check(p.check);
}

rtl::Module axi4_bridge(const Axi4BridgeParams& p, const std::string& name) {
  check(p);
  rtl::Module m(name, fmt::format("Bridge from the memory side of a cache with lines of {} bytes to AXI4, {} "
                                  "requests on their way, those of one line in order.",
                                  p.line_bytes, p.requests));
  Builder(p, m).run();
  return m;
}

}  // namespace hw
