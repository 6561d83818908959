"""A cloud that only tests know: what one has to write for a further cloud without an SDK, and nothing else."""
