stage    = "dev"
topology = "2x2"
replicas = 1
