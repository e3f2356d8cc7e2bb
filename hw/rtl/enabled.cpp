// Rebuilds a module item by item in another scope, with a condition around the clocked blocks.
#include "hw/rtl/enabled.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/rtl/module_data.h"

namespace rtl {
namespace {

class Copy {
 public:
  Copy(const ModuleData& from, Module& to) : from_(from), to_(to) {}

  void run() {
    if (!from_.cell.empty()) to_.cell(from_.cell + "_en", from_.loc);
    for (const Parameter& p : from_.parameters) to_.parameter(p.name, p.argument, p.otherwise, p.doc);
    for (const auto& [clock, doc] : from_.clocks) to_.clock(clock.name, clock.reset, clock.ratio, doc);
    for (const Signal& s : from_.signals) {
      if (s.role == Role::input) scope_ = to_.input(s.name, size_of(s), s.doc).node().scope;
      if (s.role == Role::output) scope_ = to_.output(s.name, size_of(s), s.doc).node().scope;
    }
    enable_ = to_.input("enable", 1, "the registers move");
    scope_ = enable_.node().scope;
    for (const Constant& c : from_.constants) {
      if (c.element_bits)
        to_.table(c.name, c.element_bits, numbers_in(c.value, c.element_bits), c.doc, c.loc);
      else
        to_.constant(c.name, c.value.width(), c.value.node().words[0], c.doc, c.loc);
    }
    for (const StreamPorts& stream : from_.streams) to_.has_stream(stream);
    for (const Item& item : from_.items) copy(item);
    for (const Observed& o : from_.observed) to_.observe(o.name, copied(o.value), o.parts);
  }

 private:
  static Size size_of(const Signal& s) { return s.size == 0 ? Size(s.width) : s.size; }

  Expr copied(const Expr& e) const {
    if (!e.known()) return e;
    Node node = e.node();
    for (Expr& arg : node.args) arg = copied(arg);
    if (node.scope) node.scope = scope_;
    return Expr(std::make_shared<const Node>(std::move(node)));
  }

  void copy(const Item& item) {
    std::visit([this](const auto& what) { add(what); }, item.what);
  }

  void add(const Let& let) {
    const Signal& s = *from_.signal(let.name);
    to_.let(let.name, copied(let.value), s.doc, s.loc);
  }
  void add(const Unused& unused) { to_.unused(unused.name, copied(unused.bits), unused.doc); }
  void add(const Assign& assign) { to_.assign(copied(assign.target), copied(assign.value), assign.loc); }
  void add(const Section& section) { to_.section(section.title); }

  void add(const Declare& declare) {
    const auto store = std::ranges::find(from_.mems, declare.name, [](const Store& s) { return s.mem.name; });
    if (store != from_.mems.end()) {
      to_.mem(declare.name, store->mem.rows, store->mem.bits, store->doc);
      return;
    }
    const Signal& s = *from_.signal(declare.name);
    if (s.role == Role::wire)
      to_.wire(s.name, size_of(s), s.doc, s.loc);
    else if (s.reset)
      to_.reg(s.name, copied(*s.reset), s.doc, s.loc);
    else
      to_.data_reg(s.name, size_of(s), s.doc, s.loc);
  }

  void add(const Instance& instance) {
    const bool moves = instance.clock.name == "clk" && is_clocked(instance.child);
    std::vector<std::pair<std::string, Expr>> pins;
    for (const auto& [pin, value] : instance.pins) pins.emplace_back(pin, copied(value));
    if (moves) pins.emplace_back("enable", enable_);
    to_.instance(instance.clock, moves ? enabled(instance.child) : instance.child, instance.name, pins,
                 instance.doc, instance.loc);
  }

  void add(const Block& block) {
    if (!block.clocked)
      return to_.comb(
          block.doc, [&] { statements(block.body); }, block.loc);
    const auto body = [&] {
      if (block.clock.name != "clk") return statements(block.body);
      to_.when(enable_, [&] { statements(block.body); });
    };
    to_.clocked(block.clock, block.doc, body, block.loc);
  }

  void add(const Repeat& repeat) {
    to_.repeat(repeat.label, repeat.size == 0 ? Size(repeat.times) : repeat.size, repeat.doc,
               [&](const Expr&) {
                 for (const Item& item : repeat.items) copy(item);
               });
  }

  void statements(const std::vector<Stmt>& body) {
    for (const Stmt& s : body) statement(s);
  }

  void statement(const Stmt& s) {
    switch (s.kind) {
      case Stmt::Kind::set:
        return to_.set(copied(s.target), copied(s.value), s.loc);
      case Stmt::Kind::store:
        return add_store(s);
      case Stmt::Kind::when:
        return add_when(s);
      case Stmt::Kind::pick:
        return add_pick(s);
      case Stmt::Kind::loop: {
        const Node& variable = s.target.node();
        return to_.loop(
            variable.text, variable.sizes ? variable.sizes->high : Size(variable.high),
            [&](const Expr&) { statements(s.then); }, s.loc);
      }
    }
  }

  void add_store(const Stmt& s) {
    const Node& row = stored_row(s).node();
    const auto store = std::ranges::find(from_.mems, row.text, [](const Store& m) { return m.mem.name; });
    if (&row == &s.target.node()) return to_.store(store->mem, copied(row.args[0]), copied(s.value), s.loc);
    to_.store_part(store->mem, copied(row.args[0]), copied(s.target.node().args[1]), copied(s.value), s.loc);
  }

  void add_when(const Stmt& s) {
    auto branch = to_.when(
        copied(s.value), [&] { statements(s.then); }, s.loc);
    if (!s.other.empty()) branch.otherwise([&] { statements(s.other); });
  }

  void add_pick(const Stmt& s) {
    std::vector<std::pair<Expr, std::function<void()>>> cases;
    for (const auto& [key, body] : s.cases)
      cases.emplace_back(copied(key), [this, &body = body] { statements(body); });
    to_.pick(
        copied(s.value), cases, [&] { statements(s.other); }, s.loc);
  }

  const ModuleData& from_;
  Module& to_;
  std::shared_ptr<const std::string> scope_;
  Expr enable_;
};

}  // namespace

bool is_clocked(const Module& m) { return m.data().uses_clock("clk"); }

Module enabled(const Module& original) {
  Module copy(original.name() + "_en", original.doc(), original.data().loc);
  Copy(original.data(), copy).run();
  return copy;
}

}  // namespace rtl
