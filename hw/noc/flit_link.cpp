#include "hw/noc/flit_link.h"

namespace hw {

Link::Link(rtl::Module& m, const std::string& name, const FlitShape& s, Made made, int count)
    : count_(count) {
  const auto add = [&](LinkField field, int bits, bool back, const std::string& doc) {
    const int width = bits * count;
    if (width == 0) return;
    const std::string port = name + "_" + std::string(link_fields[field.place()]);
    const bool enters = back == (made == Made::sender_ports);
    fields_[field.place()] = made == Made::wires ? m.wire(port, width, doc)
                             : enters            ? m.input(port, width, doc)
                                                 : m.output(port, width, doc);
  };
  const int vc_bits = number_bits(s.vcs);
  add("valid", 1, false, "a flit is sent");
  add("vc", vc_bits, false, "VC of the flit");
  add("head", 1, false, "first of its packet");
  add("tail", 1, false, "last of its packet");
  add("destination", s.destination_bits, false, "network port that the packet goes to");
  add("source", s.source_bits, false, "network port that the packet comes from");
  add("side", s.side_bits, false, "sideband fields of the flit");
  add("data", 8 * s.flit_bytes, false, "data of the flit");
  if (s.granted) add("grant", 1, true, "the flit leaves in this cycle");
  add("credit_valid", 1, true, "credit return");
  add("credit_vc", vc_bits, true, "VC whose slot is free again");
}

Link Link::one(const Choice& choice) const {
  Link link = *this;
  for (auto& field : link.fields_)
    if (field) field = choice(*field, field->width() / count_);
  link.count_ = 1;
  return link;
}

Link Link::one(int number) const {
  return one([&](const rtl::Expr& vector, int width) {
    return vector.slice((number + 1) * width - 1, number * width);
  });
}

Pins Link::pins(const std::string& prefix, bool destination, bool source) const {
  Pins pins;
  each([&](LinkField field, const rtl::Expr& e) {
    const std::string name(link_fields[field.place()]);
    if ((destination || name != "destination") && (source || name != "source"))
      pins.emplace_back(prefix + "_" + name, e);
  });
  return pins;
}

void append(Pins& to, const Pins& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace hw
