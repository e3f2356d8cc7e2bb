// Kernels of the papers that came last: what plain serial programs over the same input read and write.
#include <gtest/gtest.h>

#include <map>

#include "golden/trace/coalesce.h"
#include "golden/trace/kernels/builtin_kernels.h"
#include "golden/trace/kernels/random.h"
#include "golden/trace/kernels/spokes.h"
#include "verif/trace/touched.h"

namespace {

using golden::AccessKind;
using golden::Record;
using verif::Addresses;
using verif::base;
using verif::behind;
using verif::run_kernels;
using verif::touched;

// BUCL, III.B: on KMN "the loads producing 32 memory requests for a warp take half of the total loads", and
// "about 97%" of all accesses.
TEST(MissingKernels, KmeansGlobalHasTheSharesOfLoadsThatBuclStates) {
  const auto run = run_kernels("builtin:kmeans_global?points=512,features=34,clusters=5")[0];
  std::map<std::size_t, std::uint64_t> loads;
  for (const Record& record : run.records) {
    if (record.is_barrier() || record.kind != AccessKind::load) continue;
    std::vector<std::uint64_t> lines;
    golden::coalesce(record, 128, lines);
    ++loads[lines.size()];
  }
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_EQ(loads[1], loads[32]);
  EXPECT_NEAR(32.0 / 33, 0.97, 0.001);
}

TEST(MissingKernels, KmeansGlobalReadsPointsAndCenters) {
  const auto run = run_kernels("builtin:kmeans_global?points=300,features=6,clusters=3")[0];
  const std::uint64_t members = behind(base, 300 * 6 * 4), centers = behind(members, 300 * 4);
  Addresses loads, stores;
  for (std::uint64_t point = 0; point < 300; ++point) {
    for (std::uint64_t cluster = 0; cluster < 3; ++cluster)
      for (std::uint64_t i = 0; i < 6; ++i)
        loads.insert(base + 4 * (6 * point + i)), loads.insert(centers + 4 * (6 * cluster + i));
    stores.insert(members + 4 * point);
  }
  EXPECT_EQ(touched(run.records, AccessKind::load), loads);
  EXPECT_EQ(touched(run.records, AccessKind::store), stores);
}

TEST(MissingKernels, MyocyteReadsValuesAndWritesRates) {
  const auto run = run_kernels("builtin:myocyte?steps=2,attempts=3");
  ASSERT_EQ(run.size(), 2u * 3 * 13);
  const std::uint64_t rates = behind(base, 91 * 4), parameters = behind(rates, 91 * 4);
  Addresses loads, stores;
  for (std::uint64_t i = 0; i < 91; ++i) {
    stores.insert(rates + 4 * i);
    if (i < 3) stores.insert(rates + 4 * i);                            // three rates of the cell, once more
    if (i < 46 ? i != 21 && i < 40 : true) loads.insert(base + 4 * i);  // seven of the cell are not used
    if (i >= 35 && i < 38) loads.insert(base + 4 * i);                  // calcium of each part
  }
  loads.insert(parameters + 4 * 15);
  for (std::uint64_t part = 0; part < 3; ++part) {
    for (std::uint64_t i = 1; i < 5; ++i) loads.insert(parameters + 4 * (5 * part + i));
    loads.insert(parameters + 4 * 16), loads.insert(parameters + 4 * 17);
  }
  for (const auto& launch : run) {
    EXPECT_EQ(touched(launch.records, AccessKind::load), loads);
    EXPECT_EQ(touched(launch.records, AccessKind::store), stores);
  }
}

TEST(MissingKernels, MonteCarloReadsAllSamplesForEachOption) {
  const auto run = run_kernels("builtin:monte_carlo?options=3,paths=900")[0];
  Addresses loads, stores;
  const std::uint64_t results = behind(base, 900 * 4);
  for (std::uint64_t option = 0; option < 3; ++option) {
    for (std::uint64_t i = 0; i < 900; ++i) loads.insert(base + 4 * i);
    stores.insert(results + 8 * option), stores.insert(results + 8 * option + 4);
  }
  EXPECT_EQ(touched(run.records, AccessKind::load), loads);
  EXPECT_EQ(touched(run.records, AccessKind::store), stores);
  EXPECT_THROW(golden::open_trace("builtin:monte_carlo?options=1,paths=8192"), golden::TraceError);
}

// The three kernels of mri-gridding, thread by thread; instructions of the sums from every distance.
class Gridding {
 public:
  static constexpr std::int64_t side = 16, unit = golden::Spokes::unit;
  static constexpr std::uint64_t samples = 1024, cells = side * side * side;

  Gridding(std::int64_t width, std::uint64_t bin) : width_(width), bin_(bin), points_(samples, side, 3) {
    const std::uint64_t sorted = base;
    starts_ = behind(sorted, 24 * samples);
    given_ = behind(starts_, 4 * (cells + 1));
    keys_ = behind(given_, 24 * samples);
    numbers_ = behind(keys_, 4 * samples);
    sums_ = behind(numbers_, 4 * samples);
    densities_ = behind(sums_, 8 * cells);
    places_ = sorted + 8 * samples;
  }

  void compare() {
    const std::string name = fmt::format("builtin:mri_gridding?samples={},side={},width={},bin={},seed=3",
                                         samples, side, width_, bin_);
    const auto run = run_kernels(name);
    ASSERT_EQ(run.size(), 3u);
    bin();
    equal(run[0].records);
    reorder();
    equal(run[1].records);
    EXPECT_EQ(run[2].kernel.ctas(), 2u * 8);
    for (std::int64_t z = 0; z < side; z += 8)
      for (std::int64_t y = 0; y < side; y += 4)
        for (std::int64_t x = 0; x < side; x += 8) block(x, y, z);
    equal(run[2].records);
    EXPECT_EQ(golden::count_by_run(name).instructions, samples / 32 * (53 + 35) + instructions_);
    EXPECT_EQ(overflowed_ > 0, bin_ < 4) << overflowed_;
  }

 private:
  std::uint64_t cell(std::uint64_t i) const {
    const auto& p = points_.points()[i];
    return static_cast<std::uint64_t>((p[2] / unit * side + p[1] / unit) * side + p[0] / unit);
  }

  void bin() {
    std::vector<std::uint64_t> counts(cells);
    for (std::uint64_t warp = 0; warp < samples; warp += 32) {
      std::vector<std::uint64_t> adding;
      for (std::uint64_t i = warp; i < warp + 32; ++i) {
        for (const std::uint64_t part : {16, 12, 8}) loads_.insert(given_ + 24 * i + part);
        loads_.insert(starts_ + 4 * cell(i));
        if (counts[cell(i)] < bin_) adding.push_back(i);
        stores_.insert(keys_ + 4 * i), stores_.insert(numbers_ + 4 * i);
      }
      for (const std::uint64_t i : adding) {
        atomics_.insert(starts_ + 4 * cell(i));
        if (counts[cell(i)]++ >= bin_) atomics_.insert(starts_ + 4 * cell(i));
      }
      for (auto& count : counts) count = std::min(count, bin_);
    }
    std::vector<std::uint64_t> taken(cells), key(samples);
    for (std::uint64_t i = 0; i < samples; ++i) {
      const bool fits = taken[cell(i)] < bin_;
      key[i] = fits ? cell(i) : cells;
      overflowed_ += !fits;
      taken[cell(i)] += fits;
      order_.push_back(i);
    }
    std::ranges::stable_sort(order_, std::ranges::less(), [&](std::uint64_t i) { return key[i]; });
    first_ = {0};
    for (std::uint64_t c = 0; c < cells; ++c) first_.push_back(first_.back() + taken[c]);
  }

  void reorder() {
    for (std::uint64_t i = 0; i < samples; ++i) {
      loads_.insert(numbers_ + 4 * i);
      for (std::uint64_t part = 0; part < 24; part += 4) loads_.insert(given_ + 24 * order_[i] + part);
      stores_.insert(base + 8 * i), stores_.insert(places_ + 16 * i);
    }
  }

  // One thread block: 8 x 4 points of 8 planes, the planes of a warp two apart.
  void block(std::int64_t x0, std::int64_t y0, std::int64_t z0) {
    const double cutoff = static_cast<double>(width_) / 2;
    const auto low = [&](std::int64_t at) {
      return std::max<std::int64_t>(at - static_cast<std::int64_t>(std::ceil(cutoff)), 0);
    };
    const auto high = [&](std::int64_t at) {
      const auto last = static_cast<std::int64_t>(static_cast<double>(at) + cutoff);
      return last >= side ? side - 1 : last;
    };
    bool rows = false;
    for (std::int64_t z = low(z0); z <= high(z0 + 8); ++z)
      for (std::int64_t y = low(y0); y <= high(y0 + 4); ++y) {
        const std::int64_t row = (z * side + y) * side;
        const auto from = static_cast<std::uint64_t>(row + low(x0)),
                   to = static_cast<std::uint64_t>(row + high(x0 + 8) + 1);
        for (int thread = 0; thread < 64; ++thread)
          loads_.insert(starts_ + 4 * from), loads_.insert(starts_ + 4 * to);
        const std::uint64_t start = first_[from], end = first_[to], tiles = (end - start + 63) / 64;
        for (std::uint64_t i = start; i < end; ++i) {
          loads_.insert(base + 8 * i), loads_.insert(places_ + 16 * i);
          for (std::int64_t plane = z0; plane < z0 + 8; ++plane)
            instructions_ += 12 + (reaches(order_[i], x0, y0, plane) ? 46 : 0);
        }
        // Of two warps: the head of a row, its tiles and the way back.
        instructions_ += 2 * (20 + (tiles ? (tiles - 1) * 26 + 28 : 2));
        rows = true;
      }
    ASSERT_TRUE(rows);
    instructions_ += 2 * (84 + 39);
    for (std::int64_t z = z0; z < z0 + 8; ++z)
      for (std::int64_t y = y0; y < y0 + 4; ++y)
        for (std::int64_t x = x0; x < x0 + 8; ++x) {
          const auto at = static_cast<std::uint64_t>((z * side + y) * side + x);
          stores_.insert(sums_ + 8 * at), stores_.insert(densities_ + 4 * at);
        }
  }

  bool reaches(std::uint64_t sample, std::int64_t x0, std::int64_t y0, std::int64_t z) const {
    const auto& p = points_.points()[sample];
    for (std::int64_t y = y0; y < y0 + 4; ++y)
      for (std::int64_t x = x0; x < x0 + 8; ++x) {
        const std::int64_t dx = p[0] - x * unit, dy = p[1] - y * unit, dz = p[2] - z * unit;
        if (4 * (dx * dx + dy * dy + dz * dz) < width_ * width_ * unit * unit) return true;
      }
    return false;
  }

  void equal(const std::vector<Record>& records) {
    EXPECT_EQ(touched(records, AccessKind::load), loads_);
    EXPECT_EQ(touched(records, AccessKind::store), stores_);
    EXPECT_EQ(touched(records, AccessKind::atomic), atomics_);
    loads_.clear(), stores_.clear(), atomics_.clear();
  }

  std::int64_t width_;
  std::uint64_t bin_;
  golden::Spokes points_;
  std::uint64_t starts_, given_, keys_, numbers_, sums_, densities_, places_;
  std::vector<std::uint64_t> order_, first_;
  Addresses loads_, stores_, atomics_;
  std::uint64_t instructions_ = 0, overflowed_ = 0;
};

TEST(MissingKernels, MriGriddingFollowsTheProgram) {
  Gridding(4, 100).compare();
  Gridding(3, 1).compare();
}

// A suffix tree by inserting one suffix after the other, its suffix links by looking for the rest.
class Trie {
 public:
  struct Node {
    std::size_t first = 0, last = 0;
    std::string path;
    std::map<char, Node*> children;
  };

  explicit Trie(const std::string& text) : text_(" " + text + "$") {
    root_ = &nodes_[""];
    for (std::size_t suffix = 1; suffix < text_.size(); ++suffix) insert(suffix);
  }
  Node* root() const { return root_; }
  char at(std::size_t place) const { return text_[place]; }
  Node* link(const Node* node) { return node == root_ ? root_ : &nodes_.at(node->path.substr(1)); }

 private:
  Node* make(const std::string& path, std::size_t first, std::size_t last) {
    Node& node = nodes_[path];
    node.path = path, node.first = first, node.last = last;
    return &node;
  }
  void insert(std::size_t at) {
    Node* node = root_;
    const std::size_t suffix = at;
    for (;;) {
      Node*& child = node->children[text_[at]];
      if (!child) {
        child = make(text_.substr(suffix), at, text_.size() - 1);
        return;
      }
      std::size_t along = 0;
      while (along <= child->last - child->first && text_[child->first + along] == text_[at + along]) ++along;
      if (along > child->last - child->first) {
        at += along, node = child;
        continue;
      }
      Node* const middle =
          make(text_.substr(suffix, at - suffix + along), child->first, child->first + along - 1);
      child->first += along;
      middle->children[text_[child->first]] = child;
      child = middle;
      at += along, node = middle;
    }
  }

  std::string text_;
  std::map<std::string, Node> nodes_;
  Node* root_;
};

// mummergpuKernel, line by line, for one query after the other.
void follow_matches(std::uint64_t reference, std::uint64_t queries, std::uint64_t length, std::uint64_t least,
                    std::uint64_t errors) {
  const auto letter_of = [](std::uint64_t bits) { return "ACGT"[bits % 4]; };
  std::string text;
  for (std::uint64_t i = 0; i < reference; ++i) text += letter_of(golden::random_bits(7, i));
  Trie tree(text);
  const std::uint64_t letters = behind(base, reference + 2), starts = behind(letters, queries * (length + 2)),
                      lengths = behind(starts, 4 * queries), results = behind(lengths, 4 * queries);
  Addresses loads, stores;
  std::uint64_t matches = 0;
  for (std::uint64_t q = 0; q < queries; ++q) {
    std::string query = "q";
    const std::uint64_t place = golden::random_bits(8, q) % (reference - length + 1);
    for (std::uint64_t i = 1; i <= length; ++i) {
      const std::uint64_t draw = golden::random_bits(9, q * length + i);
      const auto read = std::string_view("ACGT").find(text[place + i - 1]);
      query += letter_of(draw % 1000 < errors ? read + 1 + (draw >> 32) % 3 : read);
    }
    query += '\0';
    const auto get = [&](std::uint64_t at) {
      loads.insert(letters + q * (length + 2) + at);
      return query[at];
    };
    std::uint64_t result = results + 8 * q * (length - least + 1);
    const auto set = [&](std::uint64_t matched) {
      if (matched > least) stores.insert(result), ++matches;
    };
    loads.insert(lengths + 4 * q), loads.insert(starts + 4 * q);
    Trie::Node *node = nullptr, *before = nullptr;
    std::uint64_t must = 0, matched = 0;
    for (std::uint64_t start = 0; start <= length - least; ++start, result += 8) {
      if (!node || matched < 1) node = tree.root(), matched = 1, must = 0;
      char c = get(start + matched);
      bool record = true;
      std::size_t at = 0, first = 0;
      while (c != '\0') {
        before = node;
        const auto next = node->children.find(c);
        node = next == node->children.end() ? nullptr : next->second;
        if (!node) {
          set(matched);
          --matched, must = 0, record = false;
          break;
        }
        first = node->first;
        const std::size_t edge = node->last - node->first + 1;
        if (must) {
          at = std::min<std::size_t>(node->first + must, node->last + 1);
          matched += std::min<std::uint64_t>(edge, must);
          must = must > edge ? must - edge : 0;
        } else {
          ++matched, at = node->first + 1;
        }
        c = get(start + matched);
        bool mismatch = false;
        while (at <= node->last && c != '\0') {
          loads.insert(base + at);
          if (tree.at(at) != c) {
            mismatch = true;
            break;
          }
          ++matched, ++at;
          c = get(start + matched);
        }
        if (mismatch) break;
      }
      if (record) {
        set(matched);
        must = at - first;
        matched -= must + 1;
      }
      node = tree.link(before);
    }
  }
  const auto run =
      run_kernels(fmt::format("builtin:mummergpu?reference={},queries={},length={},match={},errors={},seed=7",
                              reference, queries, length, least, errors))[0];
  EXPECT_EQ(touched(run.records, AccessKind::load), loads);
  EXPECT_EQ(touched(run.records, AccessKind::store), stores);
  EXPECT_GT(matches, queries);
}

TEST(MissingKernels, MummerGpuFollowsTheProgram) {
  follow_matches(700, 70, 60, 12, 20);
  follow_matches(400, 40, 30, 5, 150);
  follow_matches(90, 33, 60, 20, 0);
}

}  // namespace
