"""The stacks: each composes components from one typed configuration."""
