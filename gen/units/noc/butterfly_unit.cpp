// Butterflies of switches (DC-L1 thesis, chapter 4).
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "gen/units/noc/flit_keys.h"
#include "hw/noc/butterfly.h"

namespace gen {

KeyInfo butterfly_radix_key() {
  return {.key = "butterfly.radix",
          .range = hw::ButterflyRanges::radix,
          .depends = true,
          .unit = "ports",
          .meaning = "Inputs, and outputs, of a switch.",
          .source = "DC-L1 thesis, chapter 4",
          .suffix = "radix"};
}

KeyInfo butterfly_stages_key() {
  return {.key = "butterfly.stages",
          .range = hw::ButterflyRanges::stages,
          .depends = true,
          .unit = "stages",
          .meaning = "Switches on the way of a packet; radix to the power of stages are the ports.",
          .source = "DC-L1 thesis, chapter 4",
          .suffix = "stages"};
}

namespace {

using hw::ButterflyParams;

Unit elaborated(const hw::ButterflyParams& p, const std::string& top) {
  const int stages = p.size.stages, ports = hw::ports_of(p.size);
  return {.top = hw::butterfly(p, top),
          .latency = 2 * stages + p.link_stages * (stages - 1),
          .facts = {{"ports", ports},
                    {"switches", stages * ports / p.size.radix},
                    {"credit_loop_between_stages", 3 + 2 * p.link_stages}}};
}

CosimMain cosim(const hw::ButterflyParams& p) {
  return cycle_bench("noc/butterfly_cosim.h", "ButterflyBench", "ButterflyParams", p, 200'000,
                     flit_wires(hw::ports_of(p.size), p.side_bits > 0), true);
}

std::vector<Key> butterfly_keys() {
  const auto of_size = [](auto member) {
    return [member](auto& p) -> auto& { return p.size.*member; };
  };
  std::vector<Key> keys{field<ButterflyParams>(butterfly_radix_key(), of_size(&hw::ButterflySize::radix)),
                        field<ButterflyParams>(butterfly_stages_key(), of_size(&hw::ButterflySize::stages))};
  add_flits<ButterflyParams>(keys);
  keys.push_back(field<ButterflyParams>(check_ports_key(), &ButterflyParams::checks));
  return keys;
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::ButterflyParams>(
      elaborated, cosim, "is a part of a network: recorded cache traffic needs a cache; use --random");
  return table;
}

const Family& family() {
  static const Family family{.name = "butterfly of switches",
                             .doc = "moves packets of flits through stages of small crossbars",
                             .defaults = ButterflyParams{},
                             .unit = kind,
                             .keys = butterfly_keys()};
  return family;
}

}  // namespace

std::vector<Preset> butterfly_unit() {
  return {{.place = 440,
           .name = "butterfly",
           .family = &family(),
           .doc = "stages of switches from 36 inputs to 36 outputs; packets keep their virtual channels",
           .source = "DC-L1 thesis, chapter 4",
           .shown = {"butterfly.radix=2"},
           .small = {"butterfly.radix=2"}}};
}

}  // namespace gen
