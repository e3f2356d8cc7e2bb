// The golden set-index unit of any kind: functional core, and a cycle model that delays it by the pipeline
// stages.
#pragma once
#include <array>

#include "golden/index/index_bxi.h"
#include "golden/index/index_cvi.h"
#include "golden/index/index_lin.h"
#include "golden/index/index_pli.h"
#include "golden/index/index_pri.h"
#include "golden/index/index_rxi.h"

namespace golden {

template <hw::IndexParams P>
constexpr auto index_core() {
  using enum hw::IndexKind;
  if constexpr (P.kind == cvi)
    return IndexCvi<P>{};
  else if constexpr (P.kind == bxi)
    return IndexBxi<P>{};
  else if constexpr (P.kind == rxi)
    return IndexRxi<P>{};
  else if constexpr (P.kind == lin)
    return IndexLin<P>{};
  else if constexpr (P.kind == pli)
    return IndexPli<P>{};
  else
    return IndexPri<P>{};
}

template <hw::IndexParams P>
class IndexUnit {
 public:
  using Core = decltype(index_core<P>());
  using Block = typename Core::Block;
  using Set = typename Core::Set;
  using Tag = ac_int<Core::tag_bits, false>;
  struct Out {
    Set set_index;
    Tag tag;
  };

  static Out map(const Block& block) {
    return {Core::set_of(block), Tag(block >> (Core::block - Core::tag_bits))};
  }

  // One clock cycle: takes this cycle's block address and gives this cycle's outputs, null until the pipeline
  // fills. The result stands until the next call.
  const Out* cycle(const Block& block) {
    if constexpr (P.latency == 0) {
      line_[0] = map(block);
      return &line_[0];
    } else {
      out_ = line_[at_];
      line_[at_] = map(block);
      at_ = at_ + 1 == P.latency ? 0 : at_ + 1;
      if (filled_ == P.latency) return &out_;
      ++filled_;
      return nullptr;
    }
  }

 private:
  std::array<Out, P.latency ? P.latency : 1> line_;
  Out out_;
  int at_ = 0, filled_ = 0;
};

}  // namespace golden
