#include "hw/l1d/l1d_ports.h"

#include <algorithm>

#include "hw/l1d/l1d.h"

namespace hw {

std::vector<rtl::Field> fields_of(std::span<const StreamField> fields, const MessageShape& shape) {
  std::vector<rtl::Field> made;
  for (const StreamField& f : fields)
    if (const int width = f.width(shape)) made.push_back({std::string(f.name), width, doc_of(f, shape)});
  return made;
}

rtl::Stream cache_stream(rtl::Module& m, const L1dParams& p, std::string_view name) {
  const StreamRow& row = *std::ranges::find(cache_streams, name, &StreamRow::name);
  const auto fields =
      fields_of(row.fields, message_shape(p, row, row.memory_side ? memory_id_bits(p) : p.core_id_bits));
  const auto make = row.enters ? rtl::input_stream : rtl::output_stream;
  return make(m, std::string(row.name), fields, std::string(row.doc), rtl::Loc::current());
}

ControlPorts::ControlPorts(rtl::Module& m, const L1dParams& p) {
  for (const Control c : all_controls) {
    const ControlRow& row = control_rows[c.row()];
    const std::string name(row.name);
    if (c.role(p) == ControlRole::input)
      ports_[c.row()] = m.input(name, c.width(p), std::string(row.as_input));
    if (c.role(p) == ControlRole::output)
      ports_[c.row()] = m.output(name, c.width(p), std::string(row.as_output));
    if (c.role(p) == ControlRole::inner)
      ports_[c.row()] = m.wire(name, c.width(p), std::string(row.as_input));
  }
}

ControlSignals ControlPorts::signals() const {
  ControlSignals all;
  for (const Control c : all_controls)
    if (const auto& port = ports_[c.row()]) all.signals.emplace_back(c.name(), *port);
  return all;
}

}  // namespace hw
