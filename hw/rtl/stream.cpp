#include "hw/rtl/stream.h"

#include <fmt/format.h>

#include "hw/rtl/module_data.h"

namespace rtl {

const Expr& Stream::operator[](std::string_view field) const {
  for (const auto& [name, port] : fields_)
    if (name == field) return port;
  throw ElabError(Fault::name, loc_, module_, fmt::format("stream '{}' has no field '{}'", name_, field));
}

Stream make_stream(Module& m, const std::string& name, const std::vector<Field>& fields,
                   const std::string& doc, bool enters, const Loc& loc) {
  Stream s;
  s.name_ = name;
  s.module_ = m.name();
  s.loc_ = loc;
  const auto forward = [&](const std::string& port, int width, const std::string& text) {
    return enters ? m.input(port, width, text, loc) : m.output(port, width, text, loc);
  };
  s.valid = forward(name + "_valid", 1, doc);
  s.ready = enters ? m.output(name + "_ready", 1, "taken at this edge if valid", loc)
                   : m.input(name + "_ready", 1, "taken at this edge if valid", loc);
  for (const Field& f : fields) s.fields_.emplace_back(f.name, forward(name + "_" + f.name, f.width, f.doc));
  return s;
}

Stream input_stream(Module& m, const std::string& name, const std::vector<Field>& fields,
                    const std::string& doc, Loc loc) {
  return make_stream(m, name, fields, doc, true, loc);
}

Stream output_stream(Module& m, const std::string& name, const std::vector<Field>& fields,
                     const std::string& doc, Loc loc) {
  return make_stream(m, name, fields, doc, false, loc);
}

}  // namespace rtl
