// lavaMD of Rodinia: forces between the particles of neighbouring boxes.
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

// Boxes in a cube, numbered along x first, with their neighbours in the order of their numbers.
class Boxes {
 public:
  // Bytes of a box: position and number, where its particles begin, how many neighbours, and 26 of these of
  // `neighbour_bytes` each.
  static constexpr std::uint64_t bytes = 656, offset_at = 16, count_at = 24, neighbours_at = 32,
                                 neighbour_bytes = 24, number_at = 12;

  explicit Boxes(std::uint64_t side) : side_(static_cast<std::int64_t>(side)) {}

  std::uint64_t count() const { return static_cast<std::uint64_t>(side_ * side_ * side_); }
  // The box itself, then its neighbours.
  std::vector<std::uint64_t> around(std::uint64_t box) const {
    const auto own = static_cast<std::int64_t>(box);
    const std::int64_t x = own % side_, y = own / side_ % side_, z = own / side_ / side_;
    std::vector<std::uint64_t> all{box};
    for (std::int64_t k = z - 1; k <= z + 1; ++k)
      for (std::int64_t j = y - 1; j <= y + 1; ++j)
        for (std::int64_t i = x - 1; i <= x + 1; ++i)
          if (inside(i) && inside(j) && inside(k) && (i != x || j != y || k != z))
            all.push_back(static_cast<std::uint64_t>((k * side_ + j) * side_ + i));
    return all;
  }

 private:
  bool inside(std::int64_t at) const { return at >= 0 && at < side_; }

  std::int64_t side_;
};

class LavaMd : public FixedProgram {
 public:
  static constexpr std::uint64_t particles = 100, number = 8, vector = 4 * number;  // doubles
  static constexpr std::uint32_t threads = 128;
  // Not recorded: a straight program of this length, an exponential in each pair.
  static constexpr std::uint32_t own = 14, first_barrier = 34, loop = 40, self = 41, other = 46, barrier = 66,
                                 fetch = 68, pairs = 72, forces = 130, last_pair = 159, keep = 160,
                                 end_barrier = 166, exit = 172;

  explicit LavaMd(const Sizes& sizes)
      : FixedProgram(sizes), boxes_(sizes["boxes"]), in_registers_(sizes["registers"] != 0) {
    const std::uint64_t all = boxes_.count() * particles;
    box_ = allocate(boxes_.count() * Boxes::bytes);
    position_ = allocate(all * vector);
    charge_ = allocate(all * number);
    force_ = allocate(all * vector);
    KernelInfo kernel{"kernel_gpu_cuda", {static_cast<std::uint32_t>(boxes_.count()), 1, 1}, {threads, 1, 1}};
    kernel.shared_bytes = 2 * particles * vector + particles * number;
    launch(kernel, [this](const Warp& w) { return sum_up(w); });
  }

  static WorkloadCounts counts(const Sizes& sizes) {
    const std::uint64_t side = sizes["boxes"], boxes = side * side * side;
    const std::uint64_t visits = (3 * side - 2) * (3 * side - 2) * (3 * side - 2);  // a box's own among them
    const std::uint64_t body = last_pair + 1 - pairs, visit = exit - loop, in_memory = 2 * 4 * particles;
    const bool registers = sizes["registers"] != 0;
    const std::uint64_t accesses = 7 + (registers ? 8 : in_memory);
    const std::uint64_t instructions = visit + body * (particles - 1) - (registers ? in_memory : 2 * 4);
    return {threads / 32 * (boxes * 6 + visits * accesses + visits - boxes),
            threads / 32 * (boxes * (loop + 1 - 2) + visits * instructions), 0};
  }

 private:
  Accesses sum_up(Warp w) const {
    const std::uint64_t home = w.block_x(), own_box = box_ + home * Boxes::bytes;
    const auto all = w.active();
    const auto working = Warp::where(all, [&](int l) { return w.thread_x(l) < particles; });
    const auto once = [](std::uint64_t address) { return [address](int) { return address; }; };
    const auto of_box = [&](std::uint64_t buffer, std::uint64_t bytes, std::uint64_t box,
                            std::uint64_t part) {
      return [&w, at = buffer + bytes * particles * box + part, bytes](int l) {
        return at + bytes * w.thread_x(l);
      };
    };
    co_yield w.load(own, all, number, once(own_box + Boxes::offset_at));
    for (std::uint32_t part = 0; part < 4; ++part)
      co_yield w.load(own + 6 + 3 * part, working, number, of_box(position_, vector, home, number * part));
    co_yield w.barrier(first_barrier);
    co_yield w.load(first_barrier + 2, all, word, once(own_box + Boxes::count_at));
    const auto around = boxes_.around(home);
    for (std::size_t k = 0; k < around.size(); ++k) {
      const std::uint64_t entry = own_box + Boxes::neighbours_at + Boxes::neighbour_bytes * (k - 1);
      if (k == 0) w.jump(self, self + 3);
      co_yield w.load(self + 2, k == 0 ? 0 : all, word, once(entry + Boxes::number_at));
      co_yield w.load(other, all, number, once(box_ + around[k] * Boxes::bytes + Boxes::offset_at));
      for (std::uint32_t part = 0; part < 4; ++part)
        co_yield w.load(other + 5 + 3 * part, working, number,
                        of_box(position_, vector, around[k], number * part));
      co_yield w.load(other + 17, working, number, of_box(charge_, number, around[k], 0));
      co_yield w.barrier(barrier);
      const auto force = [&](std::uint32_t part) { return of_box(force_, vector, home, number * part); };
      if (in_registers_) {
        for (std::uint32_t part = 0; part < 4; ++part)
          co_yield w.load(fetch + part, working, number, force(part));
        w.run((last_pair + 1 - pairs - 2 * 4) * static_cast<std::uint32_t>(particles));
        w.jump(pairs - 1, keep);
        for (std::uint32_t part = 0; part < 4; ++part)
          co_yield w.store(keep + part, working, number, force(part));
      } else {
        w.jump(fetch - 1, pairs);
        for (std::uint64_t pair = 0; pair < particles; ++pair) {
          for (std::uint32_t part = 0; part < 4; ++part) {
            co_yield w.load(forces + 6 * part, working, number, force(part));
            co_yield w.store(forces + 6 * part + 2, working, number, force(part));
          }
          w.jump(last_pair, pair + 1 < particles ? pairs : keep + 4);
        }
      }
      co_yield w.barrier(end_barrier);
      co_yield w.load(end_barrier + 2, all, word, once(own_box + Boxes::count_at));
      if (k + 1 < around.size()) w.jump(exit - 1, loop);
    }
    co_yield w.exit(exit);
  }

  Boxes boxes_;
  bool in_registers_;
  std::uint64_t box_, position_, charge_, force_;
};

}  // namespace

extern const Workload workload_lavamd;
const Workload workload_lavamd{
    "lavamd",
    "forces between the particles of neighbouring boxes, one CTA a box, one thread a particle; a compiler "
    "may "
    "keep the sums in registers",
    "Rodinia",
    "cuda/lavaMD/kernel/kernel_gpu_cuda.cu: kernel_gpu_cuda",
    {{"ACI thesis", "LM", "bandwidth-sensitive, chapter V"}},
    {{"boxes", 3, 1, 64, "along each side of a cube"},
     {"registers", 0, 0, 1,
      "0: each pair adds to the force in memory, as written; 1: a neighbour's sum does"}},
    make_program<LavaMd>,
    LavaMd::counts,
    "its closed form, and the program's loops run thread by thread"};

}  // namespace golden
