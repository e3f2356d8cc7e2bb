// The page table of a GPU with two memory nodes (ACI thesis, section 5.2): a page stays where its first touch
// put it, until a full node replaces its least recently used one.
#pragma once
#include <array>
#include <cstdint>
#include <list>
#include <unordered_map>

#include "golden/monitors/blpp.h"

namespace golden {

enum class Node : std::uint8_t { gpu, cpu };

class PageTable {
 public:
  explicit PageTable(const hw::BlppParams& p)
      : page_bytes_(static_cast<std::uint64_t>(p.page_bytes)),
        capacity_{static_cast<std::size_t>(p.gpu_pages), static_cast<std::size_t>(p.cpu_pages)} {}

  // The node of an address; a page that is not there is placed, by `unit`, whose edge stays its owner's.
  // `placed` says whether that was needed.
  struct Touch {
    Node node = Node::gpu;
    bool placed = false;
  };
  Touch touch(std::uint64_t address, const Blpp& unit) {
    const std::uint64_t page = address / page_bytes_;
    if (const auto found = pages_.find(page); found != pages_.end()) {
      auto& used = used_[index(found->second.node)];
      used.splice(used.begin(), used, found->second.place);
      return {found->second.node, false};
    }
    const Node node =
        unit.place_cpu({.request = true, .gpu_full = full(Node::gpu), .cpu_full = full(Node::cpu)})
            ? Node::cpu
            : Node::gpu;
    auto& used = used_[index(node)];
    if (full(node)) {
      pages_.erase(used.back());
      used.pop_back();
      ++replaced_;
    }
    used.push_front(page);
    pages_[page] = {node, used.begin()};
    return {node, true};
  }

  bool holds(std::uint64_t address) const { return pages_.contains(address / page_bytes_); }
  // Where it is; of one that is not there, the GPU node.
  Node node(std::uint64_t address) const {
    const auto found = pages_.find(address / page_bytes_);
    return found == pages_.end() ? Node::gpu : found->second.node;
  }
  bool full(Node node) const { return used_[index(node)].size() == capacity_[index(node)]; }
  std::size_t pages(Node node) const { return used_[index(node)].size(); }
  std::uint64_t replaced() const { return replaced_; }

 private:
  static std::size_t index(Node node) { return static_cast<std::size_t>(node); }

  struct Entry {
    Node node;
    std::list<std::uint64_t>::iterator place;
  };
  std::uint64_t page_bytes_, replaced_ = 0;
  std::array<std::size_t, 2> capacity_;
  std::array<std::list<std::uint64_t>, 2> used_;  // pages of a node, the last used first
  std::unordered_map<std::uint64_t, Entry> pages_;
};

}  // namespace golden
