// Lock step of the adapter of an AXI4 bus and its reference model, with the rules of streams, and properties
// that do not come from the model (axi4_scoreboard.h).
#pragma once
#include "cosim/bus/axi4_core_ports.h"
#include "cosim/bus/axi4_scoreboard.h"
#include "cosim/bus/axi4_stimulus_core.h"
#include "cosim/harness/stream_monitor.h"
#include "cosim/noc/dc_ports.h"

namespace verif {

template <class Dut, hw::Axi4AdapterParams P, class Ports>
class Axi4AdapterBench {
 public:
  using Unit = golden::Axi4Adapter;
  using Message = golden::Message;
  struct Inputs {
    bool rst = false;
    Unit::In in = {};
  };
  struct Alone {
    Unit golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      in.rst ? golden.reset() : golden.edge(in.in);
      kept += golden.read_slot_free();
    }
  };

  Inputs draw(std::mt19937_64& draw) {
    draw_.seed(draw());
    if (left_-- == 0) plan();
    Inputs drawn{.rst = below(20'000) == 0};
    core_.offer(draw_);
    if (!response_ && !at_cache_.empty() && often(answers_)) response_ = answer();
    drawn.in = {.ar = core_.ar(),
                .aw = core_.aw(),
                .w = core_.w(),
                .r_ready = often(core_takes_),
                .b_ready = often(core_takes_),
                .core_request_ready = often(cache_takes_),
                .core_response = response_};
    return drawn;
  }

  static void drive(Dut& d, const Inputs& inputs) {
    drive_axi4_core(d, inputs.in, P.data_bytes);
    Ports::core_response(d, as_response)
        .drive(inputs.in.core_response ? &*inputs.in.core_response : nullptr, P.line_bytes);
    d.core_request_ready = inputs.in.core_request_ready;
  }

  static std::string words(const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    std::string text;
    const auto burst = [&](const char* channel, const std::optional<golden::Axi4Burst>& b) {
      if (b)
        text += fmt::format("{} {:x} id {} len {} size {} type {} cache {}, ", channel, b->address, b->id,
                            b->length, b->size, b->type, b->cache);
    };
    burst("ar", in.ar), burst("aw", in.aw);
    if (in.w) text += fmt::format("w {:x}{}, ", in.w->strobe, in.w->last ? " last" : "");
    if (in.core_response) text += fmt::format("cache answers {}, ", in.core_response->id);
    return text +
           fmt::format("ready: cache {:d}, r {:d}, b {:d}", in.core_request_ready, in.r_ready, in.b_ready);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& inputs) {
    if (inputs.rst) {
      scoreboard_.reset(), requests_seen_.reset(), r_seen_.reset(), b_seen_.reset();
      return {};
    }
    const Unit::In& in = inputs.in;
    probe(dut, inputs);
    const Unit::Out want = golden_.outputs(in), got = shown(dut);
    shown_ = dut.core_request_valid;
    if (!axi4_outcomes_known(dut)) return Difference{"s_axi_bresp or s_axi_rresp", 1, 0};
    if (const auto d = rules(in, got)) return d;
    if (const auto d = same(in, got, want)) return d;
    const std::string wrong = owed(in, got);
    return wrong.empty() ? std::nullopt : std::optional(Difference{wrong, 1, 0});
  }

  void edge(const Inputs& inputs) {
    see(inputs);
    if (inputs.rst) {
      golden_.reset();
      core_.reset();
      response_.reset(), at_cache_.clear();
      return;
    }
    const Unit::Out out = golden_.outputs(inputs.in);
    response_.reset();  // always taken
    if (out.core_request && inputs.in.core_request_ready) at_cache_.push_back(*out.core_request);
    core_.edge(inputs.in, out);
    golden_.edge(inputs.in);
  }

  void add_golden(Waves& waves) { waves.add_golden("core_request_valid", 1, &shown_); }

  Goals goals() {
    seen_["each read slot taken"] = read_slots_.all();
    seen_["each write slot taken"] = write_slots_.all();
    seen_["each word of a line written"] = written_.all();
    seen_["each word of a line read"] = read_.all();
    seen_["each size read"] = sizes_read_.all();
    seen_["each size written"] = sizes_written_.all();
    return seen_;
  }

 private:
  static constexpr int sizes = std::countr_zero(static_cast<unsigned>(P.data_bytes)) + 1;
  static constexpr std::uint64_t write_bit = P.reads > P.writes ? P.reads : P.writes;

  std::uint64_t below(std::uint64_t n) { return draw_() % n; }
  bool often(unsigned rate) { return below(256) < rate; }

  void plan() {
    static constexpr std::array<unsigned, 5> rates{16, 64, 128, 240, 256};
    left_ = 60 + static_cast<int>(below(300));
    for (unsigned* rate : {&cache_takes_, &core_takes_, &answers_}) *rate = rates[below(rates.size())];
    in_turn_ = below(3) == 0;
    core_.plan(draw_);
  }

  // The cache answers in any order, or in turn.
  Message answer() {
    const auto at = at_cache_.begin() + static_cast<std::ptrdiff_t>(in_turn_ ? 0 : below(at_cache_.size()));
    const Message asked = *at;
    at_cache_.erase(at);
    const bool writes =
        asked.kind == golden::RequestKind::store || golden::has_byte_enable(asked.byte_enable);
    Message m{.id = asked.id, .mask = writes ? 0 : asked.mask};
    for (int w = 0; w < P.line_bytes / 8; ++w) m.data[static_cast<std::size_t>(w)] = draw_();
    return m;
  }

  static Unit::Out shown(Dut& d) {
    Unit::Out out;
    shown_to_axi4_core(d, out, P.data_bytes);
    out.core_response_ready = d.core_response_ready != 0;
    out.core_request = Ports::core_request(d, as_request).shown(P.line_bytes);
    // Bytes that a request does not write have no meaning, and follow the channel W.
    for (std::size_t b = 0; out.core_request && b < static_cast<std::size_t>(P.line_bytes); ++b)
      if (!(out.core_request->byte_enable[b / 64] >> b % 64 & 1))
        out.core_request->data[b / 8] &= ~(std::uint64_t{0xff} << b % 8 * 8);
    return out;
  }

  // What it offers does not depend on ready.
  void probe(Dut& d, const Inputs& inputs) {
    Inputs other = inputs;
    other.in.core_request_ready = !other.in.core_request_ready;
    other.in.r_ready = !other.in.r_ready, other.in.b_ready = !other.in.b_ready;
    drive(d, other);
    d.eval();
    const Unit::Out s = shown(d);
    requests_seen_.probe(s.core_request.has_value(), s.core_request.value_or(Message{}));
    r_seen_.probe(s.r.has_value(), s.r.value_or(golden::Axi4Answered{}));
    b_seen_.probe(s.b.has_value(), s.b.value_or(golden::Axi4Answered{}));
    drive(d, inputs);
    d.eval();
  }

  std::optional<Difference> rules(const Unit::In& in, const Unit::Out& got) {
    std::string rule = requests_seen_.cycle(got.core_request.has_value(), in.core_request_ready,
                                            got.core_request.value_or(Message{}));
    if (!rule.empty()) return Difference{"core_request: " + rule + "; broken rules", 1, 0};
    rule = r_seen_.cycle(got.r.has_value(), in.r_ready, got.r.value_or(golden::Axi4Answered{}));
    if (!rule.empty()) return Difference{"s_axi_r: " + rule + "; broken rules", 1, 0};
    rule = b_seen_.cycle(got.b.has_value(), in.b_ready, got.b.value_or(golden::Axi4Answered{}));
    if (!rule.empty()) return Difference{"s_axi_b: " + rule + "; broken rules", 1, 0};
    return {};
  }

  // wready counts where there is something to take.
  std::optional<Difference> same(const Unit::In& in, const Unit::Out& got, const Unit::Out& want) const {
    if (got.ar_ready != want.ar_ready) return Difference{"s_axi_arready", got.ar_ready, want.ar_ready};
    if (got.aw_ready != want.aw_ready) return Difference{"s_axi_awready", got.aw_ready, want.aw_ready};
    if (in.w && got.w_ready != want.w_ready) return Difference{"s_axi_wready", got.w_ready, want.w_ready};
    if (got.core_response_ready != want.core_response_ready)
      return Difference{"core_response_ready", got.core_response_ready, want.core_response_ready};
    if (const auto d = axi4_difference("r", got.r, want.r, ~std::uint64_t{0})) return d;
    if (const auto d = axi4_difference("b", got.b, want.b, 0)) return d;
    return stream_difference("core_request", got.core_request,
                             want.core_request ? &*want.core_request : nullptr, true, P.line_bytes,
                             P.chunk_bytes);
  }

  // In the order in which a cycle may depend on itself: what leaves, answers, requests, bursts.
  std::string owed(const Unit::In& in, const Unit::Out& got) {
    std::string wrong;
    const auto then = [&](const std::string& more) {
      if (wrong.empty()) wrong = more;
    };
    if (got.r && in.r_ready) then(scoreboard_.read_answer(*got.r));
    if (got.b && in.b_ready) then(scoreboard_.write_answer(*got.b));
    if (in.core_response) then(scoreboard_.answer(*in.core_response));
    const bool taken = got.core_request && in.core_request_ready;
    const bool writes = taken && got.core_request->id / write_bit != 0;
    if (in.w && got.w_ready) then(scoreboard_.write_beat(*in.w, writes ? &*got.core_request : nullptr));
    if (writes && !(in.w && got.w_ready)) then("a write without data");
    if (taken && !writes) then(scoreboard_.read_request(*got.core_request));
    if (in.ar && got.ar_ready) scoreboard_.read(*in.ar);
    if (in.aw && got.aw_ready) scoreboard_.write(*in.aw);
    return wrong;
  }

  void see(const Inputs& inputs) {
    seen_["reset"] += inputs.rst;
    if (inputs.rst) return;
    const Unit::In& in = inputs.in;
    const Unit::Out out = golden_.outputs(in);
    seen_["no read slot is free"] += !golden_.read_slot_free();
    seen_["no write slot is free"] += !golden_.write_slot_free();
    seen_["a read and a write want the cache"] += golden_.both_want(in);
    seen_["answers of reads wait for an older one"] += golden_.waiting() >= P.reads / 2;
    seen_["a beat of R waits for the core"] += out.r && !in.r_ready;
    seen_["a response waits for the core"] += out.b && !in.b_ready;
    seen_["a refused read is answered"] += out.r && out.r->refused;
    seen_["a refused write is answered"] += out.b && out.b->refused;
    seen_["write data before its burst"] += in.w && !out.w_ready && out.aw_ready && in.core_request_ready;
    seen_["a burst follows in the last beat's cycle"] +=
        in.ar && out.ar_ready && out.core_request && out.core_request->id / write_bit == 0;
    if (in.ar && out.ar_ready) see(*in.ar, sizes_read_, "read");
    if (in.aw && out.aw_ready) see(*in.aw, sizes_written_, "write");
    if (!out.core_request || !in.core_request_ready) return;
    const Message& m = *out.core_request;
    const bool writes = m.id / write_bit != 0;
    const std::size_t word =
        m.address % static_cast<unsigned>(P.line_bytes) / static_cast<unsigned>(P.data_bytes);
    if (writes) {
      write_slots_.set(m.id % write_bit), written_.set(word);
      seen_["a write of no byte"] += in.w->strobe == 0;
    } else {
      read_slots_.set(m.id), read_.set(word);
    }
    if constexpr (P.cacheable == hw::Axi4Cacheable::attributes) {
      const bool device = m.kind == golden::RequestKind::non_l1;
      seen_["a read past the cache"] += device && !writes;
      seen_["a write past the cache"] += device && writes;
    }
  }
  void see(const golden::Axi4Burst& b, std::bitset<sizes>& seen, const std::string& what) {
    if (Unit::refuses(b, P.data_bytes)) {
      seen_["a " + what + " burst with beats larger than the bus"] += (1 << b.size) > P.data_bytes;
      seen_["a " + what + " burst of the reserved type"] += b.type == 3;
      seen_["a " + what + " WRAP of another length"] += b.type == 2;
      return;
    }
    seen.set(static_cast<std::size_t>(b.size));
    seen_["a " + what + " FIXED of several beats"] += b.type == 0 && b.length > 0;
    seen_["a " + what + " INCR of more than 16 beats"] += b.type == 1 && b.length > 15;
    seen_["a " + what + " INCR that begins within a beat"] +=
        b.type == 1 && b.length > 0 && b.address % (std::uint64_t{1} << b.size) != 0;
    seen_["a " + what + " WRAP from the middle"] +=
        b.type == 2 && (b.address >> b.size) % static_cast<std::uint64_t>(b.length + 1) != 0;
  }

  Unit golden_{P};
  Axi4Scoreboard scoreboard_{P};
  Axi4StimulusCore core_{P};
  StreamMonitor<Message> requests_seen_;
  StreamMonitor<golden::Axi4Answered> r_seen_, b_seen_;
  std::mt19937_64 draw_;
  int left_ = 0;
  std::optional<Message> response_;
  std::vector<Message> at_cache_;
  unsigned cache_takes_ = 128, core_takes_ = 128, answers_ = 128;
  bool in_turn_ = false;
  std::uint64_t shown_ = 0;
  std::bitset<P.reads> read_slots_;
  std::bitset<P.writes> write_slots_;
  std::bitset<hw::words_of_line(P)> written_, read_;
  std::bitset<sizes> sizes_read_, sizes_written_;
  Goals seen_{{"reset", 0}};
};

}  // namespace verif
