// The checks of a finished module: each bit driven once and read, no combinational loop, clocks that exist.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hw/rtl/module_data.h"

namespace rtl {

const Node& base(const Expr& e) {
  const Node* n = &e.node();
  while (n->kind == Node::Kind::slice || n->kind == Node::Kind::part || n->kind == Node::Kind::stepped)
    n = &n->args[0].node();
  return *n;
}

std::vector<Expr> targets_of(const Expr& target) {
  return target.node().kind == Node::Kind::concat ? target.node().args : std::vector{target};
}

namespace {

void stepped_ranges(const Node& n, std::size_t loop, int low,
                    const std::function<void(const BitRange&)>& see) {
  if (loop == n.args.size()) return see({base(n.args[0]).text, low + n.width - 1, low});
  for (int round = 0; round < n.args[loop].node().high; ++round)
    stepped_ranges(n, loop + 1, low + round * static_cast<int>(n.words[loop - 1]), see);
}

}  // namespace

void each_range(const Expr& e, const std::function<void(const BitRange&)>& see) {
  const Node& n = e.node();
  const std::string& name = base(e).text;
  if (n.kind == Node::Kind::slice) return see({name, n.high, n.low});
  if (n.kind == Node::Kind::stepped) return stepped_ranges(n, 1, n.low, see);
  if (n.kind == Node::Kind::part && n.args[1].node().kind == Node::Kind::loop)
    return see({name, n.args[1].node().high * n.width - 1, 0});
  if (n.kind == Node::Kind::part && is_table_element(n.args[1])) {
    for (const int number : numbers_of(n.args[1])) see({name, (number + 1) * n.width - 1, number * n.width});
    return;
  }
  see({name, base(e).width - 1, 0});
}

void each_read(const Expr& e, const std::function<void(const BitRange&)>& see) {
  if (!e.known()) return;
  const Node& n = e.node();
  const bool bits = n.kind == Node::Kind::signal || n.kind == Node::Kind::slice;
  if (bits && base(e).kind == Node::Kind::signal) return each_range(e, see);
  if (n.kind == Node::Kind::stepped) return each_range(e, see);
  if (n.kind == Node::Kind::part) {
    if (base(e).kind == Node::Kind::signal) each_range(e, see);
    each_read(n.args[1], see);
    return;
  }
  for (const Expr& a : n.args) each_read(a, see);
}

namespace {

// What each signal depends on within the cycle, by name.
using Graph = std::map<std::string, std::set<std::string>>;

class Walk {
 public:
  explicit Walk(const ModuleData& m) : m_(m) {
    for (const Signal& s : m.signals) {
      read_[s.name].resize(s.width);
      if (s.reset) constants_.insert(s.reset->node().text);
    }
    items(m.items);
  }

  Graph graph;

  bool is_read(const std::string& name, int bit) const { return read_.at(name)[bit]; }
  const std::set<std::string>& memories_read() const { return memories_; }
  bool names_constant(const std::string& name) const { return constants_.contains(name); }
  bool written(const std::string& memory) const { return written_.contains(memory); }

 private:
  void read(const Expr& e, std::set<std::string>* into = nullptr) {
    if (!e.known()) return;
    each_read(e, [&](const BitRange& r) {
      std::fill(read_[r.name].begin() + r.low, read_[r.name].begin() + r.high + 1, true);
      if (into) into->insert(r.name);
    });
    names(e);
  }

  void names(const Expr& e) {
    if (e.node().kind == Node::Kind::look)
      m_.fail(Fault::scope, m_.loc, fmt::format("'{}' is for observe() alone", e.node().text));
    if (e.node().kind == Node::Kind::load) memories_.insert(e.node().text);
    if (e.node().kind == Node::Kind::literal) constants_.insert(e.node().text);
    for (const Expr& a : e.node().args) names(a);
  }

  void index_read(const Expr& target, std::set<std::string>* into) {
    if (target.node().kind == Node::Kind::part) read(target.node().args[1], into);
  }

  void statements(const std::vector<Stmt>& body, bool clocked, const std::set<std::string>& conditions) {
    for (const Stmt& s : body) {
      std::set<std::string> from = conditions;
      if (s.kind == Stmt::Kind::set) {
        read(s.value, &from);
        index_read(s.target, &from);
        const std::string& target = base(s.target).text;
        from.erase(target);  // inside one block a target is set before it is read
        if (!clocked) graph[target].merge(from);
      } else if (s.kind == Stmt::Kind::store) {
        read(s.value);
        read(stored_row(s).node().args[0]);
        written_.insert(stored_row(s).node().text);
      } else {
        read(s.value, &from);
        statements(s.then, clocked, from);
        statements(s.other, clocked, from);
        for (const auto& [key, body] : s.cases) {
          names(key);
          statements(body, clocked, from);
        }
      }
    }
  }

  void instance(const Instance& i) {
    const auto& paths = comb_paths(i.child.data());
    for (const auto& [pin, e] : i.pins) {
      const Role role = i.child.data().signal(pin)->role;
      if (role == Role::input) read(e);
      if (role != Role::output) continue;
      const auto from = paths.find(pin);
      if (from == paths.end()) continue;
      for (const auto& [other, value] : i.pins)
        if (from->second.contains(other))
          each_read(value, [&, &net = e](const BitRange& r) {
            for (const Expr& target : targets_of(net)) graph[base(target).text].insert(r.name);
          });
    }
  }

  void items(const std::vector<Item>& list) {
    for (const Item& item : list) {
      if (const auto* let = std::get_if<Let>(&item.what)) read(let->value, &graph[let->name]);
      if (const auto* unused = std::get_if<Unused>(&item.what)) read(unused->bits);
      if (const auto* assign = std::get_if<Assign>(&item.what)) {
        for (const Expr& target : targets_of(assign->target)) {
          read(assign->value, &graph[base(target).text]);
          index_read(target, nullptr);
        }
      }
      if (const auto* i = std::get_if<Instance>(&item.what)) instance(*i);
      if (const auto* repeat = std::get_if<Repeat>(&item.what)) items(repeat->items);
      if (const auto* block = std::get_if<Block>(&item.what)) statements(block->body, block->clocked, {});
    }
  }

  const ModuleData& m_;
  std::map<std::string, std::vector<bool>> read_;
  std::set<std::string> memories_, written_, constants_;
};

// A path from `start` back to itself, empty when there is none; each signal is entered once.
std::vector<std::string> cycle_from(const Graph& graph, const std::string& start) {
  std::vector<std::string> path;
  std::set<std::string> seen;
  const std::function<bool(const std::string&)> walk = [&](const std::string& at) {
    path.push_back(at);
    if (const auto next = graph.find(at); next != graph.end())
      for (const std::string& n : next->second) {
        if (n == start) return true;
        if (seen.insert(n).second && walk(n)) return true;
      }
    path.pop_back();
    return false;
  };
  if (!walk(start)) return {};
  path.push_back(start);
  return path;
}

// "[7:4]" of the first run of bits for which `wrong` holds; nothing when the whole signal is meant.
std::string first_run(const Signal& s, const std::function<bool(int)>& wrong) {
  int low = 0;
  while (!wrong(low)) ++low;
  int high = low;
  while (high + 1 < s.width && wrong(high + 1)) ++high;
  if (low == 0 && high == s.width - 1) return "";
  return low == high ? fmt::format("[{}]", low) : fmt::format("[{}:{}]", high, low);
}

}  // namespace

const std::map<std::string, std::set<std::string>>& comb_paths(const ModuleData& m) {
  if (m.paths) return *m.paths;
  const Walk walk(m);
  std::map<std::string, std::set<std::string>>& paths = m.paths.emplace();
  for (const Signal& s : m.signals) {
    if (s.role != Role::output) continue;
    std::set<std::string> seen{s.name};
    std::vector<std::string> todo{s.name};
    while (!todo.empty()) {
      const std::string at = todo.back();
      todo.pop_back();
      const Signal* signal = m.signal(at);
      if (signal->role == Role::input) paths[s.name].insert(at);
      if (const auto next = walk.graph.find(at); next != walk.graph.end())
        for (const std::string& n : next->second)
          if (seen.insert(n).second) todo.push_back(n);
    }
  }
  return paths;
}

void check(const ModuleData& m) {
  const Walk walk(m);
  std::vector<std::string> faults;
  const auto add = [&](Fault f, const Loc& loc, const std::string& what) {
    faults.push_back(ElabError(f, loc, *m.name, what).what());
  };
  for (const Signal& s : m.signals) {
    const auto undriven = [&](int b) { return s.driver[b].empty(); };
    const auto unread = [&](int b) { return !walk.is_read(s.name, b); };
    const auto any = [&](const auto& wrong) {
      for (int b = 0; b < s.width; ++b)
        if (wrong(b)) return true;
      return false;
    };
    if (any(undriven))
      add(Fault::driver, s.loc, fmt::format("nothing drives '{}{}'", s.name, first_run(s, undriven)));
    if (s.role != Role::output && any(unread))
      add(Fault::unused, s.loc,
          fmt::format("nothing reads '{}{}'; drop it or name it in unused()", s.name, first_run(s, unread)));
  }
  for (const Store& mem : m.mems) {
    if (!walk.written(mem.mem.name))
      add(Fault::driver, mem.loc, fmt::format("nothing writes memory '{}'", mem.mem.name));
    if (!walk.memories_read().contains(mem.mem.name))
      add(Fault::unused, mem.loc, fmt::format("nothing reads memory '{}'", mem.mem.name));
  }
  for (const Constant& c : m.constants)
    if (!walk.names_constant(c.name))
      add(Fault::unused, c.loc, fmt::format("nothing uses constant '{}'; drop it", c.name));
  for (const auto& [clock, doc] : m.clocks)
    if (!m.uses_clock(clock.name))
      add(Fault::clock, m.loc, fmt::format("no block uses the clock '{}'", clock.name));
  for (const Signal& s : m.signals)
    if (const auto path = cycle_from(walk.graph, s.name); !path.empty()) {
      add(Fault::loop, s.loc, fmt::format("combinational loop {}", fmt::join(path, " -> ")));
      break;
    }
  if (!faults.empty()) throw std::runtime_error(fmt::format("{}", fmt::join(faults, "\n")));
}

}  // namespace rtl
