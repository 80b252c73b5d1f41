"""Pages of competitions outside the admin: sheets to print, and files to take away."""
