fifo.v
probe_handler_step.v
probe_handler_way.v
probe_handler.v
