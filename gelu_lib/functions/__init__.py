"""What are Φ, GELU, the families and their series, exactly: one SymPy expression each."""
