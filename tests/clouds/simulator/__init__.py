"""A cloud in a folder, behind Pulumi's real plugin protocol; what belongs to one cloud lies beside this package."""
