blpp_counters_sum.v
blpp_counters.v
blpp_evaluate_left.v
blpp_evaluate_right.v
blpp_evaluate.v
blpp_place.v
blpp.v
