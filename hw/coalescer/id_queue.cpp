#include "hw/coalescer/id_queue.h"

#include <fmt/format.h>

#include "hw/prim/sram.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

rtl::Module id_queue(int bits) {
  rtl::Module m(fmt::format("id_queue_w{}", bits),
                fmt::format("The free ones of {} ids, the ones freed first in front. A counter gives "
                            "each id out once; then the queue holds all that are free.",
                            1 << bits));
  const Expr take = m.input("take", 1, "the id is taken; only while one is free");
  const Expr free = m.output("free", 1, "an id is free");
  const Expr id = m.output("id", bits, "the next id");
  const Expr freed = m.input("freed", 1, "an id becomes free");
  const Expr freed_id = m.input("freed_id", bits, "the freed id");

  const Expr fresh = m.reg("fresh_q", bits + 1, 0, "ids given out since reset by the counter");
  const Expr head = m.reg("head_q", bits + 1, 0, "row that is read next, and the parity of its lap");
  const Expr tail = m.reg("tail_q", bits + 1, 0, "row that is written next, and the parity of its lap");
  const Expr fronted = m.reg("fronted_q", 1, 0, "the RAM shows the front of the queue");
  const Expr front = m.wire("front", bits, "the front of the queue");
  const Expr counting = m.let("counting", ~fresh.bit(bits), "the counter has ids left");
  m.assign(free, counting | fronted);
  m.assign(id, mux(counting, fresh.slice(bits - 1, 0), front));
  const Expr leaves = m.let("leaves", take & ~counting, "the front is taken");
  const Expr read = m.let("read", (head != tail) & (~fronted | leaves), "the next front is read");
  m.instance(sram_1r1w(1 << bits, bits), "ids",
             {{"read", read},
              {"read_row", head.slice(bits - 1, 0)},
              {"read_data", front},
              {"write", freed},
              {"write_row", tail.slice(bits - 1, 0)},
              {"write_data", freed_id}},
             "Ids in the order in which they became free; never more than there are rows.");
  m.clocked("Ids are given out, freed, and brought to the front.", [&] {
    m.when(take & counting, [&] { m.set(fresh, fresh + lit(bits + 1, 1)); });
    m.when(freed, [&] { m.set(tail, tail + lit(bits + 1, 1)); });
    m.when(read, [&] { m.set(head, head + lit(bits + 1, 1)); });
    m.when(read | leaves, [&] { m.set(fronted, read); });
  });
  return m;
}

}  // namespace hw
