"""What every proof is made of: balls, enclosures, solutions, pieces, roots, tails."""
