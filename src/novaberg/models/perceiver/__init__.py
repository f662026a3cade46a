"""The trained part of the local perception: sentence encoders, hashed n-grams, and heads over both.

It stands beside ``models/builtin`` and not inside it, because it is used beside any model (``NOVABERG_PERCEPTION=local``)
and knows nothing of the built-in model's rules and word lists; the built-in perception fuses both. Inference needs numpy
and the two encoder packages, nothing else; the heads are trained by ``training/`` outside the package.
"""
