// What stands at an AXI4 manager in a bench: a memory that reorders, how willing it is, and the rules of
// AXI4; and the answers that come back from it.
#pragma once
#include "cosim/bus/axi4_memory.h"
#include "cosim/bus/axi4_rules.h"
#include "cosim/bus/axi4_same.h"
#include "cosim/bus/axi4_stimulus.h"
#include "cosim/harness/cycle_cosim.h"
#include "golden/bus/axi4_bridge.h"

namespace verif {

// What it drives in a cycle.
struct Axi4Drives {
  bool aw_ready = false, w_ready = false, ar_ready = false;
  std::optional<Axi4Memory::B> b = {};
  std::optional<Axi4Memory::R> r = {};

  void to(golden::Axi4In& g) const {
    g.aw_ready = aw_ready, g.w_ready = w_ready, g.ar_ready = ar_ready;
    if (b) g.b_valid = true, g.b_id = b->id, g.b_resp = b->resp;
    if (!r) return;
    g.r_valid = true, g.r_last = r->last, g.r_id = r->id, g.r_resp = r->resp;
    g.r_data = &r->data;
  }
  template <class Dut>
  void to(Dut& dut, int beat_bytes) const {
    axi4_drive(dut, b, r, aw_ready, w_ready, ar_ready, beat_bytes);
  }
  std::string words(bool response_ready) const {
    std::string text;
    if (b) text += fmt::format("b {} {}, ", b->id, b->resp);
    if (r) text += fmt::format("r {} {}{}, ", r->id, r->resp, r->last ? " last" : "");
    return text + fmt::format("ready {} aw {} w {} ar {}", response_ready, aw_ready, w_ready, ar_ready);
  }
};

class Axi4Side {
 public:
  explicit Axi4Side(int beat_bytes) : beat_(beat_bytes), memory_(beat_bytes), rules_(beat_bytes) {}

  void new_phase(std::mt19937_64& draw) {
    const std::array<std::uint64_t, 4> stalls{0, 1, 4, 7};
    for (auto* s : {&aw_stall_, &w_stall_, &ar_stall_}) *s = stalls[draw() % 4];
    memory_.slow = std::array{1, 2, 8, 40}[draw() % 4];
    memory_.errors = draw() % 2 ? 20 : 0;
  }
  // Takes and answers all that it can.
  void hurry() {
    aw_stall_ = w_stall_ = ar_stall_ = 0;
    memory_.slow = 1;
  }
  Axi4Memory& memory() { return memory_; }
  // What the memory will do at the transfers of this cycle.
  void seed(std::uint64_t early) { early_.seed(early); }
  Axi4Drives next(std::mt19937_64& draw) const {
    Axi4Drives in;
    in.aw_ready = draw() % 8 >= aw_stall_, in.w_ready = draw() % 8 >= w_stall_;
    in.ar_ready = draw() % 8 >= ar_stall_;
    in.b = memory_.b, in.r = memory_.r;
    return in;
  }

  // Looks at the outputs with all inputs the other way.
  template <class Dut>
  void probe(Dut& dut, const Axi4Drives& in) {
    dut.axi_awready = !in.aw_ready, dut.axi_wready = !in.w_ready, dut.axi_arready = !in.ar_ready;
    dut.axi_bvalid = !in.b, dut.axi_rvalid = !in.r;
    dut.eval();
    rules_.probe(axi4_shown(dut, beat_));
  }
  // The rule that a cycle breaks, or nothing.
  std::string broken(const Axi4Shown& shown, const Axi4Drives& in) {
    return rules_.cycle(shown, in.aw_ready, in.w_ready, in.ar_ready);
  }
  void edge(const Axi4Shown& shown, const Axi4Drives& in) {
    const auto ask = [](const Axi4Channel& c) { return Axi4Ask{c.id, c.address, c.length, c.size}; };
    if (shown.aw.valid && in.aw_ready) memory_.address_write(ask(shown.aw));
    if (shown.w.valid && in.w_ready) memory_.write_beat({shown.w.data, shown.w.strobe, shown.w.last});
    if (shown.ar.valid && in.ar_ready) memory_.address_read(ask(shown.ar), early_);
    if (in.b && shown.b_ready) memory_.b_taken();
    if (in.r && shown.r_ready) memory_.r_taken();
  }
  // At a reset everything on its way is lost, and the memory restarts.
  void reset() {
    rules_.reset();
    reordered_before_ += memory_.reordered(), others_before_ += memory_.others();
    Axi4Memory fresh(beat_);
    fresh.slow = memory_.slow, fresh.errors = memory_.errors;
    memory_ = fresh;
  }

  // R and B that overtook an older one, and writes of another master.
  std::int64_t reordered() const { return reordered_before_ + memory_.reordered(); }
  std::int64_t others() const { return others_before_ + memory_.others(); }

 private:
  int beat_;
  std::uint64_t aw_stall_ = 0, w_stall_ = 0, ar_stall_ = 0;
  Axi4Memory memory_;
  std::mt19937_64 early_;
  Axi4Rules rules_;
  std::int64_t reordered_before_ = 0, others_before_ = 0;
};

// To a request, with the chunks of its mask; the rest may change and is 0 here.
struct Axi4Answer {
  std::uint64_t id = 0;
  std::uint32_t mask = 0;
  golden::LineData data{};
  bool operator==(const Axi4Answer&) const = default;

  template <class Id, class Mask, class Data>
  static Axi4Answer of(const Id& id, const Mask& mask, const Data& data, int line_bytes, int chunk_bytes) {
    Axi4Answer a{bits_of<64>(id).to_ullong(), static_cast<std::uint32_t>(bits_of<32>(mask).to_ulong()), {}};
    words_of(data, a.data, 8 * line_bytes);
    for (std::size_t w = 0; w < static_cast<std::size_t>(line_bytes) / 8; ++w)
      if (!a.has(w, chunk_bytes)) a.data[w] = 0;
    return a;
  }
  bool has(std::size_t word, int chunk_bytes) const {
    return mask >> 8 * word / static_cast<std::size_t>(chunk_bytes) & 1;
  }
  // From what it should be, of ports called so.
  std::optional<Difference> from(std::uint64_t want_id, std::uint32_t want_mask, const golden::LineData& want,
                                 const std::string& port, int chunk_bytes) const {
    if (id != want_id) return Difference{port + "_id", id, want_id};
    if (mask != want_mask) return Difference{port + "_mask", mask, want_mask};
    for (std::size_t w = 0; w < data.size(); ++w)
      if (has(w, chunk_bytes) && data[w] != want[w])
        return Difference{fmt::format("{}_data[{}:{}]", port, 64 * w + 63, 64 * w), data[w], want[w]};
    return {};
  }
};

}  // namespace verif
