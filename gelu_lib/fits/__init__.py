"""Which parameters are best, by any criterion, at any number of digits."""
