// Golden probe handler: probes of other cores at the L1 that they search, cycle by cycle (DC-L1 thesis,
// section 3.3.4; docs/contracts/remote-core.md).
#pragma once
#include <bit>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "golden/noc/crossing_fifo.h"
#include "golden/state.h"
#include "hw/remote/probe_handler_params.h"

namespace golden {

// An entry of a list without a core.
inline constexpr int no_core = -1;

// A probe on its way through the cores of its list.
struct Probe {
  bool leader = false;      // looks for the line itself; a scout, for who has it
  std::uint64_t group = 0;  // {core, entry, sequence} of its search
  std::vector<int> targets = {};
  int pointer = 0;  // position of the next target
  std::uint64_t line = 0;

  bool operator==(const Probe&) const = default;

  bool returns() const {
    const auto place = static_cast<std::size_t>(pointer);
    return place >= targets.size() || targets[place] == no_core;
  }
  // As it leaves the core that its pointer names.
  Probe behind(bool found) const {
    Probe next = *this;
    if (!leader && !found) next.targets[static_cast<std::size_t>(pointer)] = no_core;
    ++next.pointer;
    return next;
  }
};

class ProbeHandler {
 public:
  struct Answer {
    bool found = false;
    LineData data = {};
  };
  struct Line {
    std::uint64_t group = 0;
    LineData data = {};
  };
  struct In {
    std::optional<Probe> probe = {};
    bool snoop_ready = false;
    std::optional<Answer> answer = {};  // to the oldest snoop under way
    bool forwarded_ready = false, deflected_ready = false, reply_ready = false;
  };

  explicit ProbeHandler(const hw::ProbeHandlerParams& p)
      : p_(p), incoming_(p.incoming), forwarded_(p.forwarded), deflected_(p.deflected), replies_(p.replies) {}

  // Where a probe goes.
  int destination(const Probe& probe) const {
    if (!probe.returns()) return probe.targets[static_cast<std::size_t>(probe.pointer)];
    return static_cast<int>(probe.group >> (p_.group_bits - hw::core_or_none_bits(p_.cores)));
  }

  // What is offered; null where nothing is.
  const Probe* snoop() const {
    const auto queue_not_full = [&](std::size_t held, int places) {
      return held + asked_.size() < static_cast<std::size_t>(places);
    };
    return queue_not_full(forwarded_.held(), p_.forwarded) && queue_not_full(replies_.held(), p_.replies)
               ? incoming_.front()
               : nullptr;
  }
  const Probe* forwarded() const { return forwarded_.front(); }
  const Probe* deflected() const { return deflected_.front(); }
  const Line* reply() const { return replies_.front(); }

  bool deflects(const In& in) const { return in.probe && !incoming_.ready(); }
  bool drops(const In& in) const { return deflects(in) && !deflected_.ready(); }
  bool idle() const {
    return !incoming_.front() && asked_.empty() && !forwarded() && !deflected() && !reply();
  }
  // Probes that the L1 has not answered.
  const std::deque<Probe>& asked() const { return asked_; }
  bool incoming_full() const { return !incoming_.ready(); }

  void reset() {
    incoming_.reset(), forwarded_.reset(), deflected_.reset(), replies_.reset();
    asked_.clear();
  }

  void edge(const In& in) {
    std::optional<Probe> on, past;
    std::optional<Line> line;
    if (in.answer) {
      if (in.answer->found && asked_.front().leader)
        line = {asked_.front().group, in.answer->data};
      else
        on = asked_.front().behind(in.answer->found);
    }
    if (deflects(in)) past = in.probe->behind(false);
    const Probe* const first = in.snoop_ready ? snoop() : nullptr;
    const std::optional<Probe> asks = first ? std::optional(*first) : std::nullopt;
    if (in.answer) asked_.pop_front();
    if (asks) asked_.push_back(*asks);
    incoming_.edge(in.probe ? &*in.probe : nullptr, asks.has_value());
    forwarded_.edge(on ? &*on : nullptr, in.forwarded_ready);
    deflected_.edge(past ? &*past : nullptr, in.deflected_ready);
    replies_.edge(line ? &*line : nullptr, in.reply_ready);
  }

  void publish(StateList& list) const {
    const auto kept = [&](const char* name, int places, const auto& queue) {
      list.value(name, std::bit_width(static_cast<unsigned>(places)), {},
                 [this, &queue](unsigned, unsigned) { return std::uint64_t{queue.held() + asked_.size()}; });
    };
    kept("forwarded_kept", p_.forwarded, forwarded_);
    kept("replies_kept", p_.replies, replies_);
  }

 private:
  hw::ProbeHandlerParams p_;
  Fifo<Probe> incoming_, forwarded_, deflected_;
  Fifo<Line> replies_;
  std::deque<Probe> asked_;
};

}  // namespace golden
