#include "hw/tags/split_mode.h"

#include "hw/monitors/mode_selector.h"
#include "hw/rtl/optional.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::replicate;

Expr one_of_sets(rtl::Module& m, const std::string& name, const SetList& list, const Expr& set,
                 const std::string& doc) {
  rtl::Optional any;
  for (const int number : list) any |= set == lit(set.width(), static_cast<std::uint64_t>(number));
  return m.let(name, *any, doc);
}

Expr coarse_mode(rtl::Module& m, const TagParams& p, const Expr& set, const Expr& mode_coarse) {
  if (p.mode.follow) return mode_coarse;
  const Samplers samplers =
      samplers_of({.sets = p.sets, .fine_sets = p.mode.fine_sets, .coarse_sets = p.mode.coarse_sets});
  const Expr fine = one_of_sets(m, "fine_set", samplers.fine, set, "the set of the request is always fine");
  return one_of_sets(m, "coarse_set", samplers.coarse, set, "the set of the request is always coarse") |
         (mode_coarse & ~fine);
}

constexpr ControlName mode_coarse{"mode_coarse"};

}  // namespace

Effective effective_chunks(rtl::Module& m, const TagParams& p, const ProbeStage& probe,
                           const ControlSignals& controls) {
  const int chunks = chunks_of_line(p);
  const Expr& mask = probe.request.mask;
  if (p.mode.kind == ModeKind::fine) return {.of_probe = mask, .of_next = {}};
  if (p.mode.kind == ModeKind::coarse) {
    const Expr line = m.let("effective", rtl::ones(chunks), "chunks that a load looks for: its line");
    return {.of_probe = line, .of_next = line};
  }
  const Expr coarse = coarse_mode(m, p, probe.next.set_index, controls[mode_coarse]);
  const Expr of_next = m.let("enter_effective", probe.next.mask | replicate(chunks, coarse),
                             "chunks that the next request looks for, if it is a load");
  const Expr coarse_q = m.data_reg("probe_coarse_q", 1, "a load looks for its whole line");
  m.clocked("Mode of the request in the tag-lookup stage.",
            [&] { m.when(probe.next.enters, [&] { m.set(coarse_q, coarse); }); });
  const Expr of_probe =
      m.let("effective", mask | replicate(chunks, coarse_q), "chunks that a load looks for");
  return {.of_probe = of_probe, .of_next = of_next};
}

}  // namespace hw
