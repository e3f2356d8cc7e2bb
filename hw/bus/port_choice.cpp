#include "hw/bus/port_choice.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr, rtl::lit;

rtl::Module port_choice(int ports, int width) {
  rtl::Module m(fmt::format("port_choice_n{}_w{}", ports, width),
                fmt::format("Chooses one of {} ports; a request that waits stays chosen.", ports));
  const Expr waiting = m.input("waiting", ports, "ports with a request");
  const Expr words = m.input("words", ports * width, "requests of the ports");
  const Expr chosen = m.output("chosen", ports, "the port that is served, one-hot");
  const Expr word = m.output("word", width, "the request of the chosen port");
  const Expr taken = m.input("taken", 1, "the chosen request is taken");

  const Expr from = m.wide_reg("from_q", ports, {(std::uint64_t{1} << ports) - 1},
                               "ports that are asked before the others");
  const Expr first = m.let("first", waiting & from, "eligible ports with a request");
  const Expr asked = m.let("asked", rtl::mux(rtl::any(first), first, waiting), "the chosen port");
  m.assign(chosen, asked & (~asked + lit(ports, 1)));
  const Expr behind = m.let("behind", ~(chosen - lit(ports, 1)) & ~chosen, "ports behind the chosen one");
  m.comb("The word of the chosen port.", [&] {
    m.set(word, lit(width, 0));
    m.loop("port", ports, [&](const Expr& i) {
      m.set(word, word | (words.part(i, width) & rtl::replicate(width, chosen.at(i))));
    });
  });
  m.clocked("Behind the one that is taken; at the one that waits.", [&] {
    m.when(rtl::any(waiting), [&] { m.set(from, rtl::mux(taken, behind, behind | chosen)); });
  });
  return m;
}

}  // namespace hw
