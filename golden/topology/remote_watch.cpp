#include "golden/topology/remote_watch.h"

#include <utility>

namespace golden {

constexpr std::array<const char*, RemoteWatch::events> RemoteWatch::names{
    "a miss to a line that was stored to",
    "a miss of an entry with a late reply",
    "a miss that is not searched for",
    "a line of a core",
    "a line of a core beside that of L2",
    "a line of a core that is of no use",
    "a search in vain",
    "a search that takes too long",
    "an own probe is back",
    "an own probe is back too late",
    "a leader comes",
    "a scout comes",
    "a leader is deflected",
    "a scout is deflected",
    "a probe is deflected at its last core",
    "a line for another core",
    "a line for another core waits",
    "a reply waits for the core",
    "a message waits for the mesh"};

RemoteWatch::RemoteWatch(const hw::RemoteNodeParams& p, Holders holders)
    : p_(p),
      holders_(std::move(holders)),
      second_(static_cast<std::size_t>(p.l1d.mshr_entries)),
      states_(static_cast<std::size_t>(p.l1d.mshr_entries)) {
  figures_.supplied.resize(static_cast<std::size_t>(p.cores));
  figures_.able.resize(static_cast<std::size_t>(p.cores));
  figures_.losses.emplace();
}

void RemoteWatch::look(const RemoteNode& node) {
  able_.clear();
  if (node.takes() && judged(node)) holders_(node.missed_line(), [this](int core) { able_.push_back(core); });
}

void RemoteWatch::edge(const RemoteNode& node, const RemoteNode::In& in, const RemoteNode::Out& out) {
  if (in.rst) return;
  watch_miss(node);
  watch_searches(node, in, out.reply_ready);
  if (in.probe) watch_probe(node, *in.probe);
  seen_[supplied_line] += out.supply && in.supply_ready;
  seen_[waiting_supply] += out.supply && !in.supply_ready;
  seen_[waiting_answer] += in.reply && !out.reply_ready;
  seen_[waiting_send] += out.send && !in.send_ready;
}

void RemoteWatch::watch_miss(const RemoteNode& node) {
  if (!node.takes()) return;
  ++figures_.misses;
  if (!p_.remote.enable) return;
  seen_[written_miss] += p_.remote.own_store_guard && node.written();
  seen_[owed_miss] += node.owed();
  if (!judged(node)) {
    ++figures_.filtered;
    return;
  }
  for (const int core : able_) ++figures_.able[static_cast<std::size_t>(core)];
  figures_.shared += !able_.empty();
  figures_.searches += node.shared();
  figures_.right += node.shared() && !able_.empty();
  seen_[unsearched_miss] += !node.shared();
}

void RemoteWatch::watch_searches(const RemoteNode& node, const RemoteNode::In& in, bool taken) {
  using State = ProbeTable::State;
  const std::vector<ProbeTable::Entry>& entries = node.table().entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const bool asks = entries[e].state == State::ask_l2 && states_[e] != State::ask_l2;
    figures_.losses->timed_out += asks && entries[e].timed_out;
    seen_[late_search] += asks && entries[e].timed_out;
    seen_[vain_searches] += asks && !entries[e].timed_out;
    states_[e] = entries[e].state;
    if (entries[e].state == State::targets) second_[e] = false;
  }
  if (in.reply && in.reply->core && taken) watch_line(node, *in.reply);
  if (const auto begun = node.begins()) {
    figures_.probes += static_cast<unsigned>(begun->probes);
    second_[begun->entry] = !begun->list;
  }
}

void RemoteWatch::watch_line(const RemoteNode& node, const RemoteNode::Reply& reply) {
  using State = ProbeTable::State;
  seen_[useless_line] += !node.fills();
  if (!node.fills()) return;
  const std::size_t entry = node.entry_of(reply.group);
  const State state = states_[entry];
  ++figures_.supplied[static_cast<std::size_t>(reply.supplier)];
  ++(second_[entry] ? figures_.by_candidate : figures_.by_leader);
  ++seen_[used_line];
  figures_.losses->late += state == State::wait_l2;
  seen_[late_line] += state == State::wait_l2;
}

void RemoteWatch::watch_probe(const RemoteNode& node, const Probe& probe) {
  using State = ProbeTable::State;
  if (node.returns(probe)) {
    const State state = states_[node.entry_of(probe.group)];
    ++seen_[own_probe_back];
    seen_[useless_return] += state != State::level1 && state != State::level2;
    return;
  }
  ++seen_[probe.leader ? leader_here : scout_here];
  const ProbeHandler::In comes{.probe = probe};
  if (!node.handler().deflects(comes)) return;
  const bool lost = node.handler().drops(comes);
  ++figures_.losses->deflected;
  figures_.losses->dropped += lost;
  if (lost) return;
  ++seen_[probe.leader ? deflected_leader : deflected_scout];
  seen_[deflected_at_its_end] += probe.behind(false).returns();
}

bool RemoteWatch::expected(Event event) const {
  const hw::RemoteParams& r = p_.remote;
  const bool scouts = r.probes > 1 && r.coverage > 1, hurries = r.timeout <= 128,
             deflects = r.incoming == 2 && r.deflected > 0 && r.wait_limit > 1;
  switch (event) {
    case written_miss:
      return r.own_store_guard;
    case unsearched_miss:
      return r.predictor.kind == hw::PredictorKind::pc && r.predictor.window[0] <= 16;
    case scout_here:
      return scouts;
    case owed_miss:
    case late_line:
    case late_search:
    case useless_return:
      return hurries;
    case useless_line:  // of one target it is there in time, or hardly ever
      return hurries && r.coverage > 1;
    case deflected_scout:
      return deflects && scouts;
    case deflected_leader:
    case deflected_at_its_end:
      return deflects;
    default:
      return true;
  }
}

void RemoteWatch::notify(TopologyFigures& figures) const {
  const auto add = [](std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& more) {
    sum.resize(more.size());
    for (std::size_t n = 0; n < more.size(); ++n) sum[n] += more[n];
  };
  if (!figures.remote) figures.remote.emplace().losses.emplace();
  RemoteFigures& all = *figures.remote;
  for (const auto member : {&RemoteFigures::misses, &RemoteFigures::filtered, &RemoteFigures::shared,
                            &RemoteFigures::searches, &RemoteFigures::right, &RemoteFigures::probes,
                            &RemoteFigures::by_leader, &RemoteFigures::by_candidate})
    all.*member += figures_.*member;
  add(all.supplied, figures_.supplied);
  add(all.able, figures_.able);
  using Losses = RemoteFigures::Losses;
  for (const auto member : {&Losses::timed_out, &Losses::late, &Losses::deflected, &Losses::dropped})
    (*all.losses).*member += (*figures_.losses).*member;
}

void RemoteWatch::count(EventCounts& counts) const {
  for (int event = 0; event < events; ++event)
    if (expected(static_cast<Event>(event)))
      counts[names[static_cast<std::size_t>(event)]] += seen_[static_cast<std::size_t>(event)];
}

}  // namespace golden
