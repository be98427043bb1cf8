#!/usr/bin/env python3
"""Runs rounds with Kallithea, a real forge for which Dragoman has no adapter, over its smart HTTP with accounts and hooks.

    eval "$(Tests/Servers/kallithea.sh up)"; kallithea_rounds.py --dragoman BIN [--keep]

The script creates the repository and accounts through Kallithea's API. Simulated people push, open a pull request in the web form and merge;
Dragoman delivers a branch. Kallithea's push hook calls Dragoman's webhook as described in docs/operating.md for servers without webhooks. The
script then tests a read-only account, a wrong password, and a renamed repository.
"""
import argparse, html, http.cookiejar, json, os, re, shutil, socket, subprocess, sys, tempfile, time, urllib.parse, urllib.request, uuid

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../Fleet"))
from daemon import Daemon
from project import git

CATALOG = "App/Localizable.xcstrings"
SECRET = "a-secret-of-some-length"
failures = []

def check(holds, what, more=""):
    print(("  ok    " if holds else "  FAIL  ") + what + (f": {more}" if more and not holds else ""), flush=True)
    if not holds:
        failures.append(what)

def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]

class Kallithea:
    def __init__(self, url, key, folder):
        self.url, self.key, self.folder = url, key, folder

    def call(self, method, **arguments):
        body = json.dumps({"id": 1, "api_key": self.key, "method": method, "args": arguments}).encode()
        request = urllib.request.Request(self.url + "/_admin/api", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            found = json.load(response)
        if found["error"]:
            raise SystemExit(f"{method}: {found['error']}")
        return found["result"]

    def place(self, repository, account):
        return f"{self.url.replace('://', f'://{account}:{account}-password-1@')}/{repository}"

    def branch(self, repository, name):
        """Returns the newest commit of a branch, or None if the branch has no commit."""
        lines = git("/", "ls-remote", self.place(repository, "ann"), f"refs/heads/{name}")
        return lines.split()[0] if lines else None

    def open_pull_request(self, repository, source, target, title):
        """Fills in the web form as a person does, because the API has no call for it."""
        jar = http.cookiejar.CookieJar()
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        def page(path, **fields):
            data = urllib.parse.urlencode(fields).encode() if fields else None
            with browser.open(self.url + path, data, timeout=60) as response:
                return response.geturl(), response.read().decode()
        def token(text):
            return re.search(r'_session_csrf_secret_token"[^>]*value="([0-9]+)', text).group(1)
        _, text = page("/_admin/login")
        page("/_admin/login", username="ann", password="ann-password-1", _session_csrf_secret_token=token(text))
        _, text = page(f"/{repository}/pull-request/new")
        def revision(branch):
            return html.unescape(re.search(f"branch:{re.escape(branch)}:[0-9a-f]{{40}}", text).group(0))
        place, text = page(f"/{repository}/pull-request/new", _session_csrf_secret_token=token(text), pullrequest_title=title, pullrequest_desc="",
                           org_repo=repository, other_repo=repository, save="1", org_ref=revision(source), other_ref=revision(target))
        return place, text

class Story:
    def __init__(self, dragoman, server, folder):
        self.dragoman, self.server, self.folder = dragoman, server, folder
        self.name = "birds-" + uuid.uuid4().hex[:8]
        self.work, self.keys, self.port = folder + "/work", [], free_port()
        for account in ["ann", "bot", "reader"]:
            try:
                server.call("create_user", username=account, email=f"{account}@example.test", password=f"{account}-password-1")
            except SystemExit as error:
                if "already exist" not in str(error):
                    raise
        server.call("create_repo", repo_name=self.name, owner="admin", repo_type="git", private=True)
        for account, right in [("ann", "write"), ("bot", "write"), ("reader", "read")]:
            server.call("grant_user_permission", repoid=self.name, userid=account, perm=f"repository.{right}")
            self.write(account, f"{account}:{account}-password-1")
        self.write("wrong", "bot:wrong")
        os.makedirs(self.work)
        git(self.work, "init", "-q", "-b", "main")
        git(self.work, "remote", "add", "origin", server.place(self.name, "ann"))

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def push(self, key):
        """Adds a string, as a person does."""
        self.keys.append(key)
        self.write(f"work/{CATALOG}", json.dumps({"sourceLanguage": "en", "strings": {key: {} for key in sorted(self.keys)}, "version": "1.0"},
                                                 indent=2, separators=(",", " : ")))
        git(self.work, "add", "-A")
        git(self.work, "commit", "-q", "-m", f"Add {key}")
        git(self.work, "push", "-q", "origin", "main")

    def pipeline(self, reader="bot", writer="bot", name=None):
        self.write("pipelines/birds.yaml", (
            f'pipeline: birds\nrepository: {{ url: "{self.server.url}/{name or self.name}", credentials: "file:{self.folder}/{reader}", '
            f'webhook: "file:{self.folder}/secret", poll: 15m }}\nlanguages: [de]\nrounds: {{ quiet: 0s }}\nvendors: [ {{ vendor: pseudo }} ]\n'
            f'deliver: {{ credentials: "file:{self.folder}/{writer}" }}\n'))
        self.write("secret", SECRET)

    def once(self):
        return subprocess.run([self.dragoman, "run", "pipelines/birds.yaml", "--once", "--store", "sqlite:state"], cwd=self.folder,
                              capture_output=True, text=True, timeout=300)

    def translated(self, revision):
        """Returns the keys that have a German text."""
        git(self.work, "fetch", "-q", "origin")
        strings = json.loads(git(self.work, "show", f"{revision}:{CATALOG}"))["strings"]
        return sorted(key for key, entry in strings.items() if "de" in entry.get("localizations", {}))

    def hook(self):
        """Returns the hook in docs/operating.md, which Kallithea's own hook calls."""
        self.write("header", f"X-Gitlab-Token: {SECRET}")
        path = self.server.folder + "/hooks/dragoman"
        with open(path + ".part", "w") as file:
            file.write(f"#!/bin/sh\n[ \"$1\" = '{self.name}' ] || exit 0\nfor new in \"$@\"; do tip=$new; done\n"
                       f"curl -fsS -m 10 -H @{self.folder}/header -H 'Content-Type: application/json' -d \"{{\\\"ref\\\":\\\"$tip\\\"}}\" "
                       f"http://127.0.0.1:{self.port}/hooks/birds\n")
        os.chmod(path + ".part", 0o755)
        os.rename(path + ".part", path)

    def wait(self, condition, seconds=120):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                return False
            time.sleep(0.1)
        return True

    def play(self):
        server = self.server
        print(f"Kallithea at {server.url}, repository {self.name}")
        self.pipeline(reader="wrong")
        self.push("Robin")
        end = self.once()
        check(end.returncode == 77 and "did not accept the credentials" in end.stderr, "a wrong password ends with 77, and says so", end.stderr)
        check("wrong" not in end.stderr.replace(self.folder, ""), "the password is in no message", end.stderr)
        self.pipeline(reader="reader", writer="reader")
        end = self.once()
        check(end.returncode == 77 and "403" in end.stderr, "a read-only account cannot deliver; the run ends with 77", f"{end.returncode} {end.stderr}")
        check(server.branch(self.name, "l10n/main") is None, "it delivered nothing")
        self.pipeline(reader="reader")
        end = self.once()
        check(end.returncode == 0 and self.translated("origin/l10n/main") == ["Robin"],
              "with an account that may write for deliver.credentials, the same translation is delivered", end.stderr)

        self.hook()
        daemon = Daemon(self.dragoman, self.folder + "/pipelines", f"sqlite:{self.folder}/state", "--listen", f"127.0.0.1:{self.port}")
        try:
            daemon.ready()
            daemon.wait(lambda: daemon.ended("watch"))
            since = time.monotonic()
            self.push("Wren")
            pushed = time.monotonic() - since
            looked = self.wait(lambda: daemon.ended("watch", since), 60)
            check(looked, "Kallithea's hook makes Dragoman look at once, although it polls every 15 minutes",
                  f"{daemon.messages[-3:]}")
            if looked:
                print(f"        the look ended {daemon.ended('watch', since)[0][0] - since:.2f} s after the push began, which took {pushed:.2f} s")
            check(self.wait(lambda: self.translated("origin/l10n/main") == ["Robin", "Wren"]), "the new string is delivered")
            time.sleep(5)
            before = server.branch(self.name, "l10n/main"), len(daemon.ended("watch"))
            time.sleep(5)
            check(before == (server.branch(self.name, "l10n/main"), len(daemon.ended("watch"))),
                  "its own push, which Kallithea reports too, leads to no further commit and no further look")

            place, text = server.open_pull_request(self.name, "l10n/main", "main", "Translations")
            check("/pull-request/" in place and "Translations" in text, "a person opens a pull request from the delivery branch", place)
            since = time.monotonic()
            git(self.work, "fetch", "-q", "origin")
            git(self.work, "merge", "-q", "--no-ff", "-m", "Merge translations", "origin/l10n/main")
            git(self.work, "push", "-q", "origin", "main")
            check(self.wait(lambda: daemon.ended("watch", since)), "the merge is noticed")
            merged = server.branch(self.name, "l10n/main")
            with open(f"{self.work}/{CATALOG}") as file:
                strings = json.load(file)
            strings["strings"]["Owl"] = {}
            self.keys.append("Owl")
            self.write(f"work/{CATALOG}", json.dumps(strings, indent=2, separators=(",", " : "), ensure_ascii=False))
            git(self.work, "commit", "-q", "-am", "Add Owl")
            git(self.work, "push", "-q", "origin", "main")
            check(self.wait(lambda: server.branch(self.name, "l10n/main") != merged and self.translated("origin/l10n/main") == ["Owl", "Robin", "Wren"]),
                  "after the merge, the next delivery begins on main")
            check(git(self.work, "merge-base", "origin/main", "origin/l10n/main") == git(self.work, "rev-parse", "origin/main"),
                  "it contains the merge, so that a pull request shows only the new translation")
            check(git(self.work, "rev-list", "--count", "origin/main..origin/l10n/main") == "1", "it is one commit")
        finally:
            daemon.stop()
            os.remove(server.folder + "/hooks/dragoman")

        server.call("update_repo", repoid=self.name, name=self.name + "-moved")
        end = self.once()
        check(end.returncode != 0 and "no such repository" in end.stderr, "a renamed repository is reported with the next step", f"{end.returncode} {end.stderr}")
        self.pipeline(name=self.name + "-moved")
        end = self.once()
        check(end.returncode == 0, "with the new name it continues", end.stderr)

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    names = ["KALLITHEA_URL", "KALLITHEA_KEY", "KALLITHEA_FOLDER"]
    if any(name not in os.environ for name in names):
        raise SystemExit('start it first: eval "$(Tests/Servers/kallithea.sh up)"')
    folder = tempfile.mkdtemp(prefix="dragoman-kallithea-")
    try:
        Story(os.path.abspath(options.dragoman), Kallithea(*(os.environ[name] for name in names)), folder).play()
    finally:
        print(f"kept: {folder}") if options.keep else shutil.rmtree(folder, ignore_errors=True)
    if failures:
        raise SystemExit(f"{len(failures)} of the checks failed")
    print("all checks hold")

if __name__ == "__main__":
    main()
