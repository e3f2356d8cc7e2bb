#include "gen/verify/equivalence.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>

#include "gen/cells.h"
#include "gen/digest.h"
#include "gen/files.h"
#include "gen/ports.h"
#include "gen/print_verilog.h"
#include "gen/process.h"
#include "gen/unit/unit.h"
#include "gen/verify/result_store.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

namespace fs = std::filesystem;

// Seconds for each of the four steps of a proof. The second one, equal nets of a whole cache, takes a minute.
constexpr int yosys_limit = 120, nets_limit = 240, search_limit = 10, proof_limit = 20;

// Both sides as one module each, black boxes as ports of it; then one model whose only output says that they
// differ. Of the module's own nets none becomes a port: cells alone are selected. Both sides keep the boxes
// of which a mutant reads no output.
constexpr std::string_view one_side =
    "read_verilog stubs.v {0}.v; hierarchy -check -top {1}; setattr -mod -set keep 1 =A:blackbox; "
    "proc; flatten; memory -nomap; memory_map; expose -evert {1}/c:*; rename {1} {0}; design -stash {0}; ";
constexpr std::string_view both_sides =
    "design -copy-from sound -as sound sound; design -copy-from faulty -as faulty faulty; "
    "miter -equiv -flatten sound faulty miter; hierarchy -top miter; expose miter/w:*proof_when_*; "
    "setundef -undriven -zero; opt_clean; zinit -all; techmap; dffunmap; setundef -zero; aigmap; "
    "write_aiger -zinit -map both.map both.aig";

bool has_several_clocks(const rtl::Module& module) { return !module.data().clocks.empty(); }

// Registers while another one is 0, and while it is not. ABC finds which nets are always equal on both sides
// by induction over all of them at once: so it also finds that a register is equal whenever it counts, say
// while a search goes on.
constexpr int widest_condition = 8, most_bits = 20'000;
bool is_condition(const rtl::Signal& s) {
  return s.role == rtl::Role::reg && s.width <= widest_condition && s.reset;
}

std::string conditional_registers(const rtl::Module& module) {
  std::vector<const rtl::Signal*> registers, conditions;
  int bits = 0;
  for (const rtl::Signal& s : module.data().signals) {
    if (s.role != rtl::Role::reg) continue;
    registers.push_back(&s);
    bits += s.width;
    if (is_condition(s)) conditions.push_back(&s);
  }
  std::string text;
  if (2 * bits * static_cast<int>(conditions.size()) > most_bits) return text;
  for (const rtl::Signal* c : conditions)
    for (const rtl::Signal* r : registers)
      if (r != c)
        text += fmt::format(
            "  (* keep *) wire [{0}:0] proof_when_{1}_{2} = {1} & {{{3}{{|{2}}}}};\n"
            "  (* keep *) wire [{0}:0] proof_when_{1}_no_{2} = {1} & {{{3}{{~|{2}}}}};\n",
            r->width - 1, r->name, c->name, r->width);
  return text;
}

// One register while two others are each 0 or not: one that has another reset value and counts, say, while
// there is a match, but not as that match is new.
std::string twice_conditional(const rtl::Module& module, const std::string& name) {
  std::vector<std::string> conditions;
  int width = 0;
  for (const rtl::Signal& s : module.data().signals) {
    if (s.name == name) width = s.width;
    if (s.name != name && is_condition(s))
      for (const char* when : {"|", "~|"}) conditions.push_back(when + s.name);
  }
  std::string text;
  if (static_cast<int>(conditions.size() * conditions.size()) * width / 2 > most_bits) return text;
  for (std::size_t i = 0; i < conditions.size(); ++i)
    for (std::size_t j = i / 2 * 2 + 2; j < conditions.size(); ++j)
      text += fmt::format("  (* keep *) wire [{}:0] proof_when_{}_{}_{} = {} & {{{}{{({}) & ({})}}}};\n",
                          width - 1, name, i, j, name, width, conditions[i], conditions[j]);
  return text;
}

// Registers behind the first cycle after a reset, and what differs from their reset values in it, which is
// nothing: so ABC finds that a register with another reset value is equal from the second cycle on, if the
// first one gives it a value that does not depend on it.
std::string first_cycle(const std::map<std::string, std::string>& reset_values, const rtl::Module& module) {
  std::string text = "  reg proof_began = 1'd0;\n  always @(posedge clk) proof_began <= ~rst;\n";
  for (const rtl::Signal& s : module.data().signals)
    if (const auto value = reset_values.find(s.name); value != reset_values.end())
      text += fmt::format(
          "  (* keep *) wire [{0}:0] proof_when_began_{1} = {1} & {{{2}{{proof_began}}}};\n"
          "  (* keep *) wire [{0}:0] proof_when_first_{1} = ({1} ^ {3}) & {{{2}{{~proof_began}}}};\n",
          s.width - 1, s.name, s.width, value->second);
  return reset_values.empty() ? "" : text;
}

// The text with its registers as reset leaves them, and the nets that help the proof of this mutant.
std::string after_reset(const rtl::Module& module, std::string text, const Mutant& mutant, bool is_faulty) {
  const bool mutated = module.name() == mutant.module;
  std::string initial, twice;
  std::map<std::string, std::string> reset_values;
  for (const Place& place : places_of(module)) {
    if (place.role != Place::Role::reset) continue;
    const bool at_place = mutated && mutant.fault.place == place.number;
    const rtl::Expr value =
        at_place && is_faulty ? mutant.fault.becomes(place.sound, Nets(module)) : place.sound;
    if (at_place) twice = twice_conditional(module, *place.nets.begin());
    const std::string number = rtl::verilog(in_numbers(value));
    initial += fmt::format("  initial {} = {};\n", *place.nets.begin(), number);
    reset_values.emplace(*place.nets.begin(), number);
  }
  return text.insert(text.rfind("endmodule"),
                     initial + conditional_registers(module) + first_cycle(reset_values, module) + twice);
}

// The inputs of a RAM as it looks at them: rows while it reads or writes, data while it writes.
std::string looked_at(const Port& port, const std::vector<Port>& ports) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(ports, name, &Port::name) != ports.end();
  };
  const auto under = [&](const std::string& enable) {
    return fmt::format("{} & {{{}{{{}}}}}", port.name, port.width, enable);
  };
  const std::string write = has("access") ? "(access & write)" : "write";
  if (port.name == "read_row") return under("read");
  if (port.name == "row" || (port.name == "write" && has("access"))) return under("access");
  if (port.name == "write_row" || port.name == "byte_enable") return under(write);
  if (port.name != "write_data") return port.name;
  const auto enables = std::ranges::find(ports, "byte_enable", &Port::name);
  if (enables == ports.end()) return under(write);
  std::string bytes;
  for (int b = enables->width; b-- > 0;)
    bytes +=
        fmt::format("{}{{{}{{byte_enable[{}]}}}}", bytes.empty() ? "" : ", ", port.width / enables->width, b);
  return fmt::format("{} & {{{}}}", under(write), bytes);
}

// A black box in the place of a RAM, on whose ports the sides may differ where it does not look at them.
std::string ram_stub(const rtl::Module& ram) {
  const std::vector<Port> ports = ports_of(ram);
  std::string header, pins;
  for (const Port& p : ports) {
    const char* comma = header.empty() ? "" : ", ";
    header += fmt::format("{}{} wire [{}:0] {}", comma, p.direction, p.width - 1, p.name);
    pins += fmt::format("{}.{}({})", comma, p.name, p.direction == "output" ? p.name : looked_at(p, ports));
  }
  return fmt::format(
      "(* blackbox *) module {0}_rows ({1}); endmodule\nmodule {0} ({1});\n  {0}_rows rows "
      "({2});\nendmodule\n",
      ram.name(), header, pins);
}

struct Sides {
  std::string top, stubs = {}, sound = {}, faulty = {};
};

// The modules below `top` that are taken as they are, or only the mutant's.
Sides sides_of(const rtl::Module& top, const Mutant& mutant, bool alone) {
  Sides sides{.top = alone ? mutant.module : top.name()};
  for (const rtl::Module& m : rtl::modules_of(top)) {
    const bool mutated = m.name() == mutant.module;
    if (alone ? !mutated : is_ram(m)) {
      sides.stubs += is_ram(m) ? ram_stub(m) : verilog_stub(m);
      continue;
    }
    const std::string sound = after_reset(m, verilog(m), mutant, false);
    sides.sound += sound;
    sides.faulty += mutated ? after_reset(m, faulty_text(m, mutant.fault), mutant, true) : sound;
  }
  return sides;
}

// What ABC says last: 1 proven, 0 a counterexample, -1 nothing.
int abc_status(const std::string& commands, int limit, const fs::path& folder) {
  const Finished done = run({.argv = {"yosys-abc", "-c", commands + "; print_status"},
                             .folder = folder,
                             .timeout = std::chrono::seconds(limit)});
  constexpr std::string_view mark = "Status = ";
  const auto at = done.output.rfind(mark);
  if (!done.ok() || at == std::string::npos) return -1;
  const std::string_view rest = std::string_view(done.output).substr(at + mark.size());
  return rest.starts_with('1') ? 1 : rest.starts_with('0') ? 0 : -1;
}

// The miter's own output among the helping nets.
std::string output_that_differs(const std::string& map) {
  constexpr std::string_view end = " 0 trigger\n", begin = "output ";
  const auto to = map.find(end), from = map.rfind(begin, to);
  if (to == std::string::npos || from == std::string::npos)
    throw ToolError("yosys: write_aiger: no output 'trigger'");
  return map.substr(from + begin.size(), to - from - begin.size());
}

Equivalence proven(const Sides& sides) {
  const TempDir work("proof");
  write_file_atomically(work / "stubs.v", sides.stubs);
  write_file_atomically(work / "sound.v", sides.sound);
  write_file_atomically(work / "faulty.v", sides.faulty);
  std::string script;
  for (const char* side : {"sound", "faulty"}) script += fmt::format(fmt::runtime(one_side), side, sides.top);
  const Finished made = run({.argv = {"yosys", "-q", "-p", script + std::string(both_sides)},
                             .environment = {{"TMPDIR", work.path().string()}},
                             .folder = work.path(),
                             .timeout = std::chrono::seconds(yosys_limit)});
  if (made.timed_out) return Equivalence::unknown;
  if (made.status != 0) throw ToolError(fmt::format("yosys: {}: {}", sides.top, log_tail(made.output)));
  // Nets that are always equal become one; most mutants are decided by that, or differ at once. The helping
  // nets are needed for the first of two passes alone.
  const int first = abc_status(
      fmt::format("read_aiger both.aig; strash; scorr; cone -s -O {}; scorr; write_aiger less.aig; "
                  "bmc3 -F 20 -T {}",
                  output_that_differs(read_file(work / "both.map")), search_limit),
      nets_limit + search_limit, work.path());
  if (first == 0) return Equivalence::different;
  if (!fs::exists(work / "less.aig")) return Equivalence::unknown;
  switch (abc_status(fmt::format("read_aiger less.aig; strash; pdr -T {}", proof_limit), 2 * proof_limit,
                     work.path())) {
    case 1:
      return Equivalence::equivalent;
    case 0:
      return Equivalence::different;
    default:
      return Equivalence::unknown;
  }
}

// Answers are kept by what was compared.
Equivalence decided(const Sides& sides) {
  Digest digest;
  for (const std::string& part :
       {sides.top, sides.stubs, sides.sound, sides.faulty, std::string(one_side), std::string(both_sides)})
    digest.add(part);
  const ResultStore store;
  const std::string key = digest.text() + ".proof";
  if (const auto kept = store.find(key))
    return *kept == "equivalent" ? Equivalence::equivalent : Equivalence::different;
  const Equivalence answer = proven(sides);
  if (answer != Equivalence::unknown)
    store.keep(key, answer == Equivalence::equivalent ? "equivalent" : "different");
  return answer;
}

// Nothing else is there but RAMs: of a top with parts a mutant may change what no part uses.
bool is_whole(const rtl::Module& top) {
  return std::ranges::all_of(rtl::modules_of(top),
                             [&](const rtl::Module& m) { return m.name() == top.name() || is_ram(m); });
}

bool has_module(const rtl::Module& top, const std::string& name) {
  const auto modules = rtl::modules_of(top);
  return std::ranges::find(modules, name, &rtl::Module::name) != modules.end();
}

// Every instance of the module lies in one of `part`.
bool lies_in(const rtl::Module& top, const std::string& part, const std::string& module) {
  if (top.name() == part) return true;
  if (top.name() == module) return false;
  const std::function<bool(const std::vector<rtl::Item>&)> all = [&](const std::vector<rtl::Item>& items) {
    return std::ranges::all_of(items, [&](const rtl::Item& item) {
      if (const auto* r = std::get_if<rtl::Repeat>(&item.what)) return all(r->items);
      const auto* i = std::get_if<rtl::Instance>(&item.what);
      return !i || lies_in(i->child, part, module);
    });
  };
  return all(top.data().items);
}

}  // namespace

Equivalence equivalence(const rtl::Module& top, const Mutant& mutant) {
  const std::vector<rtl::Module> modules = rtl::modules_of(top);
  const auto module = std::ranges::find(modules, mutant.module, &rtl::Module::name);
  if (has_several_clocks(*module)) return Equivalence::unknown;
  const Equivalence alone = decided(sides_of(top, mutant, true));
  const bool is_top = mutant.module == top.name();
  if (alone == Equivalence::equivalent || (is_top && is_whole(top))) return alone;
  if (std::ranges::any_of(modules, has_several_clocks)) return alone;
  // With its own parts alone a module is smaller than the unit.
  if (!is_top && !is_whole(*module) && decided(sides_of(*module, mutant, false)) == Equivalence::equivalent)
    return Equivalence::equivalent;
  // Then with what is around it, part by part.
  for (const rtl::Module& m : modules) {
    if (m.name() == mutant.module || m.name() == top.name() || !lies_in(top, m.name(), mutant.module) ||
        !has_module(m, mutant.module))
      continue;
    if (decided(sides_of(m, mutant, false)) == Equivalence::equivalent) return Equivalence::equivalent;
  }
  const Equivalence whole = decided(sides_of(top, mutant, false));
  return whole == Equivalence::equivalent ? whole : alone;
}

}  // namespace gen
