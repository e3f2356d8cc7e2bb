dyneb_group.v
dyneb_evaluation.v
dyneb.v
