#include "hw/rtl/stream.h"

#include <fmt/format.h>

#include <set>

#include "hw/rtl/module_data.h"

namespace rtl {
namespace {

constexpr const char* ready_doc = "taken at this edge if valid";

}  // namespace

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
  const auto forward = [&](const std::string& port, const Size& width, const std::string& text) {
    return enters ? m.input(port, width, text, loc) : m.output(port, width, text, loc);
  };
  s.valid = forward(name + "_valid", 1, doc);
  s.ready =
      enters ? m.output(name + "_ready", 1, ready_doc, loc) : m.input(name + "_ready", 1, ready_doc, loc);
  std::vector<Field> seen;  // by parents, whose text has other parameters
  for (const Field& f : fields) {
    const Size width = f.size == 0 ? Size(f.width) : f.size;
    s.fields_.emplace_back(f.name, forward(name + "_" + f.name, width, f.doc));
    seen.push_back({f.name, f.width, f.doc});
  }
  m.has_stream({name, doc, enters, std::move(seen)});
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

const StreamPorts& stream_of(const Module& m, std::string_view name, Loc loc) {
  for (const StreamPorts& s : m.data().streams)
    if (s.name == name) return s;
  throw ElabError(Fault::name, loc, m.name(), fmt::format("has no stream '{}'", name));
}

Pins pass_on(Module& parent, const StreamPorts& stream, const std::string& name) {
  const Stream passed = make_stream(parent, name.empty() ? stream.name : name, stream.fields, stream.doc,
                                    stream.enters, Loc::current());
  Pins pins{{stream.name + "_valid", passed.valid}, {stream.name + "_ready", passed.ready}};
  for (const auto& [field, port] : passed.fields()) pins.emplace_back(stream.name + "_" + field, port);
  return pins;
}

std::pair<std::string, Expr> pass_on(Module& parent, const Signal& port) {
  return {port.name, port.role == Role::input ? parent.input(port.name, port.width, port.doc)
                                              : parent.output(port.name, port.width, port.doc)};
}

std::vector<Signal> other_ports(const Module& m) {
  std::set<std::string> of_streams;
  for (const StreamPorts& s : m.data().streams) {
    of_streams.insert({s.name + "_valid", s.name + "_ready"});
    for (const Field& f : s.fields) of_streams.insert(s.name + "_" + f.name);
  }
  std::vector<Signal> ports;
  for (const Signal& s : m.data().signals)
    if ((s.role == Role::input || s.role == Role::output) && !of_streams.contains(s.name)) ports.push_back(s);
  return ports;
}

Pins wires_between(Module& parent, const StreamPorts& stream) {
  const auto wire = [&](const std::string& name, int width, const std::string& doc) {
    return std::pair{stream.name + "_" + name, parent.wire(stream.name + "_" + name, width, doc)};
  };
  Pins pins{wire("valid", 1, stream.doc), wire("ready", 1, ready_doc)};
  for (const Field& f : stream.fields) pins.push_back(wire(f.name, f.width, f.doc));
  return pins;
}

}  // namespace rtl
