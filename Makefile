# Short names for dev.py, which says what each does: python3 dev.py help
.PHONY: run test check setup bench lock
run test check setup bench:
	python3 dev.py $@

# Resolve the dependencies anew (needs uv on PATH). uv.lock is not used: it would name registries.
lock:
	sh requirements/lock.sh
