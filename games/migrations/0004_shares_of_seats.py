"""What part of a seat's result each of its players has, for the rows that are there (games.projection writes it)."""

from django.db import migrations

ADD_SHARES = """
    UPDATE games_tablerow AS row SET players = shared.players FROM (
        SELECT had.id, jsonb_agg(
            had.item || jsonb_build_object('share', CASE
                WHEN latest.credit = 'deals' AND had.whole > 0 THEN CASE
                    WHEN (had.item ->> 'deals')::int % had.whole = 0
                        THEN to_jsonb((had.item ->> 'deals')::int / had.whole)
                    ELSE to_jsonb(((had.item ->> 'deals')::int / gcd((had.item ->> 'deals')::int, had.whole))::text
                        || '/' || (had.whole / gcd((had.item ->> 'deals')::int, had.whole))::text)
                    END
                WHEN latest.credit = 'first' THEN to_jsonb((had.place = 1)::int)
                ELSE to_jsonb(((had.item ->> 'player')::bigint = latest.player_id)::int)
            END) ORDER BY had.place
        ) AS players
        FROM (
            SELECT table_row.id, table_row.session_id, table_row.seat, one.item, one.place,
                   sum((one.item ->> 'deals')::int) OVER (PARTITION BY table_row.id)::int AS whole
            FROM games_tablerow table_row, jsonb_array_elements(table_row.players) WITH ORDINALITY AS one (item, place)
        ) had
        JOIN LATERAL (
            SELECT credit, player_id FROM games_occupancy
            WHERE session_id = had.session_id AND seat = had.seat ORDER BY from_number DESC LIMIT 1
        ) latest ON true
        GROUP BY had.id
    ) shared
    WHERE row.id = shared.id AND NOT row.players @> '[{"share": 1}]'
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_people'),
    ]

    operations = [
        migrations.RunSQL(ADD_SHARES, migrations.RunSQL.noop),
    ]
