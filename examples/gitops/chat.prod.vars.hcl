stage    = "prod"
topology = "4x4"
replicas = 2
