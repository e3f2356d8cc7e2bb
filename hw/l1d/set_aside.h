// A snoop passes a request that fails: the request is parked until the snoop has left the tag-lookup stage.
#pragma once
#include "hw/tags/exchange.h"

namespace hw {

// At most one is parked, beside a snoop, which never fails. Its id, its line and its tag stay where they
// are kept for a request that stays in the tag-lookup stage, and what it writes stays there, too: a snoop
// writes nothing.
class SetAside {
 public:
  // `probe_free`: the tag-lookup stage is free or becomes free.
  SetAside(rtl::Module m, const rtl::Expr& probe_free);

  rtl::Expr fails;  // of the request in the tag-lookup stage; assigned by the code that decides it
  rtl::Expr open;   // the tag-lookup stage takes the request in front of it
  rtl::Expr valid;  // one is parked
  rtl::Expr moves;  // the tag-lookup stage is left, or the snoop in front of it passes

  // Which request stands in front of the tag-lookup stage: completes `open` and `moves`.
  void behind(const Request& next);

  // The one parked, if there is one, else the next: it enters when the stage moves. Its set is kept here
  // unless that may change.
  Request coming(const Request& probe, const Request& next, const rtl::Expr& stayed_tag, bool with_set);

 private:
  rtl::Expr keep(const std::string& name, const rtl::Expr& of_probe, const rtl::Expr& of_next);

  rtl::Module m_;
  rtl::Expr probe_free_;
  std::vector<std::pair<rtl::Expr, rtl::Expr>> kept_;  // register, and what it keeps
};

}  // namespace hw
