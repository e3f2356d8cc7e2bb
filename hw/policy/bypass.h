// The decision to bypass, for all tags alike: a bypassed load takes an entry of the miss queue under its own
// id, is answered as its data comes, and changes no tag, replacement or MSHR state.
#pragma once
#include "hw/policy/policies.h"
#include "hw/tags/tag_store.h"

namespace hw {

class Bypass {
 public:
  Bypass(const PolicySocket& socket, rtl::Module m) : policy_(policy_of(socket)), m_(m) {}

  bool closes_ways() const { return policy_->closes_ways(); }

  void arrive(int line_bytes, Request& request) { policy_->arrive(m_, line_bytes, request); }

  rtl::Condition before_lookup(const Request& request) { return policy_->before_lookup(m_, request); }

  // Ways that may take a line, where not all may.
  std::optional<rtl::Expr> open_ways(const ProbeStage& probe) { return policy_->open_ways(m_, probe); }

  // A load that finds no line gets none.
  rtl::Condition refused(const ProbeStage& probe, const TagStore& tags);

  // Completes what is decided: `bypass`, and what follows from it for the tag store. Says whether the load
  // leaves past the cache; known early, and true of some that leave in other ways.
  rtl::Condition decide(ProbeStage& probe, TagStore& tags, const Waiting& waiting);

  void follow(const ProbeStage& probe, const WaysUsed& ways) { policy_->follow(m_, probe, ways); }

 private:
  // A load that may bypass does where the cache does not serve it.
  void spare(ProbeStage& probe, const rtl::Expr& may, const rtl::Expr& served, bool among_others);

  std::unique_ptr<Policy> policy_;
  rtl::Module m_;
};

}  // namespace hw
