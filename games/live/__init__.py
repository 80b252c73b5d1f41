"""Server-Sent Events: streams of sessions that begin with where things stand and go on with what happens.

- `frames`: what goes over the wire. `topics`: what can be watched, and by whom. `sessions`: the messages of a session.
- `views`: the addresses, which check a request like every other and give the messages there are so far.
- `hub`, `readers`, `wire`, `serving`: the process that keeps streams open (fantan_site/asgi.py).
"""
