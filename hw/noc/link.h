// The registers of a link between routers or switches, for flits one way and credits the other (DC-L1 thesis,
// chapter 4).
#pragma once
#include "hw/rtl/module.h"

namespace hw {

// Ports: `in_valid`, `in_word`; `out_valid`, `out_word`, so many stages later, one at least. Words of no bits
// have no ports.
rtl::Module link(int stages, int word_bits);

}  // namespace hw
