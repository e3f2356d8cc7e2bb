// Lock step of the adapter of a TileLink bus and its reference model, with the rules of streams, and
// properties that do not come from the model (tilelink_scoreboard.h).
#pragma once
#include <set>

#include "cosim/bus/tilelink_ports.h"
#include "cosim/bus/tilelink_scoreboard.h"
#include "cosim/harness/stream_monitor.h"
#include "cosim/noc/dc_ports.h"

namespace verif {

template <class Dut, hw::TilelinkAdapterParams P, class Ports>
class TilelinkAdapterBench {
 public:
  using Unit = golden::TilelinkAdapter;
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
      kept += golden.slot_free();
    }
  };

  Inputs draw(std::mt19937_64& draw) {
    draw_.seed(draw());
    if (left_-- == 0) plan();
    const bool within = golden_.a_beat() > 0 || golden_.d_beat() > 0;
    Inputs drawn{.rst = below(within ? 1'000 : 2'000) == 0};
    if (coming_.empty()) coming_ = request();
    if (!offered_ && !coming_.empty() && often(requests_)) {
      offered_ = coming_.front();
      coming_.pop_front();
    }
    if (!response_ && !at_cache_.empty() && often(answers_)) response_ = answer();
    drawn.in = {.a = offered_,
                .core_request_ready = often(cache_takes_),
                .d_ready = often(core_takes_),
                .core_response = response_};
    return drawn;
  }

  static void drive(Dut& d, const Inputs& inputs) {
    Ports::a(d, as_tilelink_a).drive(inputs.in.a, P.data_bytes);
    Ports::core_response(d, as_response)
        .drive(inputs.in.core_response ? &*inputs.in.core_response : nullptr, P.line_bytes);
    d.core_request_ready = inputs.in.core_request_ready, d.d_ready = inputs.in.d_ready;
  }

  static std::string words(const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    std::string text = in.a ? fmt::format("opcode {} of {:x}, size {}, source {:x}, mask {:x}{}, ",
                                          in.a->opcode, in.a->address, in.a->size, in.a->source, in.a->mask,
                                          in.a->corrupt ? ", corrupt" : "")
                            : "-, ";
    if (in.core_response) text += fmt::format("cache answers {}, ", in.core_response->id);
    return text + fmt::format("ready: cache {:d}, core {:d}", in.core_request_ready, in.d_ready);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& inputs) {
    if (inputs.rst) {
      scoreboard_.reset(), requests_seen_.reset(), answers_seen_.reset();
      return {};
    }
    const Unit::In& in = inputs.in;
    probe(dut, inputs);
    const Unit::Out want = golden_.outputs(in), got = shown(dut);
    shown_ = dut.core_request_valid;
    if (dut.d_valid && (dut.d_param || dut.d_sink)) return Difference{"d_param or d_sink", 1, 0};
    if (const auto d = rules(in, got)) return d;
    if (const auto d = same(in, got, want)) return d;
    std::string wrong;
    if (got.d && in.d_ready)
      wrong = scoreboard_.answered(*got.d, in.core_response ? &*in.core_response : nullptr,
                                   in.core_response && got.core_response_ready);
    if (wrong.empty() && in.a && got.a_ready)
      wrong = scoreboard_.taken(*in.a, got.core_request ? &*got.core_request : nullptr);
    return wrong.empty() ? std::nullopt : std::optional(Difference{wrong, 1, 0});
  }

  void edge(const Inputs& inputs) {
    see(inputs);
    if (inputs.rst) {
      golden_.reset();
      offered_.reset(), response_.reset();
      coming_.clear(), at_cache_.clear(), sources_.clear();
      return;
    }
    const Unit::Out out = golden_.outputs(inputs.in);
    if (out.d && inputs.in.d_ready && golden_.d_beat() == 0) {
      freed_ = out.d->source;
      sources_.erase(freed_);
    }
    if (out.core_response_ready) response_.reset();
    if (inputs.in.a && out.a_ready) {
      if (out.core_request) at_cache_.push_back(*out.core_request);
      offered_.reset();
    }
    golden_.edge(inputs.in);
  }

  void add_golden(Waves& waves) { waves.add_golden("core_request_valid", 1, &shown_); }

  Goals goals() {
    seen_["each slot taken"] = slots_.all();
    seen_["each word of a line written"] = written_.all();
    seen_["each word of a line read"] = read_.all();
    seen_["each size read"] = sizes_read_.all();
    seen_["each size written"] = sizes_written_.all();
    seen_["each size of an atomic"] = sizes_refused_.all();
    return seen_;
  }

 private:
  static constexpr bool bursts = hw::most_beats(P) > 1;
  static constexpr int largest = std::countr_zero(static_cast<unsigned>(hw::largest_message(P)));

  std::uint64_t below(std::uint64_t n) { return draw_() % n; }
  bool often(unsigned rate) { return below(256) < rate; }

  void plan() {
    static constexpr std::array<unsigned, 5> rates{16, 64, 128, 240, 256};
    left_ = 60 + static_cast<int>(below(300)) * (1 + hw::most_beats(P) / 8);
    for (unsigned* rate : {&requests_, &cache_takes_, &core_takes_, &answers_})
      *rate = rates[below(rates.size())];
    refused_ = std::array{0u, 8u, 128u}[below(3)];
    large_ = std::array{0u, 128u, 240u}[below(3)];
  }

  // Of a size, aligned. Sources that are free.
  std::deque<golden::TilelinkA> request() {
    golden::TilelinkA a{.opcode = std::array{0, 1, 4}[below(3)], .param = static_cast<int>(below(8))};
    a.source = bursts && below(4) == 0 ? freed_ : draw_() >> (64 - P.source_bits);
    if (!sources_.insert(a.source).second) return {};
    const bool refused = often(refused_);
    if (refused) a.opcode = std::array{2, 3, 5, 6, 7, 0, 1}[below(7)];
    a.size = often(large_) ? largest : static_cast<int>(below(static_cast<unsigned>(largest + 1)));
    a.address = (draw_() >> (64 - P.address_bits)) >> a.size << a.size;
    auto beats = drawn_beats(P, a, draw_, 4);
    const bool write = a.opcode < 2;
    // It has no meaning in a message without data.
    if (write ? refused : below(8) == 0) beats[below(beats.size())].corrupt = true;
    return beats;
  }

  Message answer() {
    const auto at = at_cache_.begin() + static_cast<std::ptrdiff_t>(below(at_cache_.size()));
    const Message asked = *at;
    at_cache_.erase(at);
    const bool writes =
        asked.kind == golden::RequestKind::store || golden::has_byte_enable(asked.byte_enable);
    Message m{.id = asked.id, .mask = writes ? 0 : asked.mask};
    for (int w = 0; w < P.line_bytes / 8; ++w) m.data[static_cast<std::size_t>(w)] = draw_();
    return m;
  }

  // Data of answers without valid data have no meaning.
  static Unit::Out shown(Dut& d) {
    Unit::Out out{.a_ready = d.a_ready != 0,
                  .core_response_ready = d.core_response_ready != 0,
                  .core_request = Ports::core_request(d, as_request).shown(P.line_bytes),
                  .d = Ports::d(d, as_tilelink_d).shown(P.data_bytes)};
    if (out.d && (out.d->opcode != 1 || out.d->corrupt)) out.d->data = {};
    return out;
  }

  // What it offers does not depend on ready.
  void probe(Dut& d, const Inputs& inputs) {
    Inputs other = inputs;
    other.in.core_request_ready = !other.in.core_request_ready;
    other.in.d_ready = !other.in.d_ready;
    drive(d, other);
    d.eval();
    const Unit::Out s = shown(d);
    requests_seen_.probe(s.core_request.has_value(), s.core_request.value_or(Message{}));
    answers_seen_.probe(s.d.has_value(), s.d.value_or(golden::TilelinkD{}));
    drive(d, inputs);
    d.eval();
  }

  std::optional<Difference> rules(const Unit::In& in, const Unit::Out& got) {
    std::string rule = requests_seen_.cycle(got.core_request.has_value(), in.core_request_ready,
                                            got.core_request.value_or(Message{}));
    if (!rule.empty()) return Difference{"core_request: " + rule + "; broken rules", 1, 0};
    rule = answers_seen_.cycle(got.d.has_value(), in.d_ready, got.d.value_or(golden::TilelinkD{}));
    if (!rule.empty()) return Difference{"d: " + rule + "; broken rules", 1, 0};
    return {};
  }

  // A ready counts where there is something to take.
  static std::optional<Difference> same(const Unit::In& in, const Unit::Out& got, const Unit::Out& want) {
    if (in.a && got.a_ready != want.a_ready) return Difference{"a_ready", got.a_ready, want.a_ready};
    if (in.core_response && got.core_response_ready != want.core_response_ready)
      return Difference{"core_response_ready", got.core_response_ready, want.core_response_ready};
    if (const auto d = tilelink_difference(got.d, want.d, P.data_bytes)) return d;
    return stream_difference("core_request", got.core_request,
                             want.core_request ? &*want.core_request : nullptr, true, P.line_bytes,
                             P.chunk_bytes);
  }

  void see(const Inputs& inputs) {
    seen_["reset"] += inputs.rst;
    if constexpr (bursts) {
      seen_["a reset within a burst on A"] += inputs.rst && golden_.a_beat() > 0;
      seen_["a reset within a burst on D"] += inputs.rst && golden_.d_beat() > 0;
    }
    if (inputs.rst) return;
    const Unit::In& in = inputs.in;
    const Unit::Out out = golden_.outputs(in);
    if (out.core_request && in.core_request_ready) slots_.set(out.core_request->id);
    seen_["no slot is free"] += in.a && !golden_.slot_free();
    seen_["an answer waits for the core"] += out.d && !in.d_ready;
    seen_["a refusal and an answer"] += golden_.denies() && in.core_response;
    seen_["a refusal goes before an answer"] += out.d && out.d->denied && in.core_response;
    seen_["a refusal waits for the core"] += out.d && out.d->denied && !in.d_ready;
    if constexpr (bursts) see_bursts(in, out);
    if (!in.a) return;
    const bool whole = golden_.completes(*in.a), refused = whole && golden_.refuses(*in.a);
    seen_["a second refusal waits"] += refused && golden_.denies();
    if (out.a_ready) see(*in.a, whole, refused, out);
  }

  // A beat that is taken.
  void see(const golden::TilelinkA& a, bool whole, bool refused, const Unit::Out& out) {
    constexpr auto line = static_cast<unsigned>(P.line_bytes), word = static_cast<unsigned>(P.data_bytes);
    const std::size_t place = a.address % line / word + static_cast<unsigned>(golden_.a_beat());
    const auto size = static_cast<std::size_t>(a.size);
    const bool write = a.opcode < 2;
    if (write && a.mask) written_.set(place);
    seen_["a corrupt write"] += write && refused;
    if (!whole) return;
    for (int n = 0; a.opcode == 4 && n < tilelink_words(P, a.size); ++n)
      read_.set(place + static_cast<unsigned>(n));
    if (a.opcode == 4) sizes_read_.set(size);
    if (a.opcode == 2 || a.opcode == 3) sizes_refused_.set(size);
    if (write && !refused) sizes_written_.set(size);
    const bool empty = out.core_request && write && !golden::has_byte_enable(out.core_request->byte_enable);
    seen_["a read"] += a.opcode == 4;
    seen_["a full write"] += a.opcode == 0 && !refused;
    seen_["a partial write"] += a.opcode == 1 && !refused;
    seen_["a write of no byte"] += empty;
    seen_["an atomic"] += a.opcode == 2 || a.opcode == 3;
    seen_["a hint"] += a.opcode == 5;
    if constexpr (bursts) {
      seen_["a burst that writes no byte"] += empty && golden_.a_beat() > 0;
      seen_["a burst that is corrupt before its last beat alone"] += write && refused && !a.corrupt;
    }
    if constexpr (P.devices != hw::DeviceHalf::none) {
      const bool device = out.core_request && out.core_request->kind == golden::RequestKind::non_l1;
      seen_["a device is read"] += device && a.opcode == 4;
      seen_["a device is written"] += device && a.opcode != 4;
    }
  }

  void see_bursts(const Unit::In& in, const Unit::Out& out) {
    const bool within = golden_.d_beat() > 0;
    seen_["channel D waits within a burst"] += within && !in.d_ready;
    seen_["a refusal waits behind a burst"] += within && golden_.denies() && !out.d->denied;
    seen_["an answer waits behind a refused burst"] += within && out.d->denied && in.core_response;
    seen_["a refused burst waits within"] += within && out.d->denied && !in.d_ready;
    const bool again = in.a && within && golden_.a_beat() == 0 && in.a->source == out.d->source;
    seen_["a source is used again within its answer"] += again;
    if (golden_.a_beat() == 0) return;
    seen_["channel A pauses within a burst"] += !in.a;
    if (!in.a) return;
    const bool whole = golden_.completes(*in.a), middle = !whole && in.a->opcode < 2;
    seen_["the last beat waits for the cache"] += out.core_request && !in.core_request_ready;
    seen_["the last beat waits for a slot"] += whole && !golden_.refuses(*in.a) && !golden_.slot_free();
    seen_["the last beat of a refused message waits"] += whole && golden_.refuses(*in.a) && golden_.denies();
    seen_["a beat without a byte between others"] += in.a->opcode == 1 && in.a->mask == 0;
    if constexpr (hw::most_beats(P) > 2) seen_["a corrupt beat in the middle"] += middle && in.a->corrupt;
  }

  Unit golden_{P};
  TilelinkScoreboard scoreboard_{P};
  StreamMonitor<Message> requests_seen_;
  StreamMonitor<golden::TilelinkD> answers_seen_;
  std::mt19937_64 draw_;
  int left_ = 0;
  std::optional<golden::TilelinkA> offered_;
  std::deque<golden::TilelinkA> coming_;  // beats behind it
  std::optional<Message> response_;
  std::vector<Message> at_cache_;
  std::set<std::uint64_t> sources_;
  std::uint64_t freed_ = 0;  // the source of the latest answer
  unsigned requests_ = 128, cache_takes_ = 128, core_takes_ = 128, answers_ = 128, refused_ = 8, large_ = 128;
  std::uint64_t shown_ = 0;
  std::bitset<P.requests> slots_;
  std::bitset<hw::words_of_line(P)> written_, read_;
  std::bitset<largest + 1> sizes_read_, sizes_written_, sizes_refused_;
  Goals seen_{{"reset", 0}};
};

}  // namespace verif
