// Cores at the word-wide bus of an adapter: one that asks at random and knows every byte, and one that asks
// what a recorded core did.
#pragma once
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "cosim/l1d/l1d_lines.h"
#include "cosim/l1d/l1d_recording.h"
#include "golden/bus/vortex_adapter.h"
#include "hw/bus/vortex_adapter_params.h"

namespace verif {

class BusCore {
 public:
  virtual ~BusCore() = default;
  // What is offered until it is taken.
  virtual const golden::BusRequest* offered() = 0;
  virtual void taken() = 0;
  // What is wrong with an answer, if anything.
  virtual std::string answered(const golden::BusAnswer& answer) = 0;
  virtual bool done() const = 0;
  // What memory holds at first.
  virtual L1dLines initial() const = 0;
  // Memory takes a fence: others may have written. Everything else has been answered.
  virtual void fenced(L1dLines& memory) = 0;
};

// Loads, stores and fences of some cached lines, and loads and stores of devices. The expected value of a
// load is known when it is taken: all stores before it and none after.
class RandomBusCore final : public BusCore {
 public:
  // Its lines begin at `first_line`: cores of one cache that share none are each sure of every byte.
  RandomBusCore(const hw::VortexAdapterParams& p, std::uint64_t seed, std::int64_t requests,
                std::uint64_t first_line = 0)
      : p_(p), draw_(seed), left_(requests), first_line_(first_line) {}

  const golden::BusRequest* offered() override;
  void taken() override;
  std::string answered(const golden::BusAnswer& answer) override;
  bool done() const override { return left_ == 0 && !offered_ && open_.empty(); }
  L1dLines initial() const override { return L1dLines(p_.line_bytes); }
  void fenced(L1dLines& memory) override;

 private:
  struct Load {
    golden::BusRequest request;
    golden::LineData line{};  // the expected line
  };
  std::uint64_t below(std::uint64_t n) { return draw_() % n; }
  golden::BusRequest drawn();

  hw::VortexAdapterParams p_;
  std::mt19937_64 draw_;
  std::int64_t left_;
  std::uint64_t first_line_;
  int idle_ = 0;
  std::optional<golden::BusRequest> offered_;
  L1dLines bytes_{p_.line_bytes};
  std::map<std::uint64_t, Load> open_;  // by tag
};

// The requests of a recording in order, each once the answers have come that came before it; stores have
// none here.
class RecordedBusCore final : public BusCore {
 public:
  // Throws std::runtime_error for a request that is wider than the bus.
  RecordedBusCore(const hw::VortexAdapterParams& p, const L1dRecording& recording);

  const golden::BusRequest* offered() override;
  void taken() override;
  std::string answered(const golden::BusAnswer& answer) override;
  bool done() const override;
  L1dLines initial() const override { return recording_.initial(); }
  void fenced(L1dLines&) override {}

 private:
  static constexpr std::uint64_t fence_tag = 0xff;

  golden::BusRequest request(const L1dRecording::Request& r) const;
  bool fence_next() const;

  hw::VortexAdapterParams p_;
  const L1dRecording& recording_;
  std::optional<golden::BusRequest> offered_;
  std::size_t next_ = 0, fence_ = 0, answers_in_order_ = 0, open_ = 0;
  bool fence_open_ = false;
  std::vector<std::uint8_t> has_answer_;             // by request
  std::map<std::uint64_t, std::size_t> request_of_;  // by tag
};

}  // namespace verif
