// The kernels that COVAR and CORR of PolyBench/GPU share.
#include "golden/trace/kernels/statistics.h"

namespace golden {

Accesses ColumnSum::run(Warp w, std::uint64_t rows, std::uint64_t columns, std::uint64_t data,
                        std::optional<std::uint64_t> mean, std::uint64_t out) {
  const auto lanes = polybench_lanes(w, columns);
  const auto column = Warp::lanes([&](int l) { return word * w.x(l); });
  if (lanes == 0) {
    w.jump(idle, exit);
  } else {
    co_yield w.store(first - 5, lanes, word, At{column, out});
    for (std::uint64_t i = 0; i < rows; ++i) {
      co_yield w.load(first, lanes, word, At{column, data + word * i * columns});
      if (mean) co_yield w.load(first + 1, lanes, word, At{column, *mean});
      co_yield w.store(first + 4, lanes, word, At{column, out});
      if (i + 1 < rows) w.jump(first + 6, first);
    }
    co_yield w.store(exit - 2, lanes, word, At{column, out});
  }
  co_yield w.exit(exit);
}

WorkloadCounts ColumnSum::counts(std::uint64_t rows, std::uint64_t columns, bool mean) {
  const WarpCount warps =
      count_warps({ceiling(columns, statistics_row[0]), 1, 1}, statistics_row, {0, columns});
  return {warps.working * ((mean ? 3 : 2) * rows + 2),
          warps.working * (first + 7 * rows + exit - first - 6) + warps.idle() * (idle + 2), 0};
}

Accesses Reduce::run(Warp w, std::uint64_t rows, std::uint64_t columns, std::uint64_t data,
                     std::array<std::uint64_t, 2> vectors, std::size_t loads) {
  const auto lanes = polybench_lanes(w, columns, rows);
  const auto column = Warp::lanes([&](int l) { return word * w.x(l); });
  const auto element = Warp::lanes([&](int l) { return data + word * (w.y(l) * columns + w.x(l)); });
  if (lanes == 0) {
    w.jump(idle, exit);
  } else {
    std::uint32_t pc = 18;
    for (std::size_t i = 0; i < loads; ++i, pc += 3) co_yield w.load(pc, lanes, word, At{column, vectors[i]});
    co_yield w.load(pc, lanes, word, At{element});
    co_yield w.store(exit - 2, lanes, word, At{element});
  }
  co_yield w.exit(exit);
}

WorkloadCounts Reduce::counts(std::uint64_t rows, std::uint64_t columns, std::size_t loads) {
  const WarpCount warps =
      count_warps({ceiling(columns, statistics_block[0]), ceiling(rows, statistics_block[1]), 1},
                  statistics_block, {0, columns}, {0, rows});
  return {warps.working * (loads + 2), warps.working * (exit + 1) + warps.idle() * (idle + 2), 0};
}

Accesses ColumnProducts::run(Warp w, std::uint64_t rows, std::uint64_t columns, std::uint64_t data,
                             std::uint64_t out) const {
  // A column with none behind it is left out where the diagonal is not summed up.
  const std::uint64_t gap = diagonal ? 1 : 0;
  auto lanes = polybench_lanes(w, columns - gap);
  const auto column = Warp::lanes([&](int l) { return word * w.x(l); });
  if (lanes == 0) w.jump(idle, exit);
  if (diagonal && lanes) {
    const auto corner = Warp::lanes([&](int l) { return out + word * w.x(l) * (columns + 1); });
    co_yield w.store(*diagonal, lanes, word, At{corner});
    w.jump(*diagonal + 1, *diagonal + 3);
  }
  for (std::uint64_t ahead = gap; lanes; ++ahead) {
    const auto here = Warp::lanes([&](int l) { return out + word * (w.x(l) * (columns + 1) + ahead); });
    const auto mirrored =
        Warp::lanes([&](int l) { return out + word * ((w.x(l) + ahead) * columns + w.x(l)); });
    co_yield w.store(clear, lanes, word, At{here});
    loop.enter(w, rows);
    for (std::uint64_t i = 0; i < rows; ++i) {
      const auto& pc = loop(i, rows);
      const std::uint64_t row = data + word * i * columns, behind = row + word * ahead;
      co_yield w.load(pc[0], lanes, word, At{column, behind});
      co_yield w.load(pc[1], lanes, word, At{column, row});
      co_yield w.store(pc[2], lanes, word, At{here});
      loop.step(w, i, rows);
    }
    loop.leave(w, rows);
    co_yield w.store(mirror, lanes, word, At{mirrored});
    lanes = Warp::where(lanes, [&](int l) { return w.x(l) + ahead + 1 < columns; });
    w.jump(lanes ? branch : branch + 1, lanes ? head : exit);
  }
  co_yield w.exit(exit);
}

WorkloadCounts ColumnProducts::counts(std::uint64_t rows, std::uint64_t columns) const {
  const std::uint64_t gap = diagonal ? 1 : 0;
  const WarpCount warps =
      count_warps({ceiling(columns, statistics_row[0]), 1, 1}, statistics_row, {0, columns - gap});
  std::uint64_t sums = 0;  // of all warps: the first lane of each has the most columns behind it
  for (std::uint64_t w = 0; w < warps.working; ++w) sums += columns - gap - 32 * w;
  const std::uint64_t sum = loop.first - head + loop.instructions(rows) + branch + 1 - loop.end;
  return {sums * (3 * rows + 2) + (diagonal ? warps.working : 0),
          sums * sum + warps.working * (head + 2 - gap) + warps.idle() * (idle + 2), 0};
}

}  // namespace golden
