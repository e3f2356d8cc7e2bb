#include "hw/topology/topology_parts.h"

#include <fmt/format.h>

#include "hw/topology/dc_l1_node.h"
#include "hw/topology/part.h"

namespace hw {
namespace {

constexpr int end_entries = 2;  // of the queues at cores and slices

// The core's streams of a cache as ports of `m`; pins of the cache.
Pins core_streams(rtl::Module& m, const rtl::Module& cache) {
  Pins pins = rtl::pass_on(m, rtl::stream_of(cache, "core_request"), "request");
  append(pins, rtl::pass_on(m, rtl::stream_of(cache, "core_response"), "response"));
  return pins;
}

}  // namespace

BuiltPart core_port(const PartSite& site) {
  Part part(site, "A core's end of NoC#1 (DC-L1 thesis, chapter 5).");
  rtl::Module& m = part.m;
  const End &out = part.end(0), &in = part.end(1);
  const auto request = part.passed(
      [&] { return rtl::input_stream(m, "request", Part::fields(out), "a request of the core"); });
  const auto response = part.passed(
      [&] { return rtl::output_stream(m, "response", Part::fields(in), "an answer to the core"); });
  const Link to = part.link(out), from = part.link(in);
  m.section("Requests.");
  Channel asked = part.channel("asked", out, "a request of the core");
  asked.from(m, request);
  const Channel asked_by_core = asked;
  if (out.fast) {
    const Channel front = part.channel("sent", out, "the request in front");
    part.queue(out, end_entries, "request_queue", asked, front, "Requests cross to NoC#1's clock.");
    asked = front;
  }
  part.packetise(out, "requests", asked, to, "Requests to flits.");
  m.section("Answers.");
  const Channel got = part.channel("got", in, "an answer");
  const Channel answered = part.channel("answered", in, "the answer in front");
  part.receive(in, "replies", from, got, "Flits to answers.");
  part.queue(in, end_entries, "reply_queue", got, answered, "Answers wait for the core.");
  answered.to(m, response);
  part.check_requests("responses", asked_by_core, answered);
  return part.built();
}

BuiltPart core_cache(const PartSite& site) {
  const L1d cache = l1d(site.plan.cache, site.top + "_cache");
  Part part(site, "A core's cache and its end of the network (DC-L1 thesis, chapter 5).");
  rtl::Module& m = part.m;
  const End &out = part.end(0), &in = part.end(1);
  Pins pins = part.further(cache.module);
  append(pins, part.passed([&] { return core_streams(m, cache.module); }));
  const Link to = part.link(out), from = part.link(in);
  m.section("Requests of the cache.");
  Channel asked = part.channel("asked", out, "a request of the cache");
  append(pins, asked.pins("memory_request"));
  if (out.fast) {
    const Channel front = part.channel("sent", out, "the request in front");
    part.queue(out, end_entries, "request_queue", asked, front, "Requests cross to NoC#1's clock.");
    asked = front;
  }
  part.packetise(out, "requests", asked, to, "Requests to flits.");
  m.section("Answers to it.");
  const Channel got = part.channel("got", in, "an answer");
  const Channel answered = part.channel("answered", in, "the answer in front");
  part.receive(in, "replies", from, got, "Flits to answers.");
  part.queue(in, end_entries, "reply_queue", got, answered, "Answers wait for the cache.");
  append(pins, answered.pins("memory_response"));
  m.instance(cache.module, "cache", pins, "The cache of the core.");
  return part.built(cache.facts);
}

BuiltPart node_port(const PartSite& site, const DcL1NodeParams& params) {
  const L1d node = dc_l1_node(params, site.top + "_cache_node");
  Part part(site, "A node and its ends of both networks (DC-L1 thesis, chapter 5).");
  rtl::Module& m = part.m;
  const End &out1 = part.end(0), &in1 = part.end(1), &out2 = part.end(2), &in2 = part.end(3);
  Pins pins = part.further(node.module);
  const Link from1 = part.link(in1), to1 = part.link(out1), to2 = part.link(out2), from2 = part.link(in2);
  m.section("Towards the cores.");
  const Channel asked = part.channel("asked", in1, "a request of a core");
  const Channel answered = part.channel("answered", out1, "an answer to a core");
  part.receive(in1, "requests", from1, asked, "Flits to requests.");
  part.packetise(out1, "replies", answered, to1, "Answers to flits.");
  m.section("Towards the slices.");
  const Channel missed = part.channel("missed", out2, "a request of the node");
  const Channel fetched = part.channel("fetched", in2, "an answer to the node");
  part.packetise(out2, "memory_requests", missed, to2, "Requests to flits.");
  part.receive(in2, "memory_replies", from2, fetched, "Flits to answers.");
  part.check_fetches("fills", site.plan.cache, missed, fetched);
  append(pins, asked.pins("core_request"));
  append(pins, answered.pins("core_response"));
  append(pins, missed.pins("memory_request"));
  append(pins, fetched.pins("memory_response"));
  m.instance(node.module, "node", pins, "The cache between its queues.");
  return part.built(node.facts);
}

BuiltPart relay(const PartSite& site) {
  Part part(site, "Passes packets between the stages of a hierarchical crossbar (DC-L1 thesis, chapter 5).");
  rtl::Module& m = part.m;
  const End &out1 = part.end(0), &in1 = part.end(1), &out2 = part.end(2), &in2 = part.end(3);
  const int entries = site.params.node.queue;
  const Link from1 = part.link(in1), to1 = part.link(out1), to2 = part.link(out2), from2 = part.link(in2);
  m.section("Requests.");
  const Channel asked = part.channel("asked", in1, "a request of a core");
  const Channel passed = part.channel("passed", out2, "the request in front");
  part.receive(in1, "requests", from1, asked, "Flits to requests.");
  part.queue(in1, entries, "request_queue", asked, passed, "Requests on their way.");
  part.packetise(out2, "memory_requests", passed, to2, "Requests to flits.");
  m.section("Answers.");
  const Channel fetched = part.channel("fetched", in2, "an answer");
  const Channel answered = part.channel("answered", out1, "the answer in front");
  part.receive(in2, "memory_replies", from2, fetched, "Flits to answers.");
  part.queue(out1, entries, "reply_queue", fetched, answered, "Answers on their way.");
  part.packetise(out1, "replies", answered, to1, "Answers to flits.");
  return part.built();
}

BuiltPart slice_port(const PartSite& site) {
  const std::string network = site.plan.fabrics[static_cast<std::size_t>(site.group.ends[0].fabric)]->title();
  Part part(site, fmt::format("A slice's end of {} (DC-L1 thesis, chapter {}).", network, site.plan.chapter));
  rtl::Module& m = part.m;
  const End &out = part.end(0), &in = part.end(1);
  const auto request = part.passed(
      [&] { return rtl::output_stream(m, "request", Part::fields(in), "a request to the slice"); });
  const auto response = part.passed(
      [&] { return rtl::input_stream(m, "response", Part::fields(out), "an answer of the slice"); });
  const Link from = part.link(in), to = part.link(out);
  m.section("Requests.");
  const Channel asked = part.channel("asked", in, "a request");
  const Channel front = part.channel("passed", in, "the request in front");
  part.receive(in, "requests", from, asked, "Flits to requests.");
  part.queue(in, end_entries, "request_queue", asked, front, "Requests wait for the slice.");
  front.to(m, request);
  m.section("Answers.");
  const Channel answered = part.channel("answered", out, "an answer of the slice");
  answered.from(m, response);
  part.packetise(out, "replies", answered, to, "Answers to flits.");
  return part.built();
}

}  // namespace hw
