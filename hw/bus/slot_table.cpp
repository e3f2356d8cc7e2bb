#include "hw/bus/slot_table.h"

#include <fmt/format.h>

#include "hw/prim/register_file.h"

namespace hw {

using rtl::Expr, rtl::lit;

rtl::Module slot_table(int slots, int width) {
  rtl::Module m(fmt::format("slot_table_n{}_w{}", slots, width),
                fmt::format("{} slots for requests on their way, taken in turn.", slots));
  const int bits = rtl::clog2(static_cast<std::uint64_t>(slots));
  const Expr take = m.input("take", 1, "the next slot is taken; only while it is free");
  const Expr word = m.input("word", width, "fields that the answer needs");
  const Expr free = m.output("free", 1, "the next slot is free");
  const Expr slot = m.output("slot", bits, "number of the next slot");
  const Expr released = m.input("released", 1, "the answer of a slot leaves");
  const Expr released_slot = m.input("released_slot", bits, "number of that slot");
  const Expr released_word = m.output("released_word", width, "the slot's word");
  const Expr busy = m.output("busy", 1, "a slot is taken");

  const Expr taken = m.reg("taken_q", slots, 0, "slots whose requests have no answer yet");
  const Expr next = m.reg("next_q", bits, 0, "the slot that is taken next");
  m.assign(slot, next);
  m.assign(free, ~taken.at(next));
  m.assign(busy, rtl::any(taken));
  m.instance(register_file(slots, width), "words",
             {{"write", take},
              {"write_row", next},
              {"write_data", word},
              {"read_row", released_slot},
              {"read_data", released_word}},
             "The slots' words.");
  m.clocked("A slot is freed, and the next one taken: never the same.", [&] {
    m.when(released, [&] { m.set(taken.at(released_slot), lit(1, 0)); });
    m.when(take, [&] {
      m.set(taken.at(next), lit(1, 1));
      m.set(next, next + lit(bits, 1));
    });
  });
  return m;
}

}  // namespace hw
