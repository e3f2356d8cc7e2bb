l1_arbiter.v
