#include "cosim/units/probe_handler_stimulus.h"

#include <array>

namespace verif {

void ProbeHandlerStimulus::plan(std::mt19937_64& draw) {
  static constexpr std::array<unsigned, 6> rates{8, 64, 128, 192, 240, 256};
  draw_.seed(draw());
  left_ = 60 + static_cast<int>(below(300));
  for (unsigned* rate : {&probes_, &snoops_, &answers_, &finds_, &forwarded_, &deflected_, &replies_})
    *rate = rates[below(rates.size())];
}

// At any position that has a target; earlier ones may be struck.
golden::Probe ProbeHandlerStimulus::probe() {
  golden::Probe probe{.leader = below(2) == 0};
  const auto cores = static_cast<std::uint64_t>(p_.cores);
  const std::uint64_t asker = below(cores);
  const int core_bits = hw::core_or_none_bits(p_.cores), below_core = p_.group_bits - core_bits;
  probe.group = asker << below_core | (number_++ & ((std::uint64_t{1} << below_core) - 1));
  probe.line = draw_() >> (64 - hw::line_bits(p_));
  const int length = 1 + static_cast<int>(below(static_cast<unsigned>(p_.coverage)));
  probe.pointer = static_cast<int>(below(static_cast<unsigned>(length)));
  // Of those but the asker in turn from one on, so that no two are alike.
  const std::uint64_t first = below(cores - 1);
  for (int k = 0; k < p_.coverage; ++k) {
    const bool struck = !probe.leader && k < probe.pointer && below(2) == 0;
    const std::uint64_t core = (asker + 1 + (first + static_cast<unsigned>(k)) % (cores - 1)) % cores;
    probe.targets.push_back(k >= length || struck ? golden::no_core : static_cast<int>(core));
  }
  return probe;
}

ProbeHandlerInputs ProbeHandlerStimulus::draw(std::mt19937_64& draw, const golden::ProbeHandler& handler) {
  if (left_-- == 0) plan(draw);
  ProbeHandlerInputs drawn{.rst = below(20'000) == 0};
  golden::ProbeHandler::In& in = drawn.in;
  if (often(probes_)) in.probe = probe();
  in.snoop_ready = often(snoops_);
  // Its line has the group of the probe that it is for, which distinguishes it.
  if (!handler.asked().empty() && often(answers_)) {
    in.answer.emplace();
    in.answer->found = often(finds_);
    in.answer->data[0] = handler.asked().front().group;
    for (std::size_t w = 1; w < static_cast<std::size_t>(p_.line_bytes) / 8; ++w)
      in.answer->data[w] = draw_();
  }
  in.forwarded_ready = often(forwarded_);
  in.deflected_ready = often(deflected_);
  in.reply_ready = often(replies_);
  return drawn;
}

}  // namespace verif
