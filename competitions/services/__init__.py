"""The writes to competitions, one topic a file. Each door calls one service; services never call services.

Every write goes through `writing.write`: lock, fold, decide, append, project, in one transaction.
"""
