#include "hw/remote/remote_node_sends.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux;

// What is sent, by its class; a direct load is a miss that is not searched for.
struct Classes {
  Expr direct, other, late_ask;
  std::optional<Expr> deflected;
  Expr forwarded, vain_ask, own;
};

struct Shown {
  Classes by_class;
  Expr some;  // a message waits
};

Shown classes(RemoteNodeFrame& n, const FrontMiss& miss, const Expr& direct, const ProbesHere& others,
              const Searches& searches) {
  const L2Ask& ask = searches.ask;
  const Expr other = n.m.let("other", miss.request.valid & ~miss.fetch, "a request that is no miss waits");
  Expr before = direct;
  const auto shown = [&](const char* name, const Expr& waits, const char* doc) {
    const Expr shows = n.m.let(fmt::format("shows_{}", name), waits & ~before, doc);
    before = before | waits;
    return shows;
  };
  const auto deflected = [&]() -> std::optional<Expr> {
    if (!others.deflected) return {};
    return shown("deflected", others.deflected->valid, "a deflected probe");
  };
  const Classes by_class{
      .direct = direct,
      .other = shown("other", other, "a store, an atomic or a request past the L1"),
      .late_ask = shown("late_ask", ask.valid & ask.late, "a request of a search that took too long"),
      .deflected = deflected(),
      .forwarded = shown("forwarded", others.forwarded.valid, "a probe that goes on or back"),
      .vain_ask = shown("vain_ask", ask.valid & ~ask.late, "a request of a search in vain"),
      .own = shown("own", searches.probe.valid, "a probe of this core")};
  return {by_class, before};
}

struct SentProbe {
  ProbeFields fields;
  Expr destination;
};

// Fields of the probe that is shown, if one is; returns them.
ProbeFields send_probe(RemoteNodeFrame& n, const SendPort& send, const Classes& shows,
                       const ProbesHere& others, const OwnProbe& own) {
  const SentProbe mine{.fields = {.leader = own.leader,
                                  .group = n.group_of(own.entry, own.sequence),
                                  .targets = own.targets,
                                  .pointer = lit(pointer_bits(n.handler), 0),
                                  .line = own.line},
                       .destination = own.targets.slice(n.core_bits - 1, 0)};
  const auto shown = [&](const Expr& of_own, const Expr& of_forwarded, const auto& of_deflected) {
    const Expr e = mux(shows.own, of_own, of_forwarded);
    return others.deflected ? mux(shows.deflected.value(), of_deflected(*others.deflected), e) : e;
  };
  const auto field = [&](Expr ProbeFields::*f) {
    return shown(mine.fields.*f, others.forwarded.fields.*f,
                 [&](const WaitingProbe& probe) { return probe.fields.*f; });
  };
  const ProbeFields probe{.leader = field(&ProbeFields::leader),
                          .group = field(&ProbeFields::group),
                          .targets = field(&ProbeFields::targets),
                          .pointer = field(&ProbeFields::pointer),
                          .line = field(&ProbeFields::line)};
  const Expr probes = shows.own | shows.forwarded;
  n.m.assign(send.probe, shows.deflected ? probes | *shows.deflected : probes);
  n.m.assign(send.destination, shown(mine.destination, others.forwarded.destination,
                                     [](const WaitingProbe& w) { return w.destination; }));
  n.m.assign(send.leader, probe.leader);
  n.m.assign(send.targets, probe.targets);
  n.m.assign(send.pointer, probe.pointer);
  return probe;
}

// What probes and requests share, and the rest of a request.
void send_request(RemoteNodeFrame& n, const SendPort& send, const Classes& shows, const Expr& asks,
                  const ProbeFields& probe, const FrontMiss& miss, const DirectLoad& direct,
                  const Searches& searches) {
  rtl::Module& m = n.m;
  const L2Ask& ask = searches.ask;
  const Channel& down = miss.request;
  const Expr& others = shows.other;
  m.assign(send.tracked, asks);
  m.assign(send.group, mux(asks, n.group_of(ask.entry, ask.sequence), probe.group));
  const Expr asked = mux(asks, numbered(searches.lines, ask.entry, n.line_bits), probe.line);
  const Expr line = mux(shows.direct, direct.line, asked);
  m.assign(send.address, mux(others, down["address"], cat({line, lit(n.offset_bits, 0)})));
  m.assign(send.id, mux(others, down["id"], n.fetch_id(mux(asks, ask.entry, direct.entry))));
  m.assign(send.kind, down["kind"] & rtl::replicate(2, others));
  m.assign(send.mask, mux(others, down["mask"], n.whole_line()));
  m.assign(send.byte_enable, down["byte_enable"] & rtl::replicate(n.p.l1d.line_bytes, others));
  m.assign(send.data, down["data"]);
}

}  // namespace

void send_messages(RemoteNodeFrame& n, const SendPort& send, const FrontMiss& miss, const DirectLoad& direct,
                   const ProbesHere& others, const Searches& searches) {
  rtl::Module& m = n.m;
  m.section("Messages enter the network of requests one at a time.");
  const auto [shows, some] = classes(n, miss, direct.waits, others, searches);
  m.assign(send.valid, some);
  const Expr asks = m.let("shows_ask", shows.late_ask | shows.vain_ask, "a search asks L2");
  m.assign(direct.goes, shows.direct & send.ready);
  m.assign(miss.request.ready, miss.takes | (shows.other & send.ready));
  m.assign(searches.ask.take, asks & send.ready);
  m.assign(others.forwarded.ready, shows.forwarded & send.ready);
  m.assign(searches.probe.ready, shows.own & send.ready);
  if (others.deflected) m.assign(others.deflected->ready, shows.deflected.value() & send.ready);
  const ProbeFields probe = send_probe(n, send, shows, others, searches.probe);
  send_request(n, send, shows, asks, probe, miss, direct, searches);
}

}  // namespace hw
