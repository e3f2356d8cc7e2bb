#include "gen/verify/injector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "gen/print_verilog.h"
#include "gen/verify/places.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

using rtl::Expr, rtl::Item, rtl::ModuleData, rtl::Node;

constexpr const char* number_module = "injected_fault_number";

// Reads which fault is at work.
std::string number_reader(int bits) {
  return fmt::format(
      "module {0} (output wire [{1}:0] number);\n  reg [{1}:0] chosen [0:0];\n"
      "  initial $readmemh(\"{2}\", chosen);\n  assign number = chosen[0];\nendmodule\n",
      number_module, bits - 1, fault_file);
}

struct Injected {
  const Fault* fault;
  int number;
  int seen = 0;  // of its term
  bool done = false;
};

// Puts faults into a copy of one module. With a number, the sound expression stays beside what it becomes.
class Injector {
 public:
  Injector(const rtl::Module& sound, std::vector<Injected> faults, Expr number)
      : nets_(sound), faults_(std::move(faults)), number_(std::move(number)) {}

  void inject(ModuleData& copy) {
    each_place(copy, [this](const Place& place, const Expr& now) { return at(place, now); });
    for (const Injected& f : faults_)
      if (!f.done)
        throw std::runtime_error(
            fmt::format("{}: module {} has nothing that drives '{}' and reads '{}'; its drivers are:\n  {}",
                        f.fault->what, *copy.name, f.fault->net, f.fault->term, fmt::join(drivers_, "\n  ")));
  }

 private:
  Expr at(const Place& place, Expr now) {
    std::string text;  // of the sound expression, where a fault asks for it
    for (Injected& f : faults_) {
      if (f.fault->place ? *f.fault->place == place.number : meant(f, place, text))
        now = changed(f, place.sound, now);
    }
    return now;
  }

  bool meant(Injected& f, const Place& place, std::string& text) {
    if (!place.nets.contains(f.fault->net)) return false;
    if (place.role == Place::Role::reset) return f.fault->term == reset_value;
    if (text.empty()) {
      text = rtl::verilog(place.sound);
      if (place.root)
        drivers_.push_back(place.role == Place::Role::condition ? "when " + text
                                                                : fmt::format("{} = {}", f.fault->net, text));
    }
    if (f.fault->term.empty()) return place.root && place.role != Place::Role::condition;
    return f.fault->term == text && ++f.seen == f.fault->occurrence;
  }

  Expr changed(Injected& f, const Expr& sound, const Expr& now) {
    const Expr becomes = f.fault->becomes(sound, nets_);
    if (becomes.width() != sound.width())
      throw std::runtime_error(fmt::format("{}: '{}' is {} bits, '{}' is {}", f.fault->what,
                                           rtl::verilog(becomes), becomes.width(), rtl::verilog(sound),
                                           sound.width()));
    f.done = true;
    if (!number_.known()) return becomes;
    return rtl::mux(number_ == rtl::lit(number_.width(), static_cast<std::uint64_t>(f.number)), becomes, now);
  }

  const Nets nets_;
  std::vector<Injected> faults_;
  const Expr number_;
  std::vector<std::string> drivers_;  // of the nets of faults, as they were
};

// The number stands before all that reads it.
Expr add_number(ModuleData& copy, int bits) {
  rtl::Module reader(number_module, "Which fault is at work.");
  reader.assign(reader.output("number", bits, "The fault's number."), rtl::lit(bits, 0));
  const rtl::Loc here = rtl::Loc::current();
  const Expr number = copy.declare("injected_fault", rtl::Role::wire, bits, "Which fault is at work.", here);
  copy.items.insert(
      copy.items.begin(),
      {{rtl::Declare{"injected_fault"}},
       {rtl::Instance{reader, "injector", "Says which fault is at work.", {{"number", number}}}}});
  return number;
}

// With no bits of a number the faults are there for good.
std::string broken_text(const rtl::Module& sound, std::vector<Injected> faults, int number_bits) {
  ModuleData copy = sound.data();
  const Expr number = number_bits ? add_number(copy, number_bits) : Expr();
  Injector(sound, std::move(faults), number).inject(copy);
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
std::map<std::string, std::vector<Injected>> by_module(const std::vector<rtl::Module>& modules,
                                                       std::span<const Fault> faults) {
  std::vector<std::string> names;
  for (const rtl::Module& m : modules) names.push_back(m.name());
  std::map<std::string, std::vector<Injected>> all;
  for (std::size_t n = 0; n < faults.size(); ++n)
    all[meant(faults[n], names)].push_back({&faults[n], static_cast<int>(n) + 1});
  return all;
}

}  // namespace

Expr Nets::operator()(const std::string& name) const {
  const rtl::Signal* s = module_.data().signal(name);
  if (!s) throw std::runtime_error(fmt::format("module {} has no net '{}'", module_.name(), name));
  return net_of(module_.data(), *s);
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

void inject_all(Verilog& verilog, const rtl::Module& top, std::span<const Fault> faults) {
  if (faults.size() > most_faults) throw std::runtime_error("too many faults for one copy");
  const int bits = faults.size() < 256 ? 8 : 16;
  const std::vector<rtl::Module> modules = rtl::modules_of(top);
  const auto injected = by_module(modules, faults);
  for (const rtl::Module& m : modules) {
    const auto of_module = injected.find(m.name());
    verilog[m.name() + ".v"] =
        of_module == injected.end() ? gen::verilog(m) : broken_text(m, of_module->second, bits);
  }
  verilog[fmt::format("{}.v", number_module)] = number_reader(bits);
}

std::map<std::string, std::string> texts_of(const rtl::Module& top, const Fault* fault) {
  return texts_of(top, {fault, fault ? 1u : 0u});
}

std::map<std::string, std::string> texts_of(const rtl::Module& top, std::span<const Fault> faults) {
  const std::vector<rtl::Module> modules = rtl::modules_of(top);
  const auto injected = by_module(modules, faults);
  std::map<std::string, std::string> texts;
  for (const rtl::Module& m : modules) {
    const auto of_module = injected.find(m.name());
    texts[m.name()] = of_module == injected.end() ? gen::verilog(m) : broken_text(m, of_module->second, 0);
  }
  return texts;
}

std::string faulty_text(const rtl::Module& module, const Fault& fault) {
  return broken_text(module, {{&fault, 1}}, 0);
}

std::vector<Place> places_of(const rtl::Module& module) {
  std::vector<Place> places;
  ModuleData copy = module.data();
  each_place(copy, [&](const Place& place, const Expr& now) {
    places.push_back(place);
    return now;
  });
  return places;
}

}  // namespace gen
