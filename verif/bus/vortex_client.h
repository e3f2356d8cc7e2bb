// A stand-in of what the open GPU Vortex has around its data cache, written from the names, widths and order
// of its interface: the package, the memory bus with its tag of uuid and value, the arbiter of several cores,
// and the cluster that instantiates the cache.
#pragma once
#include <string>

namespace verif {

// `instance` is what stands in the cluster for each cache.
inline std::string vortex_client(const std::string& instance) {
  return std::string(R"(// verilator lint_off DECLFILENAME
// verilator lint_off UNUSEDPARAM
`define PERF_ENABLE
`define MEM_ADDR_WIDTH 32
`define MEM_REQ_FLAGS_WIDTH 3

package VX_gpu_pkg;
  typedef struct packed {
    logic [43:0] reads, writes, read_misses, write_misses, bank_stalls, mshr_stalls, mem_stalls, crsp_stalls;
  } cache_perf_t;
endpackage

interface VX_mem_bus_if #(
  parameter DATA_SIZE = 1, parameter FLAGS_WIDTH = `MEM_REQ_FLAGS_WIDTH, parameter TAG_WIDTH = 1,
  parameter MEM_ADDR_WIDTH = `MEM_ADDR_WIDTH, parameter ADDR_WIDTH = MEM_ADDR_WIDTH - $clog2(DATA_SIZE),
  parameter UUID_WIDTH = `UUID_WIDTH
) ();
  typedef struct packed {
    logic [UUID_WIDTH-1:0] uuid;
    logic [TAG_WIDTH-UUID_WIDTH-1:0] value;
  } tag_t;
  typedef struct packed {
    logic rw;
    logic [ADDR_WIDTH-1:0] addr;
    logic [DATA_SIZE*8-1:0] data;
    logic [DATA_SIZE-1:0] byteen;
    logic [FLAGS_WIDTH-1:0] flags;
    tag_t tag;
  } req_data_t;
  typedef struct packed {
    logic [DATA_SIZE*8-1:0] data;
    tag_t tag;
  } rsp_data_t;
  logic req_valid, req_ready, rsp_valid, rsp_ready;
  req_data_t req_data;
  rsp_data_t rsp_data;
  modport master (output req_valid, req_data, rsp_ready, input req_ready, rsp_valid, rsp_data);
  modport slave (input req_valid, req_data, rsp_ready, output req_ready, rsp_valid, rsp_data);
endinterface

// Two cores in turn; the number of the core is the lowest bit of the tag's value.
module two_cores #(parameter TAG_WIDTH = 1, parameter UUID_WIDTH = `UUID_WIDTH) (
  input wire clk, input wire reset, VX_mem_bus_if.slave in0, VX_mem_bus_if.slave in1, VX_mem_bus_if.master out
);
  localparam VALUE = TAG_WIDTH - UUID_WIDTH;
  logic turn, waits_q, chosen_q;
  wire chosen = waits_q ? chosen_q : (turn ? in1.req_valid : ~in0.req_valid);
  assign out.req_valid = in0.req_valid | in1.req_valid;
  assign out.req_data.rw = chosen ? in1.req_data.rw : in0.req_data.rw;
  assign out.req_data.addr = chosen ? in1.req_data.addr : in0.req_data.addr;
  assign out.req_data.data = chosen ? in1.req_data.data : in0.req_data.data;
  assign out.req_data.byteen = chosen ? in1.req_data.byteen : in0.req_data.byteen;
  assign out.req_data.flags = chosen ? in1.req_data.flags : in0.req_data.flags;
  assign out.req_data.tag.uuid = chosen ? in1.req_data.tag.uuid : in0.req_data.tag.uuid;
  assign out.req_data.tag.value[VALUE:1] = chosen ? in1.req_data.tag.value : in0.req_data.tag.value;
  assign out.req_data.tag.value[0] = chosen;
  assign in0.req_ready = out.req_ready & ~chosen;
  assign in1.req_ready = out.req_ready & chosen;
  wire to = out.rsp_data.tag.value[0];
  assign in0.rsp_valid = out.rsp_valid & ~to;
  assign in1.rsp_valid = out.rsp_valid & to;
  assign out.rsp_ready = to ? in1.rsp_ready : in0.rsp_ready;
  assign in0.rsp_data.data = out.rsp_data.data;
  assign in1.rsp_data.data = out.rsp_data.data;
  assign in0.rsp_data.tag.uuid = out.rsp_data.tag.uuid;
  assign in1.rsp_data.tag.uuid = out.rsp_data.tag.uuid;
  assign in0.rsp_data.tag.value = out.rsp_data.tag.value[VALUE:1];
  assign in1.rsp_data.tag.value = out.rsp_data.tag.value[VALUE:1];
  always_ff @(posedge clk) begin
    chosen_q <= chosen;
    waits_q <= ~reset & out.req_valid & ~out.req_ready;
    turn <= ~reset & (out.req_valid & out.req_ready ? ~chosen : turn);
  end
endmodule

module VX_cache_cluster import VX_gpu_pkg::*; #(
  parameter NUM_UNITS = 1, parameter NUM_INPUTS = 1, parameter NUM_REQS = 1, parameter MEM_PORTS = 1,
  parameter LINE_SIZE = 64, parameter WORD_SIZE = 16, parameter WRITE_ENABLE = 1,
  parameter UUID_WIDTH = `UUID_WIDTH, parameter TAG_WIDTH = 1, parameter MEM_TAG_WIDTH = 1
) (
  input wire clk, input wire reset, output cache_perf_t cache_perf,
  VX_mem_bus_if.slave core_bus_if [NUM_INPUTS * NUM_REQS], VX_mem_bus_if.master mem_bus_if [MEM_PORTS]
);
  localparam NUM_CACHES = NUM_UNITS;
  localparam PASSTHRU = NUM_UNITS == 0;
  localparam ARB_TAG_WIDTH = TAG_WIDTH + $clog2(NUM_INPUTS);
  cache_perf_t perf_cache_unit [NUM_CACHES];
  assign cache_perf = perf_cache_unit[0];
  VX_mem_bus_if #(.DATA_SIZE(LINE_SIZE), .TAG_WIDTH(MEM_TAG_WIDTH))
      cache_mem_bus_if [NUM_CACHES * MEM_PORTS] ();
  VX_mem_bus_if #(.DATA_SIZE(WORD_SIZE), .TAG_WIDTH(ARB_TAG_WIDTH))
      arb_core_bus_if [NUM_CACHES * NUM_REQS] ();
  if (NUM_INPUTS == 2) begin : g_core_arb
    two_cores #(.TAG_WIDTH(TAG_WIDTH)) core_arb (
      .clk, .reset, .in0(core_bus_if[0]), .in1(core_bus_if[1]), .out(arb_core_bus_if[0]));
  end else begin : g_core_bus
    for (genvar i = 0; i < NUM_REQS; ++i) begin : g_i
      assign arb_core_bus_if[i].req_valid = core_bus_if[i].req_valid;
      assign arb_core_bus_if[i].req_data = core_bus_if[i].req_data;
      assign core_bus_if[i].req_ready = arb_core_bus_if[i].req_ready;
      assign core_bus_if[i].rsp_valid = arb_core_bus_if[i].rsp_valid;
      assign core_bus_if[i].rsp_data = arb_core_bus_if[i].rsp_data;
      assign arb_core_bus_if[i].rsp_ready = core_bus_if[i].rsp_ready;
    end
  end
  for (genvar i = 0; i < MEM_PORTS; ++i) begin : g_mem_bus
    assign mem_bus_if[i].req_valid = cache_mem_bus_if[i].req_valid;
    assign mem_bus_if[i].req_data = cache_mem_bus_if[i].req_data;
    assign cache_mem_bus_if[i].req_ready = mem_bus_if[i].req_ready;
    assign cache_mem_bus_if[i].rsp_valid = mem_bus_if[i].rsp_valid;
    assign cache_mem_bus_if[i].rsp_data = mem_bus_if[i].rsp_data;
    assign mem_bus_if[i].rsp_ready = cache_mem_bus_if[i].rsp_ready;
  end
  for (genvar i = 0; i < NUM_CACHES; ++i) begin : g_cache_wrap
)") + instance +
         R"(
  end
endmodule
)";
}

}  // namespace verif
