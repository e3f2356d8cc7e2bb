// Building a module: declarations, assignments, instances and generate loops, each checked as it is made.
#include "hw/rtl/module.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/rtl/module_data.h"
#include "hw/rtl/names.h"

namespace rtl {

void ModuleData::fail(Fault fault, const Loc& loc, std::string_view what) const {
  throw ElabError(fault, loc, *name, what);
}

void ModuleData::claim(const std::string& n, const Loc& loc) {
  if (const auto fault = name_fault(n); !fault.empty())
    fail(Fault::name, loc, fmt::format("'{}' {}", n, fault));
  if (n == "clk" || n == "rst")
    fail(Fault::name, loc, fmt::format("'{}' is the module's own clock or reset", n));
  if (!names.insert(n).second) fail(Fault::name, loc, fmt::format("'{}' is already used in this module", n));
}

Expr ModuleData::declare(std::string n, Role role, const Size& size, std::string text, const Loc& loc) {
  const int width = size.value();
  claim(n, loc);
  if (width < 1) fail(Fault::width, loc, fmt::format("'{}' is {} bits wide", n, width));
  if (text.empty()) fail(Fault::name, loc, fmt::format("'{}' needs a few words saying what it carries", n));
  if (!item_scope.empty())
    fail(Fault::scope, loc, fmt::format("'{}' is declared inside repeat(); declare one vector before it", n));
  signal_at[n] = signals.size();
  signals.push_back({.name = n,
                     .role = role,
                     .width = width,
                     .doc = std::move(text),
                     .loc = loc,
                     .driver = std::vector<std::string>(width),
                     .size = size.is_number() ? Size(0) : size});
  return Expr(std::make_shared<const Node>(
      Node{.kind = Node::Kind::signal,
           .width = width,
           .text = std::move(n),
           .scope = name,
           .sizes = size.is_number() ? nullptr : std::make_shared<const Sizes>(Sizes{size})}));
}

const Signal* ModuleData::signal(const std::string& n) const {
  const auto at = signal_at.find(n);
  return at == signal_at.end() ? nullptr : &signals[at->second];
}

void ModuleData::must_be_given(const std::string& n, const Expr& value, const Loc& loc) const {
  if (!value.known()) fail(Fault::scope, loc, fmt::format("'{}' is given an empty Expr", n));
}

void ModuleData::must_be_own(const std::string& n, const Expr& value, std::string_view remedy,
                             const Loc& loc) const {
  must_be_given(n, value, loc);
  if (value.node().scope && value.node().scope != name)
    fail(Fault::scope, loc,
         fmt::format("'{}' belongs to module '{}'; {}", rtl::verilog(value), *value.node().scope, remedy));
}

Signal& ModuleData::find(const Expr& target, const Loc& loc) {
  if (target.known()) {
    const Node& n = base(target);
    if (n.kind == Node::Kind::signal && n.scope == name)
      if (const auto at = signal_at.find(n.text); at != signal_at.end()) return signals[at->second];
  }
  fail(Fault::scope, loc, fmt::format("'{}' is not a signal of this module", rtl::verilog(target)));
}

void ModuleData::drive(const Expr& target, const std::string& by, bool again_allowed, const Loc& loc) {
  Signal& s = find(target, loc);
  each_range(target, [&](const BitRange& bits) {
    for (int b = bits.low; b <= bits.high; ++b) {
      if (!s.driver[b].empty() && !(again_allowed && s.driver[b] == by))
        fail(Fault::driver, loc,
             fmt::format("'{}' is already driven by {}", rtl::verilog(target), s.driver[b]));
      s.driver[b] = by;
    }
  });
}

void ModuleData::add(Item item) {
  (item_scope.empty() ? items : *item_scope.back()).push_back(std::move(item));
}

namespace {
bool block_or_child_uses(const std::vector<Item>& items, const std::function<bool(const Block&)>& block,
                         const std::function<bool(const Instance&)>& child) {
  return std::ranges::any_of(items, [&](const Item& item) {
    if (const auto* b = std::get_if<Block>(&item.what)) return b->clocked && block(*b);
    if (const auto* i = std::get_if<Instance>(&item.what)) return child(*i);
    if (const auto* r = std::get_if<Repeat>(&item.what)) return block_or_child_uses(r->items, block, child);
    return false;
  });
}

void targets(const std::vector<Stmt>& body, const std::function<void(const Expr&)>& see) {
  for (const Stmt& s : body) {
    if (s.kind == Stmt::Kind::set) see(s.target);
    targets(s.then, see);
    targets(s.other, see);
    for (const auto& c : s.cases) targets(c.second, see);
  }
}
}  // namespace

bool ModuleData::uses_clock(const std::string& clock) const {
  return block_or_child_uses(
      items, [&](const Block& b) { return b.clock.name == clock; },
      [&](const Instance& i) {
        if (i.clock.name == clock && i.child.data().uses_clock("clk")) return true;
        return clock != "clk" && i.child.data().uses_clock(clock);
      });
}

bool ModuleData::uses_reset(const std::string& clock) const {
  const auto resets = [&](const Block& b) {
    bool any = false;
    if (b.clock.name == clock)
      targets(b.body, [&](const Expr& t) { any |= signal(base(t).text)->reset.has_value(); });
    return any;
  };
  return block_or_child_uses(items, resets, [&](const Instance& i) {
    if (i.clock.name == clock && i.child.data().uses_reset("clk")) return true;
    return clock != "clk" && i.child.data().uses_reset(clock);
  });
}

Module::Module(std::string name, std::string doc, Loc loc) : data_(std::make_shared<ModuleData>()) {
  data_->doc = std::move(doc);
  data_->loc = loc;
  rename(std::move(name));
  if (data_->doc.empty()) data_->fail(Fault::name, loc, "the module needs a sentence saying what it is for");
}

void Module::rename(std::string name) {
  if (!data_->name) data_->name = std::make_shared<std::string>();
  *data_->name = std::move(name);
  if (const auto fault = name_fault(*data_->name); !fault.empty())
    data_->fail(Fault::name, data_->loc, fmt::format("the module's name {}", fault));
}

const std::string& Module::name() const { return *data_->name; }
const std::string& Module::doc() const { return data_->doc; }

void Module::has_stream(StreamPorts stream) { data_->streams.push_back(std::move(stream)); }

Expr Module::input(std::string n, const Size& w, std::string d, Loc l) {
  Expr e = data_->declare(std::move(n), Role::input, w, std::move(d), l);
  std::ranges::fill(data_->signals.back().driver, "the parent");
  return e;
}

Expr Module::output(std::string n, const Size& w, std::string d, Loc l) {
  return data_->declare(std::move(n), Role::output, w, std::move(d), l);
}

Expr Module::wire(std::string n, const Size& w, std::string d, Loc l) {
  Expr e = data_->declare(n, Role::wire, w, std::move(d), l);
  data_->add({Declare{std::move(n)}});
  return e;
}

Expr Module::let(std::string n, const Expr& value, std::string d, Loc l) {
  data_->must_be_own(n, value, "connect it through a port", l);
  Expr e = data_->declare(n, Role::wire, value.size(), std::move(d), l);
  std::ranges::fill(data_->signals.back().driver, "let()");
  data_->add({Let{std::move(n), value}});
  return e;
}

Expr Module::constant(std::string n, int w, std::uint64_t value, std::string d, Loc l) {
  return named(std::move(n), lit(w, value, l), 0, std::move(d), l);
}

Expr Module::table(std::string n, int bits, const std::vector<int>& numbers, std::string d, Loc l) {
  const int width = bits * static_cast<int>(numbers.size());
  std::vector<std::uint64_t> words(static_cast<std::size_t>(width + 63) / 64);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Expr number = lit(bits, static_cast<std::uint64_t>(numbers[i]), l);
    for (int b = 0; b < bits; ++b) {
      const std::size_t bit = i * static_cast<std::size_t>(bits) + static_cast<std::size_t>(b);
      words[bit / 64] |= (number.node().words[0] >> b & 1) << bit % 64;
    }
  }
  return named(std::move(n), wide_lit(width, std::move(words), l), bits, std::move(d), l);
}

Expr Module::named(std::string n, const Expr& value, int element_bits, std::string d, Loc l) {
  for (const Constant& known : data_->constants)
    if (known.name == n) {
      if (known.value.width() == value.width() && known.value.node().words == value.node().words)
        return known.value;
      data_->fail(Fault::name, l, fmt::format("constant '{}' has another value in this module", n));
    }
  if (!legal_constant(n))
    data_->fail(Fault::name, l,
                fmt::format("constant '{}' is not upper snake case: a letter first, then letters, digits and "
                            "single underscores",
                            n));
  Node node = value.node();
  node.text = n;
  node.scope = data_->name;
  Expr named(std::make_shared<const Node>(std::move(node)));
  data_->constants.push_back({std::move(n), std::move(d), named, l, element_bits});
  return named;
}

Expr Module::reg(std::string n, const Expr& reset, std::string d, Loc l) {
  if (!is_a(reset, Node::Kind::literal))
    data_->fail(Fault::scope, l, fmt::format("the reset value of '{}' is not a constant", n));
  if (reset.node().scope && reset.node().scope != data_->name)
    data_->fail(Fault::scope, l,
                fmt::format("constant '{}' belongs to module '{}'; declare it here too", rtl::verilog(reset),
                            *reset.node().scope));
  Expr e = data_reg(std::move(n), reset.size(), std::move(d), l);
  data_->signals.back().reset = reset;
  return e;
}

Expr Module::reg(std::string n, const Size& w, std::uint64_t reset, std::string d, Loc l) {
  Expr e = data_reg(std::move(n), w, std::move(d), l);
  data_->signals.back().reset = lit(w, reset, l);
  return e;
}

Expr Module::wide_reg(std::string n, int w, std::vector<std::uint64_t> reset, std::string d, Loc l) {
  Expr e = data_reg(n, w, std::move(d), l);
  data_->signals.back().reset = wide_lit(w, std::move(reset), l);
  return e;
}

Expr Module::data_reg(std::string n, const Size& w, std::string d, Loc l) {
  if (!n.ends_with("_q"))
    data_->fail(Fault::name, l, fmt::format("register '{}' needs a name that ends in _q", n));
  Expr e = data_->declare(n, Role::reg, w, std::move(d), l);
  data_->add({Declare{std::move(n)}});
  return e;
}

Mem Module::mem(std::string n, const Size& rows, const Size& bits, std::string d, Loc l) {
  const int depth = rows.value(), width = bits.value();
  data_->claim(n, l);
  if (depth < 2 || width < 1)
    data_->fail(Fault::width, l, fmt::format("memory '{}' is {} rows of {} bits", n, depth, width));
  if (d.empty()) data_->fail(Fault::name, l, fmt::format("'{}' needs a few words saying what it carries", n));
  data_->mems.push_back({{n, depth, width, rows, bits}, std::move(d), l});
  data_->add({Declare{std::move(n)}});
  return data_->mems.back().mem;
}

void Module::unused(std::string n, const Expr& bits, std::string d, Loc l) {
  if (n.find("unused") == std::string::npos)
    data_->fail(Fault::name, l, fmt::format("'{}' must contain \"unused\", so that lint tools know", n));
  data_->claim(n, l);
  data_->add({Unused{std::move(n), bits, std::move(d)}});
}

Clock Module::clock(std::string n, std::string reset, int ratio, std::string d, Loc l) {
  data_->claim(n, l);
  if (!reset.empty() && reset != "rst") data_->claim(reset, l);
  if (ratio < 1)
    data_->fail(Fault::clock, l, fmt::format("clock '{}' has ratio {}; it is 1 or more times clk", n, ratio));
  data_->clocks.push_back({{std::move(n), std::move(reset), ratio}, std::move(d)});
  return data_->clocks.back().first;
}

void Module::section(std::string title) { data_->add({Section{std::move(title)}}); }

void Module::assign(const Expr& target, const Expr& value, Loc loc) {
  if (!target.known()) data_->fail(Fault::scope, loc, "the target is an empty Expr");
  for (const Expr& part : targets_of(target)) {
    const Signal& s = data_->find(part, loc);
    if (s.role == Role::reg)
      data_->fail(Fault::driver, loc, fmt::format("'{}' is a register: set() it inside clocked()", s.name));
    data_->must_be_own(s.name, value, "connect it through a port", loc);
  }
  if (target.width() != value.width())
    data_->fail(Fault::width, loc,
                fmt::format("'{}' is {} bits but '{}' is {}; widen with zext() or cut with trunc()",
                            rtl::verilog(target), target.width(), rtl::verilog(value), value.width()));
  for (const Expr& part : targets_of(target)) data_->drive(part, "assign()", false, loc);
  data_->add({Assign{target, value, loc}});
}

void Module::cell(std::string name, Loc loc) {
  if (const auto fault = name_fault(name); !fault.empty())
    data_->fail(Fault::name, loc, fmt::format("the cell's name {}", fault));
  data_->cell = std::move(name);
}

Size Module::parameter(std::string name, const Size& value, int otherwise, std::string doc, Loc loc) {
  if (!legal_constant(name) || std::ranges::count(data_->parameters, name, &Parameter::name))
    data_->fail(Fault::name, loc,
                fmt::format("parameter '{}' is not upper snake case, or there is one of that name", name));
  data_->parameters.push_back({name, std::move(doc), value, otherwise});
  return Size::named(name, value.value());
}

void Module::instance(const Module& child, std::string name, std::vector<std::pair<std::string, Expr>> pins,
                      std::string doc, Loc loc) {
  instance({}, child, std::move(name), std::move(pins), std::move(doc), loc);
}

void Module::instance(const Clock& own, const Module& child, std::string name,
                      std::vector<std::pair<std::string, Expr>> pins, std::string doc, Loc loc) {
  data_->claim(name, loc);
  if (!child.data().paths) {  // not yet instantiated, so not yet checked
    child.finish();
    comb_paths(child.data());
  }
  std::set<std::string> seen;
  for (const auto& [pin, expr] : pins) {
    const Signal* port = child.data().signal(pin);
    if (!port || (port->role != Role::input && port->role != Role::output))
      data_->fail(Fault::name, loc, fmt::format("module '{}' has no port '{}'", child.name(), pin));
    if (!seen.insert(pin).second)
      data_->fail(Fault::driver, loc, fmt::format("{}.{} is connected twice", name, pin));
    if (port->width != expr.width())
      data_->fail(Fault::width, loc,
                  fmt::format("{}.{} is {} bits but '{}' is {}", name, pin, port->width, rtl::verilog(expr),
                              expr.width()));
    for (const Expr& part : port->role == Role::output ? targets_of(expr) : std::vector<Expr>{}) {
      if (data_->find(part, loc).role == Role::reg)
        data_->fail(Fault::driver, loc,
                    fmt::format("'{}' is a register; {}.{} needs a wire", rtl::verilog(part), name, pin));
      data_->drive(part, fmt::format("instance {}", name), false, loc);
    }
  }
  for (const Signal& s : child.data().signals)
    if ((s.role == Role::input || s.role == Role::output) && !seen.contains(s.name))
      data_->fail(Fault::driver, loc, fmt::format("{}.{} is not connected", name, s.name));
  for (const auto& [clock, text] : child.data().clocks)
    if (std::ranges::none_of(data_->clocks, [&](const auto& own) {
          return own.first.name == clock.name && own.first.ratio == clock.ratio;
        }))
      data_->fail(Fault::clock, loc,
                  fmt::format("{} needs the clock '{}', ratio {}; declare it with clock()", name, clock.name,
                              clock.ratio));
  data_->add({Instance{child, std::move(name), std::move(doc), std::move(pins), own, loc}});
}

void Module::repeat(std::string label, const Size& size, std::string doc,
                    const std::function<void(const Expr&)>& body, Loc loc) {
  const int times = size.value();
  if (data_->scope) data_->fail(Fault::scope, loc, "repeat() inside a block; use loop()");
  data_->claim(label, loc);
  if (times < 1) data_->fail(Fault::range, loc, fmt::format("repeat '{}' runs {} times", label, times));
  Repeat repeat{label, std::move(doc), times, {}, size.is_number() ? Size(0) : size};
  // One variable for each depth, which all loops there share: gi, gj, gk.
  std::string variable = fmt::format("g{}", static_cast<char>('i' + data_->item_scope.size()));
  if (data_->loop_names.insert(variable).second) data_->claim(variable, loc);
  data_->item_scope.push_back(&repeat.items);
  body(Expr(std::make_shared<const Node>(
      Node{.kind = Node::Kind::loop, .text = std::move(variable), .high = times, .scope = data_->name})));
  data_->item_scope.pop_back();
  data_->add({std::move(repeat)});
}

void Module::finish() const { check(*data_); }

std::vector<Module> modules_of(const Module& top) {
  std::vector<Module> out;
  const std::function<void(const std::vector<Item>&)> walk = [&](const std::vector<Item>& items) {
    for (const Item& item : items) {
      if (const auto* r = std::get_if<Repeat>(&item.what)) walk(r->items);
      const auto* i = std::get_if<Instance>(&item.what);
      if (!i) continue;
      for (const Module& m : modules_of(i->child))
        if (std::ranges::none_of(out, [&](const Module& o) { return o.name() == m.name(); }))
          out.push_back(m);
    }
  };
  walk(top.data().items);
  out.push_back(top);
  return out;
}

}  // namespace rtl
