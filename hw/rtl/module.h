// One Verilog module under construction: ports, registers, memories, named values, blocks, loops and
// instances.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/rtl/expr.h"

namespace rtl {

struct ModuleData;
struct StreamPorts;
struct Stmt;

// A memory of `depth` rows; read with load(), written with store(). Only the sram_* wrappers of hw/prim hold
// one.
struct Mem {
  std::string name;
  int depth = 0, width = 0;
  Size rows = 0, bits = 0;  // the same, in terms of parameters
};

// A clock and its reset. All clocks of a module are edge-aligned: a clock of ratio r rises r times a period
// of clk.
struct Clock {
  std::string name = "clk";
  std::string reset = "rst";
  int ratio = 1;
};

// What the equal parts of a vector stand for, as in {"way", 4}.
struct Index {
  std::string name;
  int count = 0;
  bool operator==(const Index&) const = default;
};

// Every name in the output was written by the caller, and the Verilog shows the items in the order of the
// calls. Modules are handles: a copy refers to the same module. All members throw ElabError at the caller's
// line.
class Module {
 public:
  Module(std::string name, std::string doc, Loc loc = Loc::current());

  // Makes the module one of a cell: modules that differ in parameters alone, and have one text, with the
  // cell's name. Everything whose number depends on a parameter is made from what parameter() returns. The
  // module keeps its own name, and with it stands in mutants and proofs, and where areas are counted.
  void cell(std::string name, Loc loc = Loc::current());
  // A parameter in upper case. `value` may be in terms of the parent's parameters; `otherwise` is the
  // default.
  Size parameter(std::string name, const Size& value, int otherwise, std::string doc,
                 Loc loc = Loc::current());

  Expr input(std::string name, const Size& width, std::string doc, Loc loc = Loc::current());
  Expr output(std::string name, const Size& width, std::string doc, Loc loc = Loc::current());
  Expr wire(std::string name, const Size& width, std::string doc, Loc loc = Loc::current());
  Expr let(std::string name, const Expr& value, std::string doc, Loc loc = Loc::current());
  // A constant with a name in upper case, printed as a localparam. The same name and value again is the same
  // constant. It needs a doc only where the name does not say all.
  Expr constant(std::string name, int width, std::uint64_t value, std::string doc = "",
                Loc loc = Loc::current());
  // Numbers of so many bits, as a constant: part() by the variable of a generate loop is the number of a
  // round, and may be an index itself.
  Expr table(std::string name, int bits, const std::vector<int>& numbers, std::string doc,
             Loc loc = Loc::current());
  // A register with a reset value; `_q` closes its name.
  Expr reg(std::string name, const Size& width, std::uint64_t reset, std::string doc,
           Loc loc = Loc::current());
  // The same with a constant as reset value, which the reset branch names.
  Expr reg(std::string name, const Expr& reset, std::string doc, Loc loc = Loc::current());
  // The same with a reset value of any width, least significant word first.
  Expr wide_reg(std::string name, int width, std::vector<std::uint64_t> reset, std::string doc,
                Loc loc = Loc::current());
  // A register of a pure data pipeline: no reset, so nothing may rely on its first value.
  Expr data_reg(std::string name, const Size& width, std::string doc, Loc loc = Loc::current());
  Mem mem(std::string name, const Size& depth, const Size& width, std::string doc, Loc loc = Loc::current());
  // Says that these bits are ignored on purpose; the name must contain "unused".
  void unused(std::string name, const Expr& bits, std::string doc, Loc loc = Loc::current());

  // A second clock, edge-aligned with clk and `ratio` times as fast. Blocks name it; clk needs no
  // declaration.
  Clock clock(std::string name, std::string reset, int ratio, std::string doc, Loc loc = Loc::current());

  void section(std::string title);  // a comment line over the items that follow
  void assign(const Expr& target, const Expr& value, Loc loc = Loc::current());
  void instance(const Module& child, std::string name, std::vector<std::pair<std::string, Expr>> pins,
                std::string doc, Loc loc = Loc::current());
  // The same with `clock` for the child's clk; the child's other clocks are those of the same name.
  void instance(const Clock& clock, const Module& child, std::string name,
                std::vector<std::pair<std::string, Expr>> pins, std::string doc, Loc loc = Loc::current());
  // A printed generate loop: `body` runs once, with the loop variable as index of at(), part() and stepped().
  // Loops nest.
  void repeat(std::string label, const Size& times, std::string doc,
              const std::function<void(const Expr&)>& body, Loc loc = Loc::current());

  void clocked(std::string doc, const std::function<void()>& body, Loc loc = Loc::current());
  void clocked(const Clock& clock, std::string doc, const std::function<void()>& body,
               Loc loc = Loc::current());
  void comb(std::string doc, const std::function<void()>& body, Loc loc = Loc::current());

  class Else {
   public:
    void otherwise(const std::function<void()>& body);

   private:
    friend class Module;
    Else(std::shared_ptr<ModuleData> data, std::vector<Stmt>& list, std::size_t at)
        : data_(std::move(data)), list_(list), at_(at) {}
    std::shared_ptr<ModuleData> data_;
    std::vector<Stmt>& list_;
    std::size_t at_;
  };
  // Statements, inside clocked() and comb() only.
  Else when(const Expr& condition, const std::function<void()>& body, Loc loc = Loc::current());
  void pick(const Expr& select, const std::vector<std::pair<std::uint64_t, std::function<void()>>>& cases,
            const std::function<void()>& otherwise, Loc loc = Loc::current());
  // The same with literals or constants of the width of `select` as keys.
  void pick(const Expr& select, const std::vector<std::pair<Expr, std::function<void()>>>& cases,
            const std::function<void()>& otherwise, Loc loc = Loc::current());
  void loop(std::string name, const Size& times, const std::function<void(const Expr&)>& body,
            Loc loc = Loc::current());
  void set(const Expr& target, const Expr& value, Loc loc = Loc::current());
  void store(const Mem& mem, const Expr& row, const Expr& data, Loc loc = Loc::current());
  // One of the equal parts of a row, all as wide as `data`; the others stay.
  void store_part(const Mem& mem, const Expr& row, const Expr& part, const Expr& data,
                  Loc loc = Loc::current());
  Expr load(const Mem& mem, const Expr& row, Loc loc = Loc::current());

  // How a unit shows its state for the comparison with a model, beside the state and without a net of
  // its own: co-simulation brings each value out under its name, behind those of the instances that it lies
  // in
  // ("tags.busy"). The golden model publishes the same names (golden/state.h); one that only one of them has,
  // or that differs in width or parts, refuses the run. A new mechanism needs no more than the two.
  //
  // `parts`, the outermost first, say what equal parts of the value stand for. Names of the module, rows of
  // RAMs inside and looked_at() may stand in the value.
  void observe(std::string name, const Expr& value, std::vector<Index> parts = {}, Loc loc = Loc::current());
  // A number asked from outside, as the set that is looked at: where a value is of one row of many.
  Expr looked_at(std::string index, int width, Loc loc = Loc::current());
  // A row of the RAM in an instance.
  Expr stored(const std::string& instance, const Expr& row, Loc loc = Loc::current());
  // The input of co-simulation's wrapper that gives the number.
  static std::string look_port(const std::string& index) { return "look_at_" + index; }

  // Checks the whole module (drivers, unread bits, combinational loops) and lists every mistake in one error.
  void finish() const;

  // Takes the place of the name, until the module has been printed. Instances of it follow.
  void rename(std::string name);

  const std::string& name() const;
  const std::string& doc() const;
  const ModuleData& data() const { return *data_; }
  // Says that these of its ports are a stream (hw/rtl/stream.h makes them).
  void has_stream(StreamPorts stream);

 private:
  Expr named(std::string name, const Expr& value, int element_bits, std::string doc, Loc loc);

  std::shared_ptr<ModuleData> data_;
};

// The module and everything that it instantiates, each once, children before parents.
std::vector<Module> modules_of(const Module& top);

}  // namespace rtl
