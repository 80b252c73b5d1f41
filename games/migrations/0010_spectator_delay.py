from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_webhooks'),
    ]

    operations = [
        migrations.AddField(
            model_name='session',
            name='spectator_delay',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
    ]
