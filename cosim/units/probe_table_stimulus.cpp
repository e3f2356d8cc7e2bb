#include "cosim/units/probe_table_stimulus.h"

#include <array>

namespace verif {

void ProbeTableStimulus::plan(std::mt19937_64& draw) {
  static constexpr std::array<unsigned, 5> rates{8, 64, 128, 224, 256};
  const auto any = [&] { return rates[draw() % rates.size()]; };
  draw_.seed(draw());
  left_ = 100 + static_cast<int>(below(400));
  delay_ = std::array<std::uint64_t, 4>{1, 12, 60, 200}[below(4)];
  misses_ = any(), lists_ = any(), free_slots_ = any(), finds_ = any() / 2, arrivals_ = any();
  asks_ = below(4) == 0 ? 2 : any();
  lost_ = below(3) == 0 ? any() / 2 : 0;
  wrong_ = std::array<unsigned, 4>{0, 0, 16, 80}[below(4)];
  if (below(6) == 0) lists_ = 0;
  // Long enough for time-outs, with messages that come around them; else a search of a long time-out never
  // meets its end.
  if (slow_++ % 4 != 3) return;
  left_ = 2 * p_.timeout + static_cast<int>(below(static_cast<unsigned>(p_.timeout)));
  delay_ = 3 * static_cast<std::uint64_t>(p_.timeout);
  const bool without_lists = slow_ % 8 == 0;
  lists_ = without_lists ? 0 : 128;
  misses_ = 128, free_slots_ = 256, finds_ = 160, arrivals_ = 256, lost_ = 8, wrong_ = 4;
  asks_ = std::array{2u, 16u, 64u}[below(3)];
}

void ProbeTableStimulus::draw_miss(const Table& table) {
  if (miss_.valid || !often(misses_)) return;
  std::vector<unsigned> free;
  for (unsigned e = 0; e < table.entries().size(); ++e)
    if (table.entries()[e].state == Table::State::free) free.push_back(e);
  if (free.empty()) return;
  miss_ = {true, free[below(free.size())], below(2) == 0,
           static_cast<unsigned>(below(static_cast<unsigned>(p_.predictor_entries)))};
}

void ProbeTableStimulus::draw_list() {
  list_.free_slots = often(free_slots_) ? static_cast<int>(below(static_cast<unsigned>(p_.outgoing) + 1)) : 0;
  if (!list_.valid && often(lists_))
    list_.valid = true, list_.probes = p_.probes - static_cast<int>(below(2));
}

template <class Message>
std::optional<Message> ProbeTableStimulus::arrives(std::vector<Coming<Message>>& coming) {
  if (coming.empty() || !often(arrivals_)) return {};
  const std::size_t at = below(coming.size());
  if (coming[at].due > cycle_) return {};
  const Message message = coming[at].message;
  coming.erase(coming.begin() + static_cast<std::ptrdiff_t>(at));
  return message;
}

// Messages that nothing waits for: of another sequence, before there are probes, or once more.
void ProbeTableStimulus::disturb(const Table& table, Table::In& in) {
  const auto entry = static_cast<unsigned>(below(static_cast<unsigned>(p_.entries)));
  const std::uint32_t sequence = table.entries()[entry].sequence;
  const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << hw::sequence_bits(p_)) - 1);
  const std::uint32_t other =
      (sequence + std::array<std::uint32_t, 3>{mask, 1, 1u << below(8)}[below(3)]) & mask;
  if (!in.reply.valid && often(wrong_)) in.reply = {true, below(2) == 0, entry, other};
  const Table::Entry& now = table.entries()[entry];
  if (!in.reply.valid && now.state == Table::State::targets && often(wrong_))
    in.reply = {true, below(2) == 0, entry, sequence};
  if (!in.reply.valid && Table::late(now) && often(wrong_)) in.reply = {true, false, entry, sequence};
  if (const auto ask = table.asks(); ask && !in.reply.valid && often(wrong_))
    in.reply = {true, false, ask->entry, table.entries()[ask->entry].sequence};
  if (!in.probe.valid && often(wrong_)) in.probe = {true, below(2) == 0, entry, other, {}};
}

ProbeTableInputs ProbeTableStimulus::draw(std::mt19937_64& draw, const Table& table) {
  if (left_-- == 0) plan(draw);
  ++cycle_;
  ProbeTableInputs drawn{.rst = below(30'000) == 0};
  draw_miss(table);
  draw_list();
  drawn.in.miss = miss_;
  drawn.in.list = list_;
  if (const auto probe = arrives(returns_)) drawn.in.probe = *probe;
  // With stages no reply comes in the cycle behind another one.
  const bool may_reply = p_.stages == 0 || !replied_;
  if (may_reply)
    if (const auto reply = arrives(replies_)) drawn.in.reply = *reply;
  disturb(table, drawn.in);
  if (!may_reply) drawn.in.reply = {};
  replied_ = drawn.in.reply.valid;
  drawn.in.probe.scout = drawn.in.probe.scout && hw::most_candidates(p_) > 0;
  drawn.in.ask_take = often(asks_);
  return drawn;
}

// A leader brings data or comes back, a scout comes back; now and then one is lost.
void ProbeTableStimulus::probe(unsigned entry, std::uint32_t sequence, bool scout) {
  if (often(lost_)) return;
  if (!scout && often(finds_)) {
    replies_.push_back({later(), {true, false, entry, sequence}});
    if (often(wrong_)) replies_.push_back({later(), {true, false, entry, sequence}});
    return;
  }
  Table::Return back{true, scout, entry, sequence, {}};
  for (int k = 0; k < hw::scout_places(p_); ++k)  // a leader's are the cores where it has not found the line
    if (!scout || often(finds_)) {
      const auto core = static_cast<int>(below(static_cast<unsigned>(p_.cores)));
      if (core != p_.core) back.found.push_back(core);
    }
  returns_.push_back({later(), back});
}

void ProbeTableStimulus::after(const ProbeTableInputs& inputs, const Table& table) {
  if (inputs.rst) {
    returns_.clear();
    replies_.clear();
    miss_ = {};
    list_ = {};
    return;
  }
  if (table.miss_ready()) miss_.valid = false;
  if (const auto sent = table.sends(inputs.in)) {
    const std::uint32_t sequence = table.entries()[sent->entry].sequence;
    const int number = sent->list ? std::min(inputs.in.list.probes, p_.coverage) : 1;
    for (int n = 0; n < number; ++n) probe(sent->entry, sequence, n > 0);
    if (sent->list) list_.valid = false;
  }
  if (const auto ask = table.asks(); ask && inputs.in.ask_take)
    replies_.push_back({later(), {true, true, ask->entry, table.entries()[ask->entry].sequence}});
}

}  // namespace verif
