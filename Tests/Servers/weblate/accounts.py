"""Creates the accounts and writes their API tokens to the state folder on one line. Runs in `weblate shell`."""
import os

from django.apps import apps
from rest_framework.authtoken.models import Token
from weblate.auth.models import User
from weblate.utils.token import get_token

tokens = []
# `member` has only the permissions that projects grant, like the account in a real installation. `throttled` is limited in test_settings.py.
for name, rules in (("admin", True), ("member", False), ("throttled", True)):
    user, _ = User.objects.get_or_create(username=name, defaults={"email": f"{name}@example.test", "full_name": name.title()})
    user.is_superuser = rules
    user.save()
    token = Token.objects.filter(user=user).first() or Token.objects.create(user=user, key=get_token("wlu"))
    tokens.append(token.key)
with open(os.environ["WEBLATE_STATE"] + "/tokens", "w") as file:
    file.write(" ".join(tokens) + "\n")
# This also sets git's identity, without which components cannot be created.
apps.get_app_config("vcs").post_migrate(None)
