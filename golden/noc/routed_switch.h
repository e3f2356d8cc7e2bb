// Golden crossbar whose packets keep their virtual channels and find their outputs by destinations that
// travel with them, and the links behind it: routers of meshes and switches of butterflies (DC-L1 thesis,
// chapter 4; docs/contracts/mesh.md, docs/contracts/butterfly.md).
#pragma once
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "golden/noc/vc_crossbar.h"

namespace golden {

template <class Payload>
struct RoutedFlit {
  int vc = 0;
  bool head = false, tail = false;
  int destination = 0;  // node or port; counts on heads
  Payload payload{};
  bool operator==(const RoutedFlit&) const = default;
};

// What ports of either side show.
template <int n, class Payload>
struct RoutedOutputs {
  std::array<std::optional<RoutedFlit<Payload>>, n> out{};
  std::array<std::optional<int>, n> credit{};  // the VC that a credit is for
};

// Ports are both inputs and outputs.
template <int n, int vcs, int vc_flits, int flit_bytes, class Payload, bool checks = false>
class RoutedSwitch {
 public:
  using Flit = RoutedFlit<Payload>;
  using Outputs = RoutedOutputs<n, Payload>;

 private:
  static constexpr hw::CrossbarParams params{.inputs = n,
                                             .outputs = n,
                                             .flit_bytes = flit_bytes,
                                             .vcs = vcs,
                                             .vc_depth = vc_flits,
                                             .checks = checks};
  struct Carried {
    int destination = 0;
    Payload payload{};
    bool operator==(const Carried&) const = default;
  };

 public:
  using Crossbar = VcCrossbar<params, Carried, KeptVc>;

  void reset() { crossbar_.reset(); }

  Outputs outputs() const {
    Outputs shown{.credit = crossbar_.outputs().credit};
    for (int j = 0; j < n; ++j)
      if (const auto& f = crossbar_.outputs().out[j])
        shown.out[j] = Flit{f->vc, f->head, f->tail, f->payload.destination, f->payload.payload};
    return shown;
  }

  // `route` says at which output a destination is left for.
  template <class Route>
  void edge(const std::array<std::optional<Flit>, n>& in, const std::array<std::optional<int>, n>& credit,
            Route route) {
    typename Crossbar::template Flits<n> flits{};
    for (int i = 0; i < n; ++i)
      if (const auto& f = in[i])
        flits[i] = {f->vc, f->head, f->tail, route(f->destination), {f->destination, f->payload}};
    crossbar_.edge(flits, credit);
  }

  const Crossbar& crossbar() const { return crossbar_; }

  // By name, behind the name of the switch; read as long as it lives.
  void publish(StateList& list, const std::string& name = "") const {
    StateList inner;
    crossbar_.publish(inner);
    for (StateValue value : inner.values()) {
      value.name = name + "crossbar." + value.name;
      list.add(std::move(value));
    }
  }

 private:
  Crossbar crossbar_;
};

// The registers of links, none to three.
template <class Word, int stages>
class LinkStages {
 public:
  // What comes out of them while `near` goes in.
  const Word& far(const Word& near) const {
    if constexpr (stages > 0)
      return words_[stages - 1];
    else
      return near;
  }
  void edge(const Word& near) {
    for (int s = stages - 1; s > 0; --s) words_[s] = words_[s - 1];
    if constexpr (stages > 0) words_[0] = near;
  }

 private:
  std::array<Word, stages> words_{};
};

}  // namespace golden
