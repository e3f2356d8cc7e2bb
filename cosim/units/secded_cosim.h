// Lock step of code words of protected RAMs and their reference model: every error of one and of two bits in
// every word, then any. Properties that do not come from the model: what the code promises for those errors.
#pragma once
#include <array>
#include <utility>
#include <vector>

#include "cosim/harness/cycle_cosim.h"
#include "golden/ecc/secded.h"

namespace verif {

template <class Dut, hw::SecdedParams P>
class SecdedBench {
 public:
  static constexpr bool corrects = P.code == hw::EccCode::secded;
  static constexpr auto words_of_row = static_cast<std::size_t>(P.words);

  struct Inputs {
    bool rst = false;  // not a port
    std::array<std::uint64_t, words_of_row> written{}, kept{};
    std::array<golden::CodeWord, words_of_row> flips{};  // of what was kept
  };
  struct Alone {
    golden::Secded golden{P.code, P.data_bits};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      for (std::size_t w = 0; w < words_of_row; ++w) {
        kept += golden.encode(in.written[w]).check;
        kept += golden.decode(golden.encode(in.kept[w]) ^ in.flips[w]).data;
      }
    }
  };

  SecdedBench() {
    for (int a = 0; a < code().bits(); ++a) {
      errors_.push_back(code().one_bit(a));
      for (int b = 0; b < a; ++b) errors_.push_back(code().one_bit(a) ^ code().one_bit(b));
    }
  }

  // Each word meets the errors in their order, and begins with another one.
  Inputs draw(std::mt19937_64& draw) {
    Inputs in;
    for (std::size_t w = 0; w < words_of_row; ++w) {
      in.written[w] = data(draw), in.kept[w] = data(draw);
      const std::size_t next = cycle_ + w * 101;
      if (cycle_ < errors_.size())
        in.flips[w] = errors_[next % errors_.size()];
      else if (!once_in(draw, 4))
        for (std::uint64_t n = 1 + draw() % 4; n; --n) in.flips[w] = in.flips[w] ^ any_bit(draw);
    }
    ++cycle_;
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    std::bitset<data_bits> written, read;
    std::bitset<most_check_bits> check;
    for (std::size_t w = 0; w < words_of_row; ++w) {
      const golden::CodeWord word = code().encode(in.kept[w]) ^ in.flips[w];
      written |= std::bitset<data_bits>(in.written[w]) << w * P.data_bits;
      read |= std::bitset<data_bits>(word.data) << w * P.data_bits;
      check |= std::bitset<most_check_bits>(word.check) << w * static_cast<std::size_t>(code().check_bits());
    }
    put(dut.write_data, written);
    put(dut.read_data, read);
    put_low(dut.read_check, check);
  }

  static std::string words(const Inputs& in) {
    std::string all;
    for (std::size_t w = 0; w < words_of_row; ++w)
      all += fmt::format("{}word {}: written {:#x}, kept {:#x}, flipped {:#x} and check bits {:#x}",
                         w ? "; " : "", w, in.written[w], in.kept[w], in.flips[w].data, in.flips[w].check);
    return all;
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    for (std::size_t w = 0; w < words_of_row; ++w) {
      const Seen seen = seen_of(dut, w);
      if (const auto d = same(seen, in, w)) return d;
      if (const auto d = promised(seen, in, w)) return d;
    }
    return {};
  }

  void edge(const Inputs& in) {
    shown_ = 0;
    for (std::size_t w = 0; w < words_of_row; ++w) {
      const int n = in.flips[w].weight();
      const auto out = code().decode(code().encode(in.kept[w]) ^ in.flips[w]);
      seen_["no error"] += n == 0;
      seen_["an error of data bits alone"] += n && !in.flips[w].check;
      seen_["an error of check bits alone"] += n && !in.flips[w].data;
      seen_["three or more errors"] += n > 2;
      seen_["silent beyond the promise"] += !out.uncorrectable && out.data != in.kept[w];
      if (corrects) seen_["uncorrectable"] += out.uncorrectable;
      shown_ |= std::uint64_t{out.uncorrectable} << w;
    }
  }

  void add_golden(Waves& waves) { waves.add_golden("uncorrectable", P.words, &shown_); }

  Goals goals() {
    Goals all = seen_;
    all["each error of one or two bits"] = cycle_ >= errors_.size();
    return all;
  }

 private:
  static constexpr std::size_t data_bits = words_of_row * P.data_bits, most_check_bits = words_of_row * 16;

  struct Seen {
    std::uint64_t write_check = 0, data = 0;
    bool corrected = false, uncorrectable = false;
  };

  static const golden::Secded& code() {
    static const golden::Secded code(P.code, P.data_bits);
    return code;
  }

  static std::uint64_t low_bits(std::uint64_t value, int bits) {
    return value & ~std::uint64_t{0} >> (64 - bits);
  }
  static std::uint64_t data(std::mt19937_64& draw) {
    const std::uint64_t any = draw();
    return low_bits(once_in(draw, 8) ? (any & 1 ? ~std::uint64_t{0} : 0) : any, P.data_bits);
  }
  static golden::CodeWord any_bit(std::mt19937_64& draw) {
    return code().one_bit(static_cast<int>(draw() % static_cast<unsigned>(code().bits())));
  }

  // The port is as wide as the code asks for, which the model finds at run time.
  template <class Port>
  static void put_low(Port& port, const std::bitset<most_check_bits>& bits) {
    if constexpr (std::is_integral_v<Port>)
      port = static_cast<Port>(word_of(bits, 0));
    else
      for (std::size_t w = 0; w * 32 < words_of_row * static_cast<std::size_t>(code().check_bits()); ++w)
        port[w] = static_cast<std::uint32_t>(word_of(bits, w * 32));
  }
  template <class Port>
  static std::uint64_t bits_at(const Port& port, std::size_t word, int width) {
    const std::size_t low = word * static_cast<std::size_t>(width);
    std::uint64_t value = 0;
    for (std::size_t b = 0; b < static_cast<std::size_t>(width); ++b) {
      bool bit = false;
      if constexpr (std::is_integral_v<Port>)
        bit = port >> (low + b) & 1;
      else
        bit = port[(low + b) / 32] >> (low + b) % 32 & 1;
      value |= std::uint64_t{bit} << b;
    }
    return value;
  }

  Seen seen_of(const Dut& dut, std::size_t w) const {
    Seen seen{.write_check = bits_at(dut.write_check, w, code().check_bits()),
              .uncorrectable = bits_at(dut.uncorrectable, w, 1) != 0};
    if constexpr (corrects) {
      seen.data = bits_at(dut.checked_data, w, P.data_bits);
      seen.corrected = bits_at(dut.corrected, w, 1) != 0;
    } else {
      seen.data = bits_at(dut.read_data, w, P.data_bits);
    }
    return seen;
  }

  std::optional<Difference> same(const Seen& seen, const Inputs& in, std::size_t w) const {
    const auto port = [&](const char* name) { return fmt::format("{} of word {}", name, w); };
    const auto want = code().decode(code().encode(in.kept[w]) ^ in.flips[w]);
    const std::uint64_t check = code().encode(in.written[w]).check;
    if (seen.write_check != check) return Difference{port("write_check"), seen.write_check, check};
    if (seen.data != want.data) return Difference{port("checked_data"), seen.data, want.data};
    if (seen.corrected != want.corrected)
      return Difference{port("corrected"), seen.corrected, want.corrected};
    if (seen.uncorrectable != want.uncorrectable)
      return Difference{port("uncorrectable"), seen.uncorrectable, want.uncorrectable};
    return {};
  }

  // Up to `promise` flipped bits nothing wrong is given out as right.
  std::optional<Difference> promised(const Seen& seen, const Inputs& in, std::size_t w) const {
    constexpr int promise = corrects ? 2 : 1;
    const int n = in.flips[w].weight();
    if (n > promise) return {};
    const auto broken = [&](const char* what) {
      return Difference{fmt::format("word {} with {} flipped: {}", w, n, what), 1, 0};
    };
    if (!seen.uncorrectable && seen.data != in.kept[w]) return broken("wrong data as right");
    if (seen.uncorrectable != (n == promise)) return broken("right data as wrong, or silence");
    if (seen.corrected != (corrects && n == 1)) return broken("counted as corrected, or not");
    return {};
  }

  std::vector<golden::CodeWord> errors_;
  std::size_t cycle_ = 0;
  std::uint64_t shown_ = 0;
  Goals seen_;
};

}  // namespace verif
