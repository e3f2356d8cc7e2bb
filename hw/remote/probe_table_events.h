// What the events of a cycle find in the probe table, a part for each: replies, returning probes, searches
// that take too long, requests to L2, lists of targets and misses.
#pragma once
#include <optional>
#include <utility>

#include "hw/remote/probe_table_ports.h"
#include "hw/remote/probe_table_stages.h"

namespace hw {

LineArrived line_arrived(const TableParts& t, const ProbeTablePorts::Reply& reply);

ProbeReturned probe_returned(const TableParts& t, const ProbeTablePorts::Return& back);

// `line`: ends its search where a core has sent it.
std::pair<SearchQueue, QueueChanges> search_queue(const TableParts& t, const ProbeTablePorts::Miss& miss,
                                                  const LineArrived& line);

// Returns the entry whose request to L2 is sent.
rtl::Expr l2_asked(const TableParts& t, const ProbeTablePorts::Ask& ask, const QueueChanges& changes);

LeaderSent leader_sent(const TableParts& t, const ProbeTablePorts::Leader& leader,
                       const rtl::Expr& free_slots);

// A leader goes before a list.
ListTaken list_taken(const TableParts& t, const ProbeTablePorts::List& list,
                     const ProbeTablePorts::Probe& probe, const SearchQueue& queue,
                     const std::optional<LeaderSent>& leader, const rtl::Expr& waits_no_longer);

SearchBegun search_begun(const TableParts& t, const ProbeTablePorts::Miss& miss, const rtl::Expr& begins);

}  // namespace hw
