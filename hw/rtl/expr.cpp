#include "hw/rtl/expr.h"

#include <fmt/format.h>

namespace rtl {
namespace {

std::string_view scope(const Expr& e) { return e.node().scope ? *e.node().scope : std::string_view("-"); }

void same_scope(const Expr& a, const Expr& b, const Loc& loc) {
  const auto &left = a.node().scope, &right = b.node().scope;
  if (left && right && left != right)
    throw ElabError(
        Fault::scope, loc, *left,
        fmt::format("'{}' belongs to module '{}'; connect it through a port", verilog(b), *right));
}

// None where all are numbers, as of nearly all modules.
std::shared_ptr<const Sizes> sizes_of(const Size& width, const Size& high = 0, const Size& low = 0) {
  if (width.is_number() && high.is_number() && low.is_number()) return {};
  return std::make_shared<const Sizes>(Sizes{width, high, low});
}

// Of an operator whose operands are equally wide.
std::shared_ptr<const Sizes> common_size(const Expr& a, const Expr& b) {
  return sizes_of(a.size().is_number() ? b.size() : a.size());
}

void must_be_there(const Expr& e, const Loc& loc) {
  if (!e.known()) throw ElabError(Fault::scope, loc, "-", "an operand is an empty Expr");
}

Expr make(Node node, const Loc& loc) {
  for (const Expr& arg : node.args) {
    must_be_there(arg, loc);
    same_scope(node.args[0], arg, loc);
    if (!node.scope) node.scope = arg.node().scope;
  }
  return Expr(std::make_shared<const Node>(std::move(node)));
}

bool sliceable(const Expr& e) {
  using enum Node::Kind;
  const Node::Kind kind = e.node().kind;
  return kind == signal || kind == look || kind == load || (kind == loop && e.width() > 0);
}

// Verilog sizes operands from their context; equal widths are the one case that never surprises.
void same_width(const At& a, const At& b, std::string_view op) {
  same_scope(a.expr, b.expr, a.loc);
  const Size left = a.expr.size(), right = b.expr.size();
  if (!left.is_number() && !right.is_number() && left != right)
    throw ElabError(Fault::width, a.loc, scope(a.expr),
                    fmt::format("'{} {} {}' mixes {} and {} bits", verilog(a.expr), op, verilog(b.expr),
                                left.text(), right.text()));
  if (a.expr.width() == b.expr.width()) return;
  throw ElabError(Fault::width, a.loc, scope(a.expr),
                  fmt::format("'{} {} {}' mixes {} and {} bits; widen with zext() or cut with trunc()",
                              verilog(a.expr), op, verilog(b.expr), a.expr.width(), b.expr.width()));
}

Expr binary(const At& a, const At& b, std::string op, bool one_bit = false) {
  same_width(a, b, op);
  const int width = one_bit ? 1 : a.expr.width();
  return make({.kind = Node::Kind::binary,
               .width = width,
               .text = std::move(op),
               .args = {a.expr, b.expr},
               .sizes = one_bit ? nullptr : common_size(a.expr, b.expr)},
              a.loc);
}

// A constant with a name counts where a loop indexes it: then a table.
void must_be_indexable(const Expr& e, bool by_loop, const Loc& loc) {
  const Node& n = e.node();
  if (n.kind == Node::Kind::signal || (by_loop && n.kind == Node::Kind::literal && !n.text.empty())) return;
  throw ElabError(
      Fault::name, loc, scope(e),
      fmt::format("cannot index '{}': Verilog indexes names only; give it one with let()", verilog(e)));
}

Expr reduce(const At& a, std::string op) {
  return make({.kind = Node::Kind::unary, .width = 1, .text = std::move(op), .args = {a.expr}}, a.loc);
}

}  // namespace

int Expr::width() const { return node_ ? node_->width : 0; }

Size Expr::size() const { return node_ && node_->sizes ? node_->sizes->width : Size(width()); }

Expr Expr::slice(const Size& from, const Size& to, const Loc& loc) const {
  const int high = from.value(), low = to.value();
  must_be_there(*this, loc);
  if (low < 0 || high < low || high >= width())
    throw ElabError(
        Fault::range, loc, scope(*this),
        fmt::format("slice [{}:{}] of '{}' ({} bits) is out of range", high, low, verilog(*this), width()));
  if (!sliceable(*this))
    throw ElabError(
        Fault::name, loc, scope(*this),
        fmt::format("cannot slice '{}': Verilog slices names only; give it one with let()", verilog(*this)));
  const Size bits = from - to + 1;
  if (bits == size() && node().kind != Node::Kind::loop) return *this;
  return make({.kind = Node::Kind::slice,
               .width = bits.value(),
               .args = {*this},
               .high = high,
               .low = low,
               .sizes = sizes_of(bits, from, to)},
              loc);
}

Expr Expr::part(const Expr& index, const Size& part_width, const Loc& loc) const {
  return indexed(index, part_width, false, loc);
}

Expr Expr::part_below(const Expr& index, const Size& part_width, const Loc& loc) const {
  return indexed(index, part_width, true, loc);
}

Expr Expr::indexed(const Expr& index, const Size& part_size, bool may_exceed, const Loc& loc) const {
  const int part_width = part_size.value();
  must_be_there(*this, loc);
  must_be_there(index, loc);
  const bool loop = index.node().kind == Node::Kind::loop;
  must_be_indexable(*this, loop, loc);
  if (is_table_element(index)) return listed(index, part_width, loc);
  const std::uint64_t reach = loop                 ? index.node().high
                              : index.width() < 32 ? std::uint64_t{1} << index.width()
                                                   : ~0u;
  const std::uint64_t parts = part_width > 0 ? width() / part_width : 0;
  if (part_width < 1 || width() % part_width ||
      (loop         ? reach > parts
       : may_exceed ? reach < parts
                    : reach != parts))
    throw ElabError(Fault::range, loc, scope(*this),
                    fmt::format("'{}' has {} bits, in parts of {}, but the index '{}' can reach {} parts",
                                verilog(*this), width(), part_width, verilog(index), reach));
  if (!part_size.is_number() && !loop)
    throw ElabError(Fault::range, loc, scope(*this),
                    fmt::format("'{}' has parts of {} bits: a loop alone can index them", verilog(*this),
                                part_size.text()));
  if (parts == 1 && size().is_number()) return *this;  // Verilog has no part of a one-bit net
  return make(
      {.kind = Node::Kind::part, .width = part_width, .args = {*this, index}, .sizes = sizes_of(part_size)},
      loc);
}

Expr Expr::listed(const Expr& index, int part_width, const Loc& loc) const {
  for (const int number : numbers_of(index))
    if (part_width < 1 || width() % part_width || number >= width() / part_width)
      throw ElabError(Fault::range, loc, scope(*this),
                      fmt::format("'{}' has {} bits, in parts of {}, but '{}' names part {}", verilog(*this),
                                  width(), part_width, verilog(index), number));
  return make({.kind = Node::Kind::part, .width = part_width, .args = {*this, index}}, loc);
}

Expr Expr::stepped(const std::vector<Step>& steps, const Size& first_part, const Size& part_size,
                   const Loc& loc) const {
  const int first = first_part.value(), part_width = part_size.value();
  must_be_there(*this, loc);
  must_be_indexable(*this, false, loc);
  Node node{.kind = Node::Kind::stepped,
            .width = part_width,
            .args = {*this},
            .low = first * part_width,
            .sizes = sizes_of(part_size, first_part)};
  int last = first;
  for (const Step& step : steps) {
    if (!is_a(step.loop, Node::Kind::loop) || step.parts < 0)
      throw ElabError(Fault::range, loc, scope(*this),
                      fmt::format("'{}' is stepped by '{}', which is no loop variable, or backwards",
                                  verilog(*this), verilog(step.loop)));
    last += (step.loop.node().high - 1) * step.parts;
    node.args.push_back(step.loop);
    node.words.push_back(static_cast<std::uint64_t>(step.parts) * static_cast<std::uint64_t>(part_width));
  }
  if (part_width < 1 || first < 0 || width() % part_width || last >= width() / part_width)
    throw ElabError(Fault::range, loc, scope(*this),
                    fmt::format("'{}' has {} bits, in parts of {}, but steps from part {} to {}",
                                verilog(*this), width(), part_width, first, last));
  if (steps.empty() && part_size.is_number())
    return slice((first_part + 1) * part_size - 1, first_part * part_size, loc);
  if (width() == 1 && size().is_number()) return *this;  // Verilog has no part of a one-bit net
  if (steps.size() == 1 && steps[0].parts == 1 && first_part == 0) return part(steps[0].loop, part_size, loc);
  return make(std::move(node), loc);
}

std::vector<int> numbers_in(const Expr& table, int bits) {
  std::vector<int> numbers;
  for (int low = 0; low + bits <= table.width(); low += bits) {
    int number = 0;
    for (int b = 0; b < bits; ++b)
      number |=
          static_cast<int>(table.node().words[static_cast<std::size_t>(low + b) / 64] >> (low + b) % 64 & 1)
          << b;
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<int> numbers_of(const Expr& element) {
  std::vector<int> numbers = numbers_in(element.node().args[0], element.width());
  numbers.resize(static_cast<std::size_t>(element.node().args[1].node().high));
  return numbers;
}

bool is_table_element(const Expr& e) {
  return e.node().kind == Node::Kind::part && e.node().args[0].node().kind == Node::Kind::literal;
}

Expr wide_lit(int width, std::vector<std::uint64_t> words, const Loc& loc) {
  words.resize(std::max<std::size_t>(words.size(), (width + 63) / 64));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const int available = width - static_cast<int>(i) * 64;
    if (width < 1 || (available <= 0 && words[i]) ||
        (available > 0 && available < 64 && words[i] >> available))
      throw ElabError(Fault::width, loc, "-",
                      fmt::format("literal {} does not fit {} bits", words[i], width));
  }
  words.resize((width + 63) / 64);
  return make({.kind = Node::Kind::literal, .width = width, .words = std::move(words)}, loc);
}

Expr lit(const Size& width, std::uint64_t value, const Loc& loc) {
  const Expr number = wide_lit(width.value(), {value}, loc);
  if (width.is_number()) return number;
  Node node = number.node();
  node.sizes = sizes_of(width);
  return make(std::move(node), loc);
}

Expr ones(const Size& size, const Loc& loc) {
  if (!size.is_number()) return replicate(size, {lit(1, 1, loc), loc});
  const int width = size.value();
  std::vector<std::uint64_t> words(width > 0 ? (width + 63) / 64 : 0, ~std::uint64_t{0});
  if (width > 0 && width % 64) words.back() >>= 64 - width % 64;
  return wide_lit(width, std::move(words), loc);
}

Expr cat(const std::vector<Expr>& parts, const Loc& loc) {
  if (parts.empty()) throw ElabError(Fault::width, loc, "-", "cat() of nothing has no bits");
  if (parts.size() == 1) return parts[0];
  Size width = 0;
  for (const auto& p : parts) width = width + p.size();
  return make({.kind = Node::Kind::concat, .width = width.value(), .args = parts, .sizes = sizes_of(width)},
              loc);
}

Expr replicate(const Size& times, At v) {
  if (times.value() < 1)
    throw ElabError(Fault::width, v.loc, scope(v.expr),
                    fmt::format("replicate({} times) has no bits", times.text()));
  if (times == 1) return v.expr;
  return make({.kind = Node::Kind::replicate,
               .width = times.value() * v.expr.width(),
               .args = {v.expr},
               .high = times.value(),
               .sizes = sizes_of(times * v.expr.size(), times)},
              v.loc);
}

Expr mux(At select, const Expr& t, const Expr& f) {
  same_width({t, select.loc}, {f, select.loc}, ":");
  if (select.expr.width() != 1)
    throw ElabError(
        Fault::width, select.loc, scope(select.expr),
        fmt::format("mux select '{}' is {} bits, not 1", verilog(select.expr), select.expr.width()));
  return make(
      {.kind = Node::Kind::mux, .width = t.width(), .args = {select.expr, t, f}, .sizes = common_size(t, f)},
      select.loc);
}

Expr zext(At v, const Size& width) {
  if (width.value() < v.expr.width())
    throw ElabError(Fault::width, v.loc, scope(v.expr),
                    fmt::format("zext('{}', {}) narrows {} bits; use trunc()", verilog(v.expr), width.value(),
                                v.expr.width()));
  return width == v.expr.size() ? v.expr : cat({lit(width - v.expr.size(), 0), v.expr}, v.loc);
}

Expr trunc(At v, const Size& width) { return v.expr.slice(width - 1, 0, v.loc); }

Expr any(At v) { return reduce(v, "|"); }
Expr all(At v) { return reduce(v, "&"); }
Expr parity(At v) { return reduce(v, "^"); }

Expr operator~(At a) {
  return make({.kind = Node::Kind::unary,
               .width = a.expr.width(),
               .text = "~",
               .args = {a.expr},
               .sizes = sizes_of(a.expr.size())},
              a.loc);
}
Expr operator&(At a, At b) { return binary(a, b, "&"); }
Expr operator|(At a, At b) { return binary(a, b, "|"); }
Expr operator^(At a, At b) { return binary(a, b, "^"); }
Expr operator+(At a, At b) { return binary(a, b, "+"); }
Expr operator-(At a, At b) { return binary(a, b, "-"); }
Expr operator==(At a, At b) { return binary(a, b, "==", true); }
Expr operator!=(At a, At b) { return binary(a, b, "!=", true); }
Expr operator<(At a, At b) { return binary(a, b, "<", true); }
Expr operator>=(At a, At b) { return binary(a, b, ">=", true); }

}  // namespace rtl
