crossing_fifo.v
