#include "cosim/coalescer/coalescer_scoreboard.h"

#include <algorithm>
#include <bit>

namespace verif {

using golden::RequestKind;

std::string CoalescerScoreboard::requested(const Message& m) {
  if (splits_.empty()) return "a request of no instruction";
  if (asked_.contains(m.id)) return "an id that is in flight";
  Split& split = splits_.front();
  const Instruction& i = split.instruction;
  if (m.kind != i.kind) return "another kind";
  if (m.sideband.first != (split.sent == 0)) return "another first request";
  if (split.sent && m.sideband.degree != split.degree) return "another degree than the first";
  split.degree = m.sideband.degree;
  const auto line = static_cast<unsigned>(p_.line_bytes);
  std::uint64_t lanes = 0;
  for (int lane = 0; lane < p_.lanes; ++lane)
    if (split.unserved >> lane & 1 && i.place(lane) / line * line == m.address)
      lanes |= std::uint64_t{1} << lane;
  if (i.kind == RequestKind::atomic) lanes &= ~lanes + 1;
  const std::uint64_t lowest = split.unserved & (~split.unserved + 1);
  if (!(lanes & lowest)) return "a request that the lowest lane does not need";
  if (std::string wrong = bytes(i, lanes, m); !wrong.empty()) return wrong;
  split.unserved &= ~lanes;
  const bool store = i.kind == RequestKind::store;
  asked_[m.id] = {i.id, split.number, split.sent, store};
  split.unanswered.insert(split.sent++);
  if (split.sent == 1 && !store) waiting_[i.id] = split;
  if (!store) {
    Split& waiting = waiting_[i.id];
    waiting.unanswered.insert(split.sent - 1);
    waiting.sent = split.sent, waiting.unserved = split.unserved;
  }
  if (split.unserved) return "";
  if (split.degree != std::min(split.sent, 63u)) return "a degree that is not the number of requests";
  splits_.pop_front();
  return "";
}

std::string CoalescerScoreboard::bytes(const Instruction& i, std::uint64_t lanes, const Message& m) const {
  const bool writes = i.kind == RequestKind::store || i.kind == RequestKind::atomic;
  std::uint32_t chunks = 0;
  golden::ByteMask enabled{};
  for (int lane = p_.lanes - 1; lane >= 0; --lane) {
    if (!(lanes >> lane & 1)) continue;
    for (unsigned b = 0; b < 1u << i.size; ++b) {
      const auto at = static_cast<unsigned>(i.place(lane) % static_cast<unsigned>(p_.line_bytes)) + b;
      chunks |= 1u << at / static_cast<unsigned>(p_.chunk_bytes);
      const std::uint64_t bit = std::uint64_t{1} << at % 64;
      if (!writes || enabled[at / 64] & bit) continue;  // a higher lane has it
      enabled[at / 64] |= bit;
      if (static_cast<std::uint8_t>(m.data[at / 8] >> at % 8 * 8) !=
          i.data[static_cast<std::size_t>(lane)][b])
        return "another byte than the highest lane's";
    }
  }
  if (chunks != m.mask) return "other chunks than the lanes'";
  return enabled == m.byte_enable ? "" : "other byte enables than the lanes'";
}

std::string CoalescerScoreboard::responded(const Message& m) {
  const auto found = asked_.find(m.id);
  if (found == asked_.end()) return "an answer to no request";
  const Asked asked = found->second;
  asked_.erase(found);
  if (asked.store) return "";
  Split& split = waiting_[asked.instruction];
  orders_.out_of_order |= *split.unanswered.begin() < asked.turn;
  orders_.early |= split.unserved != 0;
  orders_.interleaved |= split.answered_once && last_ != asked.number;
  split.unanswered.erase(asked.turn);
  split.answered_once = true;
  last_ = asked.number;
  return "";
}

std::string CoalescerScoreboard::answered(const golden::LaneAnswer& a) {
  const auto found = waiting_.find(a.id);
  if (found == waiting_.end()) return "an answer to no instruction";
  const Split split = found->second;
  waiting_.erase(found);
  if (split.unserved || !split.unanswered.empty()) return "an answer before all of the cache's";
  const Instruction& i = split.instruction;
  if (a.mask != i.mask) return "other lanes than the active ones";
  for (int lane = 0; lane < p_.lanes; ++lane)
    for (unsigned b = 0; i.active(lane) && b < static_cast<unsigned>(p_.lane_bytes); ++b) {
      const std::uint8_t want = b < 1u << i.size ? byte_at(i.place(lane) + b) : 0;
      if (a.data[static_cast<std::size_t>(lane)][b] != want)
        return "another byte than that of the lane's address";
    }
  return "";
}

}  // namespace verif
