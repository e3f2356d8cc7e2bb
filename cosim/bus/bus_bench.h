// An adapter and an L1 data cache in one Verilated module between a core, or two that share no line, and a
// memory, all by their buses: every loaded byte is as it must be, and what the adapter counts is what was
// seen.
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <memory>

#include "cosim/bus/bus_core.h"
#include "cosim/bus/bus_memory.h"
#include "cosim/bus/bus_ports.h"
#include "cosim/harness/stream_monitor.h"

namespace verif {

template <class Dut, hw::VortexAdapterParams P, class Ports, int cores = 1>
class BusBench {
 public:
  explicit BusBench(const CosimOptions& options) : options_(options) {}

  // The recordings, or random requests in as many cycles and what it takes to answer them.
  CosimReport run() {
    report_.reference = "the core's scoreboard";
    report_.stimulus =
        options_.replays.empty() ? "random requests at the bus" : "recorded requests at the bus";
    if (options_.replays.empty())
      for (int n = 0; n < 4 && report_.mismatches.empty(); ++n) {
        std::array<std::unique_ptr<BusCore>, cores> all;
        for (unsigned c = 0; c < cores; ++c)
          all[c] = std::make_unique<RandomBusCore>(P, options_.seed + static_cast<unsigned>(n) + 16 * c,
                                                   options_.random_cycles / 8, 1024 * c);
        play(all, n % 2 ? 1 : 20, n % 2 ? 100 : 0, n > 1);
      }
    for (const std::string& file : options_.replays)
      for (const bool pushes_back : {false, true}) {
        const L1dRecording recording = L1dRecording::read(file);
        std::array<std::unique_ptr<BusCore>, cores> all;
        all[0] = std::make_unique<RecordedBusCore>(P, recording);
        for (unsigned c = 1; c < cores; ++c)
          all[c] = std::make_unique<RandomBusCore>(P, options_.seed, 0, 1024 * c);
        const std::int64_t before = report_.cycles;
        play(all, 100, 0, pushes_back);
        report_.lines.push_back(fmt::format(
            "{}{}: {} requests in {} cycles", file.substr(file.rfind('/') + 1),
            pushes_back ? ", with back-pressure" : "", recording.requests.size(), report_.cycles - before));
      }
    if (options_.replays.empty()) report_.goals = seen_;
    return report_;
  }

 private:
  static constexpr int word = hw::word_bytes(P), line = P.line_bytes;
  static constexpr std::int64_t longest_wait = 20'000;

  using Cores = std::array<std::unique_ptr<BusCore>, cores>;

  void play(Cores& all, int latency, int spread, bool pushes_back) {
    dut_ = std::make_unique<Dut>();
    BusMemory memory(P, all[0]->initial(), latency, spread);
    std::int64_t progress = 0;
    now_ = {};
    answer_shown_ = false;
    requests_.reset();
    const auto done = [&] { return std::ranges::all_of(all, [](const auto& c) { return c->done(); }); };
    for (std::int64_t cycle = 0; !done() && report_.mismatches.empty(); ++cycle, ++report_.cycles) {
      const std::string wrong = cycle == 0 ? reset() : this->cycle(all, memory, cycle, pushes_back);
      if (!wrong.empty()) fail(wrong);
      if (moved_) progress = cycle;
      if (cycle - progress > longest_wait) fail("requests that are never answered");
    }
    if (!report_.mismatches.empty()) return;
    each_core([&]<std::size_t n>() { bus_request<n>(*dut_).valid = 0; });
    dut_->memory_bus_request_ready = 1;
    dut_->eval();
    for (int n = 0; n < 3; ++n) edge();  // counts and events of the cache are behind
    check_counts();
  }

  void check_counts() {
    const auto same = [&](const char* name, std::uint64_t got, std::uint64_t want) {
      if (got != want) fail(name, got, want);
    };
    if constexpr (P.counts == hw::ClientCounts::lookups) {
      same("stall_count", dut_->stall_count, now_.stalls);
      same("hit_count + miss_count", dut_->hit_count + dut_->miss_count, now_.loads);
      seen_["hits"] += static_cast<std::int64_t>(dut_->hit_count);
      seen_["misses"] += static_cast<std::int64_t>(dut_->miss_count);
    } else {
      same("read_count", dut_->read_count, now_.loads);
      same("write_count", dut_->write_count, now_.stores);
      same("memory_stall_count", dut_->memory_stall_count, now_.memory_stalls);
      same("response_stall_count", dut_->response_stall_count, now_.response_stalls);
      same("bank_stall_count", dut_->bank_stall_count, P.ports == 1 ? 0 : now_.bank_stalls);
      if (dut_->read_miss_count < now_.fetches) fail("read_miss_count", dut_->read_miss_count, now_.fetches);
      if (dut_->read_miss_count > now_.loads) fail("read_miss_count", dut_->read_miss_count, now_.loads);
      if (dut_->write_miss_count > now_.stores) fail("write_miss_count", dut_->write_miss_count, now_.stores);
      seen_["hits"] += static_cast<std::int64_t>(dut_->read_count - dut_->read_miss_count);
      seen_["misses"] += static_cast<std::int64_t>(dut_->read_miss_count);
      seen_["stores that hit"] += static_cast<std::int64_t>(dut_->write_count - dut_->write_miss_count);
      seen_["stores that miss"] += static_cast<std::int64_t>(dut_->write_miss_count);
      if (dut_->mshr_stall_count)
        report_.lines.push_back(fmt::format("the MSHRs stall in {} cycles", dut_->mshr_stall_count));
    }
  }

  void fail(const std::string& what, std::uint64_t got = 1, std::uint64_t want = 0) {
    if (report_.mismatches.empty()) report_.mismatches.push_back({report_.cycles, what, got, want});
  }

  void edge() {
    dut_->clk = 1, dut_->eval();
    dut_->clk = 0, dut_->eval();
  }
  std::string reset() {
    dut_->rst = 1;
    dut_->eval();
    edge();
    dut_->rst = 0;
    return "";
  }

  template <class Visit>
  static void each_core(const Visit& visit) {
    [&]<std::size_t... n>(std::index_sequence<n...>) { (visit.template operator()<n>(), ...); }
    (std::make_index_sequence<cores>{});
  }
  template <std::size_t n>
  static auto bus_request(Dut& d) {
    if constexpr (cores == 1)
      return Ports::bus_request(d, as_bus_request);
    else if constexpr (n == 0)
      return Ports::bus0_request(d, as_bus_request);
    else
      return Ports::bus1_request(d, as_bus_request);
  }
  template <std::size_t n>
  static auto bus_response(Dut& d) {
    if constexpr (cores == 1)
      return Ports::bus_response(d, as_bus_response);
    else if constexpr (n == 0)
      return Ports::bus0_response(d, as_bus_response);
    else
      return Ports::bus1_response(d, as_bus_response);
  }

  std::string cycle(Cores& all, BusMemory& memory, std::int64_t cycle, bool pushes_back) {
    const auto often = [&] { return !pushes_back || draw_() % 4 == 0; };
    const golden::BusAnswer* answer = memory.offered(cycle);
    if (!answer_shown_ && !often()) answer = nullptr;
    answer_shown_ = answer != nullptr;
    const bool memory_ready = memory.ready(cycle) && often();
    std::array<std::optional<golden::BusRequest>, cores> offered;
    std::array<bool, cores> ready{}, taken{};
    std::array<std::optional<golden::BusAnswer>, cores> came;
    each_core([&]<std::size_t n>() {
      if (const golden::BusRequest* r = all[n]->offered()) offered[n] = *r;
      bus_request<n>(*dut_).drive(offered[n], word);
      bus_response<n>(*dut_).ready = ready[n] = often();
    });
    Ports::memory_bus_response(*dut_, as_bus_response)
        .drive(answer ? std::optional(*answer) : std::nullopt, line);
    dut_->memory_bus_request_ready = memory_ready;
    dut_->eval();
    const auto asked = Ports::memory_bus_request(*dut_, as_bus_request).shown(line);
    each_core([&]<std::size_t n>() {
      came[n] = bus_response<n>(*dut_).shown(word);
      taken[n] = offered[n] && bus_request<n>(*dut_).ready;
    });
    const bool observed = answer && dut_->memory_bus_response_ready;
    std::string wrong =
        requests_.cycle(asked.has_value(), memory_ready, asked.value_or(golden::BusRequest{}));
    count_memory(asked, memory_ready);
    count_waits(offered, taken);
    moved_ = observed;
    edge();
    if (observed) memory.taken(), answer_shown_ = false;
    for (std::size_t n = 0; n < cores; ++n) {
      count(offered[n] ? &*offered[n] : nullptr, taken[n], came[n] && !ready[n]);
      moved_ |= taken[n] || (came[n] && ready[n]);
      if (came[n] && ready[n] && wrong.empty()) wrong = all[n]->answered(*came[n]);
      if (taken[n]) all[n]->taken();
    }
    if (asked && memory_ready) {
      for (std::size_t n = 0; asked->flush && n < cores; ++n)
        if (taken[n] && offered[n]->flush) all[n]->fenced(memory.bytes());
      if (wrong.empty()) wrong = memory.accept(*asked, cycle);
      moved_ = true;
    }
    return wrong;
  }

  void count_memory(const std::optional<golden::BusRequest>& asked, bool ready) {
    now_.memory_stalls += asked && !ready;
    now_.fetches += asked && ready && !asked->rw && !asked->io && !asked->flush;
    seen_["a request waits for memory"] += asked && !ready;
  }

  template <class Offered, class Taken>
  void count_waits(const Offered& offered, const Taken& taken) {
    const auto n = std::ranges::count_if(offered, [](const auto& r) { return r.has_value(); });
    const bool any = std::ranges::any_of(taken, std::identity{});
    now_.stalls += n > 0 && !any;
    now_.bank_stalls += n > 1 && any;
    if (cores > 1) seen_["a core waits for another"] += n > 1 && any;
  }

  void count(const golden::BusRequest* offered, bool taken, bool answer_waits) {
    now_.response_stalls += answer_waits;
    seen_["an answer waits for the core"] += answer_waits;
    seen_["a request waits for the cache"] += offered && !taken;
    if (!taken) return;
    const bool load = !offered->rw && !offered->flush, store = offered->rw && !offered->flush;
    now_.loads += load && !offered->io;
    // A store of no byte to a device is a plain store to the cache.
    now_.stores += store && (!offered->io || offered->byte_enable == golden::ByteMask{});
    seen_["loads"] += load;
    seen_["stores"] += store;
    seen_["loads of devices"] += load && offered->io;
    seen_["stores to devices"] += store && offered->io;
    seen_["fences"] += offered->flush;
  }

  struct Now {
    std::uint64_t stalls = 0, loads = 0, stores = 0, memory_stalls = 0, response_stalls = 0, bank_stalls = 0,
                  fetches = 0;
  };

  CosimOptions options_;
  CosimReport report_;
  std::unique_ptr<Dut> dut_;
  std::mt19937_64 draw_{3};
  StreamMonitor<golden::BusRequest> requests_;
  Now now_;
  bool answer_shown_ = false, moved_ = false;
  Goals seen_;
};

}  // namespace verif
