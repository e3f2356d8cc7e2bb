lowest_of_4.v
packetiser.v
