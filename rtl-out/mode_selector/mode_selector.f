mode_selector.v
