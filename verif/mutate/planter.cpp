#include "verif/mutate/planter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "gen/print_verilog.h"
#include "hw/rtl/module_data.h"

namespace verif {
namespace {

using rtl::Expr, rtl::Item, rtl::ModuleData, rtl::Node, rtl::Stmt;

constexpr int number_bits = 8;
constexpr const char* number_module = "planted_fault_number";

// Reads which fault is at work.
std::string number_reader() {
  return fmt::format(
      "module {0} (output wire [{1}:0] number);\n  reg [{1}:0] chosen [0:0];\n"
      "  initial $readmemh(\"{2}\", chosen);\n  assign number = chosen[0];\nendmodule\n",
      number_module, number_bits - 1, fault_file);
}

Expr signal(const ModuleData& m, const std::string& name, int width) {
  return Expr(std::make_shared<const Node>(
      Node{.kind = Node::Kind::signal, .width = width, .text = name, .scope = m.name}));
}

struct Planted {
  const Fault* fault;
  int number;
  int seen = 0;  // of its term
  bool done = false;
};

// Works on a copy of one module. With a number, what was there stays beside what it becomes.
class Surgeon {
 public:
  Surgeon(const rtl::Module& sound, ModuleData& copy, std::vector<Planted> faults, Expr number)
      : nets_(sound), copy_(copy), faults_(std::move(faults)), number_(std::move(number)) {}

  void operate() {
    items(copy_.items);
    for (const Planted& p : faults_)
      if (!p.done)
        throw std::runtime_error(fmt::format(
            "{}: module {} has nothing that drives '{}' and reads '{}'; its drivers are:\n  {}",
            p.fault->what, *copy_.name, p.fault->net, p.fault->term, fmt::join(drivers_, "\n  ")));
  }

 private:
  using Names = std::set<std::string>;

  Expr changed(Planted& p, const Expr& sound, const Expr& now) {
    const Expr becomes = p.fault->becomes(sound, nets_);
    if (becomes.width() != sound.width())
      throw std::runtime_error(fmt::format("{}: '{}' is {} bits, '{}' is {}", p.fault->what,
                                           rtl::verilog(becomes), becomes.width(), rtl::verilog(sound),
                                           sound.width()));
    p.done = true;
    if (!number_.known()) return becomes;
    return rtl::mux(number_ == rtl::lit(number_bits, static_cast<std::uint64_t>(p.number)), becomes, now);
  }

  bool concerns(const Names& nets) const {
    return std::ranges::any_of(faults_, [&](const Planted& p) { return nets.contains(p.fault->net); });
  }

  // The first part of the expression that reads like a fault's term; slices and parts are of names only.
  Expr terms(const Names& nets, const Expr& e) {
    if (!e.known() || !concerns(nets)) return e;
    Node node = e.node();
    const bool names_only = node.kind == Node::Kind::slice || node.kind == Node::Kind::part;
    bool same = true;
    for (std::size_t i = names_only ? 1 : 0; i < node.args.size(); ++i) {
      Expr arg = terms(nets, node.args[i]);
      same &= &arg.node() == &node.args[i].node();
      node.args[i] = std::move(arg);
    }
    Expr now = same ? e : Expr(std::make_shared<const Node>(std::move(node)));
    const std::string text = rtl::verilog(e);
    for (Planted& p : faults_)
      if (nets.contains(p.fault->net) && p.fault->term == text && ++p.seen == p.fault->occurrence)
        now = changed(p, e, now);
    return now;
  }

  void driver(const std::string& net, Expr& value) {
    const Expr sound = value;
    if (concerns({net})) drivers_.push_back(net + " = " + rtl::verilog(sound));
    value = terms({net}, sound);
    for (Planted& p : faults_)
      if (p.fault->net == net && p.fault->term.empty()) value = changed(p, sound, value);
  }

  static Names targets(const std::vector<Stmt>& body) {
    Names names;
    for (const Stmt& s : body) {
      if (s.kind == Stmt::Kind::set || s.kind == Stmt::Kind::store) names.insert(rtl::base(s.target).text);
      names.merge(targets(s.then));
      names.merge(targets(s.other));
      for (const auto& c : s.cases) names.merge(targets(c.second));
    }
    return names;
  }

  void statements(std::vector<Stmt>& body) {
    for (Stmt& s : body) {
      if (s.kind == Stmt::Kind::set || s.kind == Stmt::Kind::store) {
        driver(rtl::base(s.target).text, s.value);
        continue;
      }
      const Names nets = targets({s});
      if (s.value.known() && concerns(nets)) drivers_.push_back("when " + rtl::verilog(s.value));
      s.value = terms(nets, s.value);
      statements(s.then);
      statements(s.other);
      for (auto& c : s.cases) statements(c.second);
    }
  }

  // The resets of the block in the open, so that they may become something else. The printer knows a block's
  // own resets by its doc.
  void resets(rtl::Block& block) {
    const auto resets_here = [&](const rtl::Signal& s) {
      return s.has_reset && s.driver[0] == fmt::format("clocked \"{}\"", block.doc);
    };
    const bool any = std::ranges::any_of(faults_, [&](const Planted& p) {
      const rtl::Signal* s = copy_.signal(p.fault->net);
      return p.fault->term == reset_value && s && resets_here(*s);
    });
    if (!any) return;
    Stmt open{.kind = Stmt::Kind::when, .value = signal(copy_, block.clock.reset, 1), .loc = block.loc};
    for (const rtl::Signal& s : copy_.signals) {
      if (!resets_here(s)) continue;
      const Expr sound = rtl::wide_lit(s.width, s.reset);
      Expr value = sound;
      for (Planted& p : faults_)
        if (p.fault->net == s.name && p.fault->term == reset_value) value = changed(p, sound, value);
      open.then.push_back(
          {.kind = Stmt::Kind::set, .target = signal(copy_, s.name, s.width), .value = value, .loc = s.loc});
    }
    open.other = std::move(block.body);
    block.body = {std::move(open)};
    block.doc += ", with resets in the open";
  }

  void items(std::vector<Item>& list) {
    for (Item& item : list) {
      if (auto* let = std::get_if<rtl::Let>(&item.what)) driver(let->name, let->value);
      if (auto* assign = std::get_if<rtl::Assign>(&item.what))
        driver(rtl::base(assign->target).text, assign->value);
      if (auto* instance = std::get_if<rtl::Instance>(&item.what))
        for (auto& [pin, value] : instance->pins)
          if (instance->child.data().signal(pin)->role == rtl::Role::input)
            driver(instance->name + "." + pin, value);
      if (auto* block = std::get_if<rtl::Block>(&item.what)) {
        statements(block->body);
        resets(*block);
      }
      if (auto* repeat = std::get_if<rtl::Repeat>(&item.what)) items(repeat->items);
    }
  }

  const Nets nets_;
  ModuleData& copy_;
  std::vector<Planted> faults_;
  const Expr number_;
  std::vector<std::string> drivers_;  // of the nets of faults, as they were
};

// The number stands before all that reads it.
Expr add_number(ModuleData& copy) {
  rtl::Module reader(number_module, "Which fault is at work.");
  reader.assign(reader.output("number", number_bits, "The fault's number."), rtl::lit(number_bits, 0));
  const rtl::Loc here = rtl::Loc::current();
  const Expr number =
      copy.declare("planted_fault", rtl::Role::wire, number_bits, "Which fault is at work.", here);
  copy.items.insert(
      copy.items.begin(),
      {{rtl::Declare{"planted_fault"}},
       {rtl::Instance{reader, "planted", "Says which fault is at work.", {{"number", number}}}}});
  return number;
}

std::string broken_text(const rtl::Module& sound, std::vector<Planted> faults, bool numbered) {
  ModuleData copy = sound.data();
  const Expr number = numbered ? add_number(copy) : Expr();
  Surgeon(sound, copy, std::move(faults), number).operate();
  return gen::verilog_unchecked(copy);
}

// A whole name, or one end of it, that one module has.
std::string meant(const Fault& fault, const std::vector<std::string>& names) {
  if (fault.module.empty()) return names.back();
  if (std::ranges::count(names, fault.module)) return fault.module;
  std::vector<std::string> matches;
  for (const std::string& name : names)
    if (name.starts_with(fault.module) || name.ends_with(fault.module)) matches.push_back(name);
  if (matches.size() == 1) return matches[0];
  throw std::runtime_error(
      fmt::format("{}: '{}' begins or ends the names of {} modules, not of one; they are {}", fault.what,
                  fault.module, matches.size(), fmt::join(names, ", ")));
}

// The faults by the module that they are in; the top is the last one.
std::map<std::string, std::vector<Planted>> by_module(const std::vector<rtl::Module>& modules,
                                                      std::span<const Fault> faults) {
  std::vector<std::string> names;
  for (const rtl::Module& m : modules) names.push_back(m.name());
  std::map<std::string, std::vector<Planted>> all;
  for (std::size_t n = 0; n < faults.size(); ++n)
    all[meant(faults[n], names)].push_back({&faults[n], static_cast<int>(n) + 1});
  return all;
}

}  // namespace

Expr Nets::operator()(const std::string& name) const {
  const rtl::Signal* s = module_.data().signal(name);
  if (!s) throw std::runtime_error(fmt::format("module {} has no net '{}'", module_.name(), name));
  return signal(module_.data(), name, s->width);
}

Change low() {
  return [](const Expr& sound, const Nets&) { return rtl::lit(sound.width(), 0); };
}
Change high() {
  return [](const Expr& sound, const Nets&) { return rtl::ones(sound.width()); };
}
Change inverted() {
  return [](const Expr& sound, const Nets&) { return ~sound; };
}
Change stuck(std::uint64_t value) {
  return [value](const Expr& sound, const Nets&) { return rtl::lit(sound.width(), value); };
}
Change other(const std::string& name) {
  return [name](const Expr&, const Nets& net) { return net(name); };
}

Change only_with(const std::string& name) {
  return [name](const Expr& sound, const Nets& net) { return sound & net(name); };
}
Change other_tie() {
  return [](const Expr& sound, const Nets&) {
    const auto& sides = sound.node().args;
    return ~(sound.node().text == "<" ? sides[1] < sides[0] : sides[1] >= sides[0]);
  };
}

void plant_all(Verilog& verilog, const rtl::Module& top, std::span<const Fault> faults) {
  if (faults.size() >= 1u << number_bits) throw std::runtime_error("too many faults for one copy");
  const std::vector<rtl::Module> modules = rtl::modules_of(top);
  const auto planted = by_module(modules, faults);
  for (const rtl::Module& m : modules)
    if (const auto of_module = planted.find(m.name()); of_module != planted.end())
      verilog.at(m.name() + ".v") = broken_text(m, of_module->second, true);
  verilog[fmt::format("{}.v", number_module)] = number_reader();
}

std::map<std::string, std::string> texts_of(const rtl::Module& top, const Fault* fault) {
  return texts_of(top, {fault, fault ? 1u : 0u});
}

std::map<std::string, std::string> texts_of(const rtl::Module& top, std::span<const Fault> faults) {
  const std::vector<rtl::Module> modules = rtl::modules_of(top);
  const auto planted = by_module(modules, faults);
  std::map<std::string, std::string> texts;
  for (const rtl::Module& m : modules) {
    const auto of_module = planted.find(m.name());
    texts[m.name()] = of_module == planted.end() ? gen::verilog(m) : broken_text(m, of_module->second, false);
  }
  return texts;
}

}  // namespace verif
