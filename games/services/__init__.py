"""The writes, one topic a file. Each door calls one service; services never call services.

Every write to a session goes through `writing.write`, but for actions, whose path is kept short in `play`.
"""
