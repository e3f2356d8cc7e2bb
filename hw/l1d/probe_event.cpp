#include "hw/l1d/probe_event.h"

#include <array>

#include "hw/l1d/probe_params.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

ProbeEvent::ProbeEvent(rtl::Module m, const ProbeStage& probe)
    : m_(m), probe_(probe), valid_(probe.commit.load_fires) {
  if (probe.decision.passes.can_be()) valid_ = valid_ & probe.decision.load;
}

const Expr& ProbeEvent::fetch_leaves() {
  if (!fetch_leaves_) {
    const Expr load = probe_.decision.load | probe_.decision.passes;
    fetch_leaves_ = m_.let("fetch_leaves", probe_.commit.push & load, "a fetch goes to memory");
  }
  return *fetch_leaves_;
}

const rtl::Condition& ProbeEvent::some_present() {
  if (const rtl::Condition& some = probe_.decision.some_present; some.can_be() && !some_present_.can_be())
    some_present_ = m_.let("some_present", some.when(), "a chunk is valid or on its way");
  return some_present_;
}

const Expr& ProbeEvent::missed_number() {
  if (!missed_number_)
    missed_number_ = ones_of(m_, "missed_number", *probe_.decision.missed, "chunks that are fetched");
  return *missed_number_;
}

Expr ProbeEvent::fetched_chunks() {
  const Expr& mask = probe_.request.mask;
  const rtl::Condition& bypass = probe_.commit.bypass;
  const int bits = rtl::clog2(static_cast<std::uint64_t>(mask.width()) + 1);
  const Expr fetched =
      probe_.decision.missed ? missed_number() : lit(bits, static_cast<std::uint64_t>(mask.width()));
  if (!bypass.can_be()) return fetched;
  if (!asked_number_) asked_number_ = ones_of(m_, "asked_number", mask, "chunks that the load asks for");
  return mux(bypass, *asked_number_, fetched);
}

Expr ProbeEvent::chunks() {
  if (probe_.decision.missed && !probe_.commit.bypass.can_be()) return missed_number();
  const Expr fetched = fetched_chunks();
  return mux(miss(), fetched, lit(fetched.width(), 0));
}

Expr ProbeEvent::result() {
  const auto is = [](ProbeResult r) { return lit(probe_result_bits, static_cast<std::uint64_t>(r)); };
  const Commit& commit = probe_.commit;
  const Expr fetched = mux(some_present(), is(ProbeResult::partial_miss), is(ProbeResult::miss));
  const Expr looked_up =
      mux(probe_.answers.hit, is(ProbeResult::hit), mux(commit.push, fetched, is(ProbeResult::hit_pending)));
  return mux(commit.bypass, is(ProbeResult::bypass), looked_up);
}

void add_probe_ports(rtl::Module& m, ProbeEvent& event) {
  m.section("Loads that were looked up, for monitors beside the cache.");
  const Expr chunks = event.chunks();
  const std::array<std::optional<Expr>, probe_ports.size()> values{
      event.valid(), std::nullopt, event.set_index(), event.miss(), event.result(), chunks};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto& value = values[i])
      m.assign(m.output(std::string(probe_ports[i].name), value->width(), std::string(probe_ports[i].doc)),
               *value);
}

}  // namespace hw
