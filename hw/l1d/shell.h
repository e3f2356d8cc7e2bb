// The top module of the L1 data cache: its parts in the order in which a request meets them.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "hw/check/answer_check.h"
#include "hw/l1d/answer.h"
#include "hw/l1d/cache_ports.h"
#include "hw/l1d/front.h"
#include "hw/l1d/index_socket.h"
#include "hw/l1d/store_policy.h"
#include "hw/policy/bypass.h"

namespace hw {

// What the check of responses has to know of the cache.
CheckedRequests checked_requests(const L1dParams& p);
// Bits of a memory id that distinguish fetches.
int fetch_id_bits(const L1dParams& p);

class L1dShell {
 public:
  L1dShell(const L1dParams& p, const std::string& top);
  rtl::Module run();
  int tag_bits() const { return index_->tag_bits(); }
  const TagStore& tags() const { return *tags_; }

 private:
  TagSocket tag_socket() const;
  void parts();
  void responses();
  void judge();
  void entries();
  void queue();
  void report_errors();
  void check_answers();

  const L1dParams& p_;
  rtl::Module m_;
  const std::unique_ptr<IndexSocket> index_;
  const CachePorts ports_;
  Bypass bypass_;
  const std::unique_ptr<TagStore> tags_;
  const std::unique_ptr<StorePolicy> stores_;
  Front front_;

  ProbeStage probe_;
  std::optional<RecoveryStage> recovery_;  // where the data RAM is protected
  rtl::Expr queue_free_;                   // there, the miss queue takes a request
  rtl::Condition request_wrong_,
      request_corrected_;  // of the first queued request, where its RAM is protected
  rtl::Expr direct_;       // memory answers a request of the core
  rtl::Expr entry_;        // number of the MSHR entry that matched, else of the free one
};

}  // namespace hw
