"""Sessions of a planned number of deals, deals confirmed by a second person, cards left in the table, clubs' zones."""

import games.models.club
from django.db import migrations, models

# What `games.projection` writes from now on, for the rows that are there.
SUM_CARDS_LEFT = """
    UPDATE games_tablerow SET cards_left = summed.cards FROM (
        SELECT deal.session_id, (left_in.seat - 1)::int AS seat, sum(left_in.cards::int)::int AS cards
        FROM games_deal deal, jsonb_array_elements_text(deal.result -> 'cards_left')
            WITH ORDINALITY AS left_in (cards, seat)
        WHERE deal.counted GROUP BY deal.session_id, left_in.seat
    ) summed
    WHERE games_tablerow.session_id = summed.session_id AND games_tablerow.seat = summed.seat
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='timezone',
            field=models.CharField(default='UTC', help_text='Where the club plays, such as Europe/Warsaw: its times and dates are shown in this zone.', max_length=64, validators=[games.models.club.check_zone]),
        ),
        migrations.AddField(
            model_name='deal',
            name='awaits',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='deal',
            name='confirmed_by',
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='session',
            name='confirm',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='session',
            name='deals_planned',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='tablerow',
            name='cards_left',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunSQL(SUM_CARDS_LEFT, migrations.RunSQL.noop),
    ]
