// Flits and credits at the ports of a Verilated crossbar with virtual channels, or of a router made of one.
#pragma once
#include <fmt/format.h>

#include <bitset>
#include <optional>
#include <string>

#include "cosim/harness/cycle_cosim.h"

namespace verif {

// `Wires` names the ports. A flit's payload is {side, data}; `number` is what its port says of its way.
template <class Wires, class Flit, int Flit::*number, std::size_t data_bits, std::size_t side_bits>
struct FlitPorts {
  using Payload = std::bitset<data_bits + side_bits>;

  template <class Dut, class Flits, class Credits>
  static void drive(Dut& dut, const Flits& in, const Credits& credit) {
    Wires::each_input(dut, [&](int i, auto& valid, auto& vc, auto& head, auto& tail, auto& destination,
                               auto& side, auto& data, auto&, auto&) {
      const auto& flit = in[i];
      valid = flit.has_value();
      if (!flit) return;
      vc = static_cast<std::uint8_t>(flit->vc);
      head = flit->head;
      tail = flit->tail;
      destination = static_cast<std::uint8_t>(flit.value().*number);
      split(flit->payload, side, data);
    });
    Wires::each_output(dut, [&](int j, auto&, auto&, auto&, auto&, auto&, auto&, auto&, auto& credit_valid,
                                auto& credit_vc) {
      credit_valid = credit[j].has_value();
      credit_vc = static_cast<std::uint8_t>(credit[j].value_or(0));
    });
  }

  template <class Dut, class Outputs>
  static void read(Dut& dut, Outputs& shown) {
    shown = {};
    Wires::each_input(dut, [&](int i, auto&, auto&, auto&, auto&, auto&, auto&, auto&, auto& credit_valid,
                               auto& credit_vc) {
      if (credit_valid) shown.credit[i] = credit_vc;
    });
    Wires::each_output(dut, [&](int j, auto& valid, auto& vc, auto& head, auto& tail, auto& way, auto& side,
                                auto& data, auto&, auto&) {
      if (!valid) return;
      Flit flit{.vc = vc, .head = static_cast<bool>(head), .tail = static_cast<bool>(tail)};
      flit.*number = way;
      flit.payload = joined(side, data);
      shown.out[j] = flit;
    });
  }

  template <class Flits, class Credits>
  static std::string words(const Flits& in, const Credits& credit) {
    std::string text;
    for (std::size_t i = 0; i < in.size(); ++i)
      if (const auto& f = in[i])
        text += fmt::format("in{} vc{} {} to {} ({:#x}..), ", i, f->vc,
                            f->head ? (f->tail ? "single" : "head") : (f->tail ? "tail" : "body"),
                            f.value().*number, word_of(f->payload, 0));
    text += "credits";
    for (std::size_t j = 0; j < credit.size(); ++j)
      if (credit[j]) text += fmt::format(" out{} vc{}", j, *credit[j]);
    return text;
  }

  // `name` is the number's at outputs, where it may count on heads alone.
  template <class Outputs>
  static std::optional<Difference> differ(const Outputs& shown, const Outputs& want, const std::string& name,
                                          bool on_heads_alone) {
    for (std::size_t i = 0; i < want.credit.size(); ++i)
      if (shown.credit[i] != want.credit[i])
        return between(fmt::format("in{}_credit (VC, -1 none)", i), shown.credit[i].value_or(-1),
                       want.credit[i].value_or(-1));
    for (std::size_t j = 0; j < want.out.size(); ++j) {
      const auto &got = shown.out[j], &flit = want.out[j];
      const std::string port = fmt::format("out{}_", j);
      if (got.has_value() != flit.has_value())
        return between(port + "valid", got.has_value(), flit.has_value());
      if (!got) continue;
      if (got->vc != flit->vc) return between(port + "vc", got->vc, flit->vc);
      if (got->head != flit->head) return between(port + "head", got->head, flit->head);
      if (got->tail != flit->tail) return between(port + "tail", got->tail, flit->tail);
      if ((got->head || !on_heads_alone) && got.value().*number != flit.value().*number)
        return between(port + name, got.value().*number, flit.value().*number);
      if (const auto d = difference(port + "side_and_data", got->payload, flit->payload)) return d;
    }
    return {};
  }

 private:
  static Difference between(const std::string& what, int dut, int golden) {
    return {what, static_cast<std::uint64_t>(dut), static_cast<std::uint64_t>(golden)};
  }

  template <class Side, class Data>
  static void split(const Payload& payload, [[maybe_unused]] Side& side, Data& data) {
    std::bitset<data_bits> low;
    for (std::size_t b = 0; b < data_bits; ++b) low[b] = payload[b];
    put(data, low);
    if constexpr (side_bits > 0) {
      std::bitset<side_bits> high;
      for (std::size_t b = 0; b < side_bits; ++b) high[b] = payload[b + data_bits];
      put(side, high);
    }
  }

  template <class Side, class Data>
  static Payload joined([[maybe_unused]] const Side& side, const Data& data) {
    const auto low = bits_of<data_bits>(data);
    Payload payload;
    for (std::size_t b = 0; b < data_bits; ++b) payload[b] = low[b];
    if constexpr (side_bits > 0) {
      const auto high = bits_of<side_bits>(side);
      for (std::size_t b = 0; b < side_bits; ++b) payload[b + data_bits] = high[b];
    }
    return payload;
  }
};

}  // namespace verif
