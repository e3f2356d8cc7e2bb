// Inverted index of Mars: links in pages of HTML, the count of a map.
#include <string>

#include "golden/trace/kernels/random.h"
#include "golden/trace/kernels/workload.h"

namespace golden {

namespace {

class InvertedIndex : public FixedProgram {
 public:
  explicit InvertedIndex(const Sizes& sizes)
      : FixedProgram(sizes), blocks_(sizes["blocks"]), bytes_(sizes["bytes"]), seed_(sizes["seed"]) {
    text_ = allocate(blocks_ * bytes_);
    keys_ = allocate(blocks_ * key_bytes);
    values_ = allocate(blocks_ * value_bytes);
    records_ = allocate(blocks_ * 4 * word);
    for (std::uint64_t& sum : sums_) sum = allocate(blocks_ * word);
    launch({"MapperCount", {ceiling(blocks_, threads), 1, 1}, {threads, 1, 1}},
           [this](const Warp& w) { return map(w); });
  }

 private:
  // Not recorded: a loop over bytes with a part for each state, and loops over "href" and over a link.
  static constexpr std::uint32_t threads = 256, idle = 10, loop = 40, href = 76, href_branch = 82, link = 108,
                                 link_branch = 112, emit = 114, loop_branch = 132, exit = 138;
  static constexpr std::uint64_t key_bytes = 16, value_bytes = 12;
  enum State { start, in_tag, in_anchor, found_href, in_link };

  // Words, tags, and links that end inside their block.
  std::string page(std::uint64_t block) const {
    std::string out;
    for (std::uint64_t draw = block << 32; out.size() < bytes_; ++draw) {
      const std::uint64_t bits = random_bits(seed_, draw);
      if (bits % 16 < 14) {
        out += std::string(1 + (bits >> 8) % 9, static_cast<char>('a' + (bits >> 16) % 26)) + " ";
      } else if (bits % 16 < 15) {
        out += (bits >> 8) % 2 ? "<b>" : "<area>";
      } else {
        const std::string url(8 + (bits >> 8) % 48, static_cast<char>('a' + (bits >> 16) % 26));
        const std::string anchor = "<a href=\"" + url + "\">";
        if (out.size() + anchor.size() < bytes_) out += anchor;
      }
    }
    out.resize(bytes_);
    return out;
  }

  struct Reader {
    std::string text;
    std::uint64_t at = 0, look = 0;  // in the block; of the loops inside
    State state = start;
  };

  // A thread a block, a byte a step; what a byte means to a lane depends on the lane's state, and lanes of
  // one state run together.
  Accesses map(Warp w) const {
    const auto inside = Warp::where(w.active(), [&](int l) { return w.x(l) < blocks_; });
    if (inside == 0) {
      w.jump(idle, exit);
      co_yield w.exit(exit);
      co_return;
    }
    std::array<Reader, 32> readers;
    const auto of = [&](int l) -> Reader& { return readers[static_cast<std::size_t>(l)]; };
    for (int l = 0; l < 32; ++l)
      if (inside >> l & 1) of(l).text = page(w.x(l));
    const auto byte = [&](int l) { return text_ + bytes_ * w.x(l) + of(l).at; };
    const auto looked = [&](int l) { return text_ + bytes_ * w.x(l) + of(l).look; };
    const auto each = [](std::uint32_t lanes, const auto& act) {
      for (; lanes; lanes &= lanes - 1) act(std::countr_zero(lanes));
    };
    co_yield w.load(18, inside, 16, [&](int l) { return records_ + 16 * w.x(l); });
    co_yield w.load(26, inside, 8, [&](int l) { return keys_ + key_bytes * w.x(l); });
    co_yield w.load(29, inside, word, [&](int l) { return values_ + value_bytes * w.x(l); });
    co_yield w.load(31, inside, word, [&](int l) { return values_ + value_bytes * w.x(l) + word; });
    std::uint32_t left = inside;
    for (bool first = true; left; first = false) {
      if (!first) w.jump(loop_branch, loop);
      std::array<std::uint32_t, 5> lanes{};  // by state
      each(left, [&](int l) { lanes[of(l).state] |= 1u << l; });
      co_yield w.load(48, lanes[start], 1, byte);
      each(lanes[start], [&](int l) {
        if (of(l).text[of(l).at] == '<') of(l).state = in_tag;
      });
      co_yield w.load(56, lanes[in_tag], 1, byte);
      each(lanes[in_tag], [&](int l) {
        const char c = of(l).text[of(l).at];
        if (c != ' ') of(l).state = c == 'a' ? in_anchor : start;
      });
      co_yield w.load(66, lanes[in_anchor], 1, byte);
      auto comparing = Warp::where(lanes[in_anchor], [&](int l) { return of(l).text[of(l).at] == 'h'; });
      each(lanes[in_anchor], [&](int l) {
        of(l).look = of(l).at;
        if (of(l).text[of(l).at] != ' ' && !(comparing >> l & 1)) of(l).state = start;
      });
      for (std::size_t i = 0; comparing; ++i) {  // with "href" and the zero behind it, which no page has
        if (i > 0) w.jump(href_branch, href);
        co_yield w.load(78, comparing, 1, looked);
        std::uint32_t equal = 0;
        each(comparing, [&](int l) {
          Reader& reader = of(l);
          const bool same = i < 4 && reader.look < bytes_ && reader.text[reader.look] == "href"[i];
          if (same) {
            ++reader.look;
            equal |= 1u << l;
            return;
          }
          reader.state = i == 4 ? found_href : start;
          if (i == 4) reader.at += 3;
        });
        comparing = equal;
      }
      co_yield w.load(94, lanes[found_href], 1, byte);
      each(lanes[found_href], [&](int l) {
        const char c = of(l).text[of(l).at];
        if (c != ' ' && c != '=') of(l).state = c == '"' ? in_link : start;
      });
      each(lanes[in_link], [&](int l) { of(l).look = of(l).at; });
      for (std::uint32_t reading = lanes[in_link]; reading;) {
        co_yield w.load(109, reading, 1, looked);
        reading = Warp::where(reading, [&](int l) { return of(l).text[of(l).look] != '"'; });
        each(reading, [&](int l) { ++of(l).look; });
        if (reading) w.jump(link_branch, link);
      }
      for (std::uint32_t i = 0; i < 3; ++i) {  // bytes of keys, of values, and how many
        const auto sum = [&, i](int l) { return sums_[i] + word * w.x(l); };
        co_yield w.load(emit + 4 * i, lanes[in_link], word, sum);
        co_yield w.store(emit + 4 * i + 2, lanes[in_link], word, sum);
      }
      each(lanes[in_link], [&](int l) {
        of(l).at = of(l).look;
        of(l).state = start;
      });
      each(left, [&](int l) { ++of(l).at; });
      left = Warp::where(left, [&](int l) { return of(l).at < bytes_; });
    }
    co_yield w.exit(exit);
  }

  std::uint64_t blocks_, bytes_, seed_;
  std::uint64_t text_, keys_, values_, records_;
  std::array<std::uint64_t, 3> sums_;
};

}  // namespace

extern const Workload workload_inverted_index;
const Workload workload_inverted_index{
    "inverted_index",
    "links are counted in blocks of generated HTML, one thread a block, a byte a step",
    "Mars",
    "sample_apps/InvertedIndex/map.cu: MAP_COUNT_FUNC in MapperCount",
    {{"ACI thesis", "II", "thrashing; medium"}},
    {{"blocks", 8192, 1, 1 << 20, "of text"},
     {"bytes", 512, 128, 4096, "of a block", 4},
     {"seed", 1, 0, 1u << 30, "of the text"}},
    make_program<InvertedIndex>,
    nullptr,
    "a serial program that looks for links in the same text"};

}  // namespace golden
