// What a Module holds: read by the checks of this library and by the printer.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <variant>

#include "hw/rtl/module.h"
#include "hw/rtl/stream.h"

namespace rtl {

enum class Role { input, output, wire, reg };

// One statement of a clocked or combinational block; `then` and `other` hold the branches.
struct Stmt {
  enum class Kind { set, store, when, pick, loop };
  Kind kind = Kind::set;
  Expr target = {};  // set: signal, slice or part; store: the row, or a part of it; loop: the variable
  Expr value = {};   // set, store: the right side; when, pick: what is tested
  std::vector<Stmt> then = {}, other = {};
  std::vector<std::pair<Expr, std::vector<Stmt>>> cases = {};
  Loc loc = {};
};

// The row of which a store writes all or a part.
inline const Expr& stored_row(const Stmt& store) {
  const Node& target = store.target.node();
  return target.kind == Node::Kind::part ? target.args[0] : store.target;
}

struct Signal {
  std::string name = {};
  Role role = Role::wire;
  int width = 0;
  std::string doc = {};
  Loc loc = {};
  std::optional<Expr> reset = {};        // a literal or a constant
  bool in_block = false;                 // set by an always block, so it prints as a reg
  std::vector<std::string> driver = {};  // of each bit, in words; empty = none
  Size size = 0;                         // the width, in terms of parameters; 0 where it is a number
};

// Of a module that is one of a cell.
struct Parameter {
  std::string name, doc;
  Size argument = 0;  // its value, in terms of the parent's parameters
  int otherwise = 0;
};

struct Constant {
  std::string name, doc;
  Expr value;  // a literal that is printed by its name
  Loc loc;
  int element_bits = 0;  // of a table
};

struct Store {
  Mem mem;
  std::string doc;
  Loc loc;
  std::string writer = {};
};

struct Block {
  bool clocked = false;
  Clock clock = {};
  std::string doc = {};
  std::vector<Stmt> body = {};
  Loc loc = {};
};

struct Instance {
  Module child;
  std::string name, doc;
  std::vector<std::pair<std::string, Expr>> pins;
  Clock clock = {};  // the child's clk
  Loc loc = {};
};

struct Let {
  std::string name;
  Expr value;
};
struct Unused {
  std::string name;
  Expr bits;
  std::string doc;
};
struct Declare {
  std::string name;
};  // a wire, reg or memory declaration
struct Assign {
  Expr target, value;
  Loc loc;
};
struct Section {
  std::string title;
};

// One printed item, in source order.
struct Item;
struct Repeat {
  std::string label, doc;
  int times = 0;
  std::vector<Item> items = {};
  Size size = 0;  // `times`, in terms of parameters; 0 where it is a number
};
struct Item {
  std::variant<Let, Unused, Declare, Assign, Section, Instance, Block, Repeat> what;
};

// What is shown of the state: by no net, but to observers inside.
struct Observed {
  std::string name;
  Expr value;
  std::optional<Index> look;  // asked from outside, as looked_at() does
  std::vector<Index> parts;   // the outermost first
};

struct ModuleData {
  std::shared_ptr<std::string> name;  // one for all expressions of the module, which follow its changes
  std::string cell = {};              // of which this is one; empty: of none
  std::vector<Parameter> parameters = {};
  std::string doc;
  Loc loc;
  std::set<std::string> names;
  std::vector<Signal> signals;
  std::map<std::string, std::size_t> signal_at;
  std::vector<Constant> constants = {};
  std::vector<Store> mems;
  std::vector<std::pair<Clock, std::string>> clocks;  // beyond clk, with their doc
  std::vector<StreamPorts> streams;
  std::vector<Item> items;
  std::vector<Observed> observed;

  std::vector<Stmt>* scope = nullptr;  // where statements go while a block's body runs
  bool clocked_scope = false;
  std::vector<std::vector<Item>*> item_scope = {};
  std::vector<std::string> open_loops = {};
  std::set<std::string> loop_names = {};  // integers, shared by all blocks of the module
  // Of a module that was instantiated, and so is complete: its combinational paths.
  mutable std::optional<std::map<std::string, std::set<std::string>>> paths = {};

  // The value of `name` is an expression of this module, or of none.
  void must_be_given(const std::string& name, const Expr& value, const Loc& loc) const;
  void must_be_own(const std::string& name, const Expr& value, std::string_view remedy, const Loc& loc) const;
  [[noreturn]] void fail(Fault fault, const Loc& loc, std::string_view what) const;
  void claim(const std::string& name, const Loc& loc);
  Expr declare(std::string name, Role role, const Size& width, std::string doc, const Loc& loc);
  Signal& find(const Expr& target, const Loc& loc);
  const Signal* signal(const std::string& name) const;
  void drive(const Expr& target, const std::string& by, bool again_allowed, const Loc& loc);
  void add(Item item);
  bool uses_clock(const std::string& clock) const;  // by a block or an instance
  bool uses_reset(const std::string& clock) const;
};

// The signal that a target or an operand refers to: the vector of a slice or part, else itself.
const Node& base(const Expr& e);

// The targets of an assignment: those in a concatenation, or itself.
std::vector<Expr> targets_of(const Expr& target);

// The bits of a signal that an operand touches: all that its index may reach. Of a part in a generate loop
// one range a round.
struct BitRange {
  std::string name;
  int high, low;
};
void each_range(const Expr& e, const std::function<void(const BitRange&)>& see);

// Calls `see` for every signal bit range that the expression reads, index expressions included.
void each_read(const Expr& e, const std::function<void(const BitRange&)>& see);

// Which inputs reach which output without a register, by name.
const std::map<std::string, std::set<std::string>>& comb_paths(const ModuleData& m);

void check(const ModuleData& m);

}  // namespace rtl
