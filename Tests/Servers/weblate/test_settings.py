"""Weblate's own example settings, with changes from the environment for a test server on loopback."""
import os
import pathlib
import re

import weblate

_state = os.environ["WEBLATE_STATE"]
_settings = pathlib.Path(weblate.__file__).with_name("settings_example.py").read_text()
for _old, _new in (
    ('SITE_DOMAIN = ""', f'SITE_DOMAIN = "127.0.0.1:{os.environ["WEBLATE_PORT"]}"'),
    ("DEBUG = True", "DEBUG = False"),
    ('DATA_DIR = "/home/weblate/data"', f"DATA_DIR = {_state + '/data'!r}"),
    ('SECRET_KEY = ""', f"SECRET_KEY = {'x' * 50!r}"),
):
    if _old not in _settings:
        raise RuntimeError(f"settings_example.py of this Weblate lacks {_old!r}")
    _settings = _settings.replace(_old, _new, 1)
# With the default rate limits, a longer run would fail.
_settings = re.sub(r'"(?:100/day|5000/hour)"', '"1000000/hour"', _settings)
exec(compile(_settings, "settings_example.py", "exec"))

STATIC_ROOT = os.environ["WEBLATE_STATIC"]
DATABASES["default"].update(NAME="weblate", USER="weblate", PASSWORD="", HOST=_state + "/sockets", PORT="")
CACHES["default"]["LOCATION"] = f"unix://{_state}/redis.sock?db=1"
# One account has a real rate limit, so that the server responds with 429.
API_RATELIMIT_USER_OVERRIDES = {"throttled": "20/minute"}
# Background tasks run within the request, so that their work is done when the server responds, or otherwise in a worker.
CELERY_TASK_ALWAYS_EAGER = os.environ.get("WEBLATE_WORKER", "0") != "1"
CELERY_BROKER_URL = "memory://" if CELERY_TASK_ALWAYS_EAGER else f"redis+socket://{_state}/redis.sock"
CELERY_RESULT_BACKEND = None if CELERY_TASK_ALWAYS_EAGER else CELERY_BROKER_URL
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = f"{_state}/mail"
ALLOWED_HOSTS = ["*"]
REGISTRATION_OPEN = False
ENABLE_AVATARS = False
WEBSITE_ALERTS_ENABLED = False
# `migrate` refuses an origin with plain HTTP.
OTP_WEBAUTHN_ALLOWED_ORIGINS = ["https://localhost"]
