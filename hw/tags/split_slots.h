// Sets of slots by chunk of a line: bit c * S + s of such a vector says something of chunk c and slot s.
#pragma once
#include <vector>

#include "hw/prim/one_hot.h"
#include "hw/tags/tag_params.h"

namespace hw {

constexpr int slot_bits(const TagParams& p) { return bits_to_number(slots_of(p)); }

// Whether a load may look for more chunks than it asks for.
constexpr bool widens(const TagParams& p) {
  return traits_of(p.tags).has_modes && p.mode.kind != ModeKind::fine;
}

// The slots of one chunk.
rtl::Expr slots_of_chunk(const rtl::Expr& vector, int chunk, int slots);

// Adds wire `name` to `m`: the slots of the chunks of a mask, all chunks together.
rtl::Expr slots_of_mask(rtl::Module& m, const std::string& name, const rtl::Expr& vector,
                        const rtl::Expr& mask, const std::string& doc);

// The same of all chunks.
rtl::Expr slots_together(rtl::Module& m, const std::string& name, const rtl::Expr& vector, int chunks,
                         const std::string& doc);

// Module of `take` and a number in, the slot of that number out, one-hot, or 0.
rtl::Module slot_decoder(int slots, const std::string& name);

// Module of a slot's number and two sets of slots in, and out whether each set holds it.
rtl::Module slot_meeting(int slots, const std::string& name);

// Adds wire `name` to `m`: the slot of each chunk of the mask by its number, one-hot; `numbers` holds one for
// each chunk. `decoder` is the module that decodes one.
rtl::Expr decoded_slots(rtl::Module& m, const std::string& name, const std::string& decoder,
                        const rtl::Expr& numbers, const rtl::Expr& mask, int slots, const std::string& doc);

}  // namespace hw
