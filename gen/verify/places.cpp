#include "gen/verify/places.h"

#include <fmt/format.h>

#include <algorithm>

namespace gen {
namespace {

using rtl::Stmt;
using Names = std::set<std::string>;

bool same_node(const rtl::Expr& a, const rtl::Expr& b) { return &a.node() == &b.node(); }

Names targets_in(const std::vector<Stmt>& body) {
  Names names;
  for (const Stmt& s : body) {
    if (s.kind == Stmt::Kind::set || s.kind == Stmt::Kind::store) names.insert(rtl::base(s.target).text);
    names.merge(targets_in(s.then));
    names.merge(targets_in(s.other));
    for (const auto& c : s.cases) names.merge(targets_in(c.second));
  }
  return names;
}

Names nets_of(const rtl::Assign& assign) {
  Names names;
  for (const rtl::Expr& target : rtl::targets_of(assign.target)) names.insert(rtl::base(target).text);
  return names;
}

class Walk {
 public:
  Walk(rtl::ModuleData& copy, const std::function<rtl::Expr(const Place& place, const rtl::Expr& now)>& at)
      : copy_(copy), at_(at) {}

  void items(std::vector<rtl::Item>& list) {
    for (rtl::Item& item : list) {
      if (auto* let = std::get_if<rtl::Let>(&item.what))
        change(let->value, {.nets = {let->name}, .loc = copy_.signal(let->name)->loc});
      if (auto* assign = std::get_if<rtl::Assign>(&item.what))
        change(assign->value, {.nets = nets_of(*assign), .loc = assign->loc});
      if (auto* instance = std::get_if<rtl::Instance>(&item.what)) pins(*instance);
      if (auto* block = std::get_if<rtl::Block>(&item.what)) {
        clocked_ = block->clocked;
        statements(block->body);
        if (block->clocked) resets(*block);
        clocked_ = false;
      }
      if (auto* repeat = std::get_if<rtl::Repeat>(&item.what)) items(repeat->items);
    }
  }

 private:
  // Another number in a table would be a part that another round drives, or none.
  static bool by_table(const rtl::Node& n) {
    return n.kind == rtl::Node::Kind::part && rtl::is_table_element(n.args[1]);
  }

  // An expression with its parts; slices and parts are of names only, which stay.
  rtl::Expr visited(const rtl::Expr& e, const Place& context, bool root) {
    rtl::Node node = e.node();
    using Kind = rtl::Node::Kind;
    const bool names_only = node.kind == Kind::slice || node.kind == Kind::part || node.kind == Kind::stepped;
    bool same = true;
    for (std::size_t i = names_only ? 1 : 0; i < node.args.size() && !by_table(node); ++i) {
      rtl::Expr arg = visited(node.args[i], context, false);
      same &= same_node(arg, node.args[i]);
      node.args[i] = std::move(arg);
    }
    const rtl::Expr now = same ? e : rtl::Expr(std::make_shared<const rtl::Node>(std::move(node)));
    Place place = context;
    place.number = next_++;
    place.root = root;
    place.sound = e;
    return at_(place, now);
  }

  void change(rtl::Expr& value, Place context) {
    context.clocked = clocked_;
    value = visited(value, context, true);
  }

  void pins(rtl::Instance& instance) {
    for (auto& [pin, value] : instance.pins)
      if (instance.child.data().signal(pin)->role == rtl::Role::input)
        change(value, {.role = Place::Role::pin, .nets = {instance.name + "." + pin}, .loc = instance.loc});
  }

  void statements(std::vector<Stmt>& body) {
    for (Stmt& s : body) {
      if (s.kind == Stmt::Kind::set || s.kind == Stmt::Kind::store) {
        change(s.value, {.nets = {rtl::base(s.target).text}, .loc = s.loc});
        continue;
      }
      if (s.value.known())
        change(s.value, {.role = Place::Role::condition, .nets = targets_in({s}), .loc = s.loc});
      statements(s.then);
      statements(s.other);
      for (auto& c : s.cases) statements(c.second);
    }
  }

  // A reset value that changes brings the resets of its block into the open. The printer knows a block's own
  // resets by its doc.
  void resets(rtl::Block& block) {
    Stmt open{.kind = Stmt::Kind::when, .loc = block.loc};
    bool any = false;
    for (const rtl::Signal& s : copy_.signals) {
      if (!s.reset || s.driver[0] != fmt::format("clocked \"{}\"", block.doc)) continue;
      rtl::Expr value = at_({.number = next_++,
                             .role = Place::Role::reset,
                             .root = true,
                             .clocked = true,
                             .nets = {s.name},
                             .sound = *s.reset,
                             .loc = s.loc},
                            *s.reset);
      any |= !same_node(value, *s.reset);
      open.then.push_back(
          {.kind = Stmt::Kind::set, .target = net_of(copy_, s), .value = std::move(value), .loc = s.loc});
    }
    if (!any) return;
    open.value = net_of(copy_, {.name = block.clock.reset, .width = 1});
    open.other = std::move(block.body);
    block.body = {std::move(open)};
    block.doc += ", with resets in the open";
  }

  rtl::ModuleData& copy_;
  const std::function<rtl::Expr(const Place& place, const rtl::Expr& now)>& at_;
  std::size_t next_ = 0;
  bool clocked_ = false;
};

}  // namespace

void each_place(rtl::ModuleData& copy,
                const std::function<rtl::Expr(const Place& place, const rtl::Expr& now)>& at) {
  Walk(copy, at).items(copy.items);
}

rtl::Expr net_of(const rtl::ModuleData& module, const rtl::Signal& signal) {
  return rtl::Expr(std::make_shared<const rtl::Node>(rtl::Node{
      .kind = rtl::Node::Kind::signal, .width = signal.width, .text = signal.name, .scope = module.name}));
}

}  // namespace gen
