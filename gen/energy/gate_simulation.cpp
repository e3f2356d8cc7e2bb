#include "gen/energy/gate_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gen/process.h"

namespace gen {
namespace {

constexpr std::size_t most_tabled = 6;  // inputs whose 64 values fit a word

std::string without_sign(const std::string& pin) { return pin.starts_with('!') ? pin.substr(1) : pin; }

}  // namespace

GateSimulation::GateSimulation(const Netlist& netlist, std::vector<RamFunction> rams,
                               const std::string& clock)
    : netlist_(netlist), functions_(std::move(rams)) {
  values_.assign(place(netlist.nets), 0);
  values_[std::size_t{net_one}] = 1;
  before_ = values_;
  states_.assign(netlist.cells.size(), 0);
  accesses_.assign(netlist.rams.size(), {});
  for (const RamFunction& ram : functions_) rows_.emplace_back(std::size_t(ram.words) * place(ram.bits), 0);
  add_nodes();
  sort_nodes();
  find_clocked(clock);
  for (std::size_t c = 0; c < netlist.cells.size(); ++c)
    if (const PowerCell& kind = *netlist.cells[c].kind; kind.state)
      states_[c] = kind.state->data.value([&](int variable) { return variable > kind.state_variable(); });
  dirty_.assign(nodes_.size(), 1);
  settle();
  before_ = values_;
}

void GateSimulation::add_nodes() {
  for (int c = 0; c < static_cast<int>(netlist_.cells.size()); ++c) {
    const NetlistCell& cell = netlist_.cells[place(c)];
    const auto nets_of = [&](const Boolean& text, std::vector<int>& nets) {
      for (const int variable : text.variables())
        if (variable < cell.kind->state_variable()) nets.push_back(cell.nets[place(variable)]);
    };
    if (const auto& state = cell.kind->state) {
      Node node{.cell = c};
      if (state->clear) nets_of(*state->clear, node.inputs);
      if (state->preset) nets_of(*state->preset, node.inputs);
      if (state->is_latch) nets_of(state->data, node.inputs);
      if (state->is_latch) nets_of(state->clock, node.inputs);
      if (state->is_latch || state->clear || state->preset) nodes_.push_back(std::move(node));
    }
    for (int p = 0; p < cell.kind->state_variable(); ++p) {
      const PowerPin& pin = cell.kind->pins[place(p)];
      if (pin.is_input || !pin.function || cell.nets[place(p)] < 0) continue;
      Node node{.cell = c, .pin = p};
      nets_of(*pin.function, node.inputs);
      const auto variables = pin.function->variables();
      if (node.inputs.size() == variables.size() && variables.size() <= most_tabled) {
        node.tabled = true;
        for (std::uint64_t i = 0; i < std::uint64_t{1} << variables.size(); ++i)
          if (pin.function->value([&](int variable) {
                return i >> (std::ranges::find(variables, variable) - variables.begin()) & 1;
              }))
            node.table |= std::uint64_t{1} << i;
      }
      nodes_.push_back(std::move(node));
    }
  }
}

// By Kahn's algorithm: a node follows when all that it reads has.
void GateSimulation::sort_nodes() {
  const auto state_of = [&](const Node& node) {
    if (node.pin < 0) return false;
    const PowerCell& kind = *netlist_.cells[place(node.cell)].kind;
    return std::ranges::any_of(kind.pins[place(node.pin)].function->variables(),
                               [&](int variable) { return variable >= kind.state_variable(); });
  };
  std::vector<int> driver(place(netlist_.nets), -1), state(netlist_.cells.size(), -1);
  for (int n = 0; n < static_cast<int>(nodes_.size()); ++n) {
    const Node& node = nodes_[place(n)];
    if (node.pin < 0)
      state[place(node.cell)] = n;
    else
      driver[place(netlist_.cells[place(node.cell)].nets[place(node.pin)])] = n;
  }
  std::vector<std::vector<int>> followers(nodes_.size());
  std::vector<int> waits(nodes_.size(), 0), order;
  const auto follows = [&](int n, int first) {
    if (first < 0) return;
    followers[place(first)].push_back(n);
    ++waits[place(n)];
  };
  for (int n = 0; n < static_cast<int>(nodes_.size()); ++n) {
    for (const int net : nodes_[place(n)].inputs)
      if (net >= 0) follows(n, driver[place(net)]);
    if (state_of(nodes_[place(n)])) follows(n, state[place(nodes_[place(n)].cell)]);
  }
  for (int n = 0; n < static_cast<int>(nodes_.size()); ++n)
    if (waits[place(n)] == 0) order.push_back(n);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const int next : followers[place(order[i])])
      if (--waits[place(next)] == 0) order.push_back(next);
  if (order.size() != nodes_.size())
    throw ToolError("the netlist has a loop of gates, which cannot be simulated");

  std::vector<Node> sorted;
  for (const int n : order) sorted.push_back(std::move(nodes_[place(n)]));
  nodes_ = std::move(sorted);
  readers_.resize(place(netlist_.nets));
  of_state_.resize(netlist_.cells.size());
  driver_.assign(place(netlist_.nets), -1);
  for (int n = 0; n < static_cast<int>(nodes_.size()); ++n) {
    const Node& node = nodes_[place(n)];
    for (const int net : node.inputs)
      if (net >= 0) readers_[place(net)].push_back(n);
    if (state_of(node)) of_state_[place(node.cell)].push_back(n);
    if (node.pin >= 0) driver_[place(netlist_.cells[place(node.cell)].nets[place(node.pin)])] = n;
  }
}

// 1 or -1 for the clock itself or its complement, through buffers and inverters.
int GateSimulation::clock_polarity(int net, const std::string& user) const {
  int polarity = 1;
  while (net != clock_) {
    const int n = net < 0 ? -1 : driver_[place(net)];
    if (n < 0 || nodes_[place(n)].inputs.size() != 1 || !nodes_[place(n)].tabled)
      throw ToolError(
          fmt::format("{}: its clock is not the unit's clock; such a netlist cannot be simulated", user));
    if (nodes_[place(n)].table == 1) polarity = -polarity;
    net = nodes_[place(n)].inputs[0];
  }
  return polarity;
}

void GateSimulation::find_clocked(const std::string& clock) {
  if (const NetlistPort* port = netlist_.port(clock)) clock_ = port->nets.at(0);
  for (int c = 0; c < static_cast<int>(netlist_.cells.size()); ++c) {
    const NetlistCell& cell = netlist_.cells[place(c)];
    if (!cell.kind->state || cell.kind->state->is_latch) continue;
    const Boolean& on = cell.kind->state->clock;
    const auto variables = on.variables();
    if (variables.size() != 1 || variables[0] >= cell.kind->state_variable())
      throw ToolError(
          fmt::format("{}: its clock is no pin; such a cell cannot be simulated", cell.kind->name));
    const bool direct = on.value([](int) { return true; });
    const int polarity = clock_polarity(cell.nets[place(variables[0])], cell.name) * (direct ? 1 : -1);
    (polarity > 0 ? rising_ : falling_).push_back(c);
  }
  for (std::size_t r = 0; r < netlist_.rams.size(); ++r) {
    const NetlistRam& ram = netlist_.rams[r];
    const std::string& pin = functions_[r].pins.clock;
    const auto found = ram.pins.find(without_sign(pin));
    if (found == ram.pins.end() ||
        clock_polarity(found->second.at(0), ram.name) * (pin.starts_with('!') ? -1 : 1) < 0)
      throw ToolError(fmt::format("{}: its clock is not the rising edge of the unit's", ram.name));
  }
}

bool GateSimulation::expression(const Boolean& text, int cell) const {
  const NetlistCell& c = netlist_.cells[place(cell)];
  return text.value([&](int variable) {
    const int state = variable - c.kind->state_variable();
    return state < 0 ? value(c.nets[place(variable)]) : (states_[place(cell)] != 0) == (state == 0);
  });
}

bool GateSimulation::evaluate(const Node& node) const {
  if (node.tabled) {
    std::uint64_t index = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) index |= std::uint64_t{value(node.inputs[i])} << i;
    return node.table >> index & 1;
  }
  return expression(*netlist_.cells[place(node.cell)].kind->pins[place(node.pin)].function, node.cell);
}

void GateSimulation::put(int net, bool value) {
  if (net < 0 || (values_[place(net)] != 0) == value) return;
  values_[place(net)] = value;
  changed_.push_back(net);
  for (const int reader : readers_[place(net)]) dirty_[place(reader)] = 1;
}

void GateSimulation::settle() {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (!dirty_[n]) continue;
    dirty_[n] = 0;
    const Node& node = nodes_[n];
    if (node.pin >= 0) {
      put(netlist_.cells[place(node.cell)].nets[place(node.pin)], evaluate(node));
      continue;
    }
    const StateElement& state = *netlist_.cells[place(node.cell)].kind->state;
    bool now = states_[place(node.cell)] != 0;
    if (state.is_latch && expression(state.clock, node.cell)) now = expression(state.data, node.cell);
    if (state.preset && expression(*state.preset, node.cell)) now = true;
    if (state.clear && expression(*state.clear, node.cell)) now = false;
    if (now == (states_[place(node.cell)] != 0)) continue;
    states_[place(node.cell)] = now;
    for (const int reader : of_state_[place(node.cell)]) dirty_[place(reader)] = 1;
  }
}

bool GateSimulation::active(std::size_t ram, const std::string& pin) const {
  if (pin.empty()) return true;
  return (number(ram, pin) & 1) != (pin.starts_with('!') ? 1u : 0u);
}

std::uint64_t GateSimulation::number(std::size_t ram, const std::string& pin) const {
  const auto found = netlist_.rams[ram].pins.find(without_sign(pin));
  if (found == netlist_.rams[ram].pins.end())
    throw ToolError(fmt::format("{}: has no pin {}", netlist_.rams[ram].name, without_sign(pin)));
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < found->second.size() && i < 64; ++i)
    number |= std::uint64_t{value(found->second[i])} << i;
  return number;
}

// As the models of RAM wrappers and macros do it.
void GateSimulation::access_ram(std::size_t r) {
  const RamFunction& f = functions_[r];
  const NetlistRam& ram = netlist_.rams[r];
  const bool two = f.ports == RamPorts::one_r1w;
  const bool access = two || active(r, f.pins.access);
  const bool write = access && active(r, f.pins.write);
  const bool read = access && (f.pins.read.empty() ? !write : active(r, f.pins.read));
  accesses_[r] = {read, write};
  const auto row_of = [&](const std::string& pin) { return number(r, pin) * std::uint64_t(f.bits); };
  const std::size_t bits = place(f.bits), all = rows_[r].size();
  if (read) {
    const std::size_t row = row_of(f.pins.address);
    const auto& out = ram.pins.at(without_sign(f.pins.data_out));
    for (std::size_t i = 0; i < bits && i < out.size(); ++i)
      read_.push_back({out[i], row + i < all && rows_[r][row + i] != 0});
  }
  if (!write) return;
  const std::size_t row = row_of(two ? f.pins.write_address : f.pins.address);
  if (row + bits > all) return;
  const auto& in = ram.pins.at(without_sign(f.pins.data_in));
  const bool masked = f.mask_bits > 0 && !f.pins.mask.empty();
  const auto* mask = masked ? &ram.pins.at(without_sign(f.pins.mask)) : nullptr;
  const bool low = f.pins.mask.starts_with('!');
  for (std::size_t i = 0; i < bits; ++i)
    if (!masked || value((*mask)[i / place(f.mask_bits)]) != low) rows_[r][row + i] = value(in[i]);
}

void GateSimulation::edge(bool rising) {
  next_.clear();
  read_.clear();
  // No edge ends a cycle before the first.
  const bool ends_cycle = std::exchange(started_, true);
  if (ends_cycle)
    for (const int c : rising ? rising_ : falling_)
      next_.push_back({c, expression(netlist_.cells[place(c)].kind->state->data, c)});
  if (rising && ends_cycle)
    for (std::size_t r = 0; r < netlist_.rams.size(); ++r) access_ram(r);
  before_ = values_;
  changed_.clear();
  if (rising) {
    for (const auto& [net, value] : inputs_) put(net, value);
    inputs_.clear();
  }
  put(clock_, rising);
  for (const auto& [cell, value] : next_) {
    if ((states_[place(cell)] != 0) == value) continue;
    states_[place(cell)] = value;
    for (const int reader : of_state_[place(cell)]) dirty_[place(reader)] = 1;
  }
  // An asynchronous clear wins.
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    if (nodes_[n].pin < 0) dirty_[n] = 1;
  for (const auto& [net, value] : read_) put(net, value);
  settle();
}

void GateSimulation::rise() { edge(true); }
void GateSimulation::fall() { edge(false); }

}  // namespace gen
