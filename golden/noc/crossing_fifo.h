// Golden FIFOs of the networks: the plain one, and the one between two clocks of ratio 2 (DC-L1 thesis,
// chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <cstdint>
#include <variant>

#include "golden/ring.h"
#include "hw/noc/crossing_fifo_params.h"

namespace golden {

// Ready when not full; a word taken in a cycle is in front in the next.
template <class Word>
class Fifo {
 public:
  explicit Fifo(int entries)
      : entries_(static_cast<std::size_t>(entries)), words_(static_cast<std::size_t>(entries)) {}

  bool ready() const { return words_.size() < entries_; }
  const Word* front() const { return words_.empty() ? nullptr : &words_.front(); }
  std::size_t held() const { return words_.size(); }

  // `in`: null when not valid. Refused when not ready at the start of the cycle.
  void edge(const Word* in, bool out_ready) {
    const bool push = in && ready();
    if (out_ready && front()) words_.pop_front();
    if (push) words_.push_back(*in);
  }
  void reset() { words_.clear(); }

 private:
  std::size_t entries_;
  Ring<Word> words_;
};

// Edges of the two clocks: the fast one rises with each edge of the slow one and once between.
enum class Edge { fast_alone, both };

template <class Word>
class CrossingFifo {
 public:
  CrossingFifo(int entries, bool to_fast)
      : entries_(static_cast<std::uint64_t>(entries)),
        to_fast_(to_fast),
        words_(static_cast<std::size_t>(entries)) {}
  explicit CrossingFifo(const hw::CrossingParams& p) : CrossingFifo(p.entries, p.to_fast) {}

  bool ready() const { return pushed_ - (to_fast_ ? fast_seen_ : popped_) < entries_; }
  const Word* front() const {
    return (to_fast_ ? pushed_ : fast_seen_) == popped_ ? nullptr : &words_.front();
  }
  // Entries that `in` has no leave to use yet.
  std::uint64_t held_for_in() const { return pushed_ - (to_fast_ ? fast_seen_ : popped_); }

  // The side whose clock does not rise does nothing.
  void edge(Edge edge, const Word* in, bool out_ready) {
    const bool in_rises = edge == Edge::both || !to_fast_, out_rises = edge == Edge::both || to_fast_;
    const bool push = in_rises && in && ready(), pop = out_rises && out_ready && front();
    if (edge == Edge::both) fast_seen_ = to_fast_ ? popped_ : pushed_;
    if (pop) words_.pop_front(), ++popped_;
    if (push) words_.push_back(*in), ++pushed_;
  }
  void reset() {
    words_.clear();
    pushed_ = popped_ = fast_seen_ = 0;
  }

 private:
  std::uint64_t entries_;
  bool to_fast_;
  Ring<Word> words_;  // pushed and not popped
  // Pointers, as counts of words; and the copy of the fast side's that the slow side reads.
  std::uint64_t pushed_ = 0, popped_ = 0, fast_seen_ = 0;
};

// A queue between a network and what it serves: crosses the clocks with boost, else is on clk.
template <class Word>
class BoostQueue {
 public:
  BoostQueue(int entries, bool crosses, bool to_fast)
      : queue_(crosses ? Either(CrossingFifo<Word>(entries, to_fast)) : Either(Fifo<Word>(entries))) {}

  bool ready() const {
    return std::visit([](const auto& q) { return q.ready(); }, queue_);
  }
  const Word* front() const {
    return std::visit([](const auto& q) { return q.front(); }, queue_);
  }
  // Sides whose clock does not rise do nothing.
  void edge(Edge edge, const Word* in, bool out_ready) {
    if (auto* q = std::get_if<CrossingFifo<Word>>(&queue_)) return q->edge(edge, in, out_ready);
    if (edge == Edge::both) std::get<Fifo<Word>>(queue_).edge(in, out_ready);
  }
  void reset() {
    std::visit([](auto& q) { q.reset(); }, queue_);
  }

 private:
  using Either = std::variant<Fifo<Word>, CrossingFifo<Word>>;
  Either queue_;
};

}  // namespace golden
