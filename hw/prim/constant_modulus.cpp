#include "hw/prim/constant_modulus.h"

#include <fmt/format.h>
#include <optional>

#include <algorithm>
#include <bit>
#include <vector>

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::zext;

int bits_of(std::uint64_t most) { return std::bit_width(most); }

// Balanced, so that a sum is as deep as the logarithm of its terms.
Expr sum_of(std::vector<Expr> terms) {
  while (terms.size() > 1) {
    std::vector<Expr> half;
    for (std::size_t i = 0; i + 1 < terms.size(); i += 2) half.push_back(terms[i] + terms[i + 1]);
    if (terms.size() % 2) half.push_back(terms.back());
    terms = half;
  }
  return terms.front();
}

// Some bits of a number with the weight of the lowest; the others weigh twice as much, one by one.
struct Run {
  int low, high;
  std::uint64_t weight;
};

// The least k > 0 with 2^k = 1 modulo an odd number.
int order_of_two(int odd) {
  int k = 1;
  for (int power = 2 % odd; power != 1; power = power * 2 % odd) ++k;
  return k;
}

// Each bit weighs its remainder.
std::vector<Run> by_remainders(int width, int odd) {
  std::vector<Run> runs;
  std::uint64_t weight = 1;
  for (int b = 0; b < width; ++b) {
    if (!runs.empty() && weight == runs.back().weight << (b - runs.back().low))
      runs.back().high = b;
    else
      runs.push_back({b, b, weight});
    weight = weight * 2 % static_cast<unsigned>(odd);
  }
  return runs;
}

// Digits of `order` bits, whose remainders are their values: fewer terms where several fit.
std::vector<Run> by_digits(int width, int order) {
  std::vector<Run> runs;
  for (int low = 0; low < width; low += order) runs.push_back({low, std::min(low + order, width) - 1, 1});
  return runs;
}

std::uint64_t most_of(const std::vector<Run>& runs) {
  std::uint64_t most = 0;
  for (const Run& run : runs) most += ((std::uint64_t{2} << (run.high - run.low)) - 1) * run.weight;
  return most;
}

std::vector<Expr> terms_of(const Number& value, const std::vector<Run>& runs, int width) {
  std::vector<Expr> terms;
  for (const Run& run : runs)
    for (int shift = 0; run.weight >> shift; ++shift)
      if (run.weight >> shift & 1) {
        const Expr bits = value.slice(run.high, run.low);
        const Expr moved = shift ? rtl::cat({bits, lit(shift, 0)}) : bits;
        terms.push_back(moved.width() < width ? zext(moved, width) : moved);
      }
  return terms;
}

// Signal `x`, at most `most`, less the greatest multiples of `odd` that fit, the largest first. What is left
// is below the multiple, so its high bits need no subtraction.
Expr subtracted(rtl::Module& m, const std::string& name, Expr x, std::uint64_t most, std::uint64_t odd) {
  for (int step = bits_of(most / odd) - 1; step >= 0; --step) {
    const std::uint64_t multiple = odd << step;
    const int width = bits_of(multiple - 1);
    const Expr low = x.slice(width - 1, 0);
    const Expr less = low - lit(width, multiple & ((std::uint64_t{1} << width) - 1));
    x = m.let(fmt::format("{}_below_{}", name, multiple), rtl::mux(x >= lit(x.width(), multiple), less, low),
              fmt::format("less {} where it fits", multiple));
  }
  return x;
}

// A sum that has the same remainder by an odd number, where that is shorter.
struct Round {
  std::vector<Run> runs;
  std::uint64_t most = 0;
  bool pays = false;
};

Round round_of(int width, std::uint64_t most, int odd) {
  const std::vector<Run> digits = by_digits(width, order_of_two(odd)), bits = by_remainders(width, odd);
  Round round{digits.size() > 1 ? digits : bits};
  round.most = most_of(round.runs);
  round.pays =
      round.most < most && bits_of(round.most) < bits_of(most) && most / static_cast<unsigned>(odd) >= 4;
  return round;
}

std::uint64_t most_in(int width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

Expr sum_by(rtl::Module& m, const std::string& name, const Number& value, const Round& round, int odd) {
  std::vector<Expr> terms = terms_of(value, round.runs, bits_of(round.most));
  constexpr std::size_t readable = 8, part = 4;  // terms of a sum, and of each part of a longer one
  if (terms.size() > readable) {
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < terms.size(); i += part) {
      const auto first = terms.begin() + static_cast<std::ptrdiff_t>(i);
      const auto last = first + static_cast<std::ptrdiff_t>(std::min(part, terms.size() - i));
      parts.push_back(
          m.let(fmt::format("{}_part{}", name, parts.size()), sum_of({first, last}), "part of the sum"));
    }
    terms = parts;
  }
  return m.let(name, sum_of(terms), fmt::format("has the same remainder by {}, at most {}", odd, round.most));
}

// Modulo an odd number of at least 3.
Expr odd_remainder(rtl::Module& m, const std::string& name, Number value, int odd) {
  const int target = bits_of(static_cast<unsigned>(odd) - 1);
  std::uint64_t most = most_in(value.width);
  std::optional<Expr> sum;
  for (int n = 1; most >= static_cast<unsigned>(odd); ++n) {
    const Round round = round_of(value.width, most, odd);
    if (!round.pays) break;
    most = round.most;
    sum = sum_by(m, fmt::format("{}_sum{}", name, n), value, round, odd);
    value = {*sum, 0, sum->width()};
  }
  Expr x = sum ? *sum : value.slice(value.width - 1, 0);
  if (most >= static_cast<unsigned>(odd)) {
    if (value.low != 0 || value.width != value.signal.width())
      x = m.let(name + "_whole", x, fmt::format("to be taken modulo {}", odd));
    return subtracted(m, name, x, most, static_cast<unsigned>(odd));
  }
  return x.width() < target ? zext(x, target) : x;
}

}  // namespace

rtl::Expr remainder_of(rtl::Module& m, const std::string& name, const Number& value, int modulus) {
  const int twos = std::countr_zero(static_cast<unsigned>(modulus));
  const int odd = modulus >> twos, target = bits_of(static_cast<unsigned>(modulus) - 1);
  if (value.width <= twos || odd == 1) {
    const Expr low = value.slice(std::min(value.width, twos) - 1, 0);
    return low.width() < target ? zext(low, target) : low;
  }
  const Expr high = odd_remainder(m, name, {value.signal, value.low + twos, value.width - twos}, odd);
  return twos ? rtl::cat({high, value.slice(twos - 1, 0)}) : high;
}

rtl::Expr shortened(rtl::Module& m, const std::string& name, const Number& value, int modulus) {
  const int twos = std::countr_zero(static_cast<unsigned>(modulus)), odd = modulus >> twos;
  if (value.width <= twos || odd == 1) return remainder_of(m, name, value, modulus);
  const Number high{value.signal, value.low + twos, value.width - twos};
  const Round round = round_of(high.width, most_in(high.width), odd);
  const Expr sum = round.pays ? sum_by(m, name + "_sum", high, round, odd) : high.slice(high.width - 1, 0);
  return twos ? rtl::cat({sum, value.slice(twos - 1, 0)}) : sum;
}

rtl::Expr quotient_of(rtl::Module& m, const std::string& name, const Number& value, int limit, int divisor) {
  std::vector<Expr> bits;  // most significant first
  Expr rest = value.slice(value.width - 1, 0);
  for (int step = bits_of(static_cast<unsigned>((limit - 1) / divisor)) - 1; step >= 0; --step) {
    const auto multiple = static_cast<std::uint64_t>(divisor) << step;
    const Expr reached = m.let(fmt::format("{}_reaches_{}", name, multiple),
                               rest >= lit(rest.width(), multiple), fmt::format("at least {}", multiple));
    bits.push_back(reached);
    if (step > 0)
      rest = m.let(fmt::format("{}_rest_{}", name, multiple),
                   rtl::mux(reached, rest - lit(rest.width(), multiple), rest),
                   fmt::format("less {} where it fits", multiple));
  }
  return bits.empty() ? Expr{} : rtl::cat(bits);
}

}  // namespace hw
