number_of.v
sharing_predictor.v
