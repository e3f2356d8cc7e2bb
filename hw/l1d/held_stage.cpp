#include "hw/l1d/held_stage.h"

#include <fmt/format.h>

#include <cctype>

namespace hw {

using rtl::Expr;

HeldStage::HeldStage(rtl::Module m, const Request& from, const std::string& stem, const std::string& stage,
                     const Expr& moves, bool indexed)
    : m_(m), from_(from), stem_(stem), stage_(stage) {
  const auto payload = [&](const Expr& value, const char* field, const std::string& doc) {
    return m_.data_reg(fmt::format("{}_{}_q", stem, field), value.width(), doc);
  };
  const auto write_data = [&](const WriteData& w) -> WriteData {
    return {.byte_enable = payload(w.byte_enable, "byte_enable", "byte enables of the request, if no load"),
            .data = payload(w.data, "data", "data of the request, if no load")};
  };
  request = {.valid = m_.reg(stem + "_valid_q", 1, 0, stage + " holds a request"),
             .id = hold(from.id, "id", "id of the request"),
             .kind = hold(from.kind, "kind", "kind of the request"),
             .block_address = hold(from.block_address, "block_address", "line of the request"),
             .mask = hold(from.mask, "mask", "chunks that the request asks for"),
             .written = from.written ? std::optional(write_data(*from.written)) : std::nullopt,
             .set_index = indexed ? hold(from.set_index, "set", "set of the request") : Expr{},
             .tag = indexed ? hold(from.tag, "tag", "tag of the request") : Expr{}};
  for (const auto& [name, value] : from.beside)
    request.beside.emplace_back(name, hold(value, name, "the request's " + name));
  const std::string title = static_cast<char>(std::toupper(stage[0])) + stage.substr(1);
  m_.clocked(title + ".", [&] { m_.when(moves, [&] { m_.set(request.valid, from.valid); }); });
  enters = m_.let(stem + "_enter", moves & from.valid, "a request enters it");
}

Expr HeldStage::hold(const Expr& value, const std::string& field, const std::string& doc) {
  const Expr q = m_.data_reg(fmt::format("{}_{}_q", stem_, field), value.width(), doc);
  fields_.emplace_back(q, value);
  return q;
}

void HeldStage::take_fields(const Expr& when) {
  m_.clocked(fmt::format("The request in {}.", stage_), [&] {
    m_.when(when, [&] {
      for (const auto& [q, value] : fields_) m_.set(q, value);
    });
  });
}

void HeldStage::take_payload(const Expr& when) {
  m_.clocked(fmt::format("Write data of the request in {}.", stage_), [&] {
    m_.when(when & rtl::any(from_.kind), [&] {
      m_.set(request.written->byte_enable, from_.written->byte_enable);
      m_.set(request.written->data, from_.written->data);
    });
  });
}

}  // namespace hw
