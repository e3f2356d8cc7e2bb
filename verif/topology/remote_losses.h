// Losses between cores that search each other's L1s, in the Verilog of a small one with lines of 64 bytes:
// each load has the right data all the same.
#pragma once
#include <vector>

#include "verif/mutate/injected_faults.h"

namespace verif {

inline std::vector<Fault> remote_losses() {
  using rtl::Expr;
  // Bits of the message that has come: of a probe its line and search, of a reply whether a core has sent it.
  constexpr int line = 584, search = 2, by_core = 546, sequence = 514;
  const auto probes = [](auto kept) {
    return [kept](const Expr& sound, const Nets& net) { return sound & kept(net("came_word")); };
  };
  const auto lines = [](auto lost) {
    return [lost](const Expr& sound, const Nets& net) {
      const Expr word = net("got_word");
      return sound & ~(word.bit(by_core) & lost(word));
    };
  };
  const auto one_less = [](const Expr& group, const Expr& when) {
    return group - rtl::zext(when, group.width());
  };
  return {
      {"all probes are lost", "_core", "node.probe_valid", "", low()},
      {"probes of odd lines are lost", "_core", "node.probe_valid", "",
       probes([](const Expr& word) { return ~word.bit(line); })},
      {"probes of odd searches are lost", "_core", "node.probe_valid", "",
       probes([](const Expr& word) { return ~word.bit(search); })},
      {"probes of older searches", "_core", "node.probe_group", "",
       [=](const Expr& sound, const Nets& net) { return one_less(sound, net("came_word").bit(line)); }},
      {"all lines are lost", "_core", "reply_queue.in_valid", "",
       lines([](const Expr&) { return rtl::lit(1, 1); })},
      {"lines of odd searches are lost", "_core", "reply_queue.in_valid", "",
       lines([](const Expr& word) { return word.bit(sequence); })},
      {"lines of older searches", "_core", "node.reply_group", "", [=](const Expr& sound, const Nets& net) {
         return one_less(sound, net("replied_word").bit(by_core));
       }}};
}

}  // namespace verif
