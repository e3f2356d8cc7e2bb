fifo_n4_w331.v
fifo_n16_w2.v
lowest_of_4.v
receiver.v
