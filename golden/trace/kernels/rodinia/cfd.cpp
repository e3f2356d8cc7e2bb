// cfd of Rodinia: the Euler equations on an unstructured mesh.
#include <algorithm>

#include "golden/trace/kernels/mesh.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class Cfd : public FixedProgram {
 public:
  static constexpr std::uint32_t threads = 192, variables = 5, faces = 4;
  // Of the flux, the recording has the accesses; of the other two kernels nothing is recorded.
  static constexpr std::uint32_t factor_exit = 52, flux_exit = 461, time_exit = 48;

  explicit Cfd(const Sizes& sizes)
      : FixedProgram(sizes),
        mesh_(sizes.u32("side"), sizes["seed"]),
        cells_(std::uint64_t{ceiling(mesh_.cells(), threads)} * threads) {
    areas_ = allocate(cells_ * word);
    neighbours_ = allocate(faces * cells_ * word);
    normals_ = allocate(3 * faces * cells_ * word);
    variables_ = allocate(variables * cells_ * word);
    old_ = allocate(variables * cells_ * word);
    fluxes_ = allocate(variables * cells_ * word);
    factors_ = allocate(cells_ * word);
    for (std::uint64_t i = 0; i < sizes["iterations"]; ++i) {
      add("cuda_compute_step_factor", [this](const Warp& w) { return factor(w); });
      for (int step = 0; step < 3; ++step) {  // of Runge and Kutta
        add("cuda_compute_flux", [this](const Warp& w) { return flux(w); });
        add("cuda_time_step", [this](const Warp& w) { return time(w); });
      }
    }
  }

 private:
  void add(const char* kernel, std::function<Accesses(const Warp&)> warp) {
    launch({kernel, {static_cast<std::uint32_t>(cells_ / threads), 1, 1}, {threads, 1, 1}}, std::move(warp));
  }
  // Where variable v, or component v of a list, of all cells begins.
  std::uint64_t part(std::uint64_t buffer, std::uint64_t v) const { return buffer + word * cells_ * v; }

  static Lanes own(const Warp& w) {
    return Warp::lanes([&](int l) { return word * w.x(l); });
  }

  Accesses factor(Warp w) const {
    const auto cell = own(w);
    for (std::uint32_t v = 0; v < variables; ++v)
      co_yield w.load(14 + 2 * v, w.active(), word, At{cell, part(variables_, v)});
    co_yield w.load(42, w.active(), word, At{cell, areas_});
    co_yield w.store(50, w.active(), word, At{cell, factors_});
    co_yield w.exit(factor_exit);
  }

  // Density, momentum and energy of a cell, then of its neighbours; cells at the border have fewer.
  Accesses flux(Warp w) const {
    struct Pcs {
      std::uint32_t neighbour, normals[3], values[variables], end;
    };
    static constexpr Pcs face_pcs[faces] = {{56, {64, 65, 68}, {84, 85, 87, 89, 96}, 150},
                                            {156, {160, 161, 164}, {179, 180, 182, 184, 191}, 245},
                                            {251, {255, 256, 259}, {274, 275, 277, 279, 286}, 349},
                                            {355, {359, 360, 363}, {378, 379, 381, 383, 390}, 446}};
    static constexpr std::uint32_t order[variables] = {1, 0, 2, 3, 4},
                                   own_pcs[variables] = {26, 27, 29, 31, 38};
    const auto cell = own(w);
    for (std::uint32_t i = 0; i < variables; ++i)
      co_yield w.load(own_pcs[i], w.active(), word, At{cell, part(variables_, order[i])});
    for (std::uint32_t face = 0; face < faces; ++face) {
      const Pcs& pcs = face_pcs[face];
      co_yield w.load(pcs.neighbour, w.active(), word, At{cell, part(neighbours_, face)});
      for (std::uint32_t axis = 0; axis < 3; ++axis)
        co_yield w.load(pcs.normals[axis], w.active(), word, At{cell, part(normals_, face + axis * faces)});
      const auto other = Warp::lanes([&](int l) {  // cells that fill up the last CTA repeat the last
        return word *
               mesh_.neighbour(static_cast<std::uint32_t>(std::min<std::uint64_t>(w.x(l), mesh_.cells() - 1)),
                               face);
      });
      const auto lanes = Warp::where(
          w.active(), [&](int l) { return other[static_cast<std::size_t>(l)] != word * CubeMesh::none; });
      if (lanes == 0) w.jump(pcs.normals[2] + 4, pcs.end);
      for (std::uint32_t i = 0; i < variables; ++i)
        co_yield w.load(pcs.values[i], lanes, word, At{other, part(variables_, order[i])});
    }
    for (std::uint32_t v = 0; v < variables; ++v)
      co_yield w.store(452 + 2 * v, w.active(), word, At{cell, part(fluxes_, v)});
    co_yield w.exit(flux_exit);
  }

  Accesses time(Warp w) const {
    static constexpr std::uint32_t order[variables] = {0, 4, 1, 2, 3};
    const auto cell = own(w);
    co_yield w.load(14, w.active(), word, At{cell, factors_});
    for (std::uint32_t i = 0; i < variables; ++i) {
      co_yield w.load(19 + 6 * i, w.active(), word, At{cell, part(old_, order[i])});
      co_yield w.load(20 + 6 * i, w.active(), word, At{cell, part(fluxes_, order[i])});
      co_yield w.store(22 + 6 * i, w.active(), word, At{cell, part(variables_, order[i])});
    }
    co_yield w.exit(time_exit);
  }

  CubeMesh mesh_;
  std::uint64_t cells_;
  std::uint64_t areas_, neighbours_, normals_, variables_, old_, fluxes_, factors_;
};

}  // namespace

extern const Workload workload_cfd;
const Workload workload_cfd{
    "cfd",
    "Euler equations on a generated mesh of four neighbours a cell, one thread a cell, seven launches a step",
    "Rodinia",
    "cuda/cfd/euler3d.cu: cuda_compute_step_factor, cuda_compute_flux, cuda_time_step",
    {{"TSC", "cfd", "CLN"},
     {"Decoupled L1D", "CFD", "cache-insensitive; 9,308,160 instructions"},
     {"DC-L1 thesis", "R-CFD"},
     {"ACI thesis", "CFD", "not bandwidth-sensitive, chapter V"}},
    {{"side", 46, 2, 256, "cells along an edge of the cube"},
     {"iterations", 1, 1, 2000, "time steps"},
     {"seed", 1, 0, 1u << 31, "of the numbers of the cells"}},
    make_program<Cfd>,
    nullptr,
    "recording of cuda_compute_flux: all but its neighbours record by record, these by the mesh"};

}  // namespace golden
