// Faults of what stands at an AXI4 manager that checks its answers: now and then a B or an R is one too many,
// wrong or missing, the manager must say so, and a reset ends it.
#pragma once
#include <array>

#include "cosim/bus/axi4_side.h"
#include "golden/bus/axi4_check.h"

namespace verif {

class Axi4Faults {
 public:
  explicit Axi4Faults(const hw::Axi4BridgeParams& p) : p_(p) {}

  // A fault has begun and its reset has not come: the inputs are set here.
  bool running() const { return left_ > 0; }
  bool ends() const { return left_ == 1; }
  Axi4Drives drives(const golden::Axi4Check& check) {
    if (kind_ == extra_r && offered_.r) offered_.r->last = last_beat(offered_.r->id, check);
    return offered_;
  }

  // Now and then puts a fault in the place of an answer.
  void alter(Axi4Drives& in, std::mt19937_64& draw, const golden::Axi4Check& check) {
    const int all = p_.check.timeout ? kinds : lost_b;
    if (begun_ && !planned_ && once_in(draw, 300))
      planned_ = static_cast<Kind>(draw() % static_cast<unsigned>(all));
    if (!planned_ || b_waits_ || r_waits_) return;
    kind_ = *planned_;
    Axi4Drives altered = in;
    if (!begin(altered, draw, check)) return;
    planned_.reset();
    in = altered;
    ++seen_[kind_];
    offered_ = {.b = in.b, .r = in.r};
    left_ = lost() ? static_cast<int>(check.places()) + p_.check.timeout + 4 : 24 + 4 * p_.requests;
  }

  // The edge of each cycle, with what the manager showed.
  void edge(const Axi4Drives& in, const Axi4Shown& shown) {
    const bool b = in.b && shown.b_ready, r = in.r && shown.r_ready;
    begun_ = true;
    b_waits_ = in.b && !b, r_waits_ = in.r && !r;
    if (b) last_b_ = in.b->id;
    if (r) last_r_ = in.r->id;
    if (!running()) return;
    --left_;
    if (b) offered_.b.reset();
    if (r && kind_ != extra_r) offered_.r.reset();
  }
  // Of a manager whose outputs are undefined.
  std::optional<Difference> undefined() const {
    return running() ? std::nullopt : std::optional(Difference{"protocol_error without a fault", 1, 0});
  }
  // At the reset: what was not noticed. `code` is the manager's.
  std::optional<Difference> reset(std::uint64_t code) {
    const bool ended = running();
    left_ = 0;
    b_waits_ = r_waits_ = false;
    last_b_.reset(), last_r_.reset();
    const auto want = hw::code_of(rows[kind_].code);
    if (!ended || (p_.check.timeout ? code != 0 : code == want)) return {};
    return Difference{fmt::format("protocol_error_code, of {}", rows[kind_].name), code, want};
  }

  void goals(Goals& seen) const {
    for (std::size_t k = 0; k < kinds; ++k)
      if (p_.check.timeout || rows[k].code != hw::ProtocolError::answer_late) seen[rows[k].name] = seen_[k];
  }

 private:
  enum Kind { free_b, doubled_b, free_r, extra_r, wrong_last, lost_b, lost_r, kinds };
  struct Row {
    const char* name;
    hw::ProtocolError code;
  };
  static constexpr std::array<Row, kinds> rows{
      {{"a B of an ID without a write", hw::ProtocolError::write_unasked},
       {"a B that comes twice", hw::ProtocolError::write_unasked},
       {"an R of an ID without a read", hw::ProtocolError::read_unasked},
       {"one R too many of an ID", hw::ProtocolError::read_unasked},
       {"rlast with another beat", hw::ProtocolError::read_last},
       {"a B that does not come", hw::ProtocolError::answer_late},
       {"an R that does not come", hw::ProtocolError::answer_late}}};

  bool lost() const { return rows[kind_].code == hw::ProtocolError::answer_late; }
  static bool last_beat(std::uint32_t id, const golden::Axi4Check& check) {
    return !check.reads(id) || check.beats(id) == 1;
  }

  bool begin(Axi4Drives& in, std::mt19937_64& draw, const golden::Axi4Check& check) {
    const auto id = static_cast<std::uint32_t>(draw() % check.places());
    switch (kind_) {
      case free_b:
        in.b = Axi4Memory::B{.id = id};
        return !check.writes(id);
      case doubled_b:
        if (in.b || !last_b_ || check.writes(*last_b_)) return false;
        in.b = Axi4Memory::B{.id = *last_b_};
        return true;
      case free_r:
        in.r = Axi4Memory::R{.id = id, .last = true};
        return !check.reads(id);
      case extra_r:
        if (!last_r_) return false;
        in.r = Axi4Memory::R{.id = *last_r_, .last = last_beat(*last_r_, check)};
        return true;
      case wrong_last:
        if (!in.r) return false;
        in.r->last = !in.r->last;
        return true;
      case lost_b:
        return std::exchange(in.b, std::nullopt).has_value();
      default:
        return std::exchange(in.r, std::nullopt).has_value();
    }
  }

  const hw::Axi4BridgeParams p_;
  std::array<std::int64_t, kinds> seen_{};
  bool begun_ = false;                      // the first cycle, a reset, is over
  bool b_waits_ = false, r_waits_ = false;  // offered before, and not taken
  std::optional<std::uint32_t> last_b_, last_r_;
  std::optional<Kind> planned_;  // as soon as there is a chance
  // The fault under way.
  Kind kind_ = free_b;
  int left_ = 0;  // cycles to the reset
  Axi4Drives offered_;
};

}  // namespace verif
