// Clocked and combinational blocks and the statements inside them.
#include <fmt/format.h>

#include <algorithm>

#include "hw/rtl/module_data.h"
#include "hw/rtl/names.h"

namespace rtl {
namespace {

void each_target(const std::vector<Stmt>& body, const std::function<void(const Expr&)>& see) {
  for (const Stmt& s : body) {
    if (s.kind == Stmt::Kind::set) see(s.target);
    each_target(s.then, see);
    each_target(s.other, see);
    for (const auto& c : s.cases) each_target(c.second, see);
  }
}

// Bits of the block's own targets that hold a value by the time a statement runs.
using Settled = std::map<std::string, std::vector<bool>>;

// A combinational block must give each target a value before it reads it and before any branch, or it keeps
// an old one.
class LatchCheck {
 public:
  LatchCheck(const ModuleData& m, const Block& block) : m_(m), block_(block) {
    each_target(block.body, [&](const Expr& t) {
      each_range(t, [&](const BitRange& r) {
        for (Settled* bits : {&settled_, &touched_}) (*bits)[r.name].resize(m.signal(r.name)->width);
        std::fill(touched_[r.name].begin() + r.low, touched_[r.name].begin() + r.high + 1, true);
      });
    });
  }

  void run() {
    walk(block_.body, settled_, true);
    for (const auto& [name, bits] : touched_)
      for (std::size_t b = 0; b < bits.size(); ++b)
        if (bits[b] && !reached_.at(name)[b])
          m_.fail(
              Fault::latch, block_.loc,
              fmt::format(
                  "'{}' keeps its old value when no branch sets it; give it a default first in comb \"{}\"",
                  name, block_.doc));
  }

 private:
  void read(const Expr& e, const Settled& settled, const Loc& loc) {
    each_read(e, [&](const BitRange& r) {
      const auto own = settled.find(r.name);
      if (own == settled.end()) return;
      for (int b = r.low; b <= r.high; ++b)
        if (!own->second[b] && touched_.at(r.name)[b])
          m_.fail(Fault::loop, loc,
                  fmt::format("'{}' is read before comb \"{}\" has set it", r.name, block_.doc));
    });
  }

  void walk(const std::vector<Stmt>& body, Settled& settled, bool top) {
    for (const Stmt& s : body) {
      read(s.value, settled, s.loc);
      if (s.kind == Stmt::Kind::set) {
        // A part by a signal index sets one part of many: it settles nothing.
        const bool all = s.target.node().kind != Node::Kind::part ||
                         s.target.node().args[1].node().kind == Node::Kind::loop ||
                         is_table_element(s.target.node().args[1]);
        if (all)
          each_range(s.target, [&](const BitRange& r) {
            std::fill(settled[r.name].begin() + r.low, settled[r.name].begin() + r.high + 1, true);
          });
      } else if (s.kind == Stmt::Kind::loop) {
        walk(s.then, settled, top);
      } else {
        Settled inner = settled;
        walk(s.then, inner, false);
        inner = settled;
        walk(s.other, inner, false);
        for (const auto& c : s.cases) {
          inner = settled;
          walk(c.second, inner, false);
        }
      }
    }
    if (top) reached_ = settled;
  }

  const ModuleData& m_;
  const Block& block_;
  Settled settled_, reached_, touched_;
};

void run_block(ModuleData& m, Block block, const std::function<void()>& body) {
  if (m.scope) m.fail(Fault::scope, block.loc, "clocked() and comb() do not nest");
  if (!m.item_scope.empty())
    m.fail(Fault::scope, block.loc, "a block inside repeat(); use loop() inside one block");
  if (block.doc.empty()) m.fail(Fault::name, block.loc, "the block needs a few words saying what it does");
  // Registers know their block by its description; combinational blocks may share one.
  int alike = 0;
  for (const Item& item : m.items)
    if (const auto* other = std::get_if<Block>(&item.what); other && other->doc == block.doc) {
      if (block.clocked || other->clocked)
        m.fail(Fault::name, block.loc,
               fmt::format("another block is already described as \"{}\"", block.doc));
      ++alike;
    }
  m.scope = &block.body;
  m.clocked_scope = block.clocked;
  body();
  m.scope = nullptr;
  const std::string by = fmt::format("{} \"{}\"{}", block.clocked ? "clocked" : "comb", block.doc,
                                     alike ? fmt::format(", number {}", alike + 1) : "");
  each_target(block.body, [&](const Expr& t) {
    m.drive(t, by, true, block.loc);
    m.find(t, block.loc).in_block = true;
  });
  if (!block.clocked) LatchCheck(m, block).run();
  m.add({std::move(block)});
}

}  // namespace

void Module::clocked(std::string doc, const std::function<void()>& body, Loc loc) {
  clocked({}, std::move(doc), body, loc);
}

void Module::clocked(const Clock& clock, std::string doc, const std::function<void()>& body, Loc loc) {
  const bool own = clock.name == "clk" || std::ranges::any_of(data_->clocks, [&](const auto& c) {
                     return c.first.name == clock.name;
                   });
  if (!own)
    data_->fail(Fault::clock, loc,
                fmt::format("'{}' is not a clock of this module; declare it with clock()", clock.name));
  run_block(*data_, {.clocked = true, .clock = clock, .doc = std::move(doc), .loc = loc}, body);
}

void Module::comb(std::string doc, const std::function<void()>& body, Loc loc) {
  run_block(*data_, {.clocked = false, .doc = std::move(doc), .loc = loc}, body);
}

namespace {
std::vector<Stmt> inner(ModuleData& m, const std::function<void()>& body) {
  std::vector<Stmt> list;
  auto* outer = std::exchange(m.scope, &list);
  body();
  m.scope = outer;
  return list;
}
}  // namespace

Module::Else Module::when(const Expr& condition, const std::function<void()>& body, Loc loc) {
  if (!data_->scope)
    data_->fail(Fault::scope, loc, "when() outside clocked() or comb(); use mux() in an assign");
  if (condition.width() != 1)
    data_->fail(Fault::width, loc,
                fmt::format("when('{}') tests {} bits; reduce with any() or compare", rtl::verilog(condition),
                            condition.width()));
  auto then = inner(*data_, body);
  data_->scope->push_back(
      {.kind = Stmt::Kind::when, .value = condition, .then = std::move(then), .loc = loc});
  return Else(data_, *data_->scope, data_->scope->size() - 1);
}

void Module::Else::otherwise(const std::function<void()>& body) { list_[at_].other = inner(*data_, body); }

void Module::pick(const Expr& select,
                  const std::vector<std::pair<std::uint64_t, std::function<void()>>>& cases,
                  const std::function<void()>& otherwise, Loc loc) {
  std::vector<std::pair<Expr, std::function<void()>>> named;
  for (const auto& [key, body] : cases) named.emplace_back(lit(select.width(), key, loc), body);
  pick(select, named, otherwise, loc);
}

void Module::pick(const Expr& select, const std::vector<std::pair<Expr, std::function<void()>>>& cases,
                  const std::function<void()>& otherwise, Loc loc) {
  if (!data_->scope) data_->fail(Fault::scope, loc, "pick() outside clocked() or comb()");
  Stmt stmt{.kind = Stmt::Kind::pick, .value = select, .loc = loc};
  std::set<std::uint64_t> seen;
  for (const auto& [key, body] : cases) {
    if (!is_a(key, Node::Kind::literal) || key.width() != select.width())
      data_->fail(Fault::width, loc,
                  fmt::format("pick('{}') lists '{}', which is not a constant of {} bits",
                              rtl::verilog(select), rtl::verilog(key), select.width()));
    if (!seen.insert(key.node().words[0]).second)
      data_->fail(Fault::range, loc,
                  fmt::format("pick('{}') lists {} twice", rtl::verilog(select), key.node().words[0]));
    stmt.cases.emplace_back(key, inner(*data_, body));
  }
  stmt.other = inner(*data_, otherwise);
  data_->scope->push_back(std::move(stmt));
}

void Module::loop(std::string name, const Size& size, const std::function<void(const Expr&)>& body, Loc loc) {
  const int times = size.value();
  if (!data_->scope) data_->fail(Fault::scope, loc, "loop() outside clocked() or comb(); use repeat()");
  if (times < (size.is_number() ? 1 : 0))
    data_->fail(Fault::range, loc, fmt::format("loop '{}' runs {} times", name, times));
  if (std::ranges::count(data_->open_loops, name))
    data_->fail(Fault::name, loc, fmt::format("loop '{}' is already open", name));
  if (data_->loop_names.insert(name).second) data_->claim(name, loc);
  const Expr variable(std::make_shared<const Node>(
      Node{.kind = Node::Kind::loop,
           .width = 32,
           .text = name,
           .high = times,
           .scope = data_->name,
           .sizes = size.is_number() ? nullptr : std::make_shared<const Sizes>(Sizes{32, size})}));
  data_->open_loops.push_back(name);
  auto list = inner(*data_, [&] { body(variable); });
  data_->open_loops.pop_back();
  data_->scope->push_back(
      {.kind = Stmt::Kind::loop, .target = variable, .then = std::move(list), .loc = loc});
}

void Module::set(const Expr& target, const Expr& value, Loc loc) {
  const Signal& s = data_->find(target, loc);
  if (!data_->scope)
    data_->fail(Fault::scope, loc,
                fmt::format("set('{}') outside clocked() or comb(); use assign()", s.name));
  if (s.role == Role::input) data_->fail(Fault::driver, loc, fmt::format("'{}' is an input", s.name));
  if (data_->clocked_scope != (s.role == Role::reg))
    data_->fail(
        Fault::driver, loc,
        fmt::format("'{}' is a {}; it cannot be set in a {} block", s.name,
                    s.role == Role::reg ? "register" : "wire", data_->clocked_scope ? "clocked" : "comb"));
  data_->must_be_given(s.name, value, loc);
  if (target.width() != value.width())
    data_->fail(Fault::width, loc,
                fmt::format("'{}' is {} bits but '{}' is {}; widen with zext() or cut with trunc()",
                            rtl::verilog(target), target.width(), rtl::verilog(value), value.width()));
  data_->scope->push_back({.kind = Stmt::Kind::set, .target = target, .value = value, .loc = loc});
}

Expr Module::load(const Mem& mem, const Expr& row, Loc loc) {
  const bool loop = row.node().kind == Node::Kind::loop;
  if (loop ? row.node().high > mem.depth : clog2(static_cast<std::uint64_t>(mem.depth)) != row.width())
    data_->fail(Fault::range, loc,
                fmt::format("memory '{}' has {} rows but '{}' has {} bits", mem.name, mem.depth,
                            rtl::verilog(row), row.width()));
  return Expr(std::make_shared<const Node>(
      Node{.kind = Node::Kind::load,
           .width = mem.width,
           .text = mem.name,
           .args = {row},
           .scope = data_->name,
           .sizes = mem.bits.is_number() ? nullptr : std::make_shared<const Sizes>(Sizes{mem.bits})}));
}

void Module::store(const Mem& mem, const Expr& row, const Expr& data, Loc loc) {
  if (!data_->scope || !data_->clocked_scope)
    data_->fail(Fault::scope, loc, fmt::format("store('{}') outside clocked()", mem.name));
  const Expr target = load(mem, row, loc);
  if (data.width() != mem.width)
    data_->fail(Fault::width, loc,
                fmt::format("memory '{}' rows are {} bits but '{}' is {}", mem.name, mem.width,
                            rtl::verilog(data), data.width()));
  data_->scope->push_back({.kind = Stmt::Kind::store, .target = target, .value = data, .loc = loc});
}

void Module::store_part(const Mem& mem, const Expr& row, const Expr& part, const Expr& data, Loc loc) {
  if (!data_->scope || !data_->clocked_scope)
    data_->fail(Fault::scope, loc, fmt::format("store_part('{}') outside clocked()", mem.name));
  const Expr whole = load(mem, row, loc);
  const bool loop = part.node().kind == Node::Kind::loop;
  if (!loop || mem.width % data.width() || part.node().high != mem.width / data.width())
    data_->fail(
        Fault::range, loc,
        fmt::format("memory '{}' rows are {} bits, in parts of {}, but the index '{}' is no loop over "
                    "them",
                    mem.name, mem.width, data.width(), rtl::verilog(part)));
  const Expr target(std::make_shared<const Node>(
      Node{.kind = Node::Kind::part, .width = data.width(), .args = {whole, part}, .scope = data_->name}));
  data_->scope->push_back({.kind = Stmt::Kind::store, .target = target, .value = data, .loc = loc});
}

}  // namespace rtl
