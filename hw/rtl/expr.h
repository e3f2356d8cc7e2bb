// Hardware expressions with exact widths: operands must match to the bit, and a mistake names the user's
// line.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/rtl/error.h"
#include "hw/rtl/size.h"

namespace rtl {

struct Node;
struct Sizes;
struct Step;

// An immutable hardware expression. Its width is known the moment it is built.
class Expr {
 public:
  Expr() = default;
  explicit Expr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  int width() const;
  Size size() const;  // the width, in terms of parameters where it depends on them
  bool known() const { return node_ != nullptr; }
  const Node& node() const { return *node_; }

  Expr slice(const Size& high, const Size& low, const Loc& loc = Loc::current()) const;
  Expr bit(const Size& index, const Loc& loc = Loc::current()) const { return slice(index, index, loc); }
  // Bit or part number `index` of a vector of equal parts; the index reaches each part and none beyond.
  // An element of a table (Module::table) names existing parts, each at most once where it drives them.
  Expr at(const Expr& index, const Loc& loc = Loc::current()) const { return part(index, 1, loc); }
  Expr part(const Expr& index, const Size& part_width, const Loc& loc = Loc::current()) const;
  // The same where fewer parts exist than the index's bits can count: the design never names the others.
  Expr part_below(const Expr& index, const Size& part_width, const Loc& loc = Loc::current()) const;
  // In generate loops: part number `first`, and so many parts further in each round of a loop.
  Expr stepped(const std::vector<Step>& steps, const Size& first, const Size& part_width,
               const Loc& loc = Loc::current()) const;

  explicit operator bool() const = delete;  // a C++ `if` cannot test a signal: use Module::when

 private:
  Expr indexed(const Expr& index, const Size& part_width, bool may_exceed, const Loc& loc) const;
  Expr listed(const Expr& index, int part_width, const Loc& loc) const;

  std::shared_ptr<const Node> node_;
};

struct Node {
  // part: args = {vector, index}; stepped: args = {vector, a loop each}, `words` the bits of their steps and
  // `low` the first bit; load: args = {row address}; loop: the variable of Module::loop or repeat; look: the
  // number of Module::looked_at.
  enum class Kind {
    signal,
    literal,
    unary,
    binary,
    mux,
    concat,
    replicate,
    slice,
    part,
    stepped,
    load,
    loop,
    look
  };
  Kind kind = Kind::signal;
  int width = 0;
  std::string text = {};  // signal, memory, loop or constant name, or operator
  std::vector<Expr> args = {};
  int high = 0, low = 0;                          // slice; loop: number of rounds in `high`
  std::vector<std::uint64_t> words = {};          // literal, least significant first
  std::shared_ptr<const std::string> scope = {};  // name of the module whose signals it reads
  std::shared_ptr<const Sizes> sizes = {};        // where they depend on parameters
};

// Width, bounds of a slice; in `high` also the times of a replication or loop, and a stepped part's first
// part.
struct Sizes {
  Size width = 0, high = 0, low = 0;
};

// Parts from one round of a loop to the next.
struct Step {
  Expr loop;
  int parts = 1;
};

// It is one, and of that kind.
inline bool is_a(const Expr& e, Node::Kind kind) { return e.known() && e.node().kind == kind; }

// The numbers in a table, the lowest first; those of an element of a table, one for each round of its loop.
std::vector<int> numbers_in(const Expr& table, int bits);
std::vector<int> numbers_of(const Expr& element);
bool is_table_element(const Expr& e);

// Carries the caller's line into operators, which cannot take default arguments.
struct At {
  At(const Expr& expr, const Loc& loc = Loc::current()) : expr(expr), loc(loc) {}
  Expr expr;
  Loc loc;
};

Expr lit(const Size& width, std::uint64_t value, const Loc& loc = Loc::current());
Expr wide_lit(int width, std::vector<std::uint64_t> words, const Loc& loc = Loc::current());
Expr ones(const Size& width, const Loc& loc = Loc::current());
Expr cat(const std::vector<Expr>& parts, const Loc& loc = Loc::current());  // most significant first
Expr replicate(const Size& times, At value);
Expr mux(At select, const Expr& if_true, const Expr& if_false);
Expr zext(At value, const Size& width);
Expr trunc(At value, const Size& width);
Expr any(At value);     // |value
Expr all(At value);     // &value
Expr parity(At value);  // ^value

Expr operator~(At a);
Expr operator&(At a, At b);
Expr operator|(At a, At b);
Expr operator^(At a, At b);
Expr operator+(At a, At b);  // modulo 2^width: zext first to keep a carry
Expr operator-(At a, At b);
Expr operator==(At a, At b);
Expr operator!=(At a, At b);
Expr operator<(At a, At b);  // unsigned
Expr operator>=(At a, At b);

// The expression as Verilog text; also used in messages. `scope` stands before the names of the module, as in
// "dut.tags.".
std::string verilog(const Expr& expr, const std::string& scope = "");

constexpr int clog2(std::uint64_t n) {
  int bits = 0;
  while (bits < 64 && (std::uint64_t{1} << bits) < n) ++bits;
  return bits;
}

}  // namespace rtl
