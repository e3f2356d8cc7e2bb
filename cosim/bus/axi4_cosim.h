// Lock step of the AXI4 bridge and its reference model against a memory that reorders, with the rules of AXI4
// and of streams, and properties that do not come from the model: each request is answered once, each load
// with the bytes that the requests before it left, reads of a line that another master writes never with
// older bytes than a read before them, and devices are read nowhere but where they were asked.
#pragma once
#include "cosim/bus/axi4_faults.h"
#include "cosim/bus/axi4_open_requests.h"
#include "cosim/bus/axi4_side.h"
#include "golden/bus/axi4_bridge.h"

namespace verif {

template <class Dut, hw::Axi4BridgeParams P>
class Axi4Bench {
 public:
  static constexpr int chunks = hw::chunks_of_line(P), beat = hw::beat_bytes(P);
  using Kind = golden::RequestKind;

  using Request = Axi4Request;
  struct Inputs {
    bool rst = false;
    std::optional<Request> request;
    bool response_ready = false;
    Axi4Drives axi;
  };
  struct Alone {
    golden::Axi4Bridge golden{P};
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.outputs(as_golden(in)).request_ready;
      golden.edge(as_golden(in));
    }
  };

  Inputs draw(std::mt19937_64& draw) {
    if (faults_.running()) return behind_a_fault();
    if (phase_.next(draw)) new_phase(draw);
    Inputs in{.rst = once_in(draw, 8000)};
    if (!waiting_ && once_in(draw, idle_)) waiting_ = requests_.next(draw, open_);
    side_.memory().next(draw);
    if (once_in(draw, 4)) side_.memory().other_master_writes(P.line_bytes, draw);
    side_.seed(draw());
    if (in.rst) return in;
    in.request = waiting_;
    in.response_ready = draw() % 8 >= stall_;
    in.axi = side_.next(draw);
    if constexpr (P.check.ports) faults_.alter(in.axi, draw, *golden_.check());
    return in;
  }

  static void drive(Dut& d, const Inputs& in) {
    d.memory_request_valid = in.request.has_value();
    if (in.request) {
      const Request& q = *in.request;
      put(d.memory_request_id, std::bitset<64>(q.id));
      d.memory_request_kind = static_cast<std::uint8_t>(q.kind);
      put(d.memory_request_address, std::bitset<64>(q.address));
      put(d.memory_request_mask, std::bitset<32>(q.mask));
      put_words(d.memory_request_byte_enable, q.enable, P.line_bytes);
      put_words(d.memory_request_data, q.data, 8 * P.line_bytes);
    }
    d.memory_response_ready = in.response_ready;
    in.axi.to(d, beat);
  }

  static std::string words_of_request(const Request& q) {
    return fmt::format("request {} kind {} {:#x} mask {:#x}{}, ", q.id, static_cast<int>(q.kind), q.address,
                       q.mask, q.writes() ? " writes" : "");
  }

  static std::string words(const Inputs& in) {
    std::string text = in.request ? words_of_request(*in.request) : "";
    return text + in.axi.words(in.response_ready);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    if (in.rst) {
      forget();
      return faults_.reset(code_of(dut));
    }
    if (faults_.running()) {
      shown_ = axi4_shown(dut, beat);
      response_ = response_of(dut);
      request_ready_ = dut.memory_request_ready;
      return as_the_model(dut, in);
    }
    probe(dut, in);
    shown_ = axi4_shown(dut, beat);
    response_ = response_of(dut);
    request_ready_ = dut.memory_request_ready;
    if (const auto rule = side_.broken(shown_, in.axi); !rule.empty())
      return Difference{rule + "; broken rules", 1, 0};
    const Answer answer = response_.value_or(Answer{});
    if (const auto rule = answers_.cycle(response_.has_value(), in.response_ready, answer); !rule.empty())
      return Difference{"memory_response: " + rule + "; broken rules", 1, 0};
    if (const auto d = devices(in)) return d;
    if (const auto d = open_.cycle(response_ && in.response_ready ? &*response_ : nullptr,
                                   in.request && request_ready_ ? &*in.request : nullptr))
      return d;
    return as_the_model(dut, in);
  }

  void edge(const Inputs& in) {
    if (in.rst || faults_.running()) {
      seen_["reset"] += in.rst;
      golden_.edge(as_golden(in));
      faults_.edge(in.axi, shown_);
      return;
    }
    count(in);
    faults_.edge(in.axi, shown_);
    side_.edge(shown_, in.axi);
    if (in.request && request_ready_) waiting_.reset();
    golden_.edge(as_golden(in));
    in_use_ = static_cast<std::uint64_t>(golden_.in_use());
  }

  void add_golden(Waves& waves) { waves.add_golden("in_use", 8, &in_use_); }

  Goals goals() {
    // Fewer ids than entries never fill the table.
    if constexpr (P.id_bits > 6 || 1 << P.id_bits >= P.requests)
      for (const auto& [goal, places] : {std::pair("each place taken by a read", &read_places_),
                                         std::pair("each place taken by a write", &written_places_),
                                         std::pair("each place free again", &freed_places_)})
        seen_[goal] = places->all();
    seen_["an answer overtakes an older one"] = side_.reordered();
    seen_["another master writes a line that is read"] = side_.others();
    if constexpr (P.check.ports) faults_.goals(seen_);
    return seen_;
  }

 private:
  using Answer = Axi4Answer;
  static std::uint64_t code_of([[maybe_unused]] const Dut& dut) {
    if constexpr (P.check.ports) return dut.protocol_error_code;
    return 0;
  }

  // Nothing new begins up to the reset.
  Inputs behind_a_fault() {
    if (faults_.ends()) return {.rst = true};
    return {.request = waiting_, .response_ready = true, .axi = faults_.drives(*golden_.check())};
  }

  static golden::Axi4In as_golden(const Inputs& in) {
    golden::Axi4In g{.rst = in.rst, .response_ready = in.response_ready};
    if (in.request) {
      g.request_valid = true;
      g.request_id = in.request->id, g.request_kind = in.request->kind;
      g.request_address = in.request->address, g.request_mask = in.request->mask;
      g.request_byte_enable = &in.request->enable, g.request_data = &in.request->data;
    }
    in.axi.to(g);
    return g;
  }

  void new_phase(std::mt19937_64& draw) {
    idle_ = std::array{1, 1, 2, 8}[draw() % 4];
    stall_ = std::array{0, 1, 4, 7}[draw() % 4];
    side_.new_phase(draw);
    requests_.new_phase(draw);
  }

  std::optional<Answer> response_of(const Dut& d) const {
    if (!d.memory_response_valid) return {};
    return Answer::of(d.memory_response_id, d.memory_response_mask, d.memory_response_data, P.line_bytes,
                      P.chunk_bytes);
  }

  // Looks at the outputs with the ready of memory_response, then with all AXI4 inputs, the other way.
  void probe(Dut& dut, const Inputs& in) {
    dut.memory_response_ready = !in.response_ready;
    dut.eval();
    const auto answer = response_of(dut);
    answers_.probe(answer.has_value(), answer.value_or(Answer{}));
    dut.memory_response_ready = in.response_ready;
    side_.probe(dut, in.axi);
    drive(dut, in);
    dut.eval();
  }

  // A read of devices touches the requested chunks, and nothing else.
  std::optional<Difference> devices(const Inputs& in) const {
    const Axi4Channel& a = shown_.ar;
    if (!a.valid || !in.request || in.request->kind != Kind::non_l1) return {};
    for (std::uint64_t at = a.address; at < a.address + ((a.length + 1ull) << a.size); at += P.chunk_bytes)
      if (at / P.line_bytes != in.request->address / P.line_bytes ||
          !(in.request->mask >> at % P.line_bytes / P.chunk_bytes & 1))
        return Difference{"address that is read of a device", at, in.request->address};
    return {};
  }

  std::optional<Difference> as_the_model(Dut& dut, const Inputs& in) const {
    const golden::Axi4Out want = golden_.outputs(as_golden(in));
    if constexpr (P.check.ports)
      if (const auto d = axi4_protocol_difference(dut, want)) return d;
    if (want.undefined) return faults_.undefined();
    const std::pair<const char*, std::pair<std::uint64_t, std::uint64_t>> flags[] = {
        {"memory_request_ready", {request_ready_, want.request_ready}},
        {"memory_response_valid", {response_.has_value(), want.response_valid}}};
    for (const auto& [name, values] : flags)
      if (values.first != values.second) return Difference{name, values.first, values.second};
    if (const auto d = axi4_difference(shown_, dut.axi_error, want, beat)) return d;
    if (!response_) return {};
    return response_->from(want.response_id, want.response_mask, *want.response_data, "memory_response",
                           P.chunk_bytes);
  }

  void count(const Inputs& in) {
    count_channels(in);
    const golden::Axi4In g = as_golden(in);
    const bool scattered = in.request && golden_.scattered(g), held = golden_.held(g);
    bool read = false, write = false;
    look_at_places();
    for (const auto& place : golden_.places()) {
      if (!place || !in.request || place->line != in.request->address / P.line_bytes) continue;
      (place->write ? write : read) = true;
    }
    if (in.request) {
      seen_["a read waits for a write of its line"] += held && !scattered && !in.request->writes();
      seen_["a write waits for a read of its line"] += held && in.request->writes() && read && !write;
      seen_["a write waits for a write of its line"] += held && in.request->writes() && write;
      seen_["a read goes beside a read of its line"] += request_ready_ && !in.request->writes() && read;
      seen_["a write of no byte"] += request_ready_ && in.request->kind == Kind::store && !any(*in.request);
      seen_["a read goes beside a read of its line that another master writes"] +=
          request_ready_ && read && Axi4Memory::is_shared(in.request->address / P.line_bytes);
      seen_["an atomic"] += request_ready_ && in.request->kind == Kind::atomic;
    }
    if constexpr (chunks > 2) {
      seen_["a scattered load"] += scattered && request_ready_;
      seen_["a scattered load waits for others"] += scattered && held;
    }
    if constexpr (P.id_bits > 6 || 1 << P.id_bits > P.requests)
      seen_["every place is taken"] += in.request && golden_.in_use() == P.requests;
    seen_["a read and a write have answers"] += golden_.both_answers();
    seen_["requests in two cycles running"] += taken_before_ && in.request && request_ready_;
    taken_before_ = in.request && request_ready_;
    seen_["an answer before an older request's"] = open_.overtaken();
  }

  void look_at_places() {
    for (std::size_t n = 0; n < golden_.places().size(); ++n) {
      const auto& place = golden_.places()[n];
      if (place) (place->write ? written_places_ : read_places_).set(n);
      if (!place && taken_places_[n]) freed_places_.set(n);
      taken_places_[n] = place.has_value();
    }
  }

  static bool any(const Request& q) { return q.enable != golden::ByteMask{}; }

  void count_channels(const Inputs& in) {
    const bool aw = shown_.aw.valid && in.axi.aw_ready, w = shown_.w.valid && in.axi.w_ready;
    seen_["a write address before its data"] += aw && shown_.w.valid && !w;
    seen_["write data before its address"] += w && shown_.aw.valid && !aw;
    seen_["a read address waits"] += shown_.ar.valid && !in.axi.ar_ready;
    seen_["an answer waits"] += response_ && !in.response_ready;
    seen_["an R waits"] += in.axi.r && !shown_.r_ready;
    seen_["a B waits"] += in.axi.b && !shown_.b_ready;
    seen_["an R has an error"] += in.axi.r && shown_.r_ready && in.axi.r->resp > 1;
    seen_["a B has an error"] += in.axi.b && shown_.b_ready && in.axi.b->resp > 1;
    if constexpr (P.line_bytes > beat) {
      seen_["a write of two beats"] += aw && shown_.aw.length == 1;
      seen_["a write of the upper half"] += aw && shown_.aw.length == 0 && shown_.aw.address & 128;
      seen_["a read of two beats"] += shown_.ar.valid && shown_.ar.length == 1;
    }
  }

  // At a reset everything on its way is lost, and both memories begin again.
  void forget() {
    side_.reset();
    answers_.reset();
    open_.clear();
    waiting_.reset();
    taken_before_ = false;
    taken_places_.reset();
  }

  golden::Axi4Bridge golden_{P};
  Phase phase_;
  std::uint64_t idle_ = 1, stall_ = 0;
  Axi4Requests<P> requests_{true};
  std::optional<Request> waiting_;
  Axi4Side side_{beat};
  Axi4Faults faults_{P};
  StreamMonitor<Answer> answers_;
  Axi4Shown shown_;
  std::optional<Answer> response_;
  bool request_ready_ = false, taken_before_ = false;
  Axi4OpenRequests<P.line_bytes, P.chunk_bytes> open_{"memory_response", 50'000, true};
  std::uint64_t in_use_ = 0;
  std::bitset<P.requests> taken_places_, read_places_, written_places_, freed_places_;
  Goals seen_{{"reset", 0}};
};

}  // namespace verif
