// Throughput and latency of a Verilated crossbar with virtual channels under uniform random traffic of single
// flits; sinks return a flit's credit two cycles after it.
#pragma once
#include <fmt/format.h>

#include <array>
#include <deque>
#include <optional>
#include <random>
#include <string>

#include "cosim/harness/port_bits.h"
#include "hw/noc/vc_crossbar_params.h"

namespace verif {

struct VcLoad {
  bool by_destination = true;    // VC = destination mod V; else random
  bool queue_per_vc = false;     // at each source, one with a credit sends, at random; else one queue, whose
                                 // first flit waits for its VC's credit
  double rate = 1;               // flits an input and cycle; 1 = a queue is never empty
  std::int64_t cycles = 60'000;  // the first tenth does not count
};

struct VcLoadResult {
  double throughput = 0;  // flits an output and cycle
  double latency = 0;     // cycles from the source queue to the output
};

template <class Dut, hw::CrossbarParams P, class Ports>
class VcLoadBench {
 public:
  explicit VcLoadBench(const VcLoad& load) : load_(load) {
    for (auto& vcs : credits_) vcs.fill(P.vc_depth);
    dut_.rst = 1;
    drive_nothing();
    tick();
    dut_.rst = 0;
  }

  VcLoadResult run() {
    std::int64_t flits = 0, waited = 0;
    for (now_ = 0; now_ < load_.cycles; ++now_) {
      const bool counts = now_ >= load_.cycles / 10;
      std::array<int, P.inputs> freed;
      freed.fill(-1);
      Ports::each_output(dut_, [&](int j, auto& valid, auto& vc, auto&, auto&, auto&, auto&, auto&,
                                   auto& credit_valid, auto& credit_vc) {
        auto& back = returning_[j];
        back.push_back(valid ? static_cast<int>(vc) : -1);
        credit_valid = back.size() > 2 && back.front() >= 0;
        credit_vc = static_cast<std::uint8_t>(credit_valid ? back.front() : 0);
        if (back.size() > 2) back.pop_front();
        flits += valid && counts;
      });
      Ports::each_input(dut_, [&](int i, auto& valid, auto& vc, auto& head, auto& tail, auto& destination,
                                  auto&, auto&, auto& credit_valid, auto& credit_vc) {
        if (credit_valid) {
          auto& inside = inside_[i][credit_vc];
          if (counts) waited += now_ - inside.front();
          inside.pop_front();
          freed[static_cast<std::size_t>(i)] = static_cast<int>(credit_vc);
        }
        create(i);
        const int v = next_vc(i);
        valid = v >= 0;
        if (v < 0) return;
        Queue& queue = queues_[i][load_.queue_per_vc ? v : 0];
        const Flit flit = queue.front();
        queue.pop_front();
        --credits_[i][v];
        inside_[i][v].push_back(flit.born);
        vc = static_cast<std::uint8_t>(v);
        head = tail = 1;
        destination = static_cast<std::uint8_t>(flit.destination);
      });
      for (std::size_t i = 0; i < freed.size(); ++i)
        if (freed[i] >= 0)
          ++credits_[i][static_cast<std::size_t>(freed[i])];  // counts from the next cycle on
      tick();
    }
    const double counted = static_cast<double>(load_.cycles - load_.cycles / 10);
    return {static_cast<double>(flits) / counted / P.outputs,
            flits ? static_cast<double>(waited) / static_cast<double>(flits) : 0};
  }

 private:
  static constexpr std::size_t longest_queue = 48;
  struct Flit {
    int destination, vc;
    std::int64_t born;
  };
  using Queue = std::deque<Flit>;

  void drive_nothing() {
    Ports::each_input(dut_, [](int, auto& valid, auto&...) { valid = 0; });
    Ports::each_output(dut_, [](int, auto&, auto&, auto&, auto&, auto&, auto&, auto&, auto& credit_valid,
                                auto&) { credit_valid = 0; });
  }

  void tick() {
    dut_.eval();
    dut_.clk = 1;
    dut_.eval();
    dut_.clk = 0;
    dut_.eval();
  }

  void put(int i, int destination, int vc) {
    queues_[i][load_.queue_per_vc ? vc : 0].push_back({destination, vc, now_});
  }

  // Adds a flit now and then, or when it can: a flit a cycle, which waits while the queue that it is for is
  // long. Queues that are never empty would hide what the allocator loses.
  void create(int i) {
    if (load_.rate < 1) {
      if (std::uniform_real_distribution<>()(draw_) >= load_.rate) return;
      const int d = any(P.outputs);
      return put(i, d, load_.by_destination ? d % P.vcs : any(P.vcs));
    }
    if (load_.queue_per_vc && waiting_[i] && queues_[i][waiting_[i]->vc].size() >= longest_queue) return;
    if (!load_.queue_per_vc && !queues_[i][0].empty()) return;
    if (load_.queue_per_vc && waiting_[i]) put(i, waiting_[i]->destination, waiting_[i]->vc);
    const int d = any(P.outputs);
    const Flit flit{d, load_.by_destination ? d % P.vcs : any(P.vcs), now_};
    if (!load_.queue_per_vc) return put(i, flit.destination, flit.vc);
    waiting_[i] = flit;
  }

  int next_vc(int i) {
    if (!load_.queue_per_vc) {
      const Queue& queue = queues_[i][0];
      return queue.empty() || credits_[i][queue.front().vc] == 0 ? -1 : queue.front().vc;
    }
    std::array<int, P.vcs> ready;
    int count = 0;
    for (int v = 0; v < P.vcs; ++v)
      if (!queues_[i][v].empty() && credits_[i][v] > 0) ready[count++] = v;
    return count == 0 ? -1 : ready[any(count)];
  }

  int any(int n) { return static_cast<int>(draw_() % static_cast<unsigned>(n)); }

  VcLoad load_;
  Dut dut_;
  std::mt19937_64 draw_{1};
  std::int64_t now_ = 0;
  std::array<std::optional<Flit>, P.inputs> waiting_{};
  std::array<std::array<Queue, P.vcs>, P.inputs> queues_{};
  std::array<std::array<int, P.vcs>, P.inputs> credits_{};
  std::array<std::array<std::deque<std::int64_t>, P.vcs>, P.inputs> inside_{};
  std::array<std::deque<int>, P.outputs> returning_{};
};

// One line a load: "name throughput latency".
template <class Dut, hw::CrossbarParams P, class Ports>
void print_load(const char* name, const VcLoad& load) {
  const VcLoadResult r = VcLoadBench<Dut, P, Ports>(load).run();
  fmt::print("{} {:.4f} {:.2f}\n", name, r.throughput, r.latency);
}

}  // namespace verif
