"""What webhooks are made of: where events come from, whom a server may call, how a call is signed and made.

The writes are in services/webhooks.py (by people), services/telling.py (from the logs) and services/delivering.py.
"""
