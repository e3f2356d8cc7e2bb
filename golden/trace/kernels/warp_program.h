// What a warp of a built-in kernel does: a coroutine that yields its memory accesses in program order.
#pragma once
#include <coroutine>
#include <exception>
#include <utility>

#include "golden/trace/trace_source.h"

namespace golden {

// A value for each lane, worked out once for many accesses.
using Lanes = std::array<std::uint64_t, 32>;

// Addresses at the same distance from each lane's.
struct At {
  const Lanes& base;
  std::uint64_t offset = 0;

  std::uint64_t operator()(int lane) const { return base[static_cast<std::size_t>(lane)] + offset; }
};

class Accesses;

// A warp's position in its grid, and the records of its lanes' accesses, which it writes where Accesses says.
// It counts the instructions between them: all between two program counters, unless jump() says that the
// program went another way.
class Warp {
 public:
  Warp(const KernelInfo& kernel, std::uint32_t cta, std::uint16_t index)
      : grid_(kernel.grid), block_(kernel.block), cta_(cta), index_(index) {
    const std::uint32_t first = 32u * index, threads = block_[0] * block_[1] * block_[2];
    active_ = threads - first >= 32 ? ~0u : (1u << (threads - first)) - 1;
    std::uint32_t x = first % block_[0], y = first / block_[0] % block_[1];
    if (x + 32 <= block_[0]) {  // all in one row
      for (std::size_t lane = 0; lane < 32; ++lane) thread_x_[lane] = static_cast<std::uint16_t>(x + lane);
      thread_y_.fill(static_cast<std::uint16_t>(y));
      return;
    }
    for (std::size_t lane = 0; lane < 32; ++lane) {
      thread_x_[lane] = static_cast<std::uint16_t>(x);
      thread_y_[lane] = static_cast<std::uint16_t>(y);
      if (++x < block_[0]) continue;
      x = 0;
      if (++y == block_[1]) y = 0;
    }
  }

  std::uint32_t active() const { return active_; }  // lanes that are threads
  std::uint32_t block_x() const { return cta_ % grid_[0]; }
  std::uint32_t block_y() const { return cta_ / grid_[0] % grid_[1]; }
  std::uint32_t cta() const { return cta_; }
  std::uint32_t index() const { return index_; }  // in its CTA
  std::uint32_t thread_x(int lane) const { return thread_x_[static_cast<std::size_t>(lane)]; }
  std::uint32_t thread_y(int lane) const { return thread_y_[static_cast<std::size_t>(lane)]; }
  // Coordinates in the whole grid.
  std::uint64_t x(int lane) const { return std::uint64_t{block_x()} * block_[0] + thread_x(lane); }
  std::uint64_t y(int lane) const { return std::uint64_t{block_y()} * block_[1] + thread_y(lane); }
  std::uint64_t threads_x() const { return std::uint64_t{grid_[0]} * block_[0]; }

  // The lanes of `mask` for which the condition holds.
  template <class Condition>
  static std::uint32_t where(std::uint32_t mask, Condition condition) {
    std::uint32_t out = 0;
    if (mask == ~0u) {
      for (int first = 0; first < 32; first += 8) {  // shifts by constants inside
        std::uint32_t eight = 0;
#pragma GCC unroll 8
        for (int lane = 0; lane < 8; ++lane) eight |= (condition(first + lane) ? 1u : 0u) << lane;
        out |= eight << first;
      }
      return out;
    }
    for (std::uint32_t left = mask; left != 0; left &= left - 1)
      if (condition(std::countr_zero(left))) out |= left & (0 - left);
    return out;
  }
  template <class Value>
  static Lanes lanes(Value value) {
    Lanes out;
    for (int lane = 0; lane < 32; ++lane) out[static_cast<std::size_t>(lane)] = value(lane);
    return out;
  }

  template <class Address>
  const Record& load(std::uint32_t pc, std::uint32_t mask, std::uint8_t bytes, Address address) {
    return access(AccessKind::load, pc, mask, bytes, address);
  }
  template <class Address>
  const Record& store(std::uint32_t pc, std::uint32_t mask, std::uint8_t bytes, Address address) {
    return access(AccessKind::store, pc, mask, bytes, address);
  }
  template <class Address>
  const Record& atomic(std::uint32_t pc, std::uint32_t mask, std::uint8_t bytes, Address address) {
    return access(AccessKind::atomic, pc, mask, bytes, address);
  }
  const Record& barrier(std::uint32_t pc) {
    Record& record = begin(AccessKind::load, pc, 0, 0);
    record.space = Record::barrier_space;
    return record;
  }

  // The program ran up to the branch, that included, and goes on at another address.
  void jump(std::uint32_t branch, std::uint32_t target) {
    before_ += branch + 1 - position_;
    position_ = target;
  }
  // That many instructions ran whose program counters are not known.
  void run(std::uint32_t instructions) { before_ += instructions; }
  // The warp ends with the instruction at `pc`: a record of no access, which only those see who ask for all
  // instructions.
  const Record& exit(std::uint32_t pc) {
    Record& record = begin(AccessKind::load, pc, active_, 0);
    record.space = Record::no_space;
    return record;
  }

 private:
  friend class Accesses;

  Record& begin(AccessKind kind, std::uint32_t pc, std::uint32_t mask, std::uint8_t bytes) {
    Record& record = **into_;
    record.cta = cta_;
    record.warp = index_;
    record.pc = pc;
    record.kind = kind;
    record.space = Record::global_space;
    record.mask = mask;
    record.bytes_per_lane = bytes;
    record.before = before_ + pc - position_;
    record.operation = Operation::integer;
    record.registers = {};
    before_ = 0;
    position_ = pc + 1;
    return record;
  }

  // What no lane does was not run as an access: it counts as one of the instructions in between.
  template <class Address>
  const Record& access(AccessKind kind, std::uint32_t pc, std::uint32_t mask, std::uint8_t bytes,
                       Address address) {
    if (mask == 0) {
      Record& record = **into_;
      record.mask = 0;
      record.space = Record::global_space;
      return record;
    }
    Record& record = begin(kind, pc, mask, bytes);
    std::uint64_t* const out = record.address.data();
    if (mask == ~0u) {
      for (int lane = 0; lane < 32; ++lane) out[lane] = static_cast<std::uint64_t>(address(lane));
    } else {
      int i = 0;
      for (std::uint32_t left = mask; left != 0; left &= left - 1)
        out[i++] = static_cast<std::uint64_t>(address(std::countr_zero(left)));
    }
    return record;
  }

  std::array<std::uint32_t, 3> grid_, block_;
  std::uint32_t cta_, active_ = 0;
  std::uint16_t index_;                      // in its CTA
  std::uint32_t position_ = 0, before_ = 0;  // the next instruction, and the ones that ran in front of it
  std::array<std::uint16_t, 32> thread_x_, thread_y_;  // a CTA has at most 1,024 threads
  Record** into_ = nullptr;
};

// The accesses of one warp, a coroutine that has its Warp among its parameters. An access without a lane is
// passed over.
class Accesses {
 public:
  struct promise_type {
    Record* into = nullptr;
    std::exception_ptr fault;

    template <class... Parameters>
    explicit promise_type(Parameters&... parameters) {
      (bind(parameters), ...);
    }
    struct Hand {
      bool nothing;
      bool await_ready() const noexcept { return nothing; }
      void await_suspend(std::coroutine_handle<>) const noexcept {}
      void await_resume() const noexcept {}
    };
    Accesses get_return_object() { return Accesses(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    Hand yield_value(const Record& next) noexcept { return {next.mask == 0 && !next.is_barrier()}; }
    void return_void() {}
    void unhandled_exception() { fault = std::current_exception(); }

   private:
    void bind(Warp& warp) { warp.into_ = &into; }
    template <class Other>
    void bind(Other&) {}
  };

  Accesses(Accesses&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Accesses& operator=(Accesses&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Accesses() {
    if (handle_) handle_.destroy();
  }

  // Fills `record` with the next access and returns true, or returns false after the last.
  bool next(Record& record) {
    if (handle_.done()) return false;
    handle_.promise().into = &record;
    handle_.resume();
    if (handle_.promise().fault) std::rethrow_exception(handle_.promise().fault);
    return !handle_.done();
  }

 private:
  using Handle = std::coroutine_handle<promise_type>;
  explicit Accesses(Handle handle) : handle_(handle) {}

  Handle handle_;
};

}  // namespace golden
