// A core that sends random bursts to an AXI4 adapter: all types, sizes and lengths, data before, with and
// after its address, bursts that the adapter refuses.
#pragma once
#include <array>
#include <bit>
#include <deque>
#include <optional>
#include <random>

#include "golden/bus/axi4_adapter.h"

namespace verif {

class Axi4StimulusCore {
 public:
  explicit Axi4StimulusCore(const hw::Axi4AdapterParams& p) : p_(p) {}

  // How eager the core is from now on, how long its bursts are, how many of them are refused.
  void plan(std::mt19937_64& draw) {
    static constexpr std::array<unsigned, 5> rates{8, 64, 128, 240, 256};
    for (unsigned* rate : {&reads_, &writes_, &beats_}) *rate = rates[draw() % rates.size()];
    longest_ = std::array{1, 2, 4, 16, 256}[draw() % 5];
    refused_ = std::array{0u, 16u, 64u}[draw() % 3];
    early_ = draw() % 2 != 0;
  }

  // New beats on the channels that are free.
  void offer(std::mt19937_64& draw) {
    if (!ar_ && draw() % 256 < reads_) ar_ = burst(draw);
    if (!aw_ && open_.size() < 3 && draw() % 256 < writes_) {
      aw_ = burst(draw);
      open_.push_back({*aw_, aw_->length + 1, false});
    }
    if (!w_ && !open_.empty() && (early_ || open_.front().taken) && draw() % 256 < beats_) {
      w_.emplace();
      for (std::uint64_t& word : w_->data) word = draw();
      w_->strobe = strobe(draw);
      w_->last = open_.front().left == 1;
    }
  }
  const std::optional<golden::Axi4Burst>& ar() const { return ar_; }
  const std::optional<golden::Axi4Burst>& aw() const { return aw_; }
  const std::optional<golden::Axi4Write>& w() const { return w_; }

  void edge(const golden::Axi4Adapter::In& in, const golden::Axi4Adapter::Out& out) {
    if (in.ar && out.ar_ready) ar_.reset();
    if (in.aw && out.aw_ready) {
      aw_.reset();
      for (Open& o : open_)
        if (!o.taken) {
          o.taken = true;
          break;
        }
    }
    if (in.w && out.w_ready) {
      w_.reset();
      if (--open_.front().left == 0) open_.pop_front();
    }
  }
  void reset() { ar_.reset(), aw_.reset(), w_.reset(), open_.clear(); }

 private:
  struct Open {
    golden::Axi4Burst burst;
    int left = 0;
    bool taken = false;
  };

  golden::Axi4Burst burst(std::mt19937_64& draw) const {
    golden::Axi4Burst b;
    const int most = std::countr_zero(static_cast<unsigned>(p_.data_bytes));
    b.id = draw() >> (64 - p_.id_bits);
    b.size = draw() % 2 ? most : static_cast<int>(draw() % static_cast<unsigned>(most + 1));
    b.type = std::array{0, 1, 1, 2}[draw() % 4];
    b.cache = static_cast<int>(draw() % 16);
    b.length = static_cast<int>(draw() % static_cast<unsigned>(longest_));
    b.address = draw() >> (64 - p_.address_bits);
    if (b.type == 2) {
      b.length = std::array{1, 3, 7, 15}[draw() % 4];
      b.address = b.address >> b.size << b.size;
    }
    if (b.type == 0) b.length %= 16;
    if (b.type == 1 && draw() % 2) b.address = b.address >> b.size << b.size;
    if (draw() % 256 < refused_) spoil(b, draw, most);
    return b;
  }
  void spoil(golden::Axi4Burst& b, std::mt19937_64& draw, int most) const {
    switch (draw() % 3) {
      case 0:
        b.type = 3;
        break;
      case 1:
        b.size = most + 1 + static_cast<int>(draw() % static_cast<unsigned>(7 - most));
        break;
      default:
        b.type = 2, b.length = std::array{0, 2, 4, 5, 6, 8, 9, 11, 13, 14, 16, 31, 47}[draw() % 13];
    }
    b.length = std::min(b.length, 47);
  }

  // Of the bytes that the beat may write: an AXI4 master writes none outside them, and the adapter trusts it.
  std::uint64_t strobe(std::mt19937_64& draw) const {
    const std::uint64_t all =
        p_.data_bytes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << p_.data_bytes) - 1;
    switch (draw() % 4) {
      case 0:
        return all;
      case 1:
        return draw() % 4 ? std::uint64_t{1} << draw() % static_cast<unsigned>(p_.data_bytes) : 0;
      default:
        return draw() & all;
    }
  }

  hw::Axi4AdapterParams p_;
  std::optional<golden::Axi4Burst> ar_, aw_;
  std::optional<golden::Axi4Write> w_;
  std::deque<Open> open_;
  unsigned reads_ = 128, writes_ = 128, beats_ = 128, refused_ = 16;
  int longest_ = 4;
  bool early_ = false;
};

}  // namespace verif
