#include "hw/l1d/store_policy.h"

#include <algorithm>
#include <array>

#include "hw/l1d/request_kind.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit;

const char* leaver(const ProbeStage& probe) {
  return probe.decision.drops.can_be() ? "a store, an atomic or a drop leaves"
                                       : "a store or an atomic leaves";
}

// Its line goes, as with an atomic.
class EvictingStores : public StorePolicy {
 public:
  StoreWrite write(rtl::Module&, const ProbeStage&, TagStore&) const override { return {}; }
  void change(rtl::Module& m, ProbeStage& probe, const Expr& leaves) const override {
    Commit& c = probe.commit;
    c.changes = c.invalidate = c.counted = m.let("invalidate", leaves, leaver(probe));
  }
  Events events(const ProbeStage&) const override { return {}; }
};

// It writes its bytes into the chunks that are there, unless an MSHR entry has the line: then that is
// poisoned.
class UpdatingStores : public StorePolicy {
 public:
  // The banks are known late, so they choose last.
  StoreWrite write(rtl::Module& m, const ProbeStage& probe, TagStore& tags) const override {
    StoreWrite w;
    const Request& request = probe.request;
    const int chunks = request.mask.width(), bytes = request.written->byte_enable.width() / chunks;
    w.wanted = m.wire("store_wanted", chunks, "chunks with bytes to write, if the request is a store");
    const Expr may = m.let("may_update", is_store(m, probe) & ~probe.entry.match,
                           "the request is a store that poisons no entry");
    m.comb("Chunks of which a store writes bytes.", [&] {
      m.loop("stored_chunk", chunks, [&](const Expr& c) {
        m.set(w.wanted.at(c), rtl::any(request.written->byte_enable.part(c, bytes)));
      });
    });
    ProbeStage asking = probe;
    asking.store = w;
    w.chunks = m.let("store_chunks", w.wanted & tags.held() & rtl::replicate(chunks, may),
                     "chunks into which a store writes");
    const Expr waits = m.let("store_waits", may & tags.banks_taken(asking), "the store's banks are taken");
    w.waits = waits;
    w.writes =
        m.let("store_writes", probe.decision.other & probe.queue_not_full & rtl::any(w.chunks) & ~waits,
              "a store leaves that writes into its line");
    return w;
  }

  void change(rtl::Module& m, ProbeStage& probe, const Expr& leaves) const override {
    Commit& c = probe.commit;
    c.changes = m.let("changes", leaves, leaver(probe));
    c.counted = m.let("removes", c.changes & ~is_store(m, probe), "the line of the request goes");
    c.invalidate = m.let("invalidate", c.counted | (c.changes & probe.entry.match),
                         "or its entry is poisoned, and what is there of it goes");
  }

  Events events(const ProbeStage& probe) const override { return {{"store_updates", *probe.store.writes}}; }

 private:
  static Expr is_store(rtl::Module& m, const ProbeStage& probe) {
    return is_kind(m, probe.request.kind, RequestKind::store);
  }
};

struct Row {
  StorePolicyKind kind;
  std::unique_ptr<StorePolicy> (*make)();
};

constexpr std::array rows{
    Row{StorePolicyKind::evict,
        []() -> std::unique_ptr<StorePolicy> { return std::make_unique<EvictingStores>(); }},
    Row{StorePolicyKind::update,
        []() -> std::unique_ptr<StorePolicy> { return std::make_unique<UpdatingStores>(); }},
};

}  // namespace

std::unique_ptr<StorePolicy> store_policy(StorePolicyKind kind) {
  return std::ranges::find(rows, kind, &Row::kind)->make();
}

}  // namespace hw
