#include "hw/tags/tag_ports.h"

#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr;

EnterPort enter_port(rtl::Module& m, const TagParams& p, int tag_bits) {
  const Expr moves = m.input("moves", 1, "the tag-lookup stage is free or becomes free"),
             comes = m.input("comes", 1, "then a request enters it");
  rtl::Condition rehashed;
  if (p.moving_sets)
    rehashed = m.input("rehashed", 1, "the request is the probe's own once more, in another set");
  return {.moves = moves,
          .comes = comes,
          .rehashed = rehashed,
          .set = m.input("enter_set", bits_to_number(p.sets), "set of the request that enters"),
          .tag = m.input("enter_tag", tag_bits, "tag of the request that enters")};
}

std::optional<DropPort> drop_port(rtl::Module& m, const TagParams& p, const char* way_doc) {
  if (!protects_data(p.ecc)) return {};
  return DropPort{.valid = m.input("drop", 1, "a line goes in which data was wrong"),
                  .set = m.input("drop_set", bits_to_number(p.sets), "set of that line"),
                  .way = m.input("drop_way", p.ways, way_doc)};
}

std::optional<Expr> input_if(rtl::Module& m, bool there, const char* name, int bits, const char* doc) {
  return there ? std::optional(m.input(name, bits, doc)) : std::nullopt;
}

std::optional<Expr> output_if(rtl::Module& m, bool there, const char* name, int bits, const char* doc) {
  return there ? std::optional(m.output(name, bits, doc)) : std::nullopt;
}

}  // namespace hw
