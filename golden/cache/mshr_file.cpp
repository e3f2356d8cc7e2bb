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
  if (line_rows_) line_rows_->write(e);
}

void MshrFile::wait(unsigned e, Target target) {
  Entry& entry = entries_[e];
  const unsigned place = wrapped(entry.head + entry.count, merges_);
  targets_[e * merges_ + place] = target;
  if (target_rows_) target_rows_->write(row_of(e, place));
  ++entry.count;
}

unsigned MshrFile::last_for(unsigned e, unsigned chunk) const {
  for (unsigned i = entries_[e].count; i-- > 0;) {
    const unsigned place = wrapped(entries_[e].head + i, merges_);
    if (targets_[e * merges_ + place].mask >> chunk & 1) return place;
  }
  return no_entry;
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
  if (replay_valid_ && !left) return read_rows(false);
  const unsigned next = next_to_replay();
  replay_valid_ = next != no_entry;
  if (!replay_valid_) return;
  replay_entry_ = next;
  replay_pointer_ = wrapped(next + 1, entries_.size());
  read_rows(true);
}

void MshrFile::read_rows(bool of_new_entry) {
  if (target_rows_) target_rows_->read(row_of(replay_entry_, entries_[replay_entry_].head));
  if (line_rows_ && of_new_entry) line_rows_->read(replay_entry_);
}

}  // namespace golden
