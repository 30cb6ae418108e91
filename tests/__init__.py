PATIENCE = 600  # seconds until something must have happened on however busy a machine: no test of speed
