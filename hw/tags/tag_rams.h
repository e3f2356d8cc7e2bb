// Tags of a set in RAMs, a RAM a way, and the comparison of those of the probe's set with the probe's tag.
#pragma once
#include <optional>
#include <string>

#include "hw/ecc/ecc_params.h"
#include "hw/ecc/secded_params.h"
#include "hw/rtl/condition.h"
#include "hw/rtl/module.h"

namespace hw {

// The tag-lookup stage as the tags see it; all but `same` are ports of the tag store.
struct TagProbe {
  rtl::Expr set, tag;                     // of the request in the stage
  rtl::Expr enter, enter_set, enter_tag;  // the next one enters: its row is read
  rtl::Expr same;                         // it asks for the same set
  rtl::Condition rehashed = {};           // it is the old one once more, looked up in another set
};

// Of the tags in the probe's set: which are equal to the probe's, and which are no words of the code.
struct ComparedTags {
  rtl::Expr equal;
  std::optional<rtl::Expr> wrong = {};  // of protected tags
};

// Adds the RAMs `stem`0, `stem`1 .. to `m`. `written` names the ways whose tag becomes that of the probe,
// one-hot or 0. With a code each tag is a word of it in the RAM, its check bits above it, and is compared as
// a whole: a word with fewer flipped bits than the code's words differ in is equal to no other tag's.
ComparedTags tag_rams(rtl::Module& m, const std::string& stem, int sets, const TagProbe& probe,
                      const rtl::Expr& written, const std::optional<SecdedParams>& code = {});

// The code of protected tags of so many bits.
std::optional<SecdedParams> tag_code(Protection tags, int tag_bits);
// Check bits of a tag; 0 where tags are not protected.
int check_bits_of_tag(Protection tags, int tag_bits);

}  // namespace hw
