#include "golden/cache/mshr_file.h"

#include <algorithm>

namespace golden {

void MshrFile::reset() {
  std::ranges::fill(entries_, Entry{});
  in_use_.clear();
  wake_.clear();
  replay_valid_ = false;
  replay_entry_ = replay_pointer_ = 0;
}

unsigned MshrFile::free_entry() const {
  for (unsigned word = 0; word * 64 < entries_.size(); ++word)
    if (const auto e = static_cast<unsigned>(std::countr_one(in_use_.words()[word])); e < 64)
      return word * 64 + e < entries_.size() ? word * 64 + e : no_entry;
  return no_entry;
}

void MshrFile::take(unsigned e, std::uint64_t block, std::uint32_t set) {
  in_use_.set(e);
  entries_[e] = {.block = block, .set = set};
}

void MshrFile::wait(unsigned e, Target target) {
  Entry& entry = entries_[e];
  targets_[e * merges_ + wrapped(entry.head + entry.count, merges_)] = target;
  ++entry.count;
}

void MshrFile::flush() {
  for (unsigned e = 0; e < entries_.size(); ++e) entries_[e].flushed = in_use_.test(e);
}

void MshrFile::free(unsigned e) {
  in_use_.clear(e);
  wake_.clear(e);
  entries_[e].poisoned = entries_[e].flushed = false;
}

// The entry that is left has nothing more to look at, until it is woken again.
void MshrFile::move_replay(bool parks, bool answered) {
  bool left = parks;
  if (answered) {
    Entry& entry = entries_[replay_entry_];
    left = entry.count == 1;
    entry.head = wrapped(entry.head + 1, merges_);
    --entry.count;
  }
  if (left) wake_.clear(replay_entry_);
  if (replay_valid_ && !left) return;
  const unsigned next = next_to_replay();
  replay_valid_ = next != no_entry;
  if (!replay_valid_) return;
  replay_entry_ = next;
  replay_pointer_ = wrapped(next + 1, entries_.size());
}

}  // namespace golden
