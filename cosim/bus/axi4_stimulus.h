// Random requests of a cache to its memory: few lines and many conflicts, or many lines and few.
#pragma once
#include <algorithm>
#include <map>

#include "cosim/bus/axi4_memory.h"
#include "cosim/harness/cycle_cosim.h"
#include "golden/bus/axi4_bridge.h"

namespace verif {

struct Axi4Request {
  std::uint64_t id = 0;
  golden::RequestKind kind = golden::RequestKind::load;
  std::uint64_t address = 0;
  std::uint32_t mask = 0;
  golden::ByteMask enable{};
  golden::LineData data{};
  hw::Sideband sideband = {};
  bool operator==(const Axi4Request&) const = default;
  bool writes() const {
    if (kind == golden::RequestKind::store) return true;
    return kind == golden::RequestKind::non_l1 && enable != golden::ByteMask{};
  }
};

template <hw::Axi4BridgeParams P>
class Axi4Requests {
 public:
  static constexpr int chunks = hw::chunks_of_line(P);

  // With `shared` some lines are written by another master of the memory alone.
  explicit Axi4Requests(bool shared = false, std::uint64_t most_lines = 500)
      : shared_(shared), most_lines_(most_lines) {}

  // Other lines, often around a boundary of 4 KiB, and another part of stores.
  void new_phase(std::mt19937_64& draw) {
    lines_ = std::array{std::uint64_t{2}, std::uint64_t{6}, std::uint64_t{64}, most_lines_}[draw() % 4];
    stores_ = draw() % 8;
    const std::uint64_t top = ~std::uint64_t{0} >> (64 - P.address_bits);
    const std::uint64_t edge = (draw() & top) / 4096 * 4096;
    first_line_ = edge - std::min<std::uint64_t>(edge, P.line_bytes);
    first_line_ = std::min(first_line_, top - most_lines_ * P.line_bytes + 1);
  }

  // As many lines as there are, and few stores, so that a cache fills.
  void fill() { lines_ = most_lines_, stores_ = 0; }

  // None when its id is among those on their way.
  template <class OnTheirWay>
  std::optional<Axi4Request> next(std::mt19937_64& draw, const OnTheirWay& on_their_way) const {
    using Kind = golden::RequestKind;
    Axi4Request q{.id = draw() & ((std::uint64_t{1} << P.id_bits) - 1)};
    if (on_their_way.contains(q.id)) return {};
    q.address = first_line_ + draw() % lines_ * P.line_bytes + draw() % P.line_bytes;
    constexpr std::uint64_t all_chunks = (std::uint64_t{1} << chunks) - 1;
    q.mask = static_cast<std::uint32_t>(1 + draw() % all_chunks);
    if (once_in(draw, 3)) q.mask = static_cast<std::uint32_t>(all_chunks);
    if (once_in(draw, 4)) q.mask = 1u << draw() % chunks;
    q.kind = draw() % 8 < stores_ ? Kind::store : Kind::load;
    if (once_in(draw, 8)) q.kind = Kind::non_l1;
    if (once_in(draw, 60)) q.kind = Kind::atomic;
    for (std::size_t w = 0; w < P.line_bytes / 8; ++w) q.data[w] = draw();
    if (shared_ && Axi4Memory::is_shared(q.address / P.line_bytes)) {
      if (q.kind == Kind::store) q.kind = Kind::load;
      return q;
    }
    const bool loads = q.kind == Kind::load || (q.kind == Kind::non_l1 && draw() % 2);
    if (!loads && !once_in(draw, 16)) enable(q, draw);
    return q;
  }

 private:
  // All bytes of the mask, or a quarter of them.
  static void enable(Axi4Request& q, std::mt19937_64& draw) {
    const bool all = draw() % 2;
    for (int word = 0; word < (P.line_bytes + 63) / 64; ++word) {
      const std::uint64_t some = all ? ~std::uint64_t{0} : draw() & draw();
      for (int byte = 0; byte < std::min(64, P.line_bytes); ++byte)
        if (q.mask >> (word * 64 + byte) / P.chunk_bytes & 1)
          q.enable[static_cast<std::size_t>(word)] |= some & std::uint64_t{1} << byte;
    }
  }

  bool shared_;
  std::uint64_t most_lines_, lines_ = 6, stores_ = 4, first_line_ = 0;
};

}  // namespace verif
