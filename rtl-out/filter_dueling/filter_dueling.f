filter_dueling.v
