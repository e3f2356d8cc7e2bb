// A memory behind AXI4 that reorders everything that AXI4 lets it: reads against writes, different IDs, W
// before AW, beats of reads with different IDs between each other, values taken early or late.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <vector>

#include "cosim/l1d/byte_memory.h"
#include "golden/cache/l1d_types.h"

namespace verif {

// AW or AR.
struct Axi4Ask {
  std::uint32_t id = 0;
  std::uint64_t address = 0;
  std::uint32_t length = 0, size = 0;
};

struct Axi4WriteBeat {
  golden::LineData data{};
  golden::ByteMask strobe{};
  bool last = false;
};

class Axi4Memory {
 public:
  struct B {
    std::uint32_t id = 0, resp = 0;
  };
  struct R {
    std::uint32_t id = 0, resp = 0;
    bool last = false;
    golden::LineData data{};
  };

  explicit Axi4Memory(int beat_bytes) : beat_bytes_(static_cast<std::uint64_t>(beat_bytes)) {}

  // One in `slow` chances to do something is used; 1 is as fast as can be. Errors come once in `errors`
  // answers, 0 never.
  std::uint64_t slow = 1, errors = 0;

  // What the memory shows in the next cycle; B and R stay until they are taken.
  void next(std::mt19937_64& draw) {
    for (std::size_t tries = writes_.size(); tries > 0; --tries)
      if (draw() % slow == 0) apply(draw() % writes_.size());
    if (!b && draw() % slow == 0) show_b(draw);
    if (!r && draw() % slow == 0) show_r(draw);
  }
  std::optional<B> b;
  std::optional<R> r;
  ByteMemory bytes;

  void address_write(const Axi4Ask& ask) { aw_.push_back(ask), pair(); }
  void write_beat(const Axi4WriteBeat& beat) { w_.push_back(beat), pair(); }
  // Reads of one ID take the values of bytes that they share in the order in which they came.
  void address_read(const Axi4Ask& ask, std::mt19937_64& draw) {
    const bool free = std::ranges::none_of(reads_, [&](const Read& older) {
      return older.ask.id == ask.id && older.early.empty() && overlap(older.ask, ask);
    });
    reads_.push_back({ask, {}, 0});
    if (free && draw() % 2 == 0)
      for (std::uint32_t k = 0; k <= ask.length; ++k) reads_.back().early.push_back(beat(ask, k));
  }
  // Another master writes all words of a line that is being read: each says how often it was written.
  void other_master_writes(std::uint64_t line_bytes, std::mt19937_64& draw) {
    if (reads_.empty()) return;
    const std::uint64_t line = reads_[draw() % reads_.size()].ask.address / line_bytes * line_bytes;
    if (!is_shared(line / line_bytes)) return;
    for (std::uint64_t at = line; at < line + line_bytes; at += 8)
      bytes.write(at, version(bytes.word(at), at) + 1, 0xff);
    ++others_;
  }
  // Lines that only the other master writes.
  static bool is_shared(std::uint64_t line) { return line % 4 == 3; }
  static std::uint64_t version(std::uint64_t word, std::uint64_t address) {
    return word == ByteMemory{}.word(address) ? 0 : word;
  }
  std::int64_t others() const { return others_; }
  void b_taken() { b.reset(); }
  void r_taken() { r.reset(); }
  void clear() { *this = Axi4Memory(static_cast<int>(beat_bytes_)); }

  std::size_t reads() const { return reads_.size(); }
  std::int64_t reordered() const { return reordered_; }  // R and B that overtook an older one

 private:
  struct Write {
    Axi4Ask ask;
    std::vector<Axi4WriteBeat> beats;
    bool applied = false;
  };
  struct Read {
    Axi4Ask ask;
    std::vector<golden::LineData> early;  // values as they were when the address came, or none
    std::uint32_t sent = 0;
  };

  // Write data belongs to write addresses in order; either may come first.
  void pair() {
    while (!aw_.empty()) {
      const std::size_t beats = aw_.front().length + 1;
      if (w_.size() < beats) return;
      const auto end = w_.begin() + static_cast<std::ptrdiff_t>(beats);
      writes_.push_back({aw_.front(), {w_.begin(), end}, false});
      w_.erase(w_.begin(), end);
      aw_.pop_front();
    }
  }

  static bool overlap(const Axi4Ask& a, const Axi4Ask& b) {
    const auto end = [](const Axi4Ask& x) { return x.address + ((x.length + 1ull) << x.size); };
    return a.address < end(b) && b.address < end(a);
  }

  template <class List>
  static bool first_of_its_id(const List& list, std::size_t k) {
    for (std::size_t i = 0; i < k; ++i)
      if (list[i].ask.id == list[k].ask.id) return false;
    return true;
  }

  std::uint64_t address_of(const Axi4Ask& ask, std::uint32_t k) const {
    return ask.address + (std::uint64_t{k} << ask.size);
  }

  void apply(std::size_t k) {
    Write& write = writes_[k];
    if (write.applied || !first_of_its_id(writes_, k)) return;
    for (std::uint32_t n = 0; n < write.beats.size(); ++n) {
      const std::uint64_t from = address_of(write.ask, n) / beat_bytes_ * beat_bytes_;
      for (std::uint64_t at = 0; at < beat_bytes_; at += 8) {
        const auto enable = static_cast<unsigned>(write.beats[n].strobe[at / 64] >> at % 64 & 0xff);
        bytes.write(from + at, write.beats[n].data[at / 8], enable);
      }
    }
    write.applied = true;
  }

  std::uint32_t response(std::mt19937_64& draw) {
    if (errors && draw() % errors == 0) return static_cast<std::uint32_t>(1 + draw() % 3);
    return 0;
  }

  void show_b(std::mt19937_64& draw) {
    if (writes_.empty()) return;
    const std::size_t k = draw() % writes_.size();
    if (!writes_[k].applied || !first_of_its_id(writes_, k)) return;
    reordered_ += k > 0;
    b = B{writes_[k].ask.id, response(draw)};
    writes_.erase(writes_.begin() + static_cast<std::ptrdiff_t>(k));
  }

  void show_r(std::mt19937_64& draw) {
    if (reads_.empty()) return;
    const std::size_t k = draw() % reads_.size();
    if (!first_of_its_id(reads_, k)) return;
    reordered_ += k > 0;
    Read& read = reads_[k];
    const bool last = read.sent == read.ask.length;
    r = R{read.ask.id, response(draw), last,
          read.early.empty() ? beat(read.ask, read.sent) : read.early[read.sent]};
    ++read.sent;
    if (last) reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(k));
  }

  // A beat as memory is now; lanes beside its bytes show something else.
  golden::LineData beat(const Axi4Ask& ask, std::uint32_t k) const {
    const std::uint64_t from = address_of(ask, k) >> ask.size << ask.size, lanes = from % beat_bytes_;
    golden::LineData data;
    data.fill(0xdeadbeefcafef00d ^ ask.address);
    for (std::uint64_t at = 0; at < std::uint64_t{1} << ask.size; at += 8)
      data[(lanes + at) / 8] = bytes.word(from + at);
    return data;
  }

  std::uint64_t beat_bytes_;
  std::deque<Axi4Ask> aw_;
  std::deque<Axi4WriteBeat> w_;
  std::vector<Write> writes_;
  std::vector<Read> reads_;
  std::int64_t reordered_ = 0, others_ = 0;
};

}  // namespace verif
