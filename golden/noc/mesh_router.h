// Golden router of a mesh, cycle by cycle (DC-L1 thesis, chapter 4; docs/contracts/mesh.md): the crossbar
// with virtual channels that packets keep, routes in front of it, links behind.
#pragma once
#include <array>
#include <optional>

#include "golden/noc/routed_switch.h"
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
  using Switch = RoutedSwitch<ports, P.vcs, P.vc_flits, P.flit_bytes, Payload, P.checks>;
  using Flit = typename Switch::Flit;
  using Outputs = typename Switch::Outputs;
  template <class T>
  using Ports = std::array<std::optional<T>, ports>;

  // Where the router stands; its links are empty.
  void reset(int column, int row) {
    column_ = column, row_ = row;
    switch_.reset();
    links_ = {};
  }

  // What the ports show: the crossbar's local ones, and the far ends of the links.
  Outputs outputs() const {
    const Outputs seen = switch_.outputs();
    Outputs shown = links_.far(seen);
    shown.out[hw::mesh_local] = seen.out[hw::mesh_local];
    shown.credit[hw::mesh_local] = seen.credit[hw::mesh_local];
    return shown;
  }

  void edge(const Ports<Flit>& in, const Ports<int>& credit) {
    links_.edge(switch_.outputs());
    switch_.edge(in, credit, [this](int node) { return mesh_route(P.width, column_, row_, node); });
  }

  const typename Switch::Crossbar& crossbar() const { return switch_.crossbar(); }

  // By name; read as long as the router lives.
  void publish(StateList& list) const { switch_.publish(list); }

 private:
  int column_ = 0, row_ = 0;
  Switch switch_;
  LinkStages<Outputs, P.link_stages> links_;
};

}  // namespace golden
