// The untimed L1 data cache with the reuse-count filter (Decoupled L1D paper, section 4): more tag entries
// than lines, and a line only after enough requests (docs/contracts/l1d-reuse-filter.md).
#pragma once
#include "golden/cache/functional_l1d.h"

namespace golden {

class FunctionalReuse final : public FunctionalL1d {
 public:
  explicit FunctionalReuse(const hw::L1dParams& params);

  void flush() override;
  void steer(const Controls& controls) override { enabled_ = controls["filter_enable"]; }
  std::vector<std::uint64_t> resident_lines() const override;
  bool holds(std::uint64_t address) const override;

 protected:
  void serve(std::span<const Request> requests, Result* results) override;

 private:
  static constexpr std::uint8_t none = 0xff;
  struct Entry {
    std::uint64_t block;
    std::uint8_t rc = 0;
    std::uint8_t way = none;  // with its line
  };
  struct Way {
    std::uint64_t touched = 0;  // when
    std::uint32_t used = 0;     // chunks that loads requested since the allocation
    std::uint8_t entry = none;  // whose line it holds; none: it is free
  };

  Result load(unsigned set, std::uint64_t block, std::uint32_t mask);
  Result bypass(std::uint32_t mask);
  Result allocate(unsigned set, unsigned entry, std::uint32_t mask);
  void change(RequestKind kind, unsigned set, std::uint64_t block, std::uint32_t mask);
  unsigned find(unsigned set, std::uint64_t block) const;
  unsigned entry_to_take(unsigned set) const;
  unsigned least_counted(unsigned set, bool without_line) const;
  unsigned oldest_way(unsigned set) const;
  void count_use(const Way& way);
  void lose_line(unsigned set, Entry& entry);
  bool filters() const { return threshold_ >= 2 && (!follows_ || enabled_); }

  const unsigned entries_of_set_, ways_, chunks_, threshold_, most_;  // most: that a reuse count holds
  const bool dataless_first_, follows_;
  bool enabled_ = false;  // what filter_enable shows
  std::uint64_t now_ = 0;
  std::vector<Entry> entries_;
  std::vector<Way> lines_;
};

}  // namespace golden
