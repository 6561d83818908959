"""Rules that all clouds share; the rules of each cloud call them."""
