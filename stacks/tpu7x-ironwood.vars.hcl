project = "demo"
