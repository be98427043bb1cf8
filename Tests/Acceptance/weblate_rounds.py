#!/usr/bin/env python3
"""Runs complete rounds with a real Weblate as the vendor. Checks what `dragoman run --once` sends, what people do in Weblate, and what is delivered.

    eval "$(Tests/Servers/weblate.sh up)"; weblate_rounds.py --dragoman BIN [--keep]

A repository with 100 strings in two catalogs (plural, device and substitution forms, unusual keys) is translated into four languages with
one, two, four and six plural forms. The rounds test new, partly translated and reviewed strings, strings that change while people work, removed,
restored and renamed strings, a lost response, and a real 429. The account has only the permissions of the project's team Administration.
A proxy between Dragoman and Weblate counts requests and makes simulated people work at chosen moments.
"""
import argparse, copy, http.client, http.server, json, os, shutil, subprocess, sys, tempfile, threading, time, urllib.error, urllib.parse, urllib.request, uuid

LANGUAGES = {"ar": 6, "de": 2, "ja": 1, "uk": 4}
CATEGORIES = {"ar": ["zero", "one", "two", "few", "many", "other"], "de": ["one", "other"], "ja": ["other"], "uk": ["one", "few", "many", "other"]}
APP, WATCH = "App/Localizable.xcstrings", "Watch/Localizable.xcstrings"
failures = []

def check(holds, what, more=""):
    print(("  ok    " if holds else "  FAIL  ") + what + (f": {more}" if more and not holds else ""), flush=True)
    if not holds:
        failures.append(what)

class Weblate:
    """A client that does what people do in Weblate, as the administrator."""
    def __init__(self, url, token, project):
        self.url, self.token, self.project = url, token, project

    def call(self, method, path, body=None, codes=(200, 201, 202, 204), token=None):
        headers = {"Authorization": "Token " + (token or self.token), "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/api/{path}", method=method, headers=headers,
                                         data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                status, content, kind = response.status, response.read(), response.headers.get("Content-Type", "")
        except urllib.error.HTTPError as error:
            status, content, kind = error.code, error.read(), error.headers.get("Content-Type", "")
        if status not in codes:
            raise SystemExit(f"{method} {path}: {status} {content.decode(errors='replace')[:500]}")
        return json.loads(content) if "json" in kind else content

    def list(self, path):
        page, found = 1, []
        while True:
            response = self.call("GET", f"{path}{'&' if '?' in path else '?'}page={page}&page_size=1000")
            found += response["results"]
            if not response["next"]:
                return found
            page += 1

    def components(self):
        return {c["name"]: c["slug"] for c in self.list(f"projects/{self.project}/components/") if c["file_format"] == "po-mono"}

    def units(self, catalog, language):
        slug = self.components()[catalog]
        return {unit["context"]: unit for unit in self.list(f"translations/{self.project}/{slug}/{language}/units/")}

    def translate(self, unit, texts, state=20):
        self.call("PATCH", f"units/{unit['id']}/", {"state": state, "target": texts})

class Proxy:
    """A proxy that forwards requests to Weblate and records them, makes simulated people work before or after a request, and can drop a response."""
    def __init__(self, url):
        self.target = urllib.parse.urlsplit(url)
        self.seen, self.before, self.after, self.lost = [], [], [], []
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *arguments):
                pass
            def forward(self):
                path = self.path.split("?")[0]
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                proxy.act(proxy.before, self.command, path, body)
                connection = http.client.HTTPConnection(proxy.target.hostname, proxy.target.port, timeout=300)
                headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection", "expect")}
                connection.request(self.command, self.path, body or None, headers)
                response = connection.getresponse()
                content = response.read()
                connection.close()
                proxy.seen.append((self.command, path, response.status))
                proxy.act(proxy.after, self.command, path, body)
                if proxy.lost and proxy.lost[0](self.command, path):
                    proxy.lost.pop(0)
                    self.close_connection = True
                    return
                self.send_response(response.status)
                for name, value in response.getheaders():
                    if name.lower() not in ("connection", "transfer-encoding", "content-length", "date", "server"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = forward

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            def handle_error(self, request, address):
                pass
        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def act(self, hooks, method, path, body):
        for hook in list(hooks):
            if hook[0](method, path, body):
                hooks.remove(hook)
                hook[1]()

    def take(self):
        seen, self.seen = self.seen, []
        return seen

def git(directory, *arguments):
    environment = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", GIT_AUTHOR_NAME="Ann", GIT_AUTHOR_EMAIL="ann@example.test",
                       GIT_COMMITTER_NAME="Ann", GIT_COMMITTER_EMAIL="ann@example.test")
    return subprocess.run(["git", "-c", "safe.directory=*", "-C", directory, *arguments], capture_output=True, check=True, env=environment).stdout.decode()

def value(text, state="translated"):
    return {"stringUnit": {"state": state, "value": text}}

def plural(**forms):
    return {"variations": {"plural": {name: value(text) for name, text in forms.items()}}}

def source(localization, comment=None):
    return {**({"comment": comment} if comment else {}), "extractionState": "manual", "localizations": {"en": localization}}

def catalogs():
    """Returns 100 strings: 91 of the app and nine of the watch."""
    app = {f"title.{number}": source(value(f"Title number {number} of the app"), f"Title {number}\nSecond line" if number % 3 else None) for number in range(60)}
    for number in range(18):
        app[f"%lld things.{number}"] = source(plural(one=f"%lld thing {number}", other=f"%lld things {number}"), f"A count, {number}")
    app["%lld messages"] = source(plural(zero="No messages", one="%lld message", other="%lld messages"), "Has a form for none")
    app["Bird & Co. <b>“quoted”</b> \"it\" 🐦\n\tend "] = source(value("Bird & Co. <b>“quoted”</b> \"it\" 🐦\n\tend"), "Markup, quotes\n\n  and lines")
    app["key|==|odd \\ back"] = source(value("A key with the separator and a back\\slash"))
    app["caf\u00e9"] = source(value("Composed"))
    app["bell\u0007"] = source(value("A key with a control character"), "Control \u0007 too")
    for number in range(3):
        app[f"tap.{number}"] = source({"variations": {"device": {"iphone": value(f"Tap {number}"), "mac": value(f"Click {number}"), "other": value(f"Choose {number}")}}}, "By device")
    for number in range(3):
        app[f"%lld in %lld.{number}"] = source({
            "stringUnit": {"state": "translated", "value": f"%#@birds@ in %#@trees@, {number}"},
            "substitutions": {
                "birds": {"argNum": 1, "formatSpecifier": "lld", **plural(one="%arg bird", other="%arg birds")},
                "trees": {"argNum": 2, "formatSpecifier": "lld", **plural(one="%arg tree", other="%arg trees")}}}, "Two counts")
    app["Dragoman"] = {"extractionState": "manual", "shouldTranslate": False}
    app["done"] = source(value("Done"))
    app["done"]["localizations"].update({"de": value("Fertig"), "uk": value("Готово")})
    watch = {f"watch.{number}": source(value(f"Watch {number}"), "On the watch") for number in range(8)}
    watch["%lld steps"] = source(plural(one="%lld step", other="%lld steps"))
    assert len(app) + len(watch) == 100, len(app) + len(watch)
    return {APP: app, WATCH: watch}

def leaves(localization, path=""):
    """Returns every form of a localization by its path, as (text, state)."""
    found = {}
    if "stringUnit" in localization:
        found[path] = (localization["stringUnit"]["value"], localization["stringUnit"]["state"])
    for axis, cases in localization.get("variations", {}).items():
        for name, case in cases.items():
            found.update(leaves(case, f"{path}.{axis}.{name}".strip(".")))
    for name, substitution in localization.get("substitutions", {}).items():
        found.update(leaves(substitution, f"substitutions.{name}"))
    return found

class Project:
    """The repository, the pipeline, and a person who commits."""
    def __init__(self, dragoman, folder, name):
        self.dragoman, self.folder, self.name = dragoman, folder, name
        self.origin, self.work = f"{folder}/origin.git", f"{folder}/work"
        git(folder, "init", "-q", "--bare", "-b", "main", self.origin)
        git(folder, "init", "-q", "-b", "main", self.work)
        git(self.work, "remote", "add", "origin", self.origin)

    # Additional keys of the pipeline file.
    more = ""

    def write(self, contents, message):
        for path, strings in contents.items():
            os.makedirs(os.path.dirname(f"{self.work}/{path}"), exist_ok=True)
            with open(f"{self.work}/{path}", "w") as file:
                json.dump({"sourceLanguage": "en", "strings": dict(sorted(strings.items())), "version": "1.0"}, file, ensure_ascii=False, indent=2, separators=(",", " : "))
        git(self.work, "add", "-A")
        git(self.work, "commit", "-q", "-m", message)
        git(self.work, "push", "-q", "origin", "main")

    def accept(self):
        """Merges the delivery into main, as a pull request does."""
        git(self.work, "fetch", "-q", "origin")
        git(self.work, "merge", "-q", "--ff-only", "origin/l10n/main")
        git(self.work, "push", "-q", "origin", "main")
        return self.delivered("main")

    def delivered(self, branch="l10n/main"):
        return {path: json.loads(git(self.origin, "show", f"{branch}:{path}"))["strings"] for path in (APP, WATCH)}

    def tip(self):
        try:
            return git(self.origin, "rev-parse", "l10n/main").strip()
        except subprocess.CalledProcessError:
            return None

    def run(self, url, weblate_project, token, codes=(0,), **options):
        # This script's translations are English texts in brackets, which would be held as texts in another language.
        extra = "".join(f"    {name}: {option}\n" for name, option in {"requests": 1000000, "other_language": "take", **options}.items())
        with open(f"{self.folder}/{self.name}.yaml", "w") as file:
            file.write(f"pipeline: {self.name}\nrepository:\n  url: {self.origin}\n  branches: [main]\ncatalogs: leave\nlanguages: [{', '.join(LANGUAGES)}]\n{self.more}"
                       f"vendors:\n  - vendor: weblate\n    name: people\n    url: {url}\n    project: {weblate_project}\n    credentials: env:WEBLATE_KEY\n{extra}")
        started = time.time()
        result = subprocess.run([self.dragoman, "run", f"{self.folder}/{self.name}.yaml", "--once", "--store", f"sqlite:{self.folder}/{self.name}.store"],
                                capture_output=True, cwd=self.folder, env=dict(os.environ, WEBLATE_KEY=token), timeout=900)
        seconds = time.time() - started
        if result.returncode not in codes:
            check(False, f"dragoman run exits with {codes}", f"{result.returncode}\n{result.stdout.decode()[-1500:]}\n{result.stderr.decode()[-3000:]}")
        return seconds, result

def translation(language, source_text, mark=""):
    return f"⟦{language}{mark}⟧ {source_text}"

def translate(weblate, catalog, language, choose=lambda key: 20, mark=""):
    """Translates open strings. `choose` returns the state for a key, or None."""
    count = 0
    for key, unit in weblate.units(catalog, language).items():
        state = choose(key)
        if state is None or unit["state"] in (20, 30, 100):
            continue
        # Each form has the source text for its number, and a different mark.
        sources = unit["source"]
        texts = [translation(language, sources[0] if index == 0 and len(unit["target"]) > 1 and len(sources) > 1 else sources[-1], f"{mark}{index}" if len(unit["target"]) > 1 else mark)
                 for index in range(len(unit["target"]))]
        weblate.translate(unit, texts, state)
        count += 1
    return count

def wait_listed(weblate, test, what):
    """Repeats a check, because a background worker may need some time."""
    end = time.time() + 60
    while time.time() < end:
        if test():
            return True
        time.sleep(0.5)
    check(False, what)
    return False

def counts(seen):
    posts = [path.split("/api/")[1] for method, path, _ in seen if method != "GET"]
    return f"{len(seen)} requests, {len(posts)} of them writing"

def set_up(weblate):
    weblate.call("POST", "projects/", {"name": weblate.project, "slug": weblate.project, "web": "https://example.test/"})
    weblate.call("PATCH", f"projects/{weblate.project}/", {"translation_review": True})
    team = next(group for group in weblate.list("groups/") if (group.get("defining_project") or "").endswith(f"/projects/{weblate.project}/") and group["name"] == "Administration")
    for name in ("member", "throttled"):
        weblate.call("POST", f"users/{name}/groups/", {"group_id": team["id"]})

def rounds(weblate, proxy, project, member):
    run = lambda **options: project.run(proxy.url, weblate.project, member, **options)
    contents = catalogs()
    project.write(contents, "Add catalogs")

    print("New: 100 strings in 4 languages")
    seconds, _ = run(take="reviewed")
    seen = proxy.take()
    print(f"        {counts(seen)}, {seconds:.1f} s")
    check(set(weblate.components()) == {APP, WATCH}, "there is one component for each catalog", weblate.components())
    sent = [key for key, entry in contents[APP].items() if entry.get("shouldTranslate", True)]
    decoded = lambda key: key.replace("\U000F0007", "\u0007")
    for language, forms in LANGUAGES.items():
        units = {decoded(key): unit for key, unit in weblate.units(APP, language).items()}
        whole = {key for key in sent if not key.startswith(("tap.", "%lld in %lld."))}
        check(whole <= set(units), f"{language}: Weblate has every string", whole - set(units))
        check("Dragoman" not in units, f"{language}: no string that is not to be translated is sent")
        check(all(f"tap.{n}|==|device.{d}" in units for n in range(3) for d in ("iphone", "mac", "other")), f"{language}: Weblate has every device's form")
        check(f"%lld in %lld.0|==|substitutions.birds" in units or f"%lld in %lld.0|==|substitutions.birds.plural.one" in units, f"{language}: Weblate has the substitutions",
              [key for key in units if key.startswith("%lld in")])
        notes = {key: (contents[APP][key].get("comment") or "").replace("\u0007", "\U000F0007").strip() for key in whole}
        wrong = {key for key in whole if units[key]["note"].strip() != notes[key]}
        check(not wrong, f"{language}: notes are complete", {key: (units[key]["note"], notes[key]) for key in list(wrong)[:3]})
        check(len(units["%lld things.3"]["target"]) == forms, f"{language}: a plural has {forms} forms", units["%lld things.3"]["target"])
        check(units["%lld things.3"]["source"] == ["%lld thing 3", "%lld things 3"], f"{language}: and its source has two")
        check(units["%lld messages|==|plural.zero"]["source"] == ["No messages"], f"{language}: the form for zero is a separate string")
        check(units["Bird & Co. <b>“quoted”</b> \"it\" 🐦\n\tend "]["source"] == ["Bird & Co. <b>“quoted”</b> \"it\" 🐦\n\tend"], f"{language}: markup, quotes and line ends are whole")
    known = {language: (weblate.units(APP, language)["done"]["target"], weblate.units(APP, language)["done"]["state"]) for language in LANGUAGES}
    print(f"        (what the project had of “done” at Weblate: {known})")

    print("Another run without changes")
    seconds, _ = run(take="reviewed")
    seen = proxy.take()
    print(f"        {counts(seen)}, {seconds:.1f} s")
    check(not [s for s in seen if s[0] != "GET"], "nothing is sent twice", [s for s in seen if s[0] != "GET"])

    print("Partly translated, some reviewed, one needs editing")
    for language in LANGUAGES:
        translate(weblate, APP, language, lambda key: 30 if key in ("title.1", "%lld things.1") else 10 if key == "title.2" else 20 if key.startswith("title.") and key[6:].isdigit() and int(key[6:]) < 30 else None)
    seconds, _ = run(take="reviewed")
    seen = proxy.take()
    print(f"        {counts(seen)}, {seconds:.1f} s")
    got = project.delivered()[APP]
    for language in LANGUAGES:
        has = {key for key, entry in got.items() if language in entry.get("localizations", {})} - {"done"}
        check(has == {"title.1", "%lld things.1"}, f"{language}: take: reviewed takes only reviewed translations", has)
        found = leaves(got["%lld things.1"]["localizations"].get(language, {}))
        check(sorted(found) == sorted(f"plural.{c}" for c in CATEGORIES[language]), f"{language}: a plural is returned with every form", found)
        expected = {f"plural.{c}": f"⟦{language}{index}⟧" if len(CATEGORIES[language]) > 1 else f"⟦{language}⟧" for index, c in enumerate(CATEGORIES[language])}
        check(all(found[path][0].startswith(mark) for path, mark in expected.items() if path in found), f"{language}: each form is at its path", found)
    run()
    proxy.take()
    got = project.delivered()[APP]
    for language in LANGUAGES:
        has = {key for key, entry in got.items() if language in entry.get("localizations", {})} - {"done"}
        check(has == {f"title.{n}" for n in range(30) if n != 2} | {"%lld things.1"}, f"{language}: take: translated takes the others, but not those that need editing", has)
        check(got["title.5"]["localizations"].get(language) == value(translation(language, "Title number 5 of the app")), f"{language}: text and state are right")

    print("Translated completely")
    for language in LANGUAGES:
        for catalog in (APP, WATCH):
            translate(weblate, catalog, language)
    seconds, _ = run()
    seen = proxy.take()
    print(f"        {counts(seen)}, {seconds:.1f} s")
    whole = project.accept()
    for language, categories in CATEGORIES.items():
        missing = {(path, key) for path, strings in whole.items() for key, entry in strings.items() if entry.get("shouldTranslate", True) and language not in entry.get("localizations", {})}
        check(not missing, f"{language}: everything is delivered", missing)
        if missing:
            continue
        app = whole[APP]
        check(sorted(leaves(app["tap.1"]["localizations"][language])) == ["device.iphone", "device.mac", "device.other"], f"{language}: every device has its form")
        found = leaves(app["%lld in %lld.1"]["localizations"][language])
        wanted = {""} | {f"substitutions.{name}.plural.{c}" for name in ("birds", "trees") for c in categories}
        check(set(found) == wanted, f"{language}: both substitutions have every form", set(found) ^ wanted)
        check(all("%arg" in text for path, (text, _) in found.items() if path), f"{language}: with %arg in their texts")
        found = leaves(app["%lld messages"]["localizations"][language])
        check(found.get("plural.zero", ("",))[0] == translation(language, "No messages"), f"{language}: the form for zero has its own text", found)
        states = {state for strings in whole.values() for entry in strings.values() for _, state in leaves(entry.get("localizations", {}).get(language, {})).values()}
        check(states == {"translated"}, f"{language}: every state is translated", states)
        check(app["bell\u0007"]["localizations"][language] == value(translation(language, "A key with a control character")), f"{language}: a key with a control character is returned")
    check(whole[APP]["done"]["localizations"]["de"] == value("Fertig"), "a translation that the project had is unchanged")
    strip = lambda strings: {key: {name: part for name, part in entry.items() if name != "localizations"} | {"en": entry.get("localizations", {}).get("en")} for key, entry in strings.items()}
    check(all(strip(whole[path]) == strip(contents[path]) for path in whole), "keys, comments, flags and source texts are unchanged")
    tip = project.tip()
    run()
    seen = proxy.take()
    check(project.tip() == tip and not [s for s in seen if s[0] != "GET"], "another run changes nothing on either side", seen[-5:])
    lists = [path for _, path, _ in seen if path.endswith("/units/")]
    check(len(lists) == len(set(lists)) == 2 * len(LANGUAGES) and len(seen) <= len(lists) + 6,
          "and reads the two templates, to compare comments, and each list of translations once, for corrections", seen)

    print("Corrected after the delivery")
    weblate.translate(weblate.units(APP, "de")["title.3"], ["Corrected title 3"])
    run()
    seen = proxy.take()
    check(not [s for s in seen if s[0] != "GET"], "nothing is sent for a correction", seen)
    whole = project.accept()
    check(whole[APP]["title.3"]["localizations"]["de"] == value("Corrected title 3"), "a correction is delivered", whole[APP]["title.3"])
    run()
    proxy.take()
    check(project.delivered() == whole, "and delivered once")

    print("Changed, added, removed and renamed, while people work at Weblate")
    changed = copy.deepcopy(whole)
    app = changed[APP]
    app["title.10"]["localizations"]["en"] = value("Changed title 10")
    app["%lld things.2"]["localizations"]["en"] = plural(one="%lld changed thing", other="%lld changed things")
    app["title.11"]["comment"] = "A new note"
    app["title.renamed"] = {**app.pop("title.12"), "localizations": {"en": app_english("Title number 12 of the app")}}
    app.pop("title.13")
    app.pop("%lld things.4")
    app.pop("tap.2")
    for number in range(3):
        app[f"added.{number}"] = source(value(f"Added {number}"))
    for language in LANGUAGES:
        for key in ("title.10",):
            app[key]["localizations"][language]["stringUnit"]["state"] = "needs_review"
        for _, unit in forms_of(app["%lld things.2"]["localizations"][language]):
            unit["state"] = "needs_review"
    project.write(changed, "Change, add, remove, rename")
    uk, de = weblate.units(APP, "uk"), weblate.units(APP, "de")
    def people():
        weblate.translate(uk["title.20"], ["⟦uk⟧ edited while it was sent"])
        weblate.translate(de["title.10"], ["⟦de⟧ of the old words, saved while the new ones were sent"])
    replaced = lambda method, path, body: method == "POST" and path.endswith("/en/file/")
    proxy.before.append((replaced, people))
    proxy.after.append((replaced, lambda: weblate.translate(uk["title.21"], ["⟦uk⟧ edited just after it was sent"])))
    seconds, _ = run()
    seen = proxy.take()
    print(f"        {counts(seen)}, {seconds:.1f} s")
    check(not proxy.before and not proxy.after, "people worked in the middle of the round")
    uk, de = weblate.units(APP, "uk"), weblate.units(APP, "de")
    check(uk["title.20"]["target"] == ["⟦uk⟧ edited while it was sent"] and uk["title.20"]["state"] == 20, "an edit before the upload is kept", uk["title.20"]["target"])
    check(uk["title.21"]["target"] == ["⟦uk⟧ edited just after it was sent"], "an edit after the upload is kept", uk["title.21"]["target"])
    for language in LANGUAGES:
        units = weblate.units(APP, language)
        check(units["title.10"]["state"] == 11 and units["title.10"]["source"] == ["Changed title 10"], f"{language}: a changed text waits for a new translation", (units["title.10"]["state"], units["title.10"]["source"]))
        check(units["%lld things.2"]["state"] == 11, f"{language}: a changed plural too", units["%lld things.2"]["state"])
        check(units["title.11"]["state"] == 20, f"{language}: a new note does not change the translation", units["title.11"])
        check(all(f"added.{n}" in units and units[f"added.{n}"]["state"] == 0 for n in range(3)), f"{language}: Weblate has the new strings")
        check("title.renamed" in units, f"{language}: a renamed key is a new string")
    gone = {key: weblate.units(APP, "de").get(key, {}).get("state") for key in ("title.12", "title.13", "%lld things.4", "tap.2|==|device.mac")}
    check(all(gone[key] == 100 for key in ("title.12", "title.13", "%lld things.4")), "removed strings are read-only", gone)
    tip = project.tip()
    run()
    proxy.take()
    check(project.tip() == tip, "no translation of the old text is delivered")
    for language in LANGUAGES:
        translate(weblate, APP, language, mark="+")
    seconds, _ = run()
    seen = proxy.take()
    print(f"        {counts(seen)}, {seconds:.1f} s")
    second = project.accept()
    for language in LANGUAGES:
        app = second[APP]
        check(app["title.10"]["localizations"][language] == value(translation(language, "Changed title 10", "+")), f"{language}: the new translation is delivered", app["title.10"]["localizations"].get(language))
        found = leaves(app["%lld things.2"]["localizations"][language])
        check(len(found) == LANGUAGES[language] and all("changed thing" in text and state == "translated" for text, state in found.values()), f"{language}: with every plural form", found)
        check(app["added.0"]["localizations"].get(language) == value(translation(language, "Added 0", "+")), f"{language}: new strings too")

    print("A string is restored; the response to an upload is lost")
    returned = copy.deepcopy(second)
    returned[APP]["title.13"] = contents[APP]["title.13"]
    returned[WATCH]["watch.new"] = source(value("New on the watch"))
    project.write(returned, "Bring a title back")
    proxy.lost.append(lambda method, path: method == "POST" and path.endswith("/en/file/"))
    seconds, _ = run()
    seen = proxy.take()
    print(f"        {counts(seen)}, {seconds:.1f} s")
    check(not proxy.lost, "a response was lost")
    units = weblate.units(APP, "de")
    check(units.get("title.13", {}).get("state") in (0, 20, 100), "Weblate has the restored string", units.get("title.13"))
    source_units = weblate.list(f"translations/{weblate.project}/{weblate.components()[WATCH]}/en/units/")
    check(len([u for u in source_units if u["context"] == "watch.new"]) == 1, "the string of the lost response exists once")
    for language in LANGUAGES:
        for catalog in (APP, WATCH):
            translate(weblate, catalog, language)
    run()
    run()
    proxy.take()
    third = project.accept()
    check(all(language in third[APP]["title.13"]["localizations"] for language in LANGUAGES), "and is delivered in every language", list(third[APP]["title.13"]["localizations"]))
    check(all(language in third[WATCH]["watch.new"]["localizations"] for language in LANGUAGES), "so is the other")

def app_english(text):
    return value(text)

def forms_of(localization):
    if "stringUnit" in localization:
        yield "", localization["stringUnit"]
    for axis, cases in localization.get("variations", {}).items():
        for name, case in cases.items():
            yield from ((f"{axis}.{name}.{path}", unit) for path, unit in forms_of(case))

def throttled(weblate, proxy, project, token):
    print("A real 429")
    project.write(catalogs(), "Add catalogs")
    used = 0
    while used < 100:
        used += 1
        request = urllib.request.Request(f"{weblate.url}/api/projects/{weblate.project}/", headers={"Authorization": "Token " + token})
        try:
            urllib.request.urlopen(request, timeout=60).read()
        except urllib.error.HTTPError as error:
            check(error.code == 429, f"Weblate returns 429 after {used - 1} requests", error.code)
            print(f"        Retry-After: {error.headers.get('Retry-After')}, X-RateLimit-Reset: {error.headers.get('X-RateLimit-Reset')}")
            break
    seconds, _ = project.run(proxy.url, weblate.project, token)
    seen = proxy.take()
    print(f"        {counts(seen)}, {len([s for s in seen if s[2] == 429])} of them with status 429, {seconds:.1f} s")
    check([s for s in seen if s[2] == 429], "Dragoman got a 429")
    check(set(weblate.components()) == {APP, WATCH}, "and the round is complete")
    for language, forms in LANGUAGES.items():
        units = weblate.units(APP, language)
        check(len(units["%lld things.3"]["target"]) == forms, f"{language}: with its plural forms")

def glossary(weblate, proxy, project, member):
    print("The pipeline's glossary")
    file = f"{project.folder}/terms.csv"
    def write(bird, nest):
        with open(file, "w") as terms:
            terms.write(f"en,de,uk\nbird,{bird},птах\nnest,{nest},\n")
    def terms(language):
        slug = next(c["slug"] for c in weblate.list(f"projects/{weblate.project}/components/") if c["is_glossary"])
        return {unit["source"][0]: unit for unit in weblate.list(f"translations/{weblate.project}/{slug}/{language}/units/")}
    words = lambda language: {term: unit["target"][0] for term, unit in terms(language).items()}
    project.more = f"glossary: {{ file: {file} }}\n"
    project.write({APP: {"title": source(value("A bird in its nest"))}, WATCH: {"watch": source(value("A bird"))}}, "Add catalogs")
    write("Vogel", "Nest")
    project.run(proxy.url, weblate.project, member)
    check(words("de") == {"bird": "Vogel", "nest": "Nest"} and words("uk") == {"bird": "птах"}, "its terms exist in each language", (words("de"), words("uk")))
    weblate.translate(terms("de")["nest"], ["Horst"])
    write("Piepmatz", "Nestchen")
    proxy.take()
    _, result = project.run(proxy.url, weblate.project, member)
    print(f"        {counts(proxy.take())}")
    check(words("de") == {"bird": "Piepmatz", "nest": "Horst"}, "a changed term is updated, and a term that somebody edited at Weblate is kept", words("de"))
    check("“nest” is “Horst”" in result.stderr.decode() + result.stdout.decode(), "and is reported", result.stderr.decode())
    project.run(proxy.url, weblate.project, member)
    check(not [seen for seen in proxy.take() if seen[0] != "GET"], "another run sends nothing")

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--only", choices=["rounds", "throttled", "glossary"])
    arguments = parser.parse_args()
    url, admin = os.environ["WEBLATE_URL"], os.environ["WEBLATE_TOKEN"]
    for name, part, token in (("rounds", rounds, "WEBLATE_TOKEN_MEMBER"), ("throttled", throttled, "WEBLATE_TOKEN_THROTTLED"),
                              ("glossary", glossary, "WEBLATE_TOKEN_MEMBER")):
        if arguments.only not in (None, name):
            continue
        folder = tempfile.mkdtemp(prefix="weblate-rounds-")
        weblate = Weblate(url, admin, f"{name}-" + uuid.uuid4().hex[:8])
        set_up(weblate)
        try:
            part(weblate, Proxy(url), Project(os.path.abspath(arguments.dragoman), folder, name), os.environ[token])
        finally:
            if arguments.keep:
                print("kept:", folder, weblate.project)
            else:
                weblate.call("DELETE", f"projects/{weblate.project}/")
                shutil.rmtree(folder)
    print(f"{len(failures)} failed" if failures else "all hold")
    sys.exit(1 if failures else 0)

main()
