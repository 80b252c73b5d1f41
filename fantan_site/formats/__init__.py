"""Dates and times of languages whose usual forms, as Django has them, are not those of a club's notice board."""
