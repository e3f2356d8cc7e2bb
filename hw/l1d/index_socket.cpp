#include "hw/l1d/index_socket.h"

#include <algorithm>

#include "hw/l1d/moving_index.h"

namespace hw {

using rtl::Expr;

namespace {

class FixedIndex : public IndexSocket {
 public:
  FixedIndex(const L1dParams& p, rtl::Module m)
      : IndexSocket(m), set_bits_(index_bits(p.index)), unit_(unit_of(p, m.name())) {}

  int tag_bits() const override { return unit_.facts.tag_bits; }
  int stage(int stages) const override { return std::min(1, stages); }

  void compute(Request& request) override {
    request.set_index = m_.wire("set_index", set_bits_, "set of the request");
    request.tag = m_.wire("tag", tag_bits(), "tag of the request");
    m_.instance(
        unit_.module, "index",
        {{"block_address", request.block_address}, {"set_index", request.set_index}, {"tag", request.tag}},
        "Set index and tag.");
  }

  Expr probe_tag(const Request&) override {
    return m_.wire("probe_tag", tag_bits(), "tag of the request in the tag-lookup stage");
  }

  Entering looked_up(const Request&, const Request& next, const Expr& free, const Expr& enters) override {
    return {.moves = free,
            .comes = next.valid,
            .enters = enters,
            .set_index = next.set_index,
            .tag = next.tag,
            .mask = next.mask,
            .rehashed = {},
            .back = {},
            .read = read_,
            .read_set = read_set_};
  }

 private:
  static IndexUnit unit_of(const L1dParams& p, const std::string& top) {
    IndexParams index = p.index;
    index.latency = 0;
    return index_unit(index, top + "_index");
  }

  const int set_bits_;
  const IndexUnit unit_;
};

}  // namespace

bool IndexSocket::enters_compare(const Request& from) {
  read_set_ = from.set_index;
  return true;
}

void IndexSocket::in_compare(Request&, const Expr& enters) { read_ = enters; }

std::unique_ptr<IndexSocket> index_socket(const L1dParams& p, rtl::Module m, bool compares_first) {
  if (p.index.kind != IndexKind::adi) return std::make_unique<FixedIndex>(p, m);
  if (compares_first) return std::make_unique<MovingIndexOfCompare>(p, m);
  return std::make_unique<MovingIndexOfProbe>(p, m);
}

}  // namespace hw
