"""One node, one file, under the name that its log rows carry."""
