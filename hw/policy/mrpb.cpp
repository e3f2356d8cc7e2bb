#include "hw/policy/mrpb.h"

namespace hw {

rtl::Expr Mrpb::instead_of_fail(rtl::Module& m, const ProbeStage&, const std::function<rtl::Expr()>& fails) {
  return m.let("finds_nothing", fails(),
               "the load finds no line, no MSHR entry or no room in one (MRPB's bypass; BUCL, section 4)");
}

}  // namespace hw
