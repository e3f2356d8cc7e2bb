// Golden butterfly of switches, cycle by cycle (DC-L1 thesis, chapter 4; docs/contracts/butterfly.md): stages
// of crossbars with virtual channels that packets keep, links between them.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "golden/noc/vc_crossbar.h"
#include "hw/noc/butterfly_params.h"

namespace golden {

template <hw::ButterflyParams P, class Payload>
class Butterfly {
 public:
  static constexpr int ports = hw::ports_of(P.size), radix = P.size.radix, stages = P.size.stages,
                       switches = ports / radix;
  struct Flit {
    int vc = 0;
    bool head = false, tail = false;
    int port = 0;  // output; counts on heads
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
  static constexpr hw::CrossbarParams switch_params{
      .inputs = radix, .outputs = radix, .flit_bytes = P.flit_bytes, .vcs = P.vcs, .vc_depth = P.vc_flits};
  struct Carried {
    int port = 0;
    Payload payload{};
    bool operator==(const Carried&) const = default;
  };

 public:
  using Switch = VcCrossbar<switch_params, Carried, KeptVc>;

  Butterfly() : switches_(at(stages * switches)), links_(at(stages)) { reset(); }

  void reset() {
    for (Switch& s : switches_) s.reset();
    for (auto& link : links_) link = {};
    look();
  }

  // What the ports show: inputs' credits of the first stage, flits of the last.
  const Outputs& outputs() const { return shown_; }

  void edge(const Ports<Flit>& in, const Ports<int>& credit) {
    const std::vector<Outputs> before = arriving();
    for (int s = 0; s < stages; ++s) {
      for (int t = P.link_stages - 1; t > 0; --t) links_[at(s)][at(t)] = links_[at(s)][at(t - 1)];
      links_[at(s)][0] = leaving(s);
    }
    for (int s = 0; s < stages; ++s)
      for (int w = 0; w < switches; ++w) {
        typename Switch::template Flits<radix> flits{};
        typename Switch::template Credits<radix> credits{};
        for (int digit = 0; digit < radix; ++digit) {
          const std::size_t n = at(port_of(s, w, digit));
          if (const auto& f = s == 0 ? in[n] : before[at(s - 1)].out[n])
            flits[at(digit)] = {f->vc, f->head, f->tail, digit_of(s, f->port), {f->port, f->payload}};
          credits[at(digit)] = s == stages - 1 ? credit[n] : before[at(s + 1)].credit[n];
        }
        switches_[at(s * switches + w)].edge(flits, credits);
      }
    look();
  }

  const Switch& switch_at(int stage, int number) const { return switches_[at(stage * switches + number)]; }

  // By name; read as long as the butterfly lives.
  void publish(StateList& list) const {
    for (int s = 0; s < stages; ++s)
      for (int w = 0; w < switches; ++w) {
        StateList inner;
        switch_at(s, w).publish(inner);
        for (StateValue value : inner.values()) {
          value.name = "switch" + std::to_string(s) + "_" + std::to_string(w) + ".crossbar." + value.name;
          list.add(std::move(value));
        }
      }
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }

  // What digit `stage` of a port, most significant first, counts.
  static constexpr int weight(int stage) {
    int product = 1;
    for (int s = stage + 1; s < stages; ++s) product *= radix;
    return product;
  }
  static int digit_of(int stage, int port) { return port / weight(stage) % radix; }
  // The port with this digit among those that differ in it alone and meet in switch w.
  static int port_of(int stage, int w, int digit) {
    const int below = weight(stage);
    return (w / below * radix + digit) * below + w % below;
  }

  // What leaves the switches of a stage, by port.
  Outputs leaving(int stage) const {
    Outputs all;
    for (int w = 0; w < switches; ++w) {
      const auto& shown = switch_at(stage, w).outputs();
      for (int digit = 0; digit < radix; ++digit) {
        const std::size_t n = at(port_of(stage, w, digit));
        all.credit[n] = shown.credit[at(digit)];
        if (const auto& f = shown.out[at(digit)])
          all.out[n] = Flit{f->vc, f->head, f->tail, f->payload.port, f->payload.payload};
      }
    }
    return all;
  }

  // What reaches the neighbours of each stage: there are links between stages only.
  std::vector<Outputs> arriving() const {
    std::vector<Outputs> all;
    for (int s = 0; s < stages; ++s)
      all.push_back(P.link_stages ? links_[at(s)][P.link_stages - 1] : leaving(s));
    return all;
  }

  void look() {
    shown_.credit = leaving(0).credit;
    shown_.out = leaving(stages - 1).out;
  }

  std::vector<Switch> switches_;               // stage by stage
  std::vector<std::array<Outputs, 3>> links_;  // by stage in front of them
  Outputs shown_;
};

}  // namespace golden
