// What a lock step of an L1 data cache in banks must come by between its ports, banks and memory.
#pragma once
#include <bitset>

#include "cosim/harness/report.h"
#include "golden/banks/banked_l1d.h"

namespace verif {

class BankedGoals {
 public:
  explicit BankedGoals(const hw::BankedL1dParams& p) : banks_(p.banks), core_id_bits_(p.l1d.core_id_bits) {
    address_of_bank_ = golden::bits_for(p.l1d.line_bytes);
  }

  // A cycle, before its edge.
  void count(const golden::BankedL1d::In& in, const golden::BankedL1d::Out& out);
  Goals seen() const;

 private:
  template <class One>
  using Each = golden::BankedL1d::Each<One>;
  static constexpr std::size_t most = golden::BankedL1d::most;

  void count_port(const golden::BankedL1d::In& in, const golden::BankedL1d::Out& out, std::size_t port);
  void count_bank(const golden::BankedL1d::In& in, const golden::BankedL1d::Out& out, std::size_t bank);

  const int banks_, core_id_bits_;
  int address_of_bank_;
  // Of this cycle: ports that ask for each bank, banks with an answer for each port, and sums.
  Each<int> asked_{}, has_{};
  int taken_ = 0, answered_now_ = 0, fetching_ = 0;
  std::bitset<most> answered_, response_waits_, request_waits_, filled_;
  std::bitset<most * most> pairs_;  // of bank and port
  Goals seen_{{"reset", 0}};
};

}  // namespace verif
