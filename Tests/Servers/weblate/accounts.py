"""Run in `weblate shell`: makes the accounts and writes their API tokens to the state folder, in one line."""
import os

from django.apps import apps
from rest_framework.authtoken.models import Token
from weblate.auth.models import User
from weblate.utils.token import get_token

tokens = []
# `member` has the rights that projects give it, as the account of a real installation has; `throttled` is limited in test_settings.py.
for name, rules in (("admin", True), ("member", False), ("throttled", True)):
    user, _ = User.objects.get_or_create(username=name, defaults={"email": f"{name}@example.test", "full_name": name.title()})
    user.is_superuser = rules
    user.save()
    token = Token.objects.filter(user=user).first() or Token.objects.create(user=user, key=get_token("wlu"))
    tokens.append(token.key)
with open(os.environ["WEBLATE_STATE"] + "/tokens", "w") as file:
    file.write(" ".join(tokens) + "\n")
# Also writes git's identity, without which no component can be made.
apps.get_app_config("vcs").post_migrate(None)
