// What an AXI4 adapter owes its core, by its ports alone: each beat of a burst reaches the cache once, in
// order, with its bytes; reads are answered beat by beat in order, writes once they are done.
#pragma once
#include <deque>
#include <map>
#include <set>
#include <string>

#include "golden/bus/axi4_adapter.h"

namespace verif {

class Axi4Scoreboard {
 public:
  explicit Axi4Scoreboard(const hw::Axi4AdapterParams& p) : p_(p) {}

  // A beat as AXI4 has it: bytes `low` to `high` - 1 of the memory.
  struct Beat {
    std::uint64_t id = 0, low = 0, high = 0;
    bool last = false, refused = false, cacheable = false;
    bool sent = false, done = false;
    golden::LineData line = {};  // the cache's answer
    std::uint64_t number = 0;    // the request's id at the cache
  };

  // The beats of a burst, one after the other.
  static std::deque<Beat> beats(const golden::Axi4Burst& b, int data_bytes) {
    std::deque<Beat> all;
    const std::uint64_t bytes = std::uint64_t{1} << b.size;
    const bool refused = golden::Axi4Adapter::refuses(b, data_bytes);
    std::uint64_t address = b.address;
    const std::uint64_t block = bytes * static_cast<std::uint64_t>(b.length + 1);
    const std::uint64_t begin = address - address % block;
    for (int n = 0; n <= b.length; ++n) {
      const std::uint64_t end = address - address % bytes + bytes;
      all.push_back({.id = b.id,
                     .low = address,
                     .high = end,
                     .last = n == b.length,
                     .refused = refused,
                     .cacheable = b.cache >> 2 != 0});
      if (b.type == 0) continue;
      address = end;
      if (b.type == 2 && address == begin + block) address = begin;
      if (b.type == 1 && address % 4096 == 0) address -= 4096;
    }
    return all;
  }

  void reset() { reads_.clear(), writes_.clear(), ids_.clear(); }
  void read(const golden::Axi4Burst& b) { append(reads_, b); }
  void write(const golden::Axi4Burst& b) { append(writes_, b); }

  // A beat of W is taken, with the request that the cache takes, or none.
  std::string write_beat(const golden::Axi4Write& w, const golden::Message* m) {
    Beat* beat = next(writes_);
    if (!beat) return "a beat of write data without a burst";
    beat->sent = true;
    if (beat->refused) return beat->done = true, m ? "a refused write that the cache sees" : "";
    if (!m) return "a write that the cache does not see";
    if (!ids_.insert(m->id).second) return "an id that is not free";
    beat->number = m->id;
    const bool device = !beat->cacheable && p_.cacheable == hw::Axi4Cacheable::attributes && w.strobe != 0;
    if (m->kind != (device ? golden::RequestKind::non_l1 : golden::RequestKind::store)) return "another kind";
    return written(*beat, w, *m);
  }
  // The cache takes a request that is no write.
  std::string read_request(const golden::Message& m) {
    Beat* beat = next(reads_);
    while (beat && beat->refused) beat->sent = beat->done = true, beat = next(reads_);
    if (!beat) return "a request of nobody";
    if (!ids_.insert(m.id).second) return "an id that is not free";
    beat->sent = true, beat->number = m.id;
    const bool device = !beat->cacheable && p_.cacheable == hw::Axi4Cacheable::attributes;
    if (m.kind != (device ? golden::RequestKind::non_l1 : golden::RequestKind::load)) return "another kind";
    if (m.byte_enable != golden::ByteMask{}) return "a read that writes";
    if (m.address / line() != beat->low / line()) return "another line";
    std::uint32_t mask = 0;
    for (std::uint64_t b = beat->low; b < beat->high; ++b) mask |= 1u << b % line() / chunk();
    return m.mask == mask ? "" : "other sectors than those of the beat";
  }

  std::string answer(const golden::Message& m) {
    ids_.erase(m.id);
    for (auto* beats : {&reads_, &writes_})
      for (Beat& beat : *beats)
        if (beat.sent && !beat.done && !beat.refused && beat.number == m.id)
          return beat.done = true, beat.line = m.data, "";
    return "an answer to nobody";
  }

  std::string read_answer(const golden::Axi4Answered& r) {
    if (reads_.empty()) return "a beat of read data for nobody";
    const Beat beat = reads_.front();
    reads_.pop_front();
    if (!beat.refused && !beat.done) return "read data before the cache's answer";
    if (r.id != beat.id) return "another ID";
    if (r.last != beat.last) return "another end";
    if (r.refused != beat.refused) return "another outcome";
    for (std::uint64_t b = beat.low; b < beat.high && !beat.refused; ++b)
      if (byte(r.data, b % bus()) != byte(beat.line, b % line())) return "another byte";
    return "";
  }
  std::string write_answer(const golden::Axi4Answered& b) {
    while (!writes_.empty()) {
      const Beat beat = writes_.front();
      writes_.pop_front();
      if (!beat.done) return "a write that is not done";
      if (!beat.last) continue;
      if (b.id != beat.id) return "another ID";
      return b.refused == beat.refused ? "" : "another outcome";
    }
    return "a response to nobody";
  }

 private:
  std::uint64_t line() const { return static_cast<std::uint64_t>(p_.line_bytes); }
  std::uint64_t chunk() const { return static_cast<std::uint64_t>(p_.chunk_bytes); }
  std::uint64_t bus() const { return static_cast<std::uint64_t>(p_.data_bytes); }
  static std::uint64_t byte(const golden::LineData& data, std::uint64_t b) {
    return data[b / 8] >> b % 8 * 8 & 0xff;
  }

  void append(std::deque<Beat>& to, const golden::Axi4Burst& b) {
    const std::deque<Beat> more = beats(b, p_.data_bytes);
    to.insert(to.end(), more.begin(), more.end());
  }
  static Beat* next(std::deque<Beat>& beats) {
    for (Beat& beat : beats)
      if (!beat.sent) return &beat;
    return nullptr;
  }

  std::string written(const Beat& beat, const golden::Axi4Write& w, const golden::Message& m) const {
    if (m.address / line() != beat.low / line()) return "another line";
    const std::uint64_t word = beat.low - beat.low % bus();
    int extra = 0;
    for (std::uint64_t b = 0; b < line(); ++b) extra += m.byte_enable[b / 64] >> b % 64 & 1;
    for (std::uint64_t b = 0; b < bus(); ++b) {
      if (!(w.strobe >> b & 1)) continue;
      const std::uint64_t there = (word + b) % line();
      if (!(m.byte_enable[there / 64] >> there % 64 & 1)) return "a byte that is not written";
      if (byte(m.data, there) != byte(w.data, b)) return "another byte";
      if (!(m.mask >> there / chunk() & 1)) return "a byte outside the mask";
      --extra;
    }
    return extra == 0 ? "" : "a byte that nobody writes";
  }

  hw::Axi4AdapterParams p_;
  std::deque<Beat> reads_, writes_;
  std::set<std::uint64_t> ids_;  // at the cache
};

}  // namespace verif
