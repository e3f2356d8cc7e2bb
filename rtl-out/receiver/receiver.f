fifo.v
receiver.v
