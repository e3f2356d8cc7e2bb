#include "cosim/units/remote_environment.h"

#include <algorithm>
#include <array>

namespace verif {
namespace {

constexpr std::int64_t longest_reply = 16'000;  // cycles of L2

}  // namespace

void RemoteEnvironment::new_phase(std::mt19937_64& draw) {
  draw_.seed(draw());
  const auto any = [&] { return std::array{8u, 64u, 160u, 256u}[draw_() % 4]; };
  delay_ = std::array<std::uint64_t, 4>{1, 10, 60, 200}[draw_() % 4];
  probes_ = any() / 2, finds_ = any(), sends_ = any(), supplies_ = any();
  lost_ = draw_() % 3 ? 0 : any() / 2;
  wrong_ = draw_() % 3 ? 0 : 40;
  late_ = draw_() % 4 ? 0 : 160;
}

void RemoteEnvironment::next(bool quiet) {
  ++now_;
  if (!reply_) reply_ = arrives(replies_);
  probe_ = arrives(returns_);
  if (!probe_ && !quiet && often(probes_)) probe_ = foreign();
  send_ready_ = often(sends_);
  supply_ready_ = often(supplies_);
}

// Another core's, at any position of its list.
golden::Probe RemoteEnvironment::foreign() {
  const int core_bits = hw::core_or_none_bits(p_.cores), below = 32 - core_bits;
  const auto cores = static_cast<std::uint64_t>(p_.cores);
  const std::uint64_t asker = (static_cast<std::uint64_t>(p_.core) + 1 + draw_() % (cores - 1)) % cores;
  Probe probe{.leader = draw_() % 2 == 0};
  probe.group = asker << below | (number_++ & ((std::uint64_t{1} << below) - 1));
  const auto length = 1 + draw_() % static_cast<unsigned>(p_.remote.coverage);
  probe.pointer = static_cast<int>(draw_() % length);
  // Of the cores behind the asker in turn, this core at its position.
  const std::uint64_t first =
      (static_cast<std::uint64_t>(p_.core) + 2 * cores - asker - 1 - static_cast<unsigned>(probe.pointer)) %
      (cores);
  for (std::uint64_t k = 0; k < static_cast<unsigned>(p_.remote.coverage); ++k)
    probe.targets.push_back(k < length ? static_cast<int>((asker + 1 + first + k) % cores) : golden::no_core);
  probe.line = lines_[draw_() % lines_.size()] / static_cast<unsigned>(line_bytes());
  return probe;
}

// The probe is at all of its targets at once; now and then it is lost, or bears an older search's number.
void RemoteEnvironment::search(const Probe& sent) {
  const bool own = sent.group >> (32 - hw::core_or_none_bits(p_.cores)) == static_cast<unsigned>(p_.core);
  if (!own) return;  // another core's goes its own ways
  if (often(late_)) return found_late(sent);
  if (often(lost_)) return;
  Probe probe = sent;
  const bool wrong = often(wrong_);
  if (wrong) --probe.group;
  for (; !probe.returns(); probe = probe.behind(false)) {
    const int core = probe.targets[static_cast<std::size_t>(probe.pointer)];
    if (!often(finds_)) continue;
    if (!probe.leader) {
      const Probe found = probe.behind(true);
      probe = found;
      if (probe.returns()) break;
      continue;
    }
    const Node::Reply reply = line_of(probe, core);
    replies_.push_back({later(), reply});
    if (often(wrong_)) replies_.push_back({later(), reply});
    return;
  }
  returns_.push_back({later(), probe});
}

golden::RemoteNode::Reply RemoteEnvironment::line_of(const Probe& probe, int core) {
  const std::uint64_t address = probe.line * static_cast<unsigned>(line_bytes());
  const std::uint32_t all = ~0u >> (32 - hw::chunks_of_line(p_.l1d));
  Node::Reply reply{.core = true, .supplier = core, .group = probe.group};
  reply.message = applied(copies_, {.address = address, .mask = all}, line_bytes());
  return reply;
}

// The line comes as soon as the search asks L2 for it. Of more than 64 such lines the oldest is lost.
void RemoteEnvironment::found_late(const Probe& probe) {
  slow_.push_back(line_of(probe, probe.targets[static_cast<std::size_t>(probe.pointer)]));
  if (slow_.size() > 64) slow_.erase(slow_.begin());
}

void RemoteEnvironment::sent(const Node::Sent& message) {
  if (message.probe) return search(*message.probe);
  Node::Reply reply{.tracked = message.tracked, .group = message.group};
  reply.message = applied(memory_, message.message, line_bytes());
  if (message.tracked) reply.message.id ^= 1;  // the entry stands in the group alone
  replies_.push_back({later() + (data_comes_first(message) ? longest_reply : 0), reply});
}

// L2 replies to such a search when another miss may have its entry.
bool RemoteEnvironment::data_comes_first(const Node::Sent& message) {
  const auto is_of = [&](const Node::Reply& line) { return line.group == message.group; };
  const auto line = std::ranges::find_if(slow_, is_of);
  if (!message.tracked || line == slow_.end()) return false;
  replies_.push_back({later(), *line});
  slow_.erase(line);
  return true;
}

void RemoteEnvironment::reset() {
  slow_.clear();
  replies_.clear();
  returns_.clear();
  reply_.reset();
  probe_.reset();
  memory_.clear();
  copies_.clear();
}

}  // namespace verif
