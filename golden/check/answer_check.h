// Golden check of a memory's answers: each belongs to a request on its way, and comes in time
// (docs/contracts/protocol-checks.md).
#pragma once
#include <cstdint>
#include <map>
#include <optional>

#include "golden/check/late_request.h"
#include "hw/check/check_params.h"

namespace golden {

class AnswerCheck {
 public:
  // What a transfer says: of a request the mask that its answer brings.
  struct Transfer {
    std::uint64_t id = 0;
    std::uint32_t mask = 0;
  };

  AnswerCheck(int id_bits, int timeout) : late_(std::uint64_t{1} << id_bits, timeout) {}

  // What the answer breaks, if it is taken in this cycle.
  hw::ProtocolError fault(const Transfer& answer) const {
    const auto asked = on_way_.find(answer.id);
    if (asked == on_way_.end()) return hw::ProtocolError::answer_unasked;
    return asked->second == answer.mask ? hw::ProtocolError::none : hw::ProtocolError::answer_mask;
  }

  // The edge, with what transfers at it.
  void edge(const std::optional<Transfer>& request, const std::optional<Transfer>& answer) {
    const bool late = late_.step([this](std::uint64_t id) { return on_way_.contains(id); });
    if (code_ == hw::ProtocolError::none && found_ != hw::ProtocolError::none) code_ = found_;
    if (code_ == hw::ProtocolError::none && late) code_ = hw::ProtocolError::answer_late;
    found_ = answer ? fault(*answer) : hw::ProtocolError::none;
    broken_ |= found_ != hw::ProtocolError::none;
    if (answer) on_way_.erase(answer->id);
    if (request) on_way_[request->id] = request->mask;
  }

  std::uint64_t ids() const { return late_.ids(); }
  hw::ProtocolError code() const { return code_; }
  // An answer has come that breaks the rules.
  bool broken() const { return broken_; }
  const std::map<std::uint64_t, std::uint32_t>& on_way() const { return on_way_; }

 private:
  LateRequest late_;
  std::map<std::uint64_t, std::uint32_t> on_way_;  // ids, and the masks of their answers
  hw::ProtocolError found_ = hw::ProtocolError::none, code_ = hw::ProtocolError::none;
  bool broken_ = false;
};

}  // namespace golden
