number_of_64.v
sharing_predictor.v
