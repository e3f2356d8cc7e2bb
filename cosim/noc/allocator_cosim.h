// Lock step of an iSLIP allocator and its reference model, with properties that do not come from the model:
// one partner each, only for requests, and a standing request served within I*J cycles.
#pragma once
#include <array>

#include "cosim/harness/cycle_cosim.h"
#include "golden/noc/allocator_islip.h"

namespace verif {

template <class Dut, hw::AllocatorParams P>
class AllocatorBench {
 public:
  using Golden = golden::AllocatorIslip<P>;
  using Matrix = typename Golden::Matrix;
  static constexpr int pairs = Golden::pairs;
  struct Inputs {
    bool rst = false;
    Matrix request{};
  };
  struct Alone {
    Golden golden;
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept ^= golden.grant(in.request)._Find_first();
      in.rst ? golden.reset() : golden.edge(in.request);
    }
  };

  // Requests are new in every cycle, or stand unchanged long enough for each to be served.
  Inputs draw(std::mt19937_64& draw) {
    Inputs in{.rst = once_in(draw, std::max(5000, 16 * pairs)), .request = request_};
    if (standing_ > 0 && --standing_ > 0) return in;
    if (phase_.next(draw)) {
      rarity_ = std::array{1, 2, 4, P.outputs, 3 * pairs}[draw() % 5];
      if (draw() % 4 == 0) standing_ = 2 * pairs + 2;
    }
    for (int b = 0; b < pairs; ++b) in.request[b] = once_in(draw, rarity_);
    request_ = in.request;
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) { put(dut.request, in.request); }

  static std::string words(const Inputs& in) { return fmt::format("request {}", in.request.to_string()); }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    const Matrix grant = bits_of<pairs>(dut.grant), want = golden_.grant(in.request);
    for (std::size_t w = 0; w < shown_.size(); ++w) shown_[w] = word_of(want, 64 * w);
    if (const auto d = legal(grant, in.request)) return d;
    if (const auto d = difference("grant", grant, want)) return d;
    return served_in_time(grant, in);
  }

  void edge(const Inputs& in) {
    const auto counts = golden_.counts(in.request);
    const auto outputs = golden_.output_pointers();
    const auto inputs = golden_.input_pointers();
    granted_ |= golden_.grant(in.request);
    in.rst ? golden_.reset() : golden_.edge(in.request);
    seen_["no request"] += in.request.none();
    seen_["all ask"] += in.request.all();
    seen_["reset"] += in.rst;
    for (int b = 0; b < pairs; ++b) {
      if (golden_.output_pointers()[b % P.outputs] == b / P.outputs) offers_.set(b);
      if (golden_.input_pointers()[b / P.outputs] == b % P.outputs) accepts_.set(b);
    }
    if (P.inputs > 1)
      seen_["an output's pointer wraps"] += !in.rst && wrapped(outputs, golden_.output_pointers());
    if (P.outputs > 1)
      seen_["an input's pointer wraps"] += !in.rst && wrapped(inputs, golden_.input_pointers());
    if (P.inputs > 1 && P.outputs > 1) {
      seen_["a refused offer"] += refused(in.request, counts.all - counts.later);
      seen_["as many pairs as fit"] += counts.all == std::min(P.inputs, P.outputs);
      if (P.iterations > 1) seen_["a match in a later iteration"] += counts.later > 0;
    }
  }

  void add_golden(Waves& waves) {
    for (std::size_t w = 0; w < shown_.size(); ++w)
      waves.add_golden(shown_.size() == 1 ? "grant" : fmt::format("grant_word{}", w),
                       std::min(64, pairs - 64 * static_cast<int>(w)), &shown_[w]);
  }

  Goals goals() {
    seen_["every pair matched"] = granted_.all();
    seen_["each output's pointer at each input"] = offers_.all();
    seen_["each input's pointer at each output"] = accepts_.all();
    seen_["the same requests for I*J cycles"] = longest_ >= pairs;
    return seen_;
  }

 private:
  static std::optional<Difference> legal(const Matrix& grant, const Matrix& request) {
    if ((grant & ~request).any())
      return Difference{"grant without a request", (grant & ~request)._Find_first(), pairs};
    if (request.any() && grant.none()) return Difference{"number of grants", 0, 1};
    std::array<int, P.inputs> of_input{};
    std::array<int, P.outputs> of_output{};
    for (std::size_t b = grant._Find_first(); b < grant.size(); b = grant._Find_next(b))
      if (++of_input[b / P.outputs] > 1 || ++of_output[b % P.outputs] > 1)
        return Difference{"a second partner in pair", b, pairs};
    return {};
  }

  // While nothing changes but the pointers, every request is served at least once in I*J cycles.
  std::optional<Difference> served_in_time(const Matrix& grant, const Inputs& in) {
    if (in.rst || in.request != last_) unchanged_ = 0, waiting_ = in.request;
    last_ = in.request;
    if (in.rst) return {};  // its grant is of pointers that are lost
    waiting_ &= ~grant;
    longest_ = std::max(longest_, ++unchanged_);
    if (unchanged_ < pairs || waiting_.none()) return {};
    return Difference{"pair that waits after I*J cycles", waiting_._Find_first(), pairs};
  }

  template <std::size_t n>
  static bool wrapped(const std::array<int, n>& before, const std::array<int, n>& after) {
    for (std::size_t k = 0; k < n; ++k)
      if (after[k] < before[k]) return true;
    return false;
  }

  // More outputs are asked than found a partner in the first iteration: somebody had two offers.
  static bool refused(const Matrix& request, std::size_t matched) {
    std::bitset<P.outputs> asked;
    for (std::size_t b = request._Find_first(); b < request.size(); b = request._Find_next(b))
      asked.set(b % P.outputs);
    return asked.count() > matched;
  }

  Golden golden_;
  Phase phase_;
  Matrix request_, last_, waiting_, granted_, offers_, accepts_;
  std::uint64_t rarity_ = 1;
  int standing_ = 0, unchanged_ = 0, longest_ = 0;
  std::array<std::uint64_t, (pairs + 63) / 64> shown_{};
  Goals seen_;
};

}  // namespace verif
