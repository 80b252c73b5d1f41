"""Measurements of speed and size, each against a yardstick in the same run (docs/performance.md).

Started by `python3 dev.py bench [NAME…]`, which brings the yardsticks and throw-away servers. Never part of a test.
"""
