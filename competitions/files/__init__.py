"""Tables in files, CSV and XLSX, both ways.

Pure Python: nothing here knows a database or a framework. `reading` reads and writes tables of texts, `columns` gives
them types, and there is one file for each table that people bring and take: `entries`, `results`, `standings`. What a
file writes it reads again, unchanged, whatever the texts in it are.
"""
