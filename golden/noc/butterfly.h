// Golden butterfly of switches, cycle by cycle (DC-L1 thesis, chapter 4; docs/contracts/butterfly.md): stages
// of crossbars with virtual channels that packets keep, links between them.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "golden/check/first_errors.h"
#include "golden/noc/routed_switch.h"
#include "hw/noc/butterfly_params.h"

namespace golden {

template <hw::ButterflyParams P, class Payload>
class Butterfly {
 public:
  static constexpr int ports = hw::ports_of(P.size), radix = P.size.radix, stages = P.size.stages,
                       switches = ports / radix;
  using Flit = RoutedFlit<Payload>;
  using Outputs = RoutedOutputs<ports, Payload>;
  template <class T>
  using Ports = std::array<std::optional<T>, ports>;

 private:
  using Switch = RoutedSwitch<radix, P.vcs, P.vc_flits, P.flit_bytes, Payload, P.checks>;

 public:
  Butterfly() : switches_(at(stages * switches)), links_(at(stages)) { reset(); }

  void reset() {
    for (Switch& s : switches_) s.reset();
    for (auto& link : links_) link = {};
    errors_.reset();
    look();
  }

  // What the ports show: inputs' credits of the first stage, flits of the last.
  const Outputs& outputs() const { return shown_; }

  void edge(const Ports<Flit>& in, const Ports<int>& credit) {
    edge_of_checks();
    std::vector<Outputs> seen, before;  // there are links between stages only
    for (int s = 0; s < stages; ++s) seen.push_back(leaving(s));
    for (int s = 0; s < stages; ++s) before.push_back(links_[at(s)].far(seen[at(s)]));
    for (int s = 0; s < stages; ++s) links_[at(s)].edge(seen[at(s)]);
    for (int s = 0; s < stages; ++s)
      for (int w = 0; w < switches; ++w) {
        std::array<std::optional<Flit>, radix> flits{};
        std::array<std::optional<int>, radix> credits{};
        for (int digit = 0; digit < radix; ++digit) {
          const std::size_t n = at(port_of(s, w, digit));
          flits[at(digit)] = s == 0 ? in[n] : before[at(s - 1)].out[n];
          credits[at(digit)] = s == stages - 1 ? credit[n] : before[at(s + 1)].credit[n];
        }
        switches_[at(s * switches + w)].edge(flits, credits, [s](int port) { return digit_of(s, port); });
      }
    look();
  }

  const typename Switch::Crossbar& crossbar(int stage, int number) const {
    return switches_[at(stage * switches + number)].crossbar();
  }

  // Of what follows the checks alone.
  void edge_of_checks() {
    if (!P.checks) return;
    FirstErrors::Codes codes;
    for (const Switch& s : switches_) codes.insert(s.crossbar().check().code());
    errors_.edge(codes);
  }
  // The checks of its ports, as one of a crossbar.
  class PortCheck {
   public:
    explicit PortCheck(const Butterfly& b) : b_(b) {}
    int inside(int input, int vc) const { return of(0, input).inside(digit_of(0, input), vc); }
    bool open(int input, int vc) const { return of(0, input).open(digit_of(0, input), vc); }
    int at_receiver(int output, int vc) const {
      return of(stages - 1, output).at_receiver(digit_of(stages - 1, output), vc);
    }

   private:
    const auto& of(int stage, int port) const {
      const int below = weight(stage);
      return b_.crossbar(stage, port / (below * radix) * below + port % below).check();
    }
    const Butterfly& b_;
  };
  PortCheck port_check() const { return PortCheck(*this); }
  // What its checks have found first; undefined: what a check has found, in this cycle already.
  hw::ProtocolError error() const { return errors_.code(); }
  bool undefined() const {
    return std::ranges::any_of(switches_, [](const Switch& s) { return s.crossbar().undefined(); });
  }

  // By name; read as long as the butterfly lives.
  void publish(StateList& list) const {
    for (int s = 0; s < stages; ++s)
      for (int w = 0; w < switches; ++w)
        switches_[at(s * switches + w)].publish(list,
                                                "switch" + std::to_string(s) + "_" + std::to_string(w) + ".");
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
  // The port with this digit among the ports that differ in it alone and meet in switch w.
  static int port_of(int stage, int w, int digit) {
    const int below = weight(stage);
    return (w / below * radix + digit) * below + w % below;
  }

  // What leaves the switches of a stage, by port.
  Outputs leaving(int stage) const {
    Outputs all;
    for (int w = 0; w < switches; ++w) {
      const auto shown = switches_[at(stage * switches + w)].outputs();
      for (int digit = 0; digit < radix; ++digit) {
        const std::size_t n = at(port_of(stage, w, digit));
        all.credit[n] = shown.credit[at(digit)];
        all.out[n] = shown.out[at(digit)];
      }
    }
    return all;
  }

  void look() {
    shown_.credit = leaving(0).credit;
    shown_.out = leaving(stages - 1).out;
  }

  std::vector<Switch> switches_;                           // stage by stage
  std::vector<LinkStages<Outputs, P.link_stages>> links_;  // by stage in front of them
  Outputs shown_;
  FirstErrors errors_;
};

}  // namespace golden
