// What a probe table lives among: misses of free entries, lists of targets, probes that find lines, come
// back, get lost or come late, an L2 that answers, and messages of searches that are over.
#pragma once
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "golden/remote/probe_table.h"

namespace verif {

struct ProbeTableInputs {
  bool rst = false;
  golden::ProbeTable::In in = {};
};

class ProbeTableStimulus {
 public:
  explicit ProbeTableStimulus(const hw::ProbeTableParams& p) : p_(p) {}

  // Of the cycle that the table, as it is, begins.
  ProbeTableInputs draw(std::mt19937_64& draw, const golden::ProbeTable& table);
  // Of the cycle that the table, as it was, went through: what was sent will be answered.
  void after(const ProbeTableInputs& inputs, const golden::ProbeTable& table);

 private:
  using Table = golden::ProbeTable;
  // A message under way, and the cycle from which on it may arrive.
  template <class Message>
  struct Coming {
    std::uint64_t due = 0;
    Message message = {};
  };

  void plan(std::mt19937_64& draw);
  std::uint64_t below(std::uint64_t n) { return draw_() % n; }
  bool often(unsigned rate) { return below(256) < rate; }
  std::uint64_t later() { return cycle_ + 1 + below(1 + below(delay_)); }
  void draw_miss(const Table& table);
  void draw_list();
  // Of all that is due one, any of them.
  template <class Message>
  std::optional<Message> arrives(std::vector<Coming<Message>>& coming);
  void disturb(const Table& table, Table::In& in);
  void probe(unsigned entry, std::uint32_t sequence, bool scout);

  hw::ProbeTableParams p_;
  std::mt19937_64 draw_;
  std::uint64_t cycle_ = 0, delay_ = 1;
  int left_ = 0, slow_ = 0;  // plans so far
  bool replied_ = false;     // in the cycle before
  unsigned misses_ = 128, lists_ = 128, free_slots_ = 128, asks_ = 128, finds_ = 128, lost_ = 0,
           arrivals_ = 128,
           wrong_ = 0;  // rates in 256ths
  Table::Miss miss_ = {};
  Table::Lists list_ = {};
  std::vector<Coming<Table::Return>> returns_;
  std::vector<Coming<Table::Reply>> replies_;
};

}  // namespace verif
