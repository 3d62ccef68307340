"""What proves that parameters are the best, and how large an error is."""
