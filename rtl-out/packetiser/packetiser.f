packetiser.v
