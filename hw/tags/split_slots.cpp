#include "hw/tags/split_slots.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr;

Expr slots_of_chunk(const Expr& vector, int chunk, int slots) {
  return vector.slice((chunk + 1) * slots - 1, chunk * slots);
}

namespace {

Expr sum_of_chunks(rtl::Module& m, const std::string& name, const Expr& vector, const Expr& mask, int chunks,
                   const std::string& doc) {
  const int slots = vector.width() / chunks;
  const Expr sum = m.wire(name, slots, doc);
  m.comb(fmt::format("Chunks of {}.", name), [&] {
    m.set(sum, rtl::lit(slots, 0));
    m.loop(name + "_chunk", chunks, [&](const Expr& c) {
      const Expr of_chunk = vector.part(c, slots);
      m.set(sum, sum | (mask.known() ? of_chunk & rtl::replicate(slots, mask.at(c)) : of_chunk));
    });
  });
  return sum;
}

}  // namespace

Expr slots_of_mask(rtl::Module& m, const std::string& name, const Expr& vector, const Expr& mask,
                   const std::string& doc) {
  return sum_of_chunks(m, name, vector, mask, mask.width(), doc);
}

Expr slots_together(rtl::Module& m, const std::string& name, const Expr& vector, int chunks,
                    const std::string& doc) {
  return sum_of_chunks(m, name, vector, {}, chunks, doc);
}

rtl::Module slot_decoder(int slots, const std::string& name) {
  rtl::Module m(name, fmt::format("The number of one of {} slots, one-hot.", slots));
  const Expr take = m.input("take", 1, "there is one");
  const Expr number = m.input("number", bits_to_number(slots), "its number");
  const Expr out = m.output("slot_at", slots, "the slot");
  m.assign(out, one_hot_of(m, "bits", take, number, slots, "the slot of the number"));
  return m;
}

Expr decoded_slots(rtl::Module& m, const std::string& name, const Expr& numbers, const Expr& mask, int slots,
                   const std::string& doc) {
  const int chunks = mask.width();
  const Expr out = m.wire(name, chunks * slots, doc);
  const rtl::Module decoder = slot_decoder(slots, m.name() + "_slot");
  m.repeat(name + "_of", chunks, "A chunk each.", [&](const Expr& c) {
    m.instance(decoder, name + "_decoder",
               {{"take", mask.at(c)},
                {"number", numbers.part(c, bits_to_number(slots))},
                {"slot_at", out.part(c, slots)}},
               "Its slot.");
  });
  return out;
}

}  // namespace hw
