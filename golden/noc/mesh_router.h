// Golden router of a mesh, cycle by cycle (DC-L1 thesis, chapter 4; docs/contracts/mesh.md): the crossbar
// with virtual channels that packets keep, routes in front of it, links behind.
#pragma once
#include <array>
#include <optional>

#include "golden/noc/vc_crossbar.h"
#include "hw/noc/mesh_router_params.h"

namespace golden {

// Along the row to the node's column, then along the column.
constexpr hw::MeshPort mesh_route(int width, int column, int row, int node) {
  const int to_column = node % width, to_row = node / width;
  if (to_column > column) return hw::mesh_east;
  if (to_column < column) return hw::mesh_west;
  if (to_row > row) return hw::mesh_south;
  return to_row < row ? hw::mesh_north : hw::mesh_local;
}

template <hw::MeshRouterParams P, class Payload>
class MeshRouter {
 public:
  static constexpr int ports = hw::mesh_ports;
  struct Flit {
    int vc = 0;
    bool head = false, tail = false;
    int destination = 0;  // node; counts on heads
    Payload payload{};
    bool operator==(const Flit&) const = default;
  };
  template <class T>
  using Ports = std::array<std::optional<T>, ports>;
  struct Outputs {
    Ports<Flit> out{};
    Ports<int> credit{};  // the VC that a credit is for
  };

 private:
  static constexpr hw::CrossbarParams crossbar_params{
      .inputs = ports, .outputs = ports, .flit_bytes = P.flit_bytes, .vcs = P.vcs, .vc_depth = P.vc_flits};
  struct Carried {
    int destination = 0;
    Payload payload{};
    bool operator==(const Carried&) const = default;
  };

 public:
  using Crossbar = VcCrossbar<crossbar_params, Carried, KeptVc>;

  // Where the router stands; its links are empty.
  void reset(int column, int row) {
    column_ = column, row_ = row;
    crossbar_.reset();
    links_ = {};
  }

  // What the ports show: the crossbar's local ones, and the far ends of the links.
  Outputs outputs() const {
    Outputs shown = seen();
    if (P.link_stages == 0) return shown;
    const Outputs& far = links_[P.link_stages - 1];
    for (int n = 1; n < ports; ++n) shown.out[n] = far.out[n], shown.credit[n] = far.credit[n];
    return shown;
  }

  void edge(const Ports<Flit>& in, const Ports<int>& credit) {
    for (int s = P.link_stages - 1; s > 0; --s) links_[s] = links_[s - 1];
    links_[0] = seen();
    typename Crossbar::template Flits<ports> flits{};
    for (int i = 0; i < ports; ++i)
      if (const auto& f = in[i])
        flits[i] = {f->vc,
                    f->head,
                    f->tail,
                    mesh_route(P.width, column_, row_, f->destination),
                    {f->destination, f->payload}};
    crossbar_.edge(flits, credit);
  }

  const Crossbar& crossbar() const { return crossbar_; }

  // By name; read as long as the router lives.
  void publish(StateList& list) const {
    StateList inner;
    crossbar_.publish(inner);
    for (StateValue value : inner.values()) {
      value.name = "crossbar." + value.name;
      list.add(std::move(value));
    }
  }

 private:
  // What leaves the crossbar.
  Outputs seen() const {
    Outputs shown{.credit = crossbar_.outputs().credit};
    for (int j = 0; j < ports; ++j)
      if (const auto& f = crossbar_.outputs().out[j])
        shown.out[j] = Flit{f->vc, f->head, f->tail, f->payload.destination, f->payload.payload};
    return shown;
  }

  int column_ = 0, row_ = 0;
  Crossbar crossbar_;
  std::array<Outputs, 3> links_{};  // by stage
};

}  // namespace golden
