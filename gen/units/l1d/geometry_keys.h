// What several families of units say about the same keys: widths of an address, and the number of sets.
#pragma once
#include "gen/config/key.h"

namespace gen {

KeyInfo address_bits_key();
KeyInfo line_bytes_key();
KeyInfo chunk_bytes_key();
KeyInfo sets_key(int most);

}  // namespace gen
