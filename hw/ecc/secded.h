// Code words of a protected RAM: check bits for what is written, and the check of what is read (Hsiao, 1970;
// docs/contracts/secded.md).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hw/ecc/secded_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Throws ParamError when no code can be built from the parameters.
void check(const SecdedParams& p);

// Check bits of a word.
int check_bits(const SecdedParams& p);

// The data bits that each check bit covers, the lowest check bit first.
std::vector<std::uint64_t> check_rows(const SecdedParams& p);

// Of one word, named after the code and its data bits: input `data`, output `check`.
rtl::Module code_encoder(const SecdedParams& p);

// Of one word, named in the same way: inputs `data` and `check`, output `uncorrectable`, and with SECDED
// `corrected` and `checked_data`.
rtl::Module code_decoder(const SecdedParams& p);

// The decoder in two parts, for a register between them; of SECDED. Inputs `data` and `check`, output
// `syndrome`; inputs `data` and `syndrome`, outputs `checked_data` and `uncorrectable`.
rtl::Module code_syndrome(const SecdedParams& p);
rtl::Module code_corrector(const SecdedParams& p);

// Both for all words of a row, without a register.
rtl::Module secded(const SecdedParams& p, const std::string& name);

}  // namespace hw
