// What the ports of an L1 data cache promise, checked without the model: a load sees every store accepted
// before it and none after (of a cache whose loads merge behind stores: those of its own warp), a flush
// leaves nothing, each request is answered once, stores go down unchanged and in order, ids are unique, and
// the four streams keep their rules.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "cosim/harness/report.h"
#include "cosim/l1d/l1d_dut.h"
#include "cosim/l1d/l1d_lines.h"
#include "cosim/l1d/line_history.h"
#include "golden/cache/l1d_types.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

// A difference; `port` is empty when there is none.
using L1dDifference = Mismatch;

class L1dScoreboard {
 public:
  explicit L1dScoreboard(const hw::L1dParams& params);

  // Requests in flight are distinguished by so many low bits of their ids.
  static constexpr int most_id_bits = 12;
  std::uint32_t slots() const { return slots_; }

  // A policy of the caller's may send loads past the cache.
  void may_bypass() { bypasses_ = true; }
  // Lines that others write and the core only loads: each of their words is `version` as memory reads it. It
  // grows, and no load finds one from before the last flush.
  void others_write(bool (*line)(std::uint64_t address), const std::uint64_t& version);

  // A cycle, before its edge. The rule that is broken, or an empty `port`.
  const L1dDifference& cycle(const golden::L1dIn& in, const L1dSeen& seen);
  // Nothing of before counts any more; memory is as in the beginning.
  void reset();

  // What memory holds in the order of acceptance, for code that sets it before it is read.
  L1dLines& lines() { return lines_; }
  std::uint32_t outstanding() const { return outstanding_; }
  bool in_flight(std::uint32_t id) const { return requests_[id & (slots_ - 1)].open; }

  std::int64_t transfers(int stream) const { return transfers_[static_cast<std::size_t>(stream)]; }
  std::int64_t stalls(int stream) const { return stalls_[static_cast<std::size_t>(stream)]; }
  std::int64_t second_fetches() const { return second_fetches_; }
  // The data that the cache shows for this load, given or not, is not what it is to have.
  bool is_wrong(const L1dSeen& shown);
  // A load with a wrong byte breaks no rule, and is counted.
  void count_wrong() { counts_wrong_ = true; }
  std::int64_t wrong_answers() const { return wrong_answers_; }
  // Loads that were answered with a line from before a store that was accepted before them.
  std::int64_t older_answers() const { return older_answers_; }
  static constexpr std::array<const char*, 4> stream_names{"core_request", "core_response", "memory_request",
                                                           "memory_response"};

 private:
  struct Request {
    bool open = false;  // accepted and not answered
    bool at_memory = false, acknowledged = false;
    bool lost = false;  // the cache has said that its data may be newer than the load
    std::uint32_t id = 0, mask = 0;
    std::uint64_t address = 0;
    golden::RequestKind kind = golden::RequestKind::load;
    bool has_data = false;  // the answer
    golden::LineData expected;
    bool may_pass =
        false;  // a snoop, and the request accepted before it: then the line is as before that one
    golden::LineData before;
    bool of_others = false;  // its line, whose words are no less than `oldest`
    std::uint64_t oldest = 0;
    std::uint32_t warp = 0;
    std::uint64_t number = 0;  // of the line's state that is expected, where there is a history
    std::vector<LineHistory::State> older;
  };
  // The last request accepted, snoops apart, if it writes.
  struct Write {
    bool any = false;
    std::uint64_t address = 0;
    golden::LineData before;  // its line without it
  };
  struct Sent {  // to memory, in this order
    golden::RequestKind kind;
    std::uint32_t id, mask;
    std::uint64_t address;
    golden::ByteMask enables;
    golden::LineData data;
  };

  bool fail(const char* what, std::uint64_t got, std::uint64_t want);
  void accept(const golden::L1dIn& in);
  void accept_snoop(Request& r);
  bool snoop_waits(const golden::L1dIn& in, const L1dSeen& seen);
  bool answer(const L1dSeen& seen);
  bool saw_some_state(const Request& r, const std::uint8_t* data);
  bool send(const L1dSeen& seen);
  bool fetch(const L1dSeen& seen);
  bool bypass(const L1dSeen& seen);
  void memory_answer(const golden::L1dIn& in);
  bool same_bytes(const char* what, const std::uint8_t* got, const golden::LineData& want,
                  std::uint32_t mask);
  bool new_enough(const L1dSeen& seen, const Request& r);
  bool same_promised(const char* what, const L1dSeen& seen, const golden::LineData& want,
                     const golden::ByteMask& enables);
  bool held_back(const L1dSeen& seen);
  void keep(const golden::L1dIn& in, const L1dSeen& seen);

  int line_bytes_, chunk_bytes_, entry_bits_;
  unsigned id_bits_;  // of a memory id, without the top bit
  std::uint64_t line_mask_;
  bool bypasses_, counts_wrong_ = false;
  const bool loads_may_be_late_;
  std::uint32_t least_fetch_;  // bits that each fetch's mask has
  bool (*of_others_)(std::uint64_t address) = nullptr;
  const std::uint64_t* version_ = nullptr;
  std::uint64_t flushed_at_ = 0;  // the version at the last flush
  int longest_wait_;              // of a snoop for core_request_ready; 0: no limit
  std::uint32_t slots_;
  L1dLines lines_;
  std::vector<Request> requests_;
  std::deque<Sent> sent_;
  Write last_write_;
  std::optional<LineHistory> history_;  // where loads of other warps merge behind a store
  int waited_ = 0;
  std::vector<std::uint8_t> fetching_;    // by fetch id
  std::vector<std::uint8_t> fetches_of_;  // by entry
  std::uint32_t outstanding_ = 0;
  std::array<std::int64_t, 4> transfers_{}, stalls_{};
  std::int64_t second_fetches_ = 0, older_answers_ = 0, wrong_answers_ = 0;

  // What waited at the end of the last cycle, to be there still.
  bool response_waits_ = false, request_waits_ = false;
  L1dSeen waiting_;
  golden::LineData waiting_response_, waiting_request_;
  golden::ByteMask waiting_enables_{};
  L1dDifference found_;
};

}  // namespace verif
