"""What a change of a stack does to Slurm, to jobs and to money, before anybody makes it."""
