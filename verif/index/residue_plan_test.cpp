// Plans of AB mod p, evaluated step by step and compared with `%`.
#include "hw/index/residue_plan.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>

#include "hw/index/residue_stages.h"

namespace {

using Kind = hw::PlanStep::Kind;

std::uint64_t ones(int width) { return (std::uint64_t{1} << width) - 1; }

// The values of all steps for one block address.
class Evaluation {
 public:
  Evaluation(const hw::ResiduePlan& plan, std::uint64_t address) : plan_(plan), address_(address) {
    for (const hw::PlanStep& step : plan.steps) values_.push_back(value(step) & ones(step.width));
  }

  std::uint64_t remainder() const { return values_.back(); }
  std::uint64_t of(std::string_view name) const {
    const auto step = std::ranges::find(plan_.steps, name, &hw::PlanStep::name);
    return step == plan_.steps.end() ? 0 : values_[step - plan_.steps.begin()];
  }

 private:
  std::uint64_t operand(const hw::PlanOperand& x) const {
    return (values_.at(x.step) >> x.low & ones(x.high - x.low + 1)) << x.shift;
  }

  std::uint64_t row(const hw::PlanStep& step) const {
    std::uint64_t columns = 0;
    for (std::size_t c = 0; c < step.bits.size(); ++c) {
      const hw::RowBit& bit = step.bits[c];
      const bool one = bit.address_bit < 0 ? bit.one : (address_ >> bit.address_bit & 1) != bit.inverted;
      columns |= std::uint64_t{one} << c;
    }
    return columns;
  }

  std::uint64_t value(const hw::PlanStep& step) {
    if (step.kind == Kind::row) return row(step);
    std::vector<std::uint64_t> v;
    std::uint64_t sum = step.value;
    for (const hw::PlanOperand& x : step.from) {
      v.push_back(operand(x));
      sum += x.subtracted ? -v.back() : v.back();
    }
    const auto majority = [&] { return (v[0] & v[1]) | (v[0] & v[2]) | (v[1] & v[2]); };
    switch (step.kind) {
      case Kind::sum:
        return v[0] ^ v[1] ^ v[2];
      case Kind::majority:
        return majority();
      case Kind::carry:
        return majority() << 1;
      case Kind::around:
        return v[0] << 1 | v[0] >> (step.width - 1);
      case Kind::add:
        return sum;
      case Kind::bits:
        return v[0];
      case Kind::reaches:
        return v[0] >= step.value;
      case Kind::all_ones:
        return (v[0] & v[1]) == ones(step.from[0].high + 1);
      case Kind::clear:
        return v[1] ? 0 : v[0];
      default:
        return v[0] + step.value * (v.size() > 2 && v[2] ? 2 : v[1]);
    }
  }

  const hw::ResiduePlan& plan_;
  std::uint64_t address_;
  std::vector<std::uint64_t> values_;
};

const std::vector<std::uint64_t> primes{2,   3,    7,    13,   31,   61,    127,   251,
                                        509, 1021, 2039, 4093, 8191, 16381, 32749, 65521};

std::vector<int> widths(int index_bits) {
  std::vector<int> all{
      index_bits + 1, index_bits + 2, 2 * index_bits, 12, 13, 15, 20, 23, 25, 31, 33, 40, 47, 57, 59};
  std::erase_if(all, [&](int width) { return width <= index_bits || width < 12 || width > 59; });
  return all;
}

// The address with the largest (smallest) total: each bit moves the total by a fixed amount.
std::uint64_t extreme_address(const hw::ResiduePlan& plan, bool largest) {
  std::uint64_t address = 0;
  const std::uint64_t rest = Evaluation(plan, 0).of("total");
  for (int j = 0; j < plan.address_bits; ++j) {
    const std::uint64_t with = Evaluation(plan, std::uint64_t{1} << j).of("total");
    if (largest ? with > rest : with < rest) address |= std::uint64_t{1} << j;
  }
  return address;
}

std::vector<std::uint64_t> addresses(const hw::ResiduePlan& plan, int random_ones) {
  const std::uint64_t p = plan.prime, last = ones(plan.address_bits);
  std::vector<std::uint64_t> all{
      0, 1, p - 1, p, p + 1, 2 * p - 1, 2 * p, last, last - 1, last / p * p, last / p * p - 1};
  for (int j = 0; j < plan.address_bits; ++j) {
    all.push_back(std::uint64_t{1} << j);
    all.push_back(ones(j));
    all.push_back(last ^ std::uint64_t{1} << j);
  }
  for (const bool largest : {true, false}) {
    const std::uint64_t extreme = extreme_address(plan, largest);
    all.push_back(extreme);
    for (int j = 0; j < plan.address_bits; ++j) all.push_back(extreme ^ std::uint64_t{1} << j);
  }
  std::mt19937_64 draw(plan.address_bits * 100 + plan.index_bits);
  for (int i = 0; i < random_ones; ++i) {
    all.push_back(draw() & last);
    all.push_back((draw() & last) / p * p);
    all.push_back((draw() & last) / p * p + p - 1);
  }
  std::erase_if(all, [&](std::uint64_t address) { return address > last; });
  return all;
}

// The first address that the plan gets wrong, or nothing.
std::vector<std::uint64_t> first_mistake(const hw::ResiduePlan& plan,
                                         const std::vector<std::uint64_t>& tried) {
  for (const std::uint64_t address : tried) {
    const Evaluation e(plan, address);
    if (e.remainder() != address % static_cast<std::uint64_t>(plan.prime)) return {address};
  }
  return {};
}

}  // namespace

TEST(ResiduePlan, TakesTheLargestPrimeUpToThePowerOfTwo) {
  for (int s = 1; s <= 16; ++s) EXPECT_EQ(hw::largest_prime(s), static_cast<int>(primes[s - 1]));
}

TEST(ResiduePlan, GivesTheRemainderForEveryAddressOfTwelveToFourteenBits) {
  for (int s = 1; s <= 13; ++s)
    for (int width = std::max(12, s + 1); width <= 14; ++width) {
      const auto plan = hw::residue_plan(width, s);
      std::vector<std::uint64_t> every(std::size_t{1} << width);
      for (std::size_t i = 0; i < every.size(); ++i) every[i] = i;
      EXPECT_THAT(first_mistake(plan, every), testing::IsEmpty())
          << "address bits " << width << ", index bits " << s;
    }
}

TEST(ResiduePlan, GivesTheRemainderOfEdgesAndRandomAddresses) {
  for (int s = 1; s <= 16; ++s)
    for (const int width : widths(s)) {
      const auto plan = hw::residue_plan(width, s);
      EXPECT_THAT(first_mistake(plan, addresses(plan, 300)), testing::IsEmpty())
          << "address bits " << width << ", index bits " << s;
    }
}

TEST(ResiduePlan, NamesEachValueOnceAndReadsOnlyEarlierOnes) {
  for (int s = 1; s <= 16; ++s)
    for (const int width : widths(s)) {
      const auto plan = hw::residue_plan(width, s);
      std::map<std::string, int> names;
      for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        EXPECT_EQ(++names[plan.steps[i].name], 1) << plan.steps[i].name;
        for (const auto& x : plan.steps[i].from) {
          ASSERT_LT(x.step, static_cast<int>(i));
          EXPECT_LT(x.high, plan.steps[x.step].width);
          EXPECT_LE(x.low, x.high);
        }
      }
      EXPECT_EQ(plan.steps.back().name, "remainder");
      EXPECT_EQ(plan.steps.back().width, s);
    }
}

TEST(ResiduePlan, IsCaughtWhenOneColumnOfARowIsWrong) {
  for (const int s : {5, 6, 8, 11}) {
    const auto plan = hw::residue_plan(25, s);
    const auto tried = addresses(plan, 50);
    for (std::size_t i = 0; i < plan.steps.size() && plan.steps[i].kind == Kind::row; ++i)
      for (std::size_t c = 0; c < plan.steps[i].bits.size(); ++c) {
        auto broken = plan;
        hw::RowBit& bit = broken.steps[i].bits[c];
        (bit.address_bit < 0 ? bit.one : bit.inverted) ^= true;
        EXPECT_THAT(first_mistake(broken, tried), testing::Not(testing::IsEmpty()))
            << "index bits " << s << ", " << plan.steps[i].name << "[" << c << "]";
      }
  }
}

TEST(ResiduePlan, IsCaughtWhenAConstantOfTheLastStepsIsOffByOne) {
  for (const int s : {4, 5, 6, 8, 11, 16}) {
    const auto plan = hw::residue_plan(25, s);
    const auto tried = addresses(plan, 300);
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      if (plan.steps[i].value == 0) continue;
      for (const std::uint64_t wrong : {plan.steps[i].value - 1, plan.steps[i].value + 1}) {
        auto broken = plan;
        broken.steps[i].value = wrong;
        EXPECT_THAT(first_mistake(broken, tried), testing::Not(testing::IsEmpty()))
            << "index bits " << s << ", " << plan.steps[i].name << " with " << wrong;
      }
    }
  }
}

TEST(ResidueStages, FollowTheOperandsAndSplitThePathEvenly) {
  for (int s = 1; s <= 16; ++s)
    for (const int width : widths(s))
      for (int latency = 1; latency <= 4; ++latency) {
        auto plan = hw::residue_plan(width, s);
        hw::place_registers(plan, latency);
        std::vector<int> path(plan.steps.size(), 0);
        int longest = 0, slowest_step = 0;
        for (std::size_t i = 0; i < plan.steps.size(); ++i) {
          const hw::PlanStep& step = plan.steps[i];
          EXPECT_TRUE(step.stage >= 0 && step.stage <= latency);
          for (const auto& x : step.from) {
            EXPECT_LE(plan.steps[x.step].stage, step.stage) << step.name;
            if (plan.steps[x.step].stage == step.stage) path[i] = std::max(path[i], path[x.step]);
          }
          longest = std::max(longest, path[i] += step.delay);
          slowest_step = std::max(slowest_step, step.delay);
        }
        // A cut misses its ideal position by less than a step.
        EXPECT_LE(longest, plan.steps.back().arrival / (latency + 1) + slowest_step)
            << "address bits " << width << ", index bits " << s << ", latency " << latency;
      }
}
