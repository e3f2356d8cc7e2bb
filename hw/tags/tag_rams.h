// Tags of a set in RAMs, a RAM a way, and the comparison of those of the probe's set with the probe's tag.
#pragma once
#include <string>

#include "hw/rtl/module.h"

namespace hw {

// The tag-lookup stage as the tags see it; all but `same` are ports of the tag store.
struct TagProbe {
  rtl::Expr set, tag;                     // of the request in the stage
  rtl::Expr enter, enter_set, enter_tag;  // the next one enters: its row is read
  rtl::Expr same;                         // it asks for the same set
  rtl::Expr anew = {};  // it is the old one once more, looked up in another set; empty if that cannot be
};

// Adds the RAMs `stem`0, `stem`1 .. to `m`. `written` names the ways whose tag becomes that of the probe,
// one-hot or 0. Returns which tags of the probe's set are equal to the probe's tag.
rtl::Expr tag_rams(rtl::Module& m, const std::string& stem, int sets, const TagProbe& probe,
                   const rtl::Expr& written);

}  // namespace hw
