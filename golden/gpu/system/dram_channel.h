// A DRAM channel, command cycle by command cycle: banks in groups, open rows, FR-FCFS, one command a cycle.
//
// A read or write of some sectors of a line becomes one column access for each 64 bytes that it touches. Of
// the reads, or of the writes while those are drained, the first that has a legal command sends it: entries
// older than `age` first, then those whose row is open, then all others, the oldest first in each. A row is
// closed when nothing in service wants it, or for an entry that is too old. Writes wait until they fill half
// of their queue, or until there is no read; they are then served until none is left. In a cycle in which
// nothing in service has a command, a row may be opened for the others, in a bank that nothing in service
// goes to.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "golden/gpu/system/memory_figures.h"
#include "golden/gpu/system/system_params.h"

namespace golden {

class DramChannel {
 public:
  static constexpr int access_bytes = 64;  // of a column access

  struct Access {
    std::uint64_t address = 0;  // in the channel, of its first byte
    bool write = false;
    int bytes = 0;            // requested bytes of it
    std::uint64_t token = 0;  // the asker's
  };
  enum class Command : std::uint8_t { none, activate, precharge, read, write };
  struct Issued {
    Command command = Command::none;
    int bank = 0;
    std::uint64_t token = 0;
  };

  explicit DramChannel(const DramParams& p);

  // The queue has free entries for that many more accesses of the kind.
  bool ready(bool write, std::size_t count) const {
    return (write ? writes_ : reads_).size() + count <= places();
  }
  void push(const Access& access);

  // A command cycle. Returns what was sent in it.
  Issued tick();
  // Reads whose data is there; taken once, in the order in which they come.
  std::optional<std::uint64_t> arrived();

  // A tick would do nothing but let time pass.
  bool quiet() const { return reads_.empty() && writes_.empty() && moving_.empty(); }
  void skip(std::int64_t cycles) { now_ += cycles; }
  std::int64_t now() const { return now_; }
  const DramCounters& counters() const { return counters_; }

 private:
  struct Entry : Access {
    int bank = 0, group = 0;
    std::int64_t row = 0, since = 0;
    bool opened = false, closed = false;  // a row was opened, or closed before, for it
  };
  struct Bank {
    std::int64_t row = closed_row;
    std::int64_t activate_from = 0, precharge_from = 0, column_from = 0;
    int wanted = 0, asked = 0;  // entries in service that want its open row, or any of its rows
  };
  static constexpr std::int64_t closed_row = -1, never = INT64_MAX;

  // Of each kind: a line's request takes two of them at most.
  std::size_t places() const { return 2 * static_cast<std::size_t>(p_.queue); }
  std::deque<Entry>& in_service();
  void count_wanted(const std::deque<Entry>& queue);
  // The entry that sends in this cycle, or none; `soonest` falls to when one might.
  std::size_t pick(const std::deque<Entry>& queue, std::int64_t& soonest) const;
  std::size_t pick_to_open(const std::deque<Entry>& queue, std::int64_t& soonest) const;
  std::int64_t column_from(const Entry& entry) const;
  // When the entry's next command is legal; never, if another has to go before.
  std::int64_t legal_from(const Entry& entry, bool old) const;
  Issued send(std::deque<Entry>& queue, std::size_t at);
  void access_column(const Entry& entry);
  int burst() const { return (access_bytes + p_.bytes_per_command - 1) / p_.bytes_per_command; }

  const DramParams p_;
  std::deque<Entry> reads_, writes_;
  bool draining_ = false;
  std::vector<Bank> banks_;
  std::int64_t now_ = 0;
  std::int64_t try_from_ = 0;  // nothing becomes legal before, unless something new comes
  std::int64_t activate_from_ = 0, read_from_ = 0;
  std::int64_t column_at_ = -1000;  // of the last column access, and its group
  int column_group_ = -1;
  std::int64_t bus_free_ = 0;  // in bytes that the bus could have moved since the beginning
  struct Moving {
    std::int64_t due;
    std::uint64_t token;
  };
  std::deque<Moving> moving_;
  DramCounters counters_;
};

}  // namespace golden
