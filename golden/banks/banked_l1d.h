// Golden L1 data cache in banks, cycle by cycle: a cache each, and who is served before whom
// (docs/contracts/l1d-banks.md).
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "golden/l1d/cycle_l1d.h"
#include "golden/noc/home.h"
#include "golden/noc/packet.h"
#include "golden/topology/dc_l1_node.h"
#include "golden/topology/figures.h"
#include "golden/topology/plan.h"
#include "hw/banks/banked_l1d_params.h"

namespace golden {

// Which of several is served: the first at or after the one that is first, which is the next one after a
// service, and the same one as long as what it has waits.
class Turn {
 public:
  template <class Asks>
  std::optional<int> served(int count, const Asks& asks) const {
    for (int step = 0; step < count; ++step)
      if (const int one = (first_ + step) % count; asks(one)) return one;
    return {};
  }
  void edge(int count, const std::optional<int>& served, bool taken) {
    if (served) first_ = taken ? (*served + 1) % count : *served;
  }

 private:
  int first_ = 0;
};

class BankedL1d {
 public:
  static constexpr int most = 4;
  template <class One>
  using Each = std::array<One, most>;  // of ports or banks

  // Parameters count at run time; they are taken as legal. Without data, answers and stores carry none.
  explicit BankedL1d(const hw::BankedL1dParams& p, bool with_data = true)
      : banks_(p.banks),
        number_{bits_for(p.l1d.line_bytes), hw::bank_bits(p)},
        core_id_bits_(p.l1d.core_id_bits),
        memory_id_bits_(golden::memory_id_bits(hw::bank_of(p))) {
    for (int b = 0; b < banks_; ++b) caches_.push_back(CycleL1d::make(hw::bank_of(p), with_data));
  }

  struct In {
    bool rst = false, flush_valid = false;
    Each<const Message*> request{};  // of each port; null: not valid
    Each<bool> response_ready{};
    L1dIn memory = {};  // its memory side counts
    Each<Controls> controls{};
  };
  struct Response {
    std::uint64_t id = 0;
    std::uint32_t mask = 0;
    const LineData* data = nullptr;  // null in models without data
    int bank = 0;                    // no port says it
    bool of_lookup = false;          // nor this: L1dOut::response_of_lookup
  };
  struct Out {
    Each<bool> request_ready{};
    Each<std::optional<Response>> response{};
    L1dOut memory;  // its memory side counts
    bool flush_ready = false;
    Each<const L1dOut*> bank{};  // what else each bank drives
  };

  // Valid until the edge.
  const Out& outputs(const In& in) {
    out_ = {};
    set_inputs(in);
    // What banks have for ports and memory follows from their registers.
    Each<const L1dOut*> has{};
    for (int b = 0; b < banks_; ++b) has[at(b)] = &caches_[at(b)]->outputs(cache_[at(b)]);
    serve_ports(in, has);
    serve_memory(in, has);
    out_.flush_ready = true;
    for (int b = 0; b < banks_; ++b) {
      out_.bank[at(b)] = &caches_[at(b)]->outputs(cache_[at(b)]);
      out_.flush_ready &= out_.bank[at(b)]->flush_ready;
      if (const auto p = entering_[at(b)]) out_.request_ready[at(*p)] = out_.bank[at(b)]->core_request_ready;
    }
    if (filled_) out_.memory.memory_response_ready = out_.bank[at(*filled_)]->memory_response_ready;
    return out_;
  }

  // With the inputs of the last call of outputs().
  void edge(const In& in) {
    for (int n = 0; n < banks_; ++n) {
      entry_[at(n)].edge(banks_, entering_[at(n)], out_.bank[at(n)]->core_request_ready);
      exit_[at(n)].edge(banks_, leaving_[at(n)], in.response_ready[at(n)]);
    }
    memory_.edge(banks_, fetching_, in.memory.memory_request_ready);
    for (int b = 0; b < banks_; ++b) caches_[at(b)]->edge(cache_[at(b)]);
    if (in.rst) entry_ = {}, exit_ = {}, memory_ = {};
  }

  int banks() const { return banks_; }
  const CycleL1d& bank(int b) const { return *caches_[at(b)]; }
  CycleL1d& bank(int b) { return *caches_[at(b)]; }
  int bank_of(std::uint64_t address) const {
    return static_cast<int>(address >> number_.low & static_cast<unsigned>(banks_ - 1));
  }
  // Of all banks.
  L1dCounters counters() const {
    L1dCounters sum;
    for (const auto& cache : caches_) add_counters(sum, cache->counters());
    return sum;
  }
  std::vector<std::uint64_t> resident_lines() const {
    std::vector<std::uint64_t> lines;
    for (int b = 0; b < banks_; ++b)
      for (const std::uint64_t line : bank(b).resident_lines())
        lines.push_back(number_.put_in(line, static_cast<unsigned>(b)));
    return lines;
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }

  // Of all banks, but for whether ports and memory take what they have.
  void set_inputs(const In& in) {
    filled_.reset();
    for (int b = 0; b < banks_; ++b) {
      entering_[at(b)] = entry_[at(b)].served(
          banks_, [&](int p) { return in.request[at(p)] && bank_of(in.request[at(p)]->address) == b; });
      L1dIn& cache = cache_[at(b)];
      const auto port = entering_[at(b)];
      cache = core_side(port ? in.request[at(*port)] : nullptr, false);
      if (port) {
        cache.core_request_address = number_.cut(cache.core_request_address);
        cache.core_request_id |= static_cast<std::uint64_t>(*port) << core_id_bits_;
      }
      cache.rst = in.rst;
      cache.flush_valid = in.flush_valid;
      cache.controls = in.controls[at(b)];
    }
    if (!in.memory.memory_response_valid) return;
    filled_ = static_cast<int>(in.memory.memory_response_id >> memory_id_bits_);
    L1dIn& cache = cache_[at(*filled_)];
    cache.memory_response_valid = true;
    cache.memory_response_id = in.memory.memory_response_id & ((std::uint64_t{1} << memory_id_bits_) - 1);
    cache.memory_response_mask = in.memory.memory_response_mask;
    cache.memory_response_data = in.memory.memory_response_data;
  }

  void serve_ports(const In& in, const Each<const L1dOut*>& has) {
    for (int p = 0; p < banks_; ++p) {
      leaving_[at(p)] = exit_[at(p)].served(banks_, [&](int b) {
        const L1dOut& bank = *has[at(b)];
        return bank.core_response_valid && static_cast<int>(bank.core_response_id >> core_id_bits_) == p;
      });
      const auto b = leaving_[at(p)];
      if (!b) continue;
      const L1dOut& bank = *has[at(*b)];
      out_.response[at(p)] = Response{.id = bank.core_response_id & ((std::uint64_t{1} << core_id_bits_) - 1),
                                      .mask = bank.core_response_mask,
                                      .data = bank.core_response_data,
                                      .bank = *b,
                                      .of_lookup = bank.response_of_lookup};
      cache_[at(*b)].core_response_ready = in.response_ready[at(p)];
    }
  }

  void serve_memory(const In& in, const Each<const L1dOut*>& has) {
    fetching_ = memory_.served(banks_, [&](int b) { return has[at(b)]->memory_request_valid; });
    if (!fetching_) return;
    const int b = *fetching_;
    const L1dOut& bank = *has[at(b)];
    L1dOut& out = out_.memory;
    out.memory_request_valid = true;
    out.memory_request_id = bank.memory_request_id | static_cast<std::uint64_t>(b) << memory_id_bits_;
    out.memory_request_kind = bank.memory_request_kind;
    out.memory_request_address = number_.put_in(bank.memory_request_address, static_cast<unsigned>(b));
    out.memory_request_mask = bank.memory_request_mask;
    out.memory_request_byte_enable = bank.memory_request_byte_enable;
    out.memory_request_data = bank.memory_request_data;
    cache_[at(b)].memory_request_ready = in.memory.memory_request_ready;
  }

  const int banks_;
  const BitField number_;  // of a bank, in an address
  const int core_id_bits_, memory_id_bits_;
  std::vector<std::unique_ptr<CycleL1d>> caches_;
  Each<Turn> entry_{}, exit_{};  // of ports at each bank, of banks at each port
  Turn memory_;
  // Of this cycle.
  Each<L1dIn> cache_{};
  Each<std::optional<int>> entering_{}, leaving_{};
  std::optional<int> fetching_, filled_;
  Out out_;
};

}  // namespace golden
