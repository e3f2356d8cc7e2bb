// Golden sharing predictor: which read misses another core's L1 may have, miss by miss (DC-L1 thesis, section
// 3.3.5; docs/contracts/remote-core.md).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "golden/state.h"
#include "hw/remote/sharing_predictor_params.h"

namespace golden {

class SharingPredictor {
 public:
  struct In {
    bool miss = false;
    std::uint32_t pc = 0;
    bool reply = false;
    unsigned slot = 0;  // of the reply
    bool clear = false;
  };
  struct Answer {
    bool shared = false, tracked = false;
    unsigned slot = 0;
    bool operator==(const Answer&) const = default;
  };
  // An instruction: where it stands in its window.
  struct Entry {
    std::uint32_t pc = 0;
    int state = 0, misses = 0, replies = 0;
  };
  // The end of a window: in which state, and whether there were replies enough.
  struct Step {
    int state = 0;
    bool enough = false;
  };

  explicit SharingPredictor(const hw::SharingPredictorParams& p) : p_(p) {
    entries_.reserve(static_cast<std::size_t>(p.entries));
  }

  const std::vector<Entry>& entries() const { return entries_; }
  bool full() const { return entries_.size() == static_cast<std::size_t>(p_.entries); }
  // Of the cycle before.
  const std::optional<Step>& step() const { return step_; }

  // The answer to a miss of this cycle.
  Answer answer(const In& in) const {
    if (!in.miss) return {};
    if (p_.kind == hw::PredictorKind::always) return {.shared = true};
    const auto slot = find(in.pc);
    if (!slot && full()) return {};
    const Entry entry = slot ? entries_[*slot] : Entry{};
    return {entry.misses < p_.shared[entry.state], true,
            static_cast<unsigned>(slot ? *slot : entries_.size())};
  }

  void reset() {
    entries_.clear();
    step_.reset();
  }

  void edge(const In& in) {
    step_.reset();
    if (p_.kind == hw::PredictorKind::always) return;
    if (in.clear) return reset();
    if (in.reply && in.slot < entries_.size()) {
      int& replies = entries_[in.slot].replies;
      replies = std::min(replies + 1, (1 << hw::predictor_reply_bits(p_)) - 1);
    }
    if (in.miss) count_miss(in.pc);
  }

  void publish(StateList& list) const {
    if (p_.kind == hw::PredictorKind::always) return;
    const StatePlace each{.parts = {{"entry", static_cast<unsigned>(p_.entries)}}};
    list.value("valid", 1, each, [this](unsigned, unsigned e) { return std::uint64_t{e < entries_.size()}; });
    const auto field = [&](const char* name, int width, auto member) {
      list.value(name, width, each, [this, member](unsigned, unsigned e) -> MayCount {
        if (e >= entries_.size()) return {};
        return static_cast<std::uint64_t>(entries_[e].*member);
      });
    };
    field("pc", p_.pc_bits, &Entry::pc);
    field("state", hw::predictor_state_bits(p_), &Entry::state);
    field("misses", hw::predictor_miss_bits(p_), &Entry::misses);
    field("replies", hw::predictor_reply_bits(p_), &Entry::replies);
  }

 private:
  std::optional<std::size_t> find(std::uint32_t pc) const {
    const auto found = std::ranges::find(entries_, pc, &Entry::pc);
    if (found == entries_.end()) return {};
    return static_cast<std::size_t>(found - entries_.begin());
  }

  void count_miss(std::uint32_t pc) {
    auto slot = find(pc);
    if (!slot) {
      if (full()) return;
      slot = entries_.size();
      entries_.push_back({.pc = pc});
    }
    Entry& entry = entries_[*slot];
    if (++entry.misses < p_.window[entry.state]) return;
    const bool enough = entry.replies >= p_.threshold[entry.state];
    step_ = {entry.state, enough};
    entry.state = std::clamp(entry.state + (enough ? -1 : 1), 0, p_.window.count - 1);
    entry.misses = entry.replies = 0;
  }

  hw::SharingPredictorParams p_;
  std::vector<Entry> entries_;  // in the order in which they were taken, which is that of their numbers
  std::optional<Step> step_;
};

}  // namespace golden
