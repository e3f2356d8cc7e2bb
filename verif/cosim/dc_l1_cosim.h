// Lock step of a topology and its golden twin: all streams of cores and slices in every cycle, with
// properties that do not come from the model: each request is answered once, and a core that stores and then
// loads the same bytes never sees the older ones.
#pragma once
#include <array>
#include <bitset>

#include "golden/noc/topology.h"
#include "verif/cosim/dc_ports.h"
#include "verif/cosim/dc_traffic.h"

namespace verif {

// `Ports` names the streams: see gen/units/topology_ports.h, which writes it. With boost a step is a cycle of
// the fast clock, and what stands outside changes at every second edge.
template <class Dut, hw::TopologyParams P, class Ports>
class DcL1Bench {
 public:
  using Golden = golden::Topology<P>;
  using Message = golden::Message;
  static constexpr int cores = P.shape.cores, slices = P.shape.slices, line = P.l1d.line_bytes,
                       chunk = P.l1d.chunk_bytes;
  struct Inputs {
    bool rst = false, slow_edge = true, flush = false;
    std::array<std::optional<Message>, cores> request{};
    std::array<bool, cores> response_ready{};
    std::array<bool, slices> slice_request_ready{};
    std::array<std::optional<Message>, slices> slice_response{};
  };
  struct Alone {
    std::unique_ptr<Golden> golden = std::make_unique<Golden>();
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      const auto driven = as_golden(in);
      kept += golden->outputs(driven).flush_ready;
      step(*golden, driven, in.slow_edge);
    }
  };

  DcL1Bench() {
    const DcShape shape{P.l1d.address_bits, line, chunk, P.l1d.core_id_bits, cores};
    for (int c = 0; c < cores; ++c) cores_.emplace_back(shape, c);
  }

  Inputs draw(std::mt19937_64& draw) {
    if (Golden::boost && !last_.slow_edge) {
      last_.slow_edge = true;
      return last_;
    }
    if (phase_.next(draw)) {
      for (DcCore& core : cores_) core.new_phase(draw);
      slow_ = std::array{1, 2, 8, 40}[draw() % 4];
      slice_stall_ = std::array{0, 0, 1, 4, 7}[draw() % 5];
    }
    Inputs in{.rst = first_ || once_in(draw, 20'000), .slow_edge = !Golden::boost};
    first_ = false;
    flushing_ = flushing_ || once_in(draw, 4000);
    in.flush = flushing_ && !in.rst;
    for (int c = 0; c < cores; ++c) {
      const auto& request = cores_[at(c)].next(draw);
      if (!in.rst) in.request[at(c)] = request;
      in.response_ready[at(c)] = cores_[at(c)].response_ready(draw);
    }
    for (int s = 0; s < slices; ++s) {
      memory_side_[at(s)].next(draw, slow_);
      if (const Message* m = memory_side_[at(s)].shown(); m && !in.rst) in.slice_response[at(s)] = *m;
      in.slice_request_ready[at(s)] = draw() % 8 >= slice_stall_;
    }
    last_ = in;
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    Ports::each_core(dut, [&](int c, const auto& request, const auto& response) {
      request.drive(pointer(in.request[at(c)]), line);
      response.ready = in.response_ready[at(c)];
    });
    Ports::each_slice(dut, [&](int s, const auto& request, const auto& response) {
      request.ready = in.slice_request_ready[at(s)];
      response.drive(pointer(in.slice_response[at(s)]), line);
    });
    dut.flush_valid = in.flush;
  }

  static std::string words(const Inputs& in) {
    std::string text;
    const auto add = [&](const char* who, int n, const std::optional<Message>& m) {
      if (m)
        text += fmt::format("{}{} {:#x} kind {} {:#x} mask {:#x}, ", who, n, m->id, static_cast<int>(m->kind),
                            m->address, m->mask);
    };
    for (int c = 0; c < cores; ++c) add("core", c, in.request[at(c)]);
    for (int s = 0; s < slices; ++s) add("slice", s, in.slice_response[at(s)]);
    return text + (in.flush ? "flush" : "");
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    if (in.rst) return {};
    const auto driven = as_golden(in);
    const auto& want = golden_->outputs(driven);
    std::optional<Difference> found;
    const auto check = [&](const std::optional<Difference>& d) {
      if (!found) found = d;
    };
    Ports::each_core(dut, [&](int c, const auto& request, const auto& response) {
      const auto name = [&](const char* stream) { return fmt::format("core{}_{}", c, stream); };
      check(same(name("request_ready"), request.ready, want.request_ready[at(c)]));
      responses_[at(c)] = response.shown(line);
      check(stream_difference(name("response"), responses_[at(c)], want.response[at(c)], false, line, chunk));
    });
    Ports::each_slice(dut, [&](int s, const auto& request, const auto& response) {
      const auto name = [&](const char* stream) { return fmt::format("slice{}_{}", s, stream); };
      asked_[at(s)] = request.shown(line);
      check(stream_difference(name("request"), asked_[at(s)], want.slice_request[at(s)], true, line, chunk));
      check(same(name("response_ready"), response.ready, want.slice_response_ready[at(s)]));
    });
    check(same("flush_ready", dut.flush_ready, want.flush_ready));
    if (found || !in.slow_edge) return found;
    for (int c = 0; c < cores; ++c) {
      if (responses_[at(c)] && in.response_ready[at(c)]) check(cores_[at(c)].answered(*responses_[at(c)]));
      if (now_ % 1024 == 0) check(cores_[at(c)].overdue(now_));
    }
    return found;
  }

  void edge(const Inputs& in) {
    const auto driven = as_golden(in);
    const auto shown = golden_->outputs(driven);
    if (in.slow_edge && !in.rst) transfers(in, shown);
    if (in.slow_edge && in.rst) forget();
    step(*golden_, driven, in.slow_edge);
    now_ += in.slow_edge;
    flushes_shown_ = flushing_;
  }

  void add_golden(Waves& waves) { waves.add_golden("flushing", 1, &flushes_shown_); }

  MustSee must_see(std::int64_t cycles) {
    if (cycles < 20'000) return {{"a cycle", cycles}};
    golden::L1dCounters sum;
    for (int n = 0; n < Golden::caches; ++n)
      for (const auto& [name, counter] : golden::counter_names)
        sum.*counter += golden_->cache(n).counters().*counter;
    MustSee all = seen_;
    const auto add = [&](const char* event, std::uint64_t n) { all[event] = static_cast<std::int64_t>(n); };
    add("hits", sum.hits), add("hits on pending lines", sum.hit_pending), add("misses", sum.misses);
    add("stores that invalidate", sum.store_invalidations), add("atomics", sum.atomics);
    add("non-L1 requests", sum.non_l1), add("flushes", sum.flushes);
    all["each core is answered"] = answered_.count() == at(cores);
    all["each slice is asked"] = reached_.count() == at(slices);
    std::int64_t close = 0;
    for (const DcCore& core : cores_) close += core.close_behind();
    all["a load close behind a store to the same bytes"] = close;
    return all;
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  static const Message* pointer(const std::optional<Message>& m) { return m ? &*m : nullptr; }
  static std::optional<Difference> same(const std::string& port, bool got, bool want) {
    return got == want ? std::nullopt : std::optional(Difference{port, got, want});
  }

  static typename Golden::In as_golden(const Inputs& in) {
    typename Golden::In g{.rst = in.rst, .flush_valid = in.flush};
    for (int c = 0; c < cores; ++c) {
      g.request[at(c)] = pointer(in.request[at(c)]);
      g.response_ready[at(c)] = in.response_ready[at(c)];
    }
    for (int s = 0; s < slices; ++s) {
      g.slice_response[at(s)] = pointer(in.slice_response[at(s)]);
      g.slice_request_ready[at(s)] = in.slice_request_ready[at(s)];
    }
    return g;
  }

  static void step(Golden& golden, const typename Golden::In& in, bool slow) {
    slow ? golden.edge(in) : golden.fast_edge(in);
  }

  // What moves at this edge, by the ports that were compared.
  void transfers(const Inputs& in, const typename Golden::Out& shown) {
    for (int c = 0; c < cores; ++c) {
      if (in.request[at(c)] && shown.request_ready[at(c)]) cores_[at(c)].accepted(now_);
      if (responses_[at(c)] && in.response_ready[at(c)]) answered_.set(at(c));
      seen_["an answer waits for its core"] += responses_[at(c)] && !in.response_ready[at(c)];
      seen_["a request waits"] += in.request[at(c)] && !shown.request_ready[at(c)];
    }
    for (int s = 0; s < slices; ++s) {
      if (in.slice_response[at(s)] && shown.slice_response_ready[at(s)]) memory_side_[at(s)].taken();
      seen_["a slice stalls"] += asked_[at(s)] && !in.slice_request_ready[at(s)];
      if (!asked_[at(s)] || !in.slice_request_ready[at(s)]) continue;
      memory_side_[at(s)].accept(memory_, *asked_[at(s)], line);
      reached_.set(at(s));
    }
    if (in.flush && shown.flush_ready) flushing_ = false;
  }

  void forget() {
    ++seen_["reset"];
    for (DcCore& core : cores_) core.reset();
    for (SliceMemory& side : memory_side_) side.reset();
    memory_.clear();
    flushing_ = false;
    responses_ = {};
    asked_ = {};
  }

  std::unique_ptr<Golden> golden_ = std::make_unique<Golden>();
  Phase phase_;
  std::uint64_t slow_ = 1, slice_stall_ = 0, flushes_shown_ = 0;
  Inputs last_;
  bool first_ = true, flushing_ = false;
  std::vector<DcCore> cores_;
  std::array<SliceMemory, slices> memory_side_{};
  ByteMemory memory_;
  std::array<std::optional<Message>, cores> responses_{};
  std::array<std::optional<Message>, slices> asked_{};
  std::bitset<128> answered_, reached_;
  std::int64_t now_ = 0;
  MustSee seen_;
};

}  // namespace verif
