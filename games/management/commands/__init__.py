"""One command a file; `python manage.py help` lists them."""
