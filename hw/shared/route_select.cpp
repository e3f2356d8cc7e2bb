#include "hw/shared/route_select.h"

#include <fmt/format.h>
#include <optional>

#include <algorithm>
#include <bit>
#include <iterator>
#include <set>

#include "hw/geometry_ranges.h"
#include "hw/l1d/request_kind.h"
#include "hw/prim/constant_modulus.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"
#include "hw/shared/home_select.h"
#include "hw/shared/shared_ranges.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::zext;

// Coordinates of a node of the mesh.
struct Place {
  Expr column, row;
};

class RouteSelectBuilder {
 public:
  RouteSelectBuilder(const RouteParams& p, const std::string& name)
      : p_(p),
        node_bits_(bits_to_number(p.width * p.height)),
        m_(name, fmt::format("Route of a core's request {}: its own L1, the line's home, or the slice (DC-L1 "
                             "thesis, section 4.3).",
                             p.height > 1 ? fmt::format("in a mesh of {} x {}", p.width, p.height)
                                          : fmt::format("among {} ports", p.width))) {}

  rtl::Module run() {
    ports();
    m_.section("Home and slice of the line.");
    const Expr home = m_.wire("home", bits_to_number(p_.cores), "core that is the line's home");
    std::optional<Expr> slice;
    if (p_.slices > 1) slice = m_.wire("slice", bits_to_number(p_.slices), "slice of the line");
    std::vector<std::pair<std::string, Expr>> pins{{"address", address_}, {"home", home}};
    if (slice) pins.emplace_back("slice", *slice);
    m_.instance(home_select(p_, m_.name() + "_home"), "homes", pins, "By the address.");
    m_.assign(home_node_, node_of(m_, "home", p_, core_nodes(p_), home, "nodes of the cores"));
    m_.assign(slice_node_, node_of(m_, "slice", p_, {p_.memory_nodes.begin(), p_.memory_nodes.end()}, slice,
                                   "nodes of the slices"));
    m_.section("The route.");
    const Expr foreign = m_.let("foreign", shared_ & (home != core_), "the line is cached at another core");
    const Expr past = m_.let("past", is_kind(m_, kind_, RequestKind::non_l1), "not of the L1s");
    Expr skips = written_;
    if (p_.min_home_l2) skips = skips | nearer(home, slice);
    m_.assign(local_, ~past & ~foreign);
    m_.assign(direct_, past | (foreign & skips));
    m_.assign(to_home_, ~past & foreign & ~skips);
    return m_;
  }

 private:
  void ports() {
    core_ = m_.input("core", bits_to_number(p_.cores), "the core that asks; constant");
    if (p_.min_home_l2) node_ = m_.input("node", node_bits_, "where it stands; constant");
    address_ = m_.input("request_address", p_.address_bits, "byte address");
    kind_ = m_.input("request_kind", 2, "0 load, 1 store, 2 atomic, 3 non-L1");
    shared_ = m_.input("request_shared", 1, "L1s are shared, for the line's set");
    written_ = m_.input("request_written", 1, "the core may have stored to the line past its home");
    local_ = m_.output("to_l1", 1, "to the core's own L1");
    to_home_ = m_.output("to_home", 1, "to the home");
    direct_ = m_.output("direct", 1, "to the slice, past all L1s");
    home_node_ = m_.output("home_node", node_bits_, "node of the home");
    slice_node_ = m_.output("slice_node", node_bits_, "node of the slice");
  }

  // A value under a name; a net needs no second one.
  Expr net(const std::string& name, const Expr& value, const std::string& doc) {
    return value.node().kind == rtl::Node::Kind::signal ? value : m_.let(name, value, doc);
  }

  Place own_place() {
    const Number number{node_, 0, node_bits_};
    return {net("own_column", remainder_of(m_, "own_column_of", number, p_.width), "column of the node"),
            net("own_row", quotient_of(m_, "own_row_of", number, p_.width * p_.height, p_.width),
                "row of the node")};
  }

  // Of core or slice `n` at one of `nodes`, by tables: which one it is is known late.
  Place place_of(const std::string& of, const std::vector<int>& nodes, const std::optional<Expr>& n) {
    const auto entry = [&](const char* what, int size, const auto& number) {
      std::vector<int> numbers;
      std::ranges::transform(nodes, std::back_inserter(numbers), number);
      const std::string doc = fmt::format("{} of the node", what);
      return net(fmt::format("{}_{}", of, what),
                 entry_of(m_, fmt::format("{}_{}s", of, what), numbers, bits_to_number(size), n,
                          fmt::format("{}s of the nodes", what)),
                 doc);
    };
    return {entry("column", p_.width, [this](int node) { return node % p_.width; }),
            entry("row", p_.height, [this](int node) { return node / p_.width; })};
  }

  // To each of `size` columns or rows, of which the choice comes last.
  Expr distance(const std::string& name, const Expr& own, int size, const Expr& to) {
    std::vector<Expr> each;  // most significant first
    for (int n = size - 1; n >= 0; --n) {
      const Expr there = lit(own.width(), static_cast<unsigned>(n));
      each.push_back(n == 0 ? own : mux(own < there, there - own, own - there));
    }
    const Expr all = m_.let(name + "_each", cat(each), "from the node to each column or row");
    return m_.let(name, all.part_below(to, own.width()), "between the two");
  }

  Expr hops(const std::string& to, const Place& from, const Place& place) {
    const int bits = bits_to_number(p_.width + p_.height);
    const Expr columns = distance("columns_to_" + to, from.column, p_.width, place.column),
               rows = distance("rows_to_" + to, from.row, p_.height, place.row);
    return m_.let("hops_to_" + to, zext(columns, bits) + zext(rows, bits), "links to the " + to);
  }

  Expr nearer(const Expr& home_number, const std::optional<Expr>& slice_number) {
    const Place own = own_place(), home = place_of("home", core_nodes(p_), home_number),
                slice = place_of("slice", {p_.memory_nodes.begin(), p_.memory_nodes.end()}, slice_number);
    const Expr to_slice = hops("slice", own, slice), to_home = hops("home", own, home);
    return m_.let("nearer", to_slice < to_home, "the slice is nearer than the home");
  }

  const RouteParams& p_;
  const int node_bits_;
  rtl::Module m_;
  Expr core_, node_, address_, kind_, shared_, written_, local_, to_home_, direct_, home_node_, slice_node_;
};

void check_places(const RouteParams& p) {
  const int nodes = p.width * p.height;
  require(p.memory_nodes.count == p.slices, "mesh.memory_nodes", p.memory_nodes.count,
          fmt::format("must have one node for each of the {} slices", p.slices), "list as many nodes");
  std::set<int> taken;
  for (const int node : p.memory_nodes) {
    require(node >= 0 && node < nodes, "mesh.memory_nodes", node,
            fmt::format("must be below the {} nodes of the mesh", nodes), "name a node of the mesh");
    require(taken.insert(node).second, "mesh.memory_nodes", node, "stands twice in the list",
            "give each slice a node of its own");
  }
  require(p.cores + p.slices <= nodes, "topology.cores", p.cores,
          fmt::format("and {} slices do not fit into {} nodes", p.slices, nodes),
          "make the mesh larger, or the numbers smaller");
}

}  // namespace

void check(const RouteParams& p) {
  require_in(GeometryRanges::address_bits, "geometry.address_bits", p.address_bits,
             "use 32 unless the GPU's addresses are wider");
  require_in(GeometryRanges::line_bytes, "geometry.line_bytes", p.line_bytes,
             "use 128, the line of the reference cache");
  require(p.sets >= 2 && std::has_single_bit(static_cast<unsigned>(p.sets)), "index.sets", p.sets,
          "must be a power of two, at least 2", "use 32");
  require_in(SharedRanges::cores, "topology.cores", p.cores, "use 28");
  require_in(SharedRanges::slices, "topology.slices", p.slices, "use 8");
  if (p.height > 1) {  // else these are the ports of a butterfly
    require_in(MeshSizeRanges::width, "mesh.width", p.width, "use 6");
    require_in(MeshSizeRanges::height, "mesh.height", p.height, "use 6");
  }
  check_places(p);
  const int bits = bits_to_number(p.line_bytes) + bits_to_number(p.sets) + bits_to_number(p.cores);
  require(bits <= p.address_bits, "geometry.address_bits", p.address_bits,
          fmt::format("has not the {} bits of a line's place, set and home", bits),
          fmt::format("use {}", bits));
}

std::vector<int> core_nodes(const RouteParams& p) {
  std::vector<int> nodes;
  for (int node = 0; node < p.width * p.height && static_cast<int>(nodes.size()) < p.cores; ++node)
    if (std::ranges::find(p.memory_nodes, node) == p.memory_nodes.end()) nodes.push_back(node);
  return nodes;
}

rtl::Module route_select(const RouteParams& p, const std::string& name) {
  check(p);
  return RouteSelectBuilder(p, name).run();
}

}  // namespace hw
