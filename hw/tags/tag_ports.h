// Ports that tag stores have in common.
#pragma once
#include <optional>

#include "hw/rtl/condition.h"
#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"

namespace hw {

// The tag-lookup stage moves on, and the request that enters it then.
struct EnterPort {
  rtl::Expr moves, comes;
  rtl::Condition rehashed;  // where sets of lines move
  rtl::Expr set, tag;
};
EnterPort enter_port(rtl::Module& m, const TagParams& p, int tag_bits);

// A line in a way goes, since its data was wrong.
struct DropPort {
  rtl::Expr valid, set, way;
};
std::optional<DropPort> drop_port(rtl::Module& m, const TagParams& p, const char* way_doc);

// An MSHR entry is freed, and with it its way.
struct FreedPort {
  rtl::Expr valid, set, way;
};

// Ports that a design may be without.
std::optional<rtl::Expr> input_if(rtl::Module& m, bool there, const char* name, int bits, const char* doc);
std::optional<rtl::Expr> output_if(rtl::Module& m, bool there, const char* name, int bits, const char* doc);

}  // namespace hw
