warp_limit_rank.v
warp_limit.v
