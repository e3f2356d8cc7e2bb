// A peek passes a request that fails: the request is set aside until the peek has left the probe stage.
#pragma once
#include "hw/tags/exchange.h"

namespace hw {

// At most one is set aside, beside a peek, which never fails. Its id, its line and its tag stay where they
// are kept for a request that stays in the probe stage, and what it writes stays there, too: a peek writes
// nothing.
class SetAside {
 public:
  // `probe_free`: the probe stage is free or becomes free.
  SetAside(rtl::Module m, const rtl::Expr& probe_free);

  rtl::Expr fails;  // of the request in the probe stage; for whoever decides it to assign
  rtl::Expr open;   // the probe stage takes the request in front of it
  rtl::Expr valid;  // one is set aside
  rtl::Expr moves;  // the probe stage is left, or the peek in front of it passes

  // Which request stands in front of the probe stage: completes `open` and `moves`.
  void behind(const Request& next);

  // The one set aside, if there is one, else the next: it enters when the stage moves. Its set is kept here
  // unless that may change.
  Request coming(const Request& probe, const Request& next, const rtl::Expr& stayed_tag, bool with_set);

 private:
  rtl::Expr keep(const std::string& name, const rtl::Expr& of_probe, const rtl::Expr& of_next);

  rtl::Module m_;
  rtl::Expr probe_free_;
  std::vector<std::pair<rtl::Expr, rtl::Expr>> kept_;  // register, and what it keeps
};

}  // namespace hw
