route_select_home.v
route_select.v
