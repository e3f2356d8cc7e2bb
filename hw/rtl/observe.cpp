// State that a module shows for the comparison with a model.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "hw/rtl/module_data.h"
#include "hw/rtl/names.h"

namespace rtl {
namespace {

// The one number that the expression asks from outside; two of them would need two rows at once.
void looks_of(const Expr& e, std::optional<Index>& look, const ModuleData& m, const Loc& loc) {
  const Node& n = e.node();
  for (const Expr& arg : n.args) looks_of(arg, look, m, loc);
  if (n.kind != Node::Kind::look) return;
  const Index here{n.text.substr(Module::look_port("").size()), 1 << n.width};
  if (look && *look != here)
    m.fail(Fault::scope, loc, fmt::format("looks at a {} and at a {} at once", look->name, here.name));
  look = here;
}

// The instance of a name; of one in a generate loop "loop[round].instance" is the name.
const Instance* instance_at(const std::vector<Item>& items, const std::string& name) {
  for (const Item& item : items) {
    if (const auto* i = std::get_if<Instance>(&item.what); i && i->name == name) return i;
    const auto* r = std::get_if<Repeat>(&item.what);
    for (int round = 0; r && round < r->times; ++round)
      if (const std::string start = fmt::format("{}[{}].", r->label, round); name.starts_with(start))
        return instance_at(r->items, name.substr(start.size()));
  }
  return nullptr;
}

}  // namespace

void Module::observe(std::string name, const Expr& value, std::vector<Index> parts, Loc loc) {
  if (const auto fault = name_fault(name); !fault.empty())
    data_->fail(Fault::name, loc, fmt::format("'{}' {}", name, fault));
  if (std::ranges::count(data_->observed, name, &Observed::name))
    data_->fail(Fault::name, loc, fmt::format("'{}' is already observed in this module", name));
  data_->must_be_own(name, value, "observe it there", loc);
  int number = 1;
  for (const Index& part : parts) number *= part.count;
  if (number < 1 || value.width() % number)
    data_->fail(Fault::range, loc,
                fmt::format("'{}' has {} bits, which are no {} equal parts", name, value.width(), number));
  std::optional<Index> look;
  looks_of(value, look, *data_, loc);
  data_->observed.push_back({std::move(name), value, look, std::move(parts)});
}

Expr Module::looked_at(std::string index, int width, Loc loc) {
  if (width < 1 || width > 31)
    data_->fail(Fault::width, loc, fmt::format("'{}' is {} bits wide", index, width));
  return Expr(std::make_shared<const Node>(
      Node{.kind = Node::Kind::look, .width = width, .text = look_port(index), .scope = data_->name}));
}

Expr Module::stored(const std::string& instance, const Expr& row, Loc loc) {
  const Instance* found = instance_at(data_->items, instance);
  if (!found)
    data_->fail(Fault::name, loc, fmt::format("there is no instance '{}' before this line", instance));
  const auto& mems = found->child.data().mems;
  if (mems.size() != 1)
    data_->fail(Fault::name, loc, fmt::format("'{}' holds {} memories, not one", instance, mems.size()));
  Mem mem = mems[0].mem;
  mem.name = instance + "." + mem.name;
  return load(mem, row, loc);
}

}  // namespace rtl
