"""Run in `weblate shell`: makes the administrator and writes its API token to the state folder."""
import os

from django.apps import apps
from rest_framework.authtoken.models import Token
from weblate.auth.models import User
from weblate.utils.token import get_token

user, _ = User.objects.get_or_create(username="admin", defaults={"email": "admin@example.test", "full_name": "Admin"})
user.is_superuser = True
user.save()
token = Token.objects.filter(user=user).first() or Token.objects.create(user=user, key=get_token("wlu"))
with open(os.environ["WEBLATE_STATE"] + "/token", "w") as file:
    file.write(token.key)
# Also writes git's identity, without which no component can be made.
apps.get_app_config("vcs").post_migrate(None)
