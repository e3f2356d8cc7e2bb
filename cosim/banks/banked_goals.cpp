#include "cosim/banks/banked_goals.h"

#include <algorithm>

namespace verif {

void BankedGoals::count(const golden::BankedL1d::In& in, const golden::BankedL1d::Out& out) {
  if (in.rst) {
    ++seen_["reset"];
    return;
  }
  asked_ = has_ = {};
  taken_ = answered_now_ = fetching_ = 0;
  for (int n = 0; n < banks_; ++n) {
    count_port(in, out, static_cast<std::size_t>(n));
    count_bank(in, out, static_cast<std::size_t>(n));
  }
  seen_["all ports ask for one bank"] += std::ranges::max(asked_) == banks_;
  seen_["all ports are served in a cycle"] += taken_ == banks_;
  seen_["all banks have an answer for one port"] += std::ranges::max(has_) == banks_;
  seen_["all ports are answered in a cycle"] += answered_now_ == banks_;
  seen_["banks compete for memory"] += fetching_ > 1;
  seen_["memory does not take a request"] +=
      out.memory.memory_request_valid && !in.memory.memory_request_ready;
  seen_["an answer of memory waits"] += in.memory.memory_response_valid && !out.memory.memory_response_ready;
  seen_["a flush waits"] += in.flush_valid && !out.flush_ready;
}

void BankedGoals::count_port(const golden::BankedL1d::In& in, const golden::BankedL1d::Out& out,
                             std::size_t port) {
  if (const golden::Message* const request = in.request[port]) {
    const std::size_t bank = request->address >> address_of_bank_ & static_cast<unsigned>(banks_ - 1);
    ++asked_[bank];
    taken_ += out.request_ready[port];
    if (out.request_ready[port])
      pairs_.set(bank * most + port);
    else
      request_waits_.set(port);
  }
  if (!out.response[port]) return;
  answered_now_ += in.response_ready[port];
  (in.response_ready[port] ? answered_ : response_waits_).set(port);
}

void BankedGoals::count_bank(const golden::BankedL1d::In& in, const golden::BankedL1d::Out& out,
                             std::size_t bank) {
  const golden::L1dOut& shown = *out.bank[bank];
  if (shown.core_response_valid) ++has_[shown.core_response_id >> core_id_bits_];
  fetching_ += shown.memory_request_valid;
  if (in.memory.memory_response_valid && shown.memory_response_ready) filled_.set(bank);
}

Goals BankedGoals::seen() const {
  Goals all = seen_;
  const auto banks = static_cast<std::size_t>(banks_);
  all["each port is answered"] = answered_.count() == banks;
  all["an answer waits at each port"] = response_waits_.count() == banks;
  all["a request of each port waits"] = request_waits_.count() == banks;
  all["each bank takes a request of each port"] = pairs_.count() == banks * banks;
  all["memory answers each bank"] = filled_.count() == banks;
  return all;
}

}  // namespace verif
