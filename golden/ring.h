// A queue of limited capacity: its memory is allocated once.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace golden {

template <class Item>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : items_(capacity) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  Item& front() { return items_[first_]; }
  const Item& front() const { return items_[first_]; }

  // The queue is not full.
  void push_back(Item item) {
    const std::size_t place = first_ + size_++;
    items_[place < items_.size() ? place : place - items_.size()] = std::move(item);
  }
  // The queue is not empty.
  void pop_front() {
    if (++first_ == items_.size()) first_ = 0;
    --size_;
  }
  void clear() { first_ = size_ = 0; }

 private:
  std::vector<Item> items_;
  std::size_t first_ = 0, size_ = 0;
};

}  // namespace golden
