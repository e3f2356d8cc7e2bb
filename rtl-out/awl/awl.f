awl.v
