"""Rules that are the same for every cloud; the rules of each cloud call them."""
