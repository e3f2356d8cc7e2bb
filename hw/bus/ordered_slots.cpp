#include "hw/bus/ordered_slots.h"

#include <fmt/format.h>

#include "hw/prim/register_file.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::zext;

rtl::Module ordered_slots(int slots, int width, bool ram) {
  rtl::Module m(fmt::format("ordered_slots_n{}_w{}{}", slots, width, ram ? "_ram" : ""),
                fmt::format("{} slots that leave in the order in which they were taken.", slots));
  const int bits = rtl::clog2(static_cast<std::uint64_t>(slots));
  const Expr take = m.input("take", 1, "the next slot is taken; only while it is free");
  const Expr word = m.input("word", width, "fields that the slot keeps");
  const Expr take_answered = m.input("take_answered", 1, "the slot is answered from the beginning");
  const Expr free = m.output("free", 1, "the next slot is free");
  const Expr slot = m.output("slot", bits, "number of the next slot");
  const Expr answer = m.input("answer", 1, "a slot is answered");
  const Expr answered_slot = m.input("answered_slot", bits, "number of that slot");
  const Expr oldest_word = m.output("oldest_word", width, "fields of the oldest slot");
  const Expr leave = m.input("leave", 1, "the oldest slot leaves");
  std::vector<Expr> shown;
  if (ram)
    shown = {m.output("oldest", bits, "number of the oldest slot"),
             m.output("coming", bits, "number of the oldest slot after this edge"),
             m.output("coming_answered", 1, "that slot was answered before")};
  else
    shown = {m.output("oldest_answered", 1, "the oldest slot is answered")};

  const Expr next = m.reg("next_q", bits + 1, 0, "the slot that is taken next, and the parity of the round");
  const Expr last = m.reg("oldest_q", bits + 1, 0, "the oldest slot, and the parity of its round");
  const Expr answered = m.reg("answered_q", slots, 0, "slots that are answered; none of the free ones");
  const Expr next_slot = next.slice(bits - 1, 0), last_slot = last.slice(bits - 1, 0);
  m.assign(slot, next_slot);
  m.assign(free, ~((next_slot == last_slot) & (next.bit(bits) ^ last.bit(bits))));
  if (ram) {
    m.assign(shown[0], last_slot);
    m.assign(shown[1], last_slot + zext(leave, bits));
    m.assign(shown[2], answered.at(shown[1]));
  } else {
    m.assign(shown[0], answered.at(last_slot));
  }
  m.instance(register_file(slots, width), "words",
             {{"write", take},
              {"write_row", next_slot},
              {"write_data", word},
              {"read_row", last_slot},
              {"read_data", oldest_word}},
             "The slots' words.");
  m.clocked("A slot leaves, one is answered, one is taken: never the same.", [&] {
    m.when(leave, [&] {
      m.set(answered.at(last_slot), lit(1, 0));
      m.set(last, last + lit(bits + 1, 1));
    });
    m.when(answer, [&] { m.set(answered.at(answered_slot), lit(1, 1)); });
    m.when(take, [&] {
      m.set(answered.at(next_slot), take_answered);
      m.set(next, next + lit(bits + 1, 1));
    });
  });
  return m;
}

}  // namespace hw
