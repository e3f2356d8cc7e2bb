// Ready/valid streams: a bundle of ports `<name>_valid`, `<name>_ready` and `<name>_<field>`.
//
// Rules, for both ends of every stream:
// - A transfer happens at a clock edge at which valid and ready are both high.
// - valid does not depend combinationally on ready of the same stream.
// - Once valid is high it stays high, with its fields unchanged, until the transfer.
// - ready may fall without a transfer, and may depend on valid.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/rtl/module.h"

namespace rtl {

struct Signal;

struct Field {
  std::string name;
  int width = 1;
  std::string doc;
  Size size = 0;  // the width, where a parameter gives it
};

class Stream {
 public:
  Expr valid, ready;

  Expr transfer(Loc loc = Loc::current()) const { return At(valid, loc) & ready; }
  // The port of a field; throws ElabError when the stream has none of that name.
  const Expr& operator[](std::string_view field) const;
  const std::vector<std::pair<std::string, Expr>>& fields() const { return fields_; }

 private:
  friend Stream make_stream(Module&, const std::string&, const std::vector<Field>&, const std::string&, bool,
                            const Loc&);
  std::string name_, module_;
  Loc loc_;
  std::vector<std::pair<std::string, Expr>> fields_;
};

// A stream of a module, for its parents.
struct StreamPorts {
  std::string name, doc;
  bool enters = false;
  std::vector<Field> fields;
};

// A stream that enters the module (valid and fields are inputs, ready an output), and one that leaves it.
Stream input_stream(Module& m, const std::string& name, const std::vector<Field>& fields,
                    const std::string& doc, Loc loc = Loc::current());
Stream output_stream(Module& m, const std::string& name, const std::vector<Field>& fields,
                     const std::string& doc, Loc loc = Loc::current());

// The stream of that name; throws ElabError when the module has none.
const StreamPorts& stream_of(const Module& m, std::string_view name, Loc loc = Loc::current());

using Pins = std::vector<std::pair<std::string, Expr>>;

// Ports of a child that become ports of its parent, as pins for its instance: a stream, under this name or
// the same, and one port.
Pins pass_on(Module& parent, const StreamPorts& stream, const std::string& name = "");
std::pair<std::string, Expr> pass_on(Module& parent, const Signal& port);
// The ports of a module that belong to no stream, in order.
std::vector<Signal> other_ports(const Module& m);

// The stream as wires of a parent, as pins for both children that it lies between.
Pins wires_between(Module& parent, const StreamPorts& stream);

}  // namespace rtl
