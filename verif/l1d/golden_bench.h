// A bench for single cases of the golden cycle model: requests are offered in order, the memory answers on
// command.
#pragma once
#include <deque>
#include <vector>

#include "golden/l1d/cycle_l1d.h"
#include "verif/l1d/store_bytes.h"

namespace verif {

class CaseBench {
 public:
  struct Down {
    std::uint64_t id;
    golden::RequestKind kind;
    std::uint64_t address;
    std::uint32_t mask;
    int cycle;
  };
  struct Answer {
    std::uint64_t id;
    std::uint32_t mask;
    std::uint64_t word;  // the line's lowest that the mask covers
    int cycle;
  };

  explicit CaseBench(const hw::L1dParams& p) : CaseBench(p, golden::Policy::make(p)) {}
  // With a policy of the test's.
  CaseBench(const hw::L1dParams& p, std::unique_ptr<golden::Policy> policy)
      : owned(std::make_unique<golden::CycleL1d>(p, true, std::move(policy))), cache(*owned), p_(p) {}

  void offer(golden::RequestKind kind, std::uint32_t id, std::uint64_t address, std::uint32_t mask) {
    offers_.push_back({kind, id, address, mask, warp});
  }
  void load(std::uint32_t id, std::uint64_t address, std::uint32_t mask = 15) {
    offer(golden::RequestKind::load, id, address, mask);
  }
  void store(std::uint32_t id, std::uint64_t address, std::uint32_t mask = 15) {
    offer(golden::RequestKind::store, id, address, mask);
  }
  // The memory's answer to the request that went down as number `n`, from the next cycle on.
  void answer(size_t n, std::uint64_t word = 0) {
    const bool store = down.at(n).kind == golden::RequestKind::store;
    replies_.push_back({down[n].id, store ? 0 : down[n].mask, word});
  }

  // Brings a line in and waits until all is quiet.
  void bring(std::uint64_t address, std::uint64_t word = 0, std::uint32_t mask = 15) {
    const size_t before = down.size();
    load(99, address, mask);
    for (int i = 0; i < 20 && down.size() == before; ++i) tick();
    answer(before, word);
    tick(6);
    answers.clear();
  }

  // Ids in the order of the answers.
  std::vector<std::uint32_t> answered() const {
    std::vector<std::uint32_t> ids;
    for (const Answer& answer : answers) ids.push_back(answer.id);
    return ids;
  }

  void tick(int cycles = 1) {
    for (; cycles > 0; --cycles) tick_once();
  }

  const std::unique_ptr<golden::CycleL1d> owned;
  golden::CycleL1d& cache;
  bool core_ready = true, memory_ready = true, flush = false;
  golden::Controls controls;
  std::uint32_t warp = 0;     // of what is offered from now on
  std::vector<int> accepted;  // cycles
  std::vector<Down> down;
  std::vector<Answer> answers;
  int cycle = 0;
  golden::L1dOut out;

 private:
  struct Offer {
    golden::RequestKind kind;
    std::uint32_t id;
    std::uint64_t address;
    std::uint32_t mask, warp;
  };
  struct Reply {
    std::uint64_t id;
    std::uint32_t mask;
    std::uint64_t word;
  };

  void tick_once() {
    golden::L1dIn in{.core_response_ready = core_ready,
                     .memory_request_ready = memory_ready,
                     .flush_valid = flush,
                     .controls = controls};
    golden::LineData data{};
    golden::ByteMask enables{};
    if (!offers_.empty()) {
      in.core_request_valid = true;
      in.core_request_kind = offers_.front().kind;
      in.core_request_id = offers_.front().id;
      in.core_request_address = offers_.front().address;
      in.core_request_mask = offers_.front().mask;
      in.core_request_sideband.warp = offers_.front().warp;
      if (offers_.front().kind == golden::RequestKind::store) {  // of all bytes
        enables = bytes_of_chunks(p_, offers_.front().mask);
        in.core_request_byte_enable = &enables;
      }
    }
    if (!replies_.empty()) {
      in.memory_response_valid = true;
      in.memory_response_id = replies_.front().id;
      in.memory_response_mask = replies_.front().mask;
      data.fill(replies_.front().word);
      in.memory_response_data = &data;
    }
    out = cache.outputs(in);
    if (in.core_request_valid && out.core_request_ready) {
      accepted.push_back(cycle);
      offers_.pop_front();
    }
    if (in.memory_response_valid && out.memory_response_ready) replies_.pop_front();
    if (out.memory_request_valid && memory_ready)
      down.push_back({out.memory_request_id, out.memory_request_kind, out.memory_request_address,
                      out.memory_request_mask, cycle});
    if (out.core_response_valid && core_ready) {
      const int words = p_.chunk_bytes / 8 * std::countr_zero(out.core_response_mask | 1u << 31);
      answers.push_back({out.core_response_id, out.core_response_mask,
                         out.core_response_mask ? (*out.core_response_data)[words] : 0, cycle});
    }
    cache.edge(in);
    if (flush && out.flush_ready) flush = false;
    ++cycle;
  }

  const hw::L1dParams p_;
  std::deque<Offer> offers_;
  std::deque<Reply> replies_;
};

}  // namespace verif
