blpp_counters.v
blpp_evaluate.v
blpp_place.v
blpp.v
