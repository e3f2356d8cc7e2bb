fifo_n8_w86.v
fifo_n4_w86.v
probe_handler_step.v
probe_handler_way.v
fifo_n2_w86.v
fifo_n4_w1056.v
probe_handler.v
