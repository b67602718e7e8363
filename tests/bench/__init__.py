"""The benches: fair, and honest about what they found."""
