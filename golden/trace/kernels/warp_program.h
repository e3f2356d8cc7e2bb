// What a warp of a built-in kernel does: a coroutine that yields its memory accesses in program order.
#pragma once
#include <coroutine>
#include <exception>
#include <utility>

#include "golden/trace/trace_source.h"

namespace golden {

// The accesses of one warp. An access without a lane is passed over.
class Accesses {
 public:
  struct promise_type {
    const Record* record = nullptr;
    std::exception_ptr fault;

    struct Hand {
      bool nothing;
      bool await_ready() const noexcept { return nothing; }
      void await_suspend(std::coroutine_handle<>) const noexcept {}
      void await_resume() const noexcept {}
    };
    Accesses get_return_object() { return Accesses(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    // The record lives in the coroutine until it goes on.
    Hand yield_value(const Record& next) noexcept {
      record = &next;
      return {next.mask == 0 && !next.is_barrier()};
    }
    void return_void() {}
    void unhandled_exception() { fault = std::current_exception(); }
  };

  Accesses(Accesses&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Accesses& operator=(Accesses&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Accesses() {
    if (handle_) handle_.destroy();
  }

  // The next access, or null after the last; it stays until the next call.
  const Record* next() {
    if (handle_.done()) return nullptr;
    handle_.resume();
    if (handle_.promise().fault) std::rethrow_exception(handle_.promise().fault);
    return handle_.done() ? nullptr : handle_.promise().record;
  }

 private:
  using Handle = std::coroutine_handle<promise_type>;
  explicit Accesses(Handle handle) : handle_(handle) {}

  Handle handle_;
};

// A warp's place in its grid, and the records of what its lanes do.
class Warp {
 public:
  Warp(const KernelInfo& kernel, std::uint32_t cta, std::uint16_t index)
      : grid_(kernel.grid), block_(kernel.block), cta_(cta), index_(index) {
    const std::uint32_t threads = block_[0] * block_[1] * block_[2];
    active_ = where(~0u, [&](int lane) { return thread(lane) < threads; });
  }

  std::uint32_t active() const { return active_; }  // lanes that are threads
  std::uint32_t block_x() const { return cta_ % grid_[0]; }
  std::uint32_t block_y() const { return cta_ / grid_[0] % grid_[1]; }
  std::uint32_t thread_x(int lane) const { return thread(lane) % block_[0]; }
  std::uint32_t thread_y(int lane) const { return thread(lane) / block_[0] % block_[1]; }
  // Coordinates in the whole grid.
  std::uint64_t x(int lane) const { return std::uint64_t{block_x()} * block_[0] + thread_x(lane); }
  std::uint64_t y(int lane) const { return std::uint64_t{block_y()} * block_[1] + thread_y(lane); }
  std::uint64_t threads_x() const { return std::uint64_t{grid_[0]} * block_[0]; }

  // The lanes of `mask` for which the condition holds.
  template <class Condition>
  static std::uint32_t where(std::uint32_t mask, Condition condition) {
    std::uint32_t out = 0;
    for (int lane = 0; lane < 32; ++lane)
      if ((mask >> lane & 1) && condition(lane)) out |= 1u << lane;
    return out;
  }

  template <class Address>
  Record load(std::uint32_t pc, std::uint32_t mask, std::uint8_t bytes, Address address) const {
    return access(AccessKind::load, pc, mask, bytes, address);
  }
  template <class Address>
  Record store(std::uint32_t pc, std::uint32_t mask, std::uint8_t bytes, Address address) const {
    return access(AccessKind::store, pc, mask, bytes, address);
  }
  template <class Address>
  Record atomic(std::uint32_t pc, std::uint32_t mask, std::uint8_t bytes, Address address) const {
    return access(AccessKind::atomic, pc, mask, bytes, address);
  }
  Record barrier(std::uint32_t pc) const {
    Record record = access(AccessKind::load, pc, 0, 0, [](int) { return 0; });
    record.space = Record::barrier_space;
    return record;
  }

 private:
  std::uint32_t thread(int lane) const { return 32u * index_ + static_cast<std::uint32_t>(lane); }

  template <class Address>
  Record access(AccessKind kind, std::uint32_t pc, std::uint32_t mask, std::uint8_t bytes,
                Address address) const {
    Record record;
    record.cta = cta_;
    record.warp = index_;
    record.pc = pc;
    record.kind = kind;
    record.mask = mask;
    record.bytes_per_lane = bytes;
    int i = 0;
    for (int lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1) record.address[i++] = static_cast<std::uint64_t>(address(lane));
    return record;
  }

  std::array<std::uint32_t, 3> grid_, block_;
  std::uint32_t cta_ = 0, active_ = 0;
  std::uint16_t index_ = 0;
};

}  // namespace golden
