// What DynEB compares (DC-L1 thesis, section 4.4.2): effective bandwidth or average memory access time,
// without divisions.
#pragma once
#include <array>

#include "hw/rtl/module.h"
#include "hw/shared/dyneb_params.h"

namespace hw {

// Of both groups, and of the core's own loads sent to homes from odd sets.
struct DynebCounts {
  struct Group {
    rtl::Expr accesses, misses, slice_replies, home_replies;
  };
  Group even, odd;
  rtl::Expr sent, sent_missed;
};

struct DynebProduct {
  rtl::Expr value, by;  // `by` of dyneb_count_bits
};

// A sum of two products, times a factor of dyneb_count_bits.
struct DynebSide {
  std::array<DynebProduct, 2> sum;
  rtl::Expr factor;
};

// Shared is better when `small` is less than `large`.
struct DynebComparison {
  DynebSide small, large;
};

// Values that the comparison needs are added to `m`.
DynebComparison dyneb_comparison(rtl::Module& m, const DynebParams& p, const DynebCounts& counts);

// Bits of the sums.
int dyneb_sum_bits(const DynebParams& p);

}  // namespace hw
