#include "golden/gpu/system/dram_channel.h"

#include <algorithm>

namespace golden {

void DramCounters::add(const DramCounters& o) {
  reads += o.reads, writes += o.writes;
  row_hits += o.row_hits, row_misses += o.row_misses, row_conflicts += o.row_conflicts;
  busy_cycles += o.busy_cycles;
  bytes_read += o.bytes_read, bytes_written += o.bytes_written;
}

DramChannel::DramChannel(const DramParams& p) : p_(p), banks_(static_cast<std::size_t>(p.banks)) {}

// From low to high: 64 bytes, column, bank group, bank of the group, row.
void DramChannel::push(const Access& access) {
  Entry entry{access};
  std::uint64_t rest = access.address / static_cast<std::uint64_t>(p_.row_bytes);
  const auto groups = static_cast<std::uint64_t>(p_.bank_groups);
  const auto in_group = static_cast<std::uint64_t>(p_.banks / p_.bank_groups);
  entry.group = static_cast<int>(rest % groups);
  rest /= groups;
  entry.bank = entry.group + p_.bank_groups * static_cast<int>(rest % in_group);
  entry.row = static_cast<std::int64_t>(rest / in_group);
  entry.since = now_;
  (access.write ? writes_ : reads_).push_back(entry);
  try_from_ = now_;
}

std::deque<DramChannel::Entry>& DramChannel::in_service() {
  if (2 * writes_.size() >= places()) draining_ = true;
  if (writes_.empty()) draining_ = false;
  return draining_ || reads_.empty() ? writes_ : reads_;
}

void DramChannel::count_wanted(const std::deque<Entry>& queue) {
  for (Bank& bank : banks_) bank.wanted = bank.asked = 0;
  for (const Entry& entry : queue) {
    Bank& bank = banks_[static_cast<std::size_t>(entry.bank)];
    ++bank.asked;
    bank.wanted += bank.row == entry.row;
  }
}

std::int64_t DramChannel::column_from(const Entry& entry) const {
  const DramTiming& t = p_.timing;
  std::int64_t from = banks_[static_cast<std::size_t>(entry.bank)].column_from;
  from = std::max(from, column_at_ + (entry.group == column_group_ ? t.ccdl : t.ccd));
  if (!entry.write) from = std::max(from, read_from_);
  // Its data may begin in the command cycle in which the bus is free again.
  const std::int64_t bus = bus_free_ / p_.bytes_per_command - (entry.write ? t.wl : t.cl);
  return std::max(from, bus);
}

std::int64_t DramChannel::legal_from(const Entry& entry, bool old) const {
  const Bank& bank = banks_[static_cast<std::size_t>(entry.bank)];
  if (bank.row == entry.row) return column_from(entry);
  if (bank.row == closed_row) return std::max(bank.activate_from, activate_from_);
  return bank.wanted == 0 || old ? bank.precharge_from : never;
}

std::size_t DramChannel::pick(const std::deque<Entry>& queue, std::int64_t& soonest) const {
  const auto old = [this](const Entry& entry) { return now_ - entry.since > p_.age; };
  const auto rank = [&](const Entry& entry) {
    return old(entry) ? 0 : banks_[static_cast<std::size_t>(entry.bank)].row == entry.row ? 1 : 2;
  };
  std::size_t best = queue.size();
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::int64_t from = legal_from(queue[i], old(queue[i]));
    soonest = std::min(soonest, from);
    if (from > now_) continue;
    if (best == queue.size() || rank(queue[i]) < rank(queue[best])) best = i;
  }
  return best;
}

std::size_t DramChannel::pick_to_open(const std::deque<Entry>& queue, std::int64_t& soonest) const {
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Bank& bank = banks_[static_cast<std::size_t>(queue[i].bank)];
    if (bank.asked || bank.row == queue[i].row) continue;
    const std::int64_t from = legal_from(queue[i], false);
    if (from <= now_) return i;
    soonest = std::min(soonest, from);
  }
  return queue.size();
}

DramChannel::Issued DramChannel::tick() {
  ++now_;
  if (now_ < try_from_ || (reads_.empty() && writes_.empty())) return {};
  std::deque<Entry>& queue = in_service();
  count_wanted(queue);
  std::int64_t soonest = never;
  if (const std::size_t at = pick(queue, soonest); at != queue.size()) return send(queue, at);
  std::deque<Entry>& others = &queue == &reads_ ? writes_ : reads_;
  if (const std::size_t at = pick_to_open(others, soonest); at != others.size()) return send(others, at);
  // What is too old may close a row, so look again when the oldest becomes that.
  const std::int64_t ages = queue.front().since + p_.age + 1;
  try_from_ = ages > now_ ? std::min(soonest, ages) : soonest;
  return {};
}

DramChannel::Issued DramChannel::send(std::deque<Entry>& queue, std::size_t at) {
  const DramTiming& t = p_.timing;
  Entry& entry = queue[at];
  Bank& bank = banks_[static_cast<std::size_t>(entry.bank)];
  Issued issued{Command::none, entry.bank, entry.token};
  if (bank.row == entry.row) {
    issued.command = entry.write ? Command::write : Command::read;
    access_column(entry);
    queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(at));
  } else if (bank.row == closed_row) {
    issued.command = Command::activate;
    entry.opened = true;
    bank.row = entry.row;
    bank.column_from = now_ + t.rcd;
    bank.precharge_from = now_ + t.ras;
    bank.activate_from = now_ + t.rc;
    activate_from_ = now_ + t.rrd;
  } else {
    issued.command = Command::precharge;
    entry.closed = true;
    bank.row = closed_row;
    bank.activate_from = std::max(bank.activate_from, now_ + t.rp);
  }
  return issued;
}

void DramChannel::access_column(const Entry& entry) {
  const DramTiming& t = p_.timing;
  Bank& bank = banks_[static_cast<std::size_t>(entry.bank)];
  column_at_ = now_;
  column_group_ = entry.group;
  const std::int64_t begin = now_ + (entry.write ? t.wl : t.cl);
  bus_free_ = std::max(bus_free_, begin * p_.bytes_per_command) + access_bytes;
  const std::int64_t end = begin + burst();  // the first command cycle behind its data
  if (entry.write) {
    read_from_ = end + t.cdlr;
    bank.precharge_from = std::max(bank.precharge_from, end + t.wr);
  } else {
    bank.precharge_from = std::max(bank.precharge_from, now_ + t.rtp);
    moving_.push_back({end, entry.token});
  }
  ++(entry.write ? counters_.writes : counters_.reads);
  (entry.write ? counters_.bytes_written : counters_.bytes_read) += static_cast<std::uint64_t>(entry.bytes);
  ++(entry.closed ? counters_.row_conflicts : entry.opened ? counters_.row_misses : counters_.row_hits);
  counters_.busy_cycles += static_cast<std::uint64_t>(burst());
}

std::optional<std::uint64_t> DramChannel::arrived() {
  if (moving_.empty() || moving_.front().due > now_) return std::nullopt;
  const std::uint64_t token = moving_.front().token;
  moving_.pop_front();
  return token;
}

}  // namespace golden
