dc_l1_home.v
