"""Serbian dates in figures: after a day the month would have to be declined, which it is not."""

DATE_FORMAT = "j. n. Y."
DATETIME_FORMAT = "j. n. Y. H:i"
