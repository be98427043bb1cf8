#!/usr/bin/env python3
"""Runs round trips through a real Weblate: the output of `dragoman export` is uploaded, translated there, and imported with `dragoman import`.

    eval "$(Tests/Servers/weblate.sh up)"; weblate_round_trip.py --dragoman BIN [--keep]

Weblate is set up for XLIFF as docs/reference/formats.md describes: one monolingual `xliff` component, with the source language's export
as the template. The script checks ids, notes, read-only units, states, and plural, device and substitution forms in three languages with
different plural forms. It also checks a source text that changes during translation.
"""
import argparse, copy, io, json, os, shutil, subprocess, sys, tempfile, urllib.error, urllib.request, uuid, zipfile
import xml.etree.ElementTree as ET

NS = "{urn:oasis:names:tc:xliff:document:1.2}"
LANGUAGES = {"de": ["one", "other"], "uk": ["few", "many", "one", "other"], "ja": ["other"]}
failures = []

def check(holds, what):
    print(("  ok    " if holds else "  FAIL  ") + what)
    if not holds:
        failures.append(what)

class Weblate:
    def __init__(self, url, token):
        self.url, self.token = url, token

    def call(self, method, path, body=None, files=None):
        headers = {"Authorization": "Token " + self.token}
        data = None
        if files is not None:
            mark = uuid.uuid4().hex
            parts = []
            for name, value in (body or {}).items():
                parts.append(f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
            for name, (file, content) in files.items():
                head = f'--{mark}\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\nContent-Type: application/octet-stream\r\n\r\n'
                parts.append(head.encode() + content + b"\r\n")
            data = b"".join(parts) + f"--{mark}--\r\n".encode()
            headers["Content-Type"] = "multipart/form-data; boundary=" + mark
        elif body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self.url + "/api/" + path, data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                content = response.read()
                return json.loads(content) if "json" in response.headers.get("Content-Type", "") else content
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{method} {path}: {error.code} {error.read().decode(errors='replace')[:500]}")

def catalog():
    """Returns a String Catalog that has every kind of entry in a few keys."""
    unit = lambda value, state="translated": {"stringUnit": {"state": state, "value": value}}
    plural = lambda **forms: {"variations": {"plural": {name: unit(value) for name, value in forms.items()}}}
    return {
        "sourceLanguage": "en",
        "strings": {
            "Bird & Co. <b>“quoted”</b> \"it\" 🐦": {"comment": "Markup, quotes\nand two lines"},
            "Done": {"comment": "Button", "localizations": {"de": unit("Fertig"), "uk": unit("Готово"), "ja": unit("完了")}},
            "Hello, **%@**": {"comment": "Markdown"},
            "Look again": {"localizations": {"de": unit("Noch einmal ansehen", "needs_review")}},
            "Never": {"shouldTranslate": False},
            "Tap or click": {"localizations": {"en": {"variations": {"device": {"iphone": unit("Tap"), "mac": unit("Click"), "other": unit("Choose")}}}}},
            "key|==|odd": {"extractionState": "manual", "localizations": {"en": unit("A key with the separator")}},
            "settings.title": {"extractionState": "extracted_with_value", "localizations": {"en": unit("Settings", "new")}},
            "%lld birds": {"comment": "A count", "localizations": {
                "en": plural(one="%lld bird", other="%lld birds"), "de": plural(one="%lld Vogel", other="%lld Vögel")}},
            "%lld in %lld": {"localizations": {"en": {
                "stringUnit": {"state": "translated", "value": "%#@birds@ in %#@trees@"},
                "substitutions": {
                    "birds": {"argNum": 1, "formatSpecifier": "lld", **plural(one="%arg bird", other="%arg birds")},
                    "trees": {"argNum": 2, "formatSpecifier": "lld", **plural(one="%arg tree", other="%arg trees")}}}}},
        },
        "version": "1.0",
    }

def forms(localization, path=""):
    """Returns every form of a localization by its path."""
    found = {}
    if "stringUnit" in localization:
        found[path] = (localization["stringUnit"]["value"], localization["stringUnit"]["state"])
    for axis, cases in localization.get("variations", {}).items():
        for name, case in cases.items():
            found.update(forms(case, f"{path}.{axis}.{name}".strip(".")))
    for name, substitution in localization.get("substitutions", {}).items():
        found.update(forms(substitution, f"substitutions.{name}"))
    return found

def units(xliff):
    """Returns the units of an XLIFF file by original and id: source, target, state, note, and whether the unit may be translated."""
    found = {}
    for file in ET.fromstring(xliff).iter(NS + "file"):
        for unit in file.iter(NS + "trans-unit"):
            target = unit.find(NS + "target")
            note = unit.find(NS + "note")
            found[(file.get("original"), unit.get("id"))] = {
                "source": unit.findtext(NS + "source") or "", "target": None if target is None else target.text or "",
                "state": None if target is None else target.get("state"), "note": (note.text if note is not None else None) or "",
                "translate": unit.get("translate", "yes")}
    return found

class Project:
    def __init__(self, dragoman, folder):
        self.dragoman, self.folder = dragoman, folder
        self.file = os.path.join(folder, "project", "App", "Localizable.xcstrings")
        os.makedirs(os.path.dirname(self.file))

    def write(self, content):
        with open(self.file, "w") as file:
            json.dump(content, file, ensure_ascii=False, indent=2, separators=(",", " : "))
        self.run("sync", "--dry-run", os.path.join(self.folder, "project"))

    def read(self):
        with open(self.file) as file:
            return json.load(file)

    def run(self, *arguments, codes=(0,)):
        result = subprocess.run([self.dragoman, *arguments], capture_output=True)
        if result.returncode not in codes:
            raise SystemExit(f"dragoman {' '.join(arguments)}: exit {result.returncode}\n{result.stderr.decode()}")
        return result.stdout

    def export(self, languages):
        out = tempfile.mkdtemp(dir=self.folder)
        arguments = [argument for language in languages for argument in ("--language", language)]
        self.run("export", os.path.join(self.folder, "project"), *arguments, "--catalogs-only", "--template", "--output", out)
        return {language: open(f"{out}/{language}.xcloc/Localized Contents/{language}.xliff", "rb").read() for language in languages}

    def bring(self, language, xliff):
        path = os.path.join(self.folder, language + ".xliff")
        with open(path, "wb") as file:
            file.write(xliff)
        report = self.run("import", path, "--project", os.path.join(self.folder, "project"), "--format", "json", codes=(0, 1))
        return json.loads(report)

def translated(language, source):
    return f"⟦{language}⟧ {source}"

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--keep", action="store_true")
    arguments = parser.parse_args()
    weblate = Weblate(os.environ["WEBLATE_URL"], os.environ["WEBLATE_TOKEN"])
    folder = tempfile.mkdtemp(prefix="weblate-round-trip-")
    slug = "app-" + uuid.uuid4().hex[:8]
    try:
        round_trip(weblate, Project(os.path.abspath(arguments.dragoman), folder), slug)
    finally:
        weblate.call("DELETE", f"projects/{slug}/")
        if not arguments.keep:
            shutil.rmtree(folder)
    print(f"{len(failures)} failed" if failures else "all hold")
    sys.exit(1 if failures else 0)

def round_trip(weblate, project, slug):
    project.write(catalog())
    exported = project.export(["en", *LANGUAGES])
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as bundle:
        for language, xliff in exported.items():
            bundle.writestr(language + ".xliff", xliff)
    weblate.call("POST", "projects/", {"name": slug, "slug": slug, "web": "https://example.test/"})
    weblate.call("PATCH", f"projects/{slug}/", {"translation_review": True})
    weblate.call("POST", f"projects/{slug}/components/", {
        "name": "App", "slug": "app", "file_format": "xliff", "filemask": "*.xliff", "template": "en.xliff", "new_lang": "add", "vcs": "local",
        "repo": "local:", "source_language": "en", "language_code_style": "bcp", "file_format_params": json.dumps({"xliff_placeables": "plain"}),
    }, files={"zipfile": ("init.zip", archive.getvalue())})
    at = lambda language, rest: f"translations/{slug}/app/{language}/{rest}"

    print("Untouched")
    for language in LANGUAGES:
        check(weblate.call("GET", at(language, "file/")) == exported[language], f"{language}: is returned byte for byte")

    print("Translated, one approved, one marked for editing")
    approved, unfinished = "settings.title", "Hello, **%@**"
    for language in LANGUAGES:
        listed = weblate.call("GET", at(language, "units/?page_size=1000"))["results"]
        ids = {id for _, id in units(exported[language])}
        listed_ids = {unit["context"].split("///")[-1] for unit in listed}
        check(ids <= listed_ids, f"{language}: Weblate lists every unit: {sorted(ids - listed_ids)}")
        for unit in listed:
            id = unit["context"].split("///")[-1]
            # This form from the template exists only in other languages, so the translator leaves it empty.
            if id not in ids:
                continue
            if unit["state"] == 100 or unit["state"] == 20:
                continue
            state = 30 if id == approved else 10 if id == unfinished else 20
            weblate.call("PATCH", f"units/{unit['id']}/", {"state": state, "target": [translated(language, unit["source"][0])]})
    before = project.read()
    for language, categories in LANGUAGES.items():
        back = weblate.call("GET", at(language, "file/"))
        sent, came = units(exported[language]), units(back)
        check(set(sent) <= set(came), f"{language}: all ids are returned: {set(sent) - set(came)}")
        check(all(came[id]["note"] == sent[id]["note"] for id in sent), f"{language}: notes are unchanged")
        check(all(came[id]["source"] == sent[id]["source"] for id in sent), f"{language}: source texts are unchanged")
        check(all(came[id]["translate"] == sent[id]["translate"] for id in sent), f"{language}: translate=\"no\" is unchanged")
        report = project.bring(language, back)
        held = [unit["id"] for unit in report["units"] if unit["verdict"] == "held"]
        check(held == [unfinished], f"{language}: only the unfinished unit is held: {held}")
        again = project.bring(language, back)
        check(again["taken"] == 0, f"{language}: a second import changes nothing")
    after = project.read()
    for language, categories in LANGUAGES.items():
        for key, entry in sorted(after["strings"].items()):
            name = f"{language}: {key.splitlines()[0]!r}"
            was = before["strings"][key].get("localizations", {}).get(language)
            now = entry.get("localizations", {}).get(language)
            if key in (unfinished, "Never"):
                check(now == was, f"{name} still has no translation")
                continue
            if was is not None and not (key == "%lld birds"):
                check(now == was, f"{name} keeps its translation and its state")
                continue
            found = forms(now or {})
            if key == "%lld birds" and language != "de":
                check(sorted(found) == [f"plural.{category}" for category in categories], f"{name} has every plural form: {sorted(found)}")
            if key == "%lld in %lld":
                wanted = {""} | {f"substitutions.{part}.plural.{category}" for part in ("birds", "trees") for category in categories}
                check(set(found) == wanted, f"{name} has every form of both substitutions")
                check("%arg" in found.get("substitutions.birds.plural.other", ("",))[0], f"{name} has %arg in its forms")
            if key == "Tap or click":
                check(sorted(found) == ["device.iphone", "device.mac", "device.other"], f"{name} has every device's form: {sorted(found)}")
            check(bool(found) and all(state == "translated" for _, state in found.values()), f"{name} is translated")
            if was is None:
                check(all(value.startswith(f"⟦{language}⟧") for value, _ in found.values()), f"{name} has Weblate's texts")
    others = lambda content: {key: {name: value for name, value in entry.items() if name != "localizations"} for key, entry in content["strings"].items()}
    check(others(before) == others(after), "comments, extraction states and flags are unchanged")
    sources = lambda content: {key: entry.get("localizations", {}).get("en") for key, entry in content["strings"].items()}
    check(sources(before) == sources(after), "source texts are unchanged")

    print("A source text changes")
    changed = copy.deepcopy(after)
    changed["strings"]["settings.title"]["localizations"]["en"]["stringUnit"]["value"] = "Preferences"
    for language in LANGUAGES:
        changed["strings"]["settings.title"]["localizations"][language]["stringUnit"]["state"] = "needs_review"
    project.write(changed)
    weblate.call("POST", at("en", "file/"), {"method": "replace"}, files={"file": ("en.xliff", project.export(["en"])["en"])})
    for language in LANGUAGES:
        back = weblate.call("GET", at(language, "file/"))
        unit = next(unit for (_, id), unit in units(back).items() if id == "settings.title")
        check(unit["source"] == "Preferences", f"{language}: Weblate has the new source text")
        report = project.bring(language, back)
        verdicts = {unit["id"]: unit["verdict"] for unit in report["units"]}
        check(verdicts["settings.title"] == "held", f"{language}: a translation that Weblate marks as needing rewriting is held")
        check(report["taken"] == 0, f"{language}: nothing else is imported")
        listed = weblate.call("GET", at(language, "units/?page_size=1000"))["results"]
        open_unit = next(unit for unit in listed if unit["context"].endswith("settings.title"))
        weblate.call("PATCH", f"units/{open_unit['id']}/", {"state": 20, "target": [translated(language, "Preferences")]})
        report = project.bring(language, weblate.call("GET", at(language, "file/")))
        check(report["taken"] == 1, f"{language}: once it is translated again, it is imported")
        value = project.read()["strings"]["settings.title"]["localizations"][language]["stringUnit"]
        check(value == {"state": "translated", "value": translated(language, "Preferences")}, f"{language}: and is in the catalog")

if __name__ == "__main__":
    main()
