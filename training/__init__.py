"""Builds the weights of the local perception from public data and our own sentences. Not part of the package."""
