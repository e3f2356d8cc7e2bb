// The environment of caches with networks: cores that remember the data that they expect, and memory behind
// slices that answers in any order.
#pragma once
#include <bit>
#include <map>
#include <unordered_map>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/l1d/byte_memory.h"
#include "golden/noc/packet.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

struct DcShape {
  int address_bits = 32, line_bytes = 128, chunk_bytes = 32, id_bits = 8, cores = 1;
  int others = 0;           // of 16 loads to lines of single cores, so many to another core's
  bool sees_stores = true;  // loads of a core see its stores
};

// The core at a node with this cache.
constexpr DcShape core_of_node(const hw::L1dParams& cache) {
  return {.address_bits = cache.address_bits,
          .line_bytes = cache.line_bytes,
          .chunk_bytes = cache.chunk_bytes,
          .id_bits = cache.core_id_bits};
}

inline bool writes(const golden::Message& m) {
  using Kind = golden::RequestKind;
  return m.kind == Kind::store || m.kind == Kind::atomic ||
         (m.kind == Kind::non_l1 && golden::has_byte_enable(m.byte_enable));
}

// Does what a request asks for: the answer's data are the bytes before it.
inline golden::Message applied(ByteMemory& memory, const golden::Message& m, int line_bytes) {
  golden::Message answer{.id = m.id, .mask = m.mask};
  const bool acknowledged = writes(m) && m.kind != golden::RequestKind::atomic;
  if (acknowledged) answer.mask = 0;
  for (std::size_t w = 0; w < static_cast<std::size_t>(line_bytes) / 8; ++w) {
    const std::uint64_t address =
        m.address / static_cast<unsigned>(line_bytes) * static_cast<unsigned>(line_bytes) + 8 * w;
    answer.data[w] = memory.word(address);
    if (writes(m))
      memory.write(address, m.data[w], static_cast<unsigned>(m.byte_enable[w / 8] >> w % 8 * 8 & 0xff));
  }
  return answer;
}

// The memory side of one slice; requests take effect as they are accepted.
class SliceMemory {
 public:
  // Of this cycle; an answer that is shown stays until it is taken.
  const golden::Message* shown() const { return shown_ ? &*shown_ : nullptr; }
  void next(std::mt19937_64& draw, std::uint64_t slow) {
    if (shown_ || answers_.empty() || !once_in(draw, slow)) return;
    const auto at = static_cast<std::ptrdiff_t>(draw() % std::min<std::size_t>(answers_.size(), 16));
    shown_ = answers_[static_cast<std::size_t>(at)];
    answers_.erase(answers_.begin() + at);
  }
  void taken() { shown_.reset(); }
  void accept(ByteMemory& memory, const golden::Message& m, int line_bytes) {
    answers_.push_back(applied(memory, m, line_bytes));
  }
  void reset() {
    shown_.reset();
    answers_.clear();
  }

 private:
  std::optional<golden::Message> shown_;
  std::deque<golden::Message> answers_;
};

// A core's requests, and what their answers must be. Of four quarters of the address space, one is read by
// all cores and written by none, one has lines of single cores, one is read and written by all, whose data
// are not looked at, and one is for non-L1 requests. Nor are those of other cores' lines.
class DcCore {
 public:
  DcCore(const DcShape& shape, int number)
      : shape_(shape),
        number_(number),
        degrees_(static_cast<unsigned>(number)),
        others_(static_cast<unsigned>(number)),
        far_(static_cast<unsigned>(number)) {}

  void new_phase(std::mt19937_64& draw) {
    idle_ = std::array{1, 1, 3, 20}[draw() % 4];
    stall_ = std::array{0, 0, 1, 4, 7}[draw() % 5];
    lines_ = std::array{1, 4, 32, 400}[draw() % 4];
    stores_ = draw() % 6;
    goes_far_ = far_phases_() % 8 == 0;
  }

  // In this phase: loads of few lines, and each response taken at once.
  void hurry() {
    idle_ = 1, stall_ = 0, lines_ = 4, stores_ = 0;
    goes_far_ = false;
  }

  // What is driven in this cycle; a request stays until it is accepted.
  const std::optional<golden::Message>& next(std::mt19937_64& draw) {
    if (!waiting_ && once_in(draw, idle_)) waiting_ = request(draw);
    return waiting_;
  }
  bool response_ready(std::mt19937_64& draw) const { return draw() % 8 >= stall_; }

  void accepted(std::int64_t now) {
    golden::Message expected = applied(reference_, *waiting_, shape_.line_bytes);
    flying_[waiting_->id] = {expected, is_known(*waiting_), now};
    close_ += waiting_->kind == golden::RequestKind::load && waiting_->address == last_store_;
    last_store_ = waiting_->kind == golden::RequestKind::store ? waiting_->address : 1;
    waiting_.reset();
  }

  std::optional<Difference> answered(const golden::Message& got) {
    const auto name = [&](const char* what) {
      return fmt::format("core {}: {}, of the scoreboard", number_, what);
    };
    const auto found = flying_.find(got.id);
    if (found == flying_.end()) return Difference{name("id of an answer that nobody waits for"), got.id, 0};
    const Flying f = found->second;
    flying_.erase(found);
    if (got.mask != f.answer.mask) return Difference{name("mask"), got.mask, f.answer.mask};
    for (std::size_t w = 0; f.looked_at && w < static_cast<std::size_t>(shape_.line_bytes) / 8; ++w)
      if (got.mask >> w * 8 / static_cast<unsigned>(shape_.chunk_bytes) & 1 &&
          got.data[w] != f.answer.data[w])
        return Difference{name("data"), got.data[w], f.answer.data[w]};
    return {};
  }

  // A load with this id, if one waits, may see stores behind it: its cache has reported that.
  void may_be_late(std::uint64_t id) {
    const auto found = flying_.find(id & ((std::uint64_t{1} << shape_.id_bits) - 1));
    if (found != flying_.end()) found->second.looked_at = false;
  }

  // A request that waits for an answer longer than anything may take.
  std::optional<Difference> overdue(std::int64_t now) const {
    for (const auto& [id, f] : flying_)
      if (now - f.since > 200'000)
        return Difference{fmt::format("core {}: id of a request without an answer", number_), id, 0};
    return {};
  }

  // A request of the core has no answer yet.
  bool waits() const { return !flying_.empty(); }

  void reset() {
    waiting_.reset();
    left_ = 0;
    flying_.clear();
    reference_.clear();
  }

  // Loads right behind a store to the same bytes.
  std::int64_t close_behind() const { return close_; }

 private:
  struct Flying {
    golden::Message answer;
    bool looked_at = false;
    std::int64_t since = 0;
  };

  // What is read has one value alone.
  bool is_known(const golden::Message& m) const {
    return quarter(m) == 0 || (quarter(m) == 1 && shape_.sees_stores && !of_another(m));
  }
  std::uint64_t quarter(const golden::Message& m) const { return m.address >> (shape_.address_bits - 2); }

  std::optional<golden::Message> request(std::mt19937_64& draw) {
    using Kind = golden::RequestKind;
    golden::Message m{.id = draw() & ((std::uint64_t{1} << shape_.id_bits) - 1)};
    if (flying_.contains(m.id)) return {};
    const std::uint64_t chunks = static_cast<unsigned>(shape_.line_bytes / shape_.chunk_bytes);
    const std::uint64_t all = (std::uint64_t{1} << chunks) - 1;
    m.mask = static_cast<std::uint32_t>(once_in(draw, 2)   ? 1 + draw() % all
                                        : once_in(draw, 2) ? all
                                                           : 1u << draw() % chunks);
    m.kind = once_in(draw, 10) ? Kind::non_l1 : draw() % 8 < stores_ ? Kind::store : Kind::load;
    if (once_in(draw, 40)) m.kind = Kind::atomic;
    if (m.kind == Kind::load) say_degree(m);
    const std::uint64_t of = m.kind == Kind::non_l1                     ? 3
                             : m.kind == Kind::load && once_in(draw, 2) ? 0
                             : once_in(draw, 4)                         ? 2
                                                                        : 1;
    m.address = line(draw, of);
    if (of == 1 && m.kind == Kind::load) visit_another(m);
    m.sideband.pc = static_cast<std::uint32_t>(others_() % 6);
    if (again_ && of < 2 && m.kind == Kind::load && last_store_ != 1) m.address = last_store_;
    again_ = once_in(draw, 2);
    for (std::size_t w = 0; w < m.data.size(); ++w) m.data[w] = draw();
    if (m.kind == Kind::store || m.kind == Kind::atomic || (m.kind == Kind::non_l1 && draw() % 2))
      enable(m, draw);
    return m;
  }

  // The requests of a load come one after the other, with any others between them.
  void say_degree(golden::Message& m) {
    if (left_ == 0) left_ = degree_ = 1 + static_cast<unsigned>(degrees_() % (degrees_() % 4 ? 6 : 63));
    m.sideband.degree = static_cast<std::uint8_t>(degree_);
    m.sideband.first = left_-- == degree_;
  }

  // Of lines of single cores those of one core come behind those of the one before it.
  bool of_another(const golden::Message& m) const {
    const std::uint64_t place = m.address & ((std::uint64_t{1} << (shape_.address_bits - 2)) - 1),
                        number = place / static_cast<unsigned>(shape_.line_bytes);
    return quarter(m) == 1 && number % static_cast<unsigned>(shape_.cores) != static_cast<unsigned>(number_);
  }
  void visit_another(golden::Message& m) {
    if (others_() % 16 >= static_cast<unsigned>(shape_.others)) return;
    const auto other = static_cast<int>(others_() % static_cast<unsigned>(shape_.cores));
    m.address += static_cast<std::uint64_t>((other - number_) * shape_.line_bytes);
  }

  // In some phases half of the few lines have one bit inverted, each bit in turn, so that each bit of a tag
  // distinguishes lines.
  std::uint64_t line(std::mt19937_64& draw, std::uint64_t of) {
    const auto line_bytes = static_cast<unsigned>(shape_.line_bytes),
               cores = static_cast<unsigned>(shape_.cores);
    const std::uint64_t lines = (std::uint64_t{1} << (shape_.address_bits - 2)) / line_bytes;
    std::uint64_t number = draw() % lines_;
    const std::uint64_t numbers = of == 1 ? lines / cores : lines;
    if (far_() % 128 == 0) far_bit_ = far_();
    if (goes_far_ && far_() % 2)
      number ^= std::uint64_t{1} << far_bit_ % static_cast<unsigned>(std::bit_width(numbers) - 1);
    if (of == 1) number = number % numbers * cores + static_cast<unsigned>(number_);
    return of << (shape_.address_bits - 2) | number % lines * line_bytes;
  }

  void enable(golden::Message& m, std::mt19937_64& draw) const {
    const bool whole = draw() % 2;
    for (unsigned byte = 0; byte < static_cast<unsigned>(shape_.line_bytes); ++byte)
      if (m.mask >> byte / static_cast<unsigned>(shape_.chunk_bytes) & 1 && (whole || draw() % 4 == 0))
        m.byte_enable[byte / 64] |= std::uint64_t{1} << byte % 64;
  }

  DcShape shape_;
  int number_;
  std::mt19937_64 degrees_;        // apart from all else, which does not depend on whether anybody reads them
  std::mt19937_64 others_;         // of instructions and other cores' lines
  std::mt19937_64 far_;            // of lines that differ in one bit
  std::mt19937_64 far_phases_{7};  // of phases with such lines, the same in all cores
  unsigned degree_ = 1, left_ = 0;  // of the load whose requests come
  std::uint64_t idle_ = 1, stall_ = 0, lines_ = 4, stores_ = 3, last_store_ = 1, far_bit_ = 0;
  bool again_ = false, goes_far_ = false;
  std::int64_t close_ = 0;
  std::optional<golden::Message> waiting_;
  std::map<std::uint64_t, Flying> flying_;
  ByteMemory reference_;  // as this core sees it
};

}  // namespace verif
