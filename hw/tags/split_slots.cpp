#include "hw/tags/split_slots.h"

#include <fmt/format.h>
#include <optional>

namespace hw {

using rtl::Expr;

Expr slots_of_chunk(const Expr& vector, int chunk, int slots) {
  return vector.slice((chunk + 1) * slots - 1, chunk * slots);
}

namespace {

Expr sum_of_chunks(rtl::Module& m, const std::string& name, const Expr& vector,
                   const std::optional<Expr>& mask, int chunks, const std::string& doc) {
  const int slots = vector.width() / chunks;
  const Expr sum = m.wire(name, slots, doc);
  m.comb("Slots of any of the chunks.", [&] {
    m.set(sum, rtl::lit(slots, 0));
    m.loop(name + "_chunk", chunks, [&](const Expr& c) {
      const Expr of_chunk = vector.part(c, slots);
      m.set(sum, sum | (mask ? of_chunk & rtl::replicate(slots, mask->at(c)) : of_chunk));
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
  const Expr number = m.input("number", bits_to_number(slots), "number of the slot");
  const Expr out = m.output("slot_at", slots, "the slot");
  m.assign(out, one_hot_of(m, "bits", take, number, slots, "the slot of the number"));
  return m;
}

// In two steps of about the same size: the number is known late, the sets are not.
rtl::Module slot_meeting(int slots, const std::string& name) {
  rtl::Module m(name, fmt::format("Whether two sets of slots, of {}, hold a slot.", slots));
  const int bits = bits_to_number(slots), low_bits = bits / 2;
  const int row = 1 << low_bits, rows = (slots + row - 1) / row;
  const Expr number = m.input("number", bits, "the slot");
  const Expr at_row =
      one_hot_of(m, "at_row", number.slice(bits - 1, low_bits), rows, "row of the slot, one-hot");
  Expr at_place;
  if (low_bits)
    at_place = one_hot_of(m, "at_place", number.slice(low_bits - 1, 0), row,
                          "position of the slot in the row, one-hot");
  for (const char* reader : {"hit", "replay"}) {
    const Expr slots_in = m.input(fmt::format("{}_slots", reader), slots, "slots that are read");
    const Expr out = m.output(fmt::format("{}_meets", reader), 1, "the slot is one of them");
    std::vector<Expr> met;  // most significant first
    for (int r = rows - 1; r >= 0; --r) {
      const int from = r * row, to = std::min(slots, from + row) - 1;
      const Expr here = slots_in.slice(to, from);
      met.push_back(low_bits ? rtl::any(here & at_place.slice(to - from, 0)) : here);
    }
    const Expr in_row =
        m.let(fmt::format("{}_rows", reader), rtl::cat(met), "rows where the slot at this position is read");
    m.assign(out, rtl::any(in_row & at_row));
  }
  return m;
}

Expr decoded_slots(rtl::Module& m, const std::string& name, const std::string& decoder_name,
                   const Expr& numbers, const Expr& mask, int slots, const std::string& doc) {
  const int chunks = mask.width();
  const Expr out = m.wire(name, chunks * slots, doc);
  const rtl::Module decoder = slot_decoder(slots, decoder_name);
  m.repeat(name + "_of", chunks, "A chunk each.", [&](const Expr& c) {
    m.instance(decoder, name + "_decoder",
               {{"take", mask.at(c)},
                {"number", numbers.part(c, bits_to_number(slots))},
                {"slot_at", out.part(c, slots)}},
               "The slot of the chunk.");
  });
  return out;
}

}  // namespace hw
