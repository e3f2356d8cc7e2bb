// The modules of Verilog benches as text: @NAME@ stands for a width, a prefix or a name that testbench.cpp
// fills in.
#pragma once

namespace gen {

inline constexpr const char* core_text = R"(
// A core: random loads and stores to lines of its own, and what every answer has to be.
module @TOP@_bench_core #(
  parameter NUMBER = 0,
  parameter REQUESTS = 1000
) (
  input wire clk,
  input wire rst,
  output reg request_valid,
  input wire request_ready,
  output reg [@ID@-1:0] request_id,
  output reg [@KIND@-1:0] request_kind,
  output reg [@A@-1:0] request_address,
  output reg [@C@-1:0] request_mask,
  output reg [@B@-1:0] request_byte_enable,
  output reg [@D@-1:0] request_data,
  input wire response_valid,
  output reg response_ready,
  input wire [@ID@-1:0] response_id,
  input wire [@C@-1:0] response_mask,
  input wire [@D@-1:0] response_data,
  output wire done,
  output reg failed
);

  reg [@D@-1:0] lines [0:@LINES@-1];  // as the stores accepted so far leave them
  reg [@IDS@-1:0] in_flight;  // requests without an answer yet, by id
  reg [@C@-1:0] masks [0:@IDS@-1];  // of the answer: 0 for a store
  reg [@D@-1:0] expected [0:@IDS@-1];  // what a load has to find
  reg [@NB@-1:0] line;  // of the request that stands
  integer seed, sent, drawn, answered, quiet, n, w;
  reg [@C@-1:0] chunks;
  reg [31:0] draw;

  assign done = answered == REQUESTS;

  task fail(input [8*40-1:0] why);
    begin
      if (!failed) $display("FAILED: core %0d, cycle %0d, id %0d: %0s", NUMBER, $time / 4, response_id, why);
      failed <= 1'b1;
    end
  endtask

  initial begin
    for (n = 0; n < @LINES@; n = n + 1)
      for (w = 0; w < @W@; w = w + 1)
        lines[n][w * 32 +: 32] = (NUMBER * @LINES@ + n) * 32'h9e3779b1 ^ w * 32'h85ebca6b;
    seed = NUMBER + 1;
    in_flight = 0;
    sent = 0;
    drawn = 0;
    answered = 0;
    quiet = 0;
    failed = 1'b0;
    request_valid = 1'b0;
    response_ready = 1'b0;
  end

  always @(posedge clk) if (!rst) begin
    // Each request is answered once, with its mask and the data of the store before it.
    quiet = done ? 0 : quiet + 1;
    if (quiet == 10000) fail("no answer for 10000 cycles");
    if (response_valid & response_ready) begin
      quiet = 0;
      n = response_id;
      if (n >= @IDS@ || !in_flight[n]) fail("an answer to no request");
      else begin
        if (response_mask !== masks[n]) fail("the mask of the answer");
        for (w = 0; w < @C@; w = w + 1)
          if (masks[n][w] &&
              response_data[w * 8 * @CB@ +: 8 * @CB@] !== expected[n][w * 8 * @CB@ +: 8 * @CB@])
            fail("the data of the answer");
        in_flight[n] = 1'b0;
        answered = answered + 1;
      end
    end
    response_ready <= ($random(seed) & 3) != 0;

    // A request is taken: it takes effect now.
    if (request_valid & request_ready) begin
      n = request_id;
      in_flight[n] = 1'b1;
      masks[n] = request_kind == 0 ? request_mask : 0;
      expected[n] = lines[line];
      if (request_kind == 1)
        for (w = 0; w < @B@; w = w + 1)
          if (request_byte_enable[w]) lines[line][w * 8 +: 8] = request_data[w * 8 +: 8];
      sent = sent + 1;
    end

    // The next one.
    if (request_ready | !request_valid) begin
      request_valid <= 1'b0;
      draw = $random(seed);
      if (drawn < REQUESTS && draw[1:0] != 0 && !in_flight[drawn % @IDS@]) begin
        request_valid <= 1'b1;
        request_id <= drawn % @IDS@;
        request_kind <= draw[3:2] == 0;
        line = draw[4 +: @NB@];
        request_address <= NUMBER << (@STRIDE@ + 2) | line[@LOW@ +: 2] << @STRIDE@ | line[0 +: @LOW@] << @OFFSET@;
        chunks = draw[16 +: 16];
        if (chunks == 0) chunks = 1;
        request_mask <= chunks;
        for (w = 0; w < @W@; w = w + 1) request_data[w * 32 +: 32] <= $random(seed);
        for (w = 0; w < @B@; w = w + 1)
          request_byte_enable[w] <= draw[3:2] == 0 && chunks[w / @CB@] && ($random(seed) & 1) == 1;
        drawn = drawn + 1;
      end
    end
  end

endmodule
)";

inline constexpr const char* memory_text = R"(
// The memory below: applies requests in order, answers late and not always in order.
module @TOP@_bench_memory #(
  parameter NUMBER = 0
) (
  input wire clk,
  input wire rst,
  input wire request_valid,
  output reg request_ready,
  input wire [@MID@-1:0] request_id,
  input wire [@KIND@-1:0] request_kind,
  input wire [@A@-1:0] address,
  input wire [@C@-1:0] request_mask,
  input wire [@B@-1:0] request_byte_enable,
  input wire [@D@-1:0] request_data,
  output reg response_valid,
  input wire response_ready,
  output reg [@MID@-1:0] response_id,
  output reg [@C@-1:0] response_mask,
  output reg [@D@-1:0] response_data
);

  reg [@D@-1:0] lines [0:@ALL@-1];
  // answers to come, the oldest at 0
  reg [@MID@-1:0] ids [0:15];
  reg [@C@-1:0] masks [0:15];
  reg [@D@-1:0] datas [0:15];
  integer seed, count, pick, n, w;
  wire [@IB@-1:0] index = @INDEX@;

  initial begin
    for (n = 0; n < @ALL@; n = n + 1)
      for (w = 0; w < @W@; w = w + 1) lines[n][w * 32 +: 32] = n * 32'h9e3779b1 ^ w * 32'h85ebca6b;
    seed = 1000 + NUMBER;
    count = 0;
    request_ready = 1'b0;
    response_valid = 1'b0;
  end

  always @(posedge clk) if (!rst) begin
    if (request_valid & request_ready) begin
      if (request_kind == 1)
        for (w = 0; w < @B@; w = w + 1)
          if (request_byte_enable[w]) lines[index][w * 8 +: 8] = request_data[w * 8 +: 8];
      ids[count] = request_id;
      masks[count] = request_kind == 1 ? 0 : request_mask;
      datas[count] = lines[index];
      count = count + 1;
    end
    if (response_ready | !response_valid) begin
      response_valid <= 1'b0;
      if (count > 0 && ($random(seed) & 1) == 1) begin
        pick = ($random(seed) & 32'h7fffffff) % count;
        response_valid <= 1'b1;
        response_id <= ids[pick];
        response_mask <= masks[pick];
        response_data <= datas[pick];
        for (n = pick; n < 15; n = n + 1) begin
          ids[n] = ids[n + 1];
          masks[n] = masks[n + 1];
          datas[n] = datas[n + 1];
        end
        count = count - 1;
      end
    end
    request_ready <= count < 14 && ($random(seed) & 3) != 0;
  end

endmodule
)";

inline constexpr const char* axi_text = R"(
// The AXI4 memory below: a write and a read at a time, each late.
module @TOP@_bench_memory (
  input wire clk,
  input wire rst,
  input wire [@AXI_ID@-1:0] awid,
  input wire [@A@-1:0] awaddr,
  input wire awvalid,
  output wire awready,
  input wire [@AXI_D@-1:0] wdata,
  input wire [@AXI_B@-1:0] wstrb,
  input wire wlast,
  input wire wvalid,
  output wire wready,
  output reg [@AXI_ID@-1:0] bid,
  output reg bvalid,
  input wire bready,
  input wire [@AXI_ID@-1:0] arid,
  input wire [@A@-1:0] araddr,
  input wire [7:0] arlen,
  input wire arvalid,
  output wire arready,
  output reg [@AXI_ID@-1:0] rid,
  output reg [@AXI_D@-1:0] rdata,
  output reg rlast,
  output reg rvalid,
  input wire rready
);

  reg [@D@-1:0] lines [0:@ALL@-1];
  reg writing, reading, stall;  // an address was taken
  reg [@A@-1:0] write_address, read_address;
  reg [7:0] beats;  // of the read still to come
  integer seed, n, w;

  function [@IB@-1:0] index(input [@A@-1:0] address);
    index = @INDEX@;
  endfunction
  function integer part(input [@A@-1:0] address);  // of the line, in bus widths
    part = address / @AXI_B@ % @BEATS@;
  endfunction

  assign awready = !writing & !bvalid & !stall;
  assign wready = writing & !stall;
  assign arready = !reading & !rvalid & !stall;

  initial begin
    for (n = 0; n < @ALL@; n = n + 1)
      for (w = 0; w < @W@; w = w + 1) lines[n][w * 32 +: 32] = n * 32'h9e3779b1 ^ w * 32'h85ebca6b;
    seed = 1000;
    writing = 1'b0;
    reading = 1'b0;
    stall = 1'b1;
    bvalid = 1'b0;
    rvalid = 1'b0;
  end

  always @(posedge clk) if (!rst) begin
    stall <= ($random(seed) & 3) == 0;
    if (awvalid & awready) begin
      writing <= 1'b1;
      bid <= awid;
      write_address <= awaddr;
    end
    if (wvalid & wready) begin
      for (w = 0; w < @AXI_B@; w = w + 1)
        if (wstrb[w])
          lines[index(write_address)][(part(write_address) * @AXI_B@ + w) * 8 +: 8] = wdata[w * 8 +: 8];
      write_address <= write_address + @AXI_B@;
      if (wlast) begin
        writing <= 1'b0;
        bvalid <= 1'b1;
      end
    end
    if (bvalid & bready) bvalid <= 1'b0;

    if (arvalid & arready) begin
      reading <= 1'b1;
      rid <= arid;
      read_address <= araddr;
      beats <= arlen;
    end
    if (rvalid & rready) rvalid <= 1'b0;
    if (reading & !stall & (!rvalid | rready)) begin
      rvalid <= 1'b1;
      rdata <= lines[index(read_address)][part(read_address) * @AXI_D@ +: @AXI_D@];
      rlast <= beats == 0;
      read_address <= read_address + @AXI_B@;
      beats <= beats - 8'd1;
      if (beats == 0) reading <= 1'b0;
    end
  end

endmodule
)";

inline constexpr const char* end_text = R"(
  // The clock, two time units half a period; a faster one of a network has its edges where this one has.
  initial begin
    clk = 1'b0;
    rst = 1'b1;
    flush_valid = 1'b0;
    seed = 77;
    cycles = 0;
    repeat (5) @(posedge clk);
    rst <= 1'b0;
  end
  always #2 clk = ~clk;

  always @(posedge clk) begin
    if (!rst) flush_valid <= flush_valid ? !flush_ready : ($random(seed) & 255) == 0;
    cycles = cycles + 1;
    if (|failed) $finish;
    else if (&done) begin
      $display("PASSED: %0d requests, %0d cycles", @CORES@ * REQUESTS, cycles);
      $finish;
    end
  end

endmodule
)";

}  // namespace gen
