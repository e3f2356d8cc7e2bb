// Reference model of the coalescer, cycle by cycle (docs/contracts/coalescer.md): what an instruction of
// lanes asks a cache for, and how the answers come back (TSC, section 2.1; BUCL, section 2).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "golden/noc/packet.h"
#include "hw/coalescer/coalescer_params.h"

namespace golden {

using LaneBytes = std::array<std::uint8_t, 16>;

struct LaneInstruction {
  std::uint64_t id = 0;
  RequestKind kind = RequestKind::load;
  std::uint64_t mask = 0;                      // a bit a lane
  std::array<std::uint64_t, 64> address = {};  // by lane
  int size = 0;                                // logarithm of the bytes of a lane
  std::array<LaneBytes, 64> data = {};
  hw::Sideband sideband = {};  // what the lanes bring of it

  bool active(int lane) const { return mask >> lane & 1; }
  std::uint64_t place(int lane) const { return address[static_cast<std::size_t>(lane)] >> size << size; }
};

struct LaneAnswer {
  std::uint64_t id = 0, mask = 0;
  std::array<LaneBytes, 64> data = {};  // of active lanes

  bool operator==(const LaneAnswer&) const = default;
};

// Lanes that share a request.
struct LaneGroup {
  std::uint64_t line = 0, lanes = 0;

  bool operator==(const LaneGroup&) const = default;
};

// The requests of an instruction, in order.
inline std::vector<LaneGroup> groups_of(const hw::CoalescerParams& p, const LaneInstruction& i) {
  std::vector<LaneGroup> groups;
  for (int lane = 0; lane < p.lanes; ++lane) {
    if (!i.active(lane)) continue;
    const std::uint64_t line = i.place(lane) / static_cast<unsigned>(p.line_bytes);
    const auto same = std::ranges::find(groups, line, &LaneGroup::line);
    if (same == groups.end() || i.kind == RequestKind::atomic)
      groups.push_back({line, std::uint64_t{1} << lane});
    else
      same->lanes |= std::uint64_t{1} << lane;
  }
  return groups;
}

// The request of a group, but for its id, degree, and whether it is the first.
inline Message request_of(const hw::CoalescerParams& p, const LaneInstruction& i, const LaneGroup& g) {
  const auto line_bytes = static_cast<unsigned>(p.line_bytes);
  Message m{.kind = i.kind, .address = g.line * line_bytes};
  for (int lane = 0; lane < p.lanes; ++lane) {
    if (!(g.lanes >> lane & 1)) continue;
    for (unsigned b = 0; b < 1u << i.size; ++b) {
      const auto at = static_cast<unsigned>(i.place(lane) % line_bytes) + b;
      m.mask |= 1u << at / static_cast<unsigned>(p.chunk_bytes);
      if (i.kind != RequestKind::store && i.kind != RequestKind::atomic) continue;
      m.byte_enable[at / 64] |= std::uint64_t{1} << at % 64;
      const std::uint64_t value = i.data[static_cast<std::size_t>(lane)][b];
      m.data[at / 8] = (m.data[at / 8] & ~(std::uint64_t{0xff} << at % 8 * 8)) | value << at % 8 * 8;
    }
  }
  return m;
}

class Coalescer {
 public:
  struct In {
    std::optional<LaneInstruction> lane_request = {};
    std::optional<Message> core_response = {};
    bool lane_response_ready = false, core_request_ready = false;
  };
  struct Out {
    bool lane_request_ready = false, core_response_ready = false;
    std::optional<Message> core_request = {};
    std::optional<LaneAnswer> lane_response = {};
  };

  explicit Coalescer(const hw::CoalescerParams& p) : p_(p) { reset(); }

  void reset() {
    taken_.reset(), split_.reset(), merge_.reset(), leaving_.reset();
    asked_.clear(), flight_.clear();
    answered_ = false;
    finished_.reset(), located_.reset(), shown_.reset();
    ids_.clear();
    for (std::uint64_t id = 0; id < std::uint64_t{1} << p_.core_id_bits; ++id) ids_.emplace_back(id, 0);
    now_ = 0;
  }

  Out outputs(const In& in) const {
    const Moves moves = moves_of(in);
    Out out{.lane_request_ready = moves.lanes, .core_response_ready = !answered_ || moves.answers};
    out.core_request = p_.stages == 4 ? leaving_ : numbered();
    out.lane_response = shown_;
    return out;
  }

  void edge(const In& in) {
    const Moves moves = moves_of(in);
    answers_edge(in, moves);
    if (p_.stages == 4 && moves.last) leaving_ = numbered();
    if (merge_ && id_free() && moves.last) {
      asked_[ids_.front().first] = {merge_->kind == RequestKind::store, merge_->id, merge_lanes_};
      ids_.pop_front();
      merge_.reset();
    }
    if (moves.merge) split_off();
    if (moves.split) {
      split_.reset();
      const std::optional<LaneInstruction>& next = p_.stages == 2 ? in.lane_request : taken_;
      if (next) split_ = Split{*next, groups_of(p_, *next)};
    }
    if (p_.stages > 2 && moves.lanes) taken_ = in.lane_request;
    if (in.lane_request && moves.lanes && in.lane_request->kind != RequestKind::store)
      flight_[in.lane_request->id] = {
          *in.lane_request, static_cast<int>(groups_of(p_, *in.lane_request).size()), {}};
    ++now_;
  }

  // For observers.
  bool id_free() const { return !ids_.empty() && ids_.front().second <= now_; }
  std::size_t requests_in_flight() const { return asked_.size(); }
  std::size_t instructions_in_flight() const { return flight_.size(); }
  // That sent the request of this id, which waits for its answer.
  std::optional<std::uint64_t> instruction_of(std::uint64_t request) const {
    const auto asked = asked_.find(request);
    return asked == asked_.end() ? std::nullopt : std::optional(asked->second.instruction);
  }
  bool request_waits() const { return merge_.has_value(); }
  // No instruction is on its way to the cache, and no request without an answer.
  bool drained() const { return !taken_ && !split_ && !merge_ && !leaving_ && asked_.empty(); }

 private:
  struct Split {
    LaneInstruction instruction;
    std::vector<LaneGroup> groups = {};
    std::size_t next = 0;
  };
  struct Asked {
    bool store = false;
    std::uint64_t instruction = 0, lanes = 0;
  };
  struct Flight {
    LaneInstruction instruction;
    int left = 0;
    std::array<LaneBytes, 64> data = {};
  };
  // Which ranks can take something in this cycle.
  struct Moves {
    bool lanes = false, split = false, merge = false, last = false, answers = false;
  };

  Moves moves_of(const In& in) const {
    Moves m;
    m.last = in.core_request_ready || (p_.stages == 4 && !leaving_);
    m.merge = !merge_ || (m.last && id_free());
    m.split = !split_ || (m.merge && split_->next + 1 == split_->groups.size());
    m.lanes = m.split || (p_.stages > 2 && !taken_);
    m.answers = !shown_ || in.lane_response_ready;
    return m;
  }

  // The request of the rank `merge` under the next free id. The rank's own id is the instruction's.
  std::optional<Message> numbered() const {
    if (!merge_ || !id_free()) return {};
    Message m = *merge_;
    m.id = ids_.front().first;
    return m;
  }

  void split_off() {
    if (!split_) return;
    const LaneGroup& group = split_->groups[split_->next];
    merge_ = request_of(p_, split_->instruction, group);
    merge_->id = split_->instruction.id;
    merge_->sideband = hw::take_sideband(hw::brought_sideband_bits(p_), split_->instruction.sideband);
    merge_->sideband.degree = static_cast<std::uint8_t>(std::min<std::size_t>(split_->groups.size(), 63));
    merge_->sideband.first = split_->next == 0;
    merge_lanes_ = group.lanes;
    ++split_->next;
  }

  // An answer is taken in one cycle, and shown two or three cycles later if it is the last of an instruction.
  void answers_edge(const In& in, const Moves& moves) {
    const bool takes = !answered_ || moves.answers;
    if (moves.answers) {
      std::optional<LaneAnswer> next = std::exchange(finished_, std::nullopt);
      if (p_.answer_stages == 3) std::swap(next, located_);
      shown_ = std::move(next);
    }
    if (!takes) return;
    answered_ = in.core_response.has_value();
    if (!answered_) return;
    const Message& answer = *in.core_response;
    ids_.emplace_back(answer.id, now_ + 2);
    const Asked asked = std::exchange(asked_[answer.id], {});
    asked_.erase(answer.id);
    if (asked.store) return;
    Flight& flight = flight_[asked.instruction];
    for (int lane = 0; lane < p_.lanes; ++lane)
      if (asked.lanes >> lane & 1)
        for (unsigned b = 0; b < 1u << flight.instruction.size; ++b) {
          const auto at =
              static_cast<unsigned>(flight.instruction.place(lane) % static_cast<unsigned>(p_.line_bytes)) +
              b;
          flight.data[static_cast<std::size_t>(lane)][b] =
              static_cast<std::uint8_t>(answer.data[at / 8] >> at % 8 * 8);
        }
    if (--flight.left > 0) return;
    finished_ = LaneAnswer{flight.instruction.id, flight.instruction.mask, flight.data};
    flight_.erase(asked.instruction);
  }

  hw::CoalescerParams p_;
  std::optional<LaneInstruction> taken_;
  std::optional<Split> split_;
  std::optional<Message> merge_, leaving_;
  std::uint64_t merge_lanes_ = 0;
  std::map<std::uint64_t, Asked> asked_;    // by id of the request
  std::map<std::uint64_t, Flight> flight_;  // by id of the instruction
  bool answered_ = false;                   // an answer was taken in the cycle before
  // Of an instruction whose answers have all come: just taken, a cycle on where there is a rank for that, and
  // at the lanes.
  std::optional<LaneAnswer> finished_, located_, shown_;
  std::deque<std::pair<std::uint64_t, std::int64_t>> ids_;  // free ones, with the first cycle of their use
  std::int64_t now_ = 0;
};

}  // namespace golden
