// Golden check of the answers to a core's requests, or to the fetches of a cache, in a part of a topology
// that checks its neighbours (docs/contracts/protocol-checks.md).
#pragma once
#include <optional>

#include "golden/check/answer_check.h"
#include "golden/check/first_errors.h"
#include "golden/noc/packet.h"

namespace golden {

class CheckedAnswers {
 public:
  CheckedAnswers(const hw::CheckParams& params, int id_bits)
      : timeout_(params.timeout), id_bits_(std::max(1, id_bits)) {
    if (params.ports) check_.emplace(id_bits_, timeout_);
  }

  // The answer breaks a rule if it is taken in this cycle; null for none.
  bool breaks(const Message* answer) const {
    return check_ && answer && check_->fault({answer->id, answer->mask}) != hw::ProtocolError::none;
  }
  // The edge, with what transfers at it.
  void edge(const Message* request, const Message* answer) {
    if (!check_) return;
    const auto transfer = [](const Message* m, std::uint32_t mask) {
      return m ? std::optional(AnswerCheck::Transfer{m->id, mask}) : std::nullopt;
    };
    const bool writes =
        request && (request->kind == RequestKind::store ||
                    (request->kind == RequestKind::non_l1 && has_byte_enable(request->byte_enable)));
    check_->edge(transfer(request, request && !writes ? request->mask : 0),
                 transfer(answer, answer ? answer->mask : 0));
  }
  void reset() {
    if (check_) check_.emplace(id_bits_, timeout_);
  }

  bool broken() const { return check_ && check_->broken(); }
  void report(FirstErrors::Codes& codes) const {
    if (check_) codes.insert(check_->code());
  }

 private:
  int timeout_, id_bits_;
  std::optional<AnswerCheck> check_;
};

}  // namespace golden
