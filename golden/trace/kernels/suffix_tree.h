// The suffix tree of a text of few letters (Ukkonen, On-line Construction of Suffix Trees, 1995).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace golden {

// Positions count from 1. The text ends with a letter of its own, `letters` - 1. The label of an edge stands
// in the text where the longest suffix that has it does.
class SuffixTree {
 public:
  static constexpr std::size_t letters = 5;
  static constexpr std::uint32_t none = 0, root = 1;
  struct Node {
    std::uint32_t first, last;  // of the label of the edge to it
    std::uint32_t suffix = none;
    std::array<std::uint32_t, letters> children{};
  };

  // Letters are 0 to 3.
  explicit SuffixTree(std::vector<std::uint8_t> text) : text_(std::move(text)), nodes_(2, Node{0, 0}) {
    text_.insert(text_.begin(), 0);
    text_.push_back(letters - 1);
    nodes_[root].suffix = root;
    nodes_.reserve(2 * text_.size());
    for (std::uint32_t at = 1; at < text_.size(); ++at) extend(at);
  }

  const Node& node(std::uint32_t number) const { return nodes_[number]; }
  std::uint8_t letter(std::uint32_t at) const { return text_[at]; }

 private:
  std::uint32_t end() const { return static_cast<std::uint32_t>(text_.size()) - 1; }
  std::uint32_t add(std::uint32_t first, std::uint32_t last) {
    nodes_.push_back({first, last});
    return static_cast<std::uint32_t>(nodes_.size()) - 1;
  }

  // Adds the letter at `at` to all suffixes that are not in the tree with it.
  void extend(std::uint32_t at) {
    std::uint32_t made = none;
    const auto link = [&](std::uint32_t to) {
      if (made != none) nodes_[made].suffix = to;
      made = none;
    };
    for (++left_; left_ > 0;) {
      if (along_ == 0) edge_ = at;
      std::uint32_t child = nodes_[active_].children[text_[edge_]];
      if (child == none) {
        const std::uint32_t leaf = add(at, end());
        nodes_[active_].children[text_[edge_]] = leaf;
        link(active_);
      } else {
        const std::uint32_t length = std::min(nodes_[child].last, at - 1) - nodes_[child].first + 1;
        if (along_ >= length && nodes_[child].last < end()) {
          edge_ += length;
          along_ -= length;
          active_ = child;
          continue;
        }
        if (text_[nodes_[child].first + along_] == text_[at]) {
          ++along_;
          link(active_);
          return;
        }
        const std::uint32_t first = nodes_[child].first, middle = add(first, first + along_ - 1),
                            leaf = add(at, end());
        nodes_[active_].children[text_[edge_]] = middle;
        nodes_[child].first += along_;
        nodes_[middle].children[text_[nodes_[child].first]] = child;
        nodes_[middle].children[text_[at]] = leaf;
        link(middle);
        made = middle;
      }
      --left_;
      if (active_ == root && along_ > 0) {
        --along_;
        edge_ = at - left_ + 1;
      } else {
        active_ = nodes_[active_].suffix;
      }
    }
  }

  std::vector<std::uint8_t> text_;
  std::vector<Node> nodes_;
  std::uint32_t active_ = root, edge_ = 0, along_ = 0, left_ = 0;
};

}  // namespace golden
