"""What a stack's file comes to, recorded from its program without an engine and without a cloud."""
