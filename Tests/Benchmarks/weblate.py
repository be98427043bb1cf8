#!/usr/bin/env python3
"""Sends strings to a real Weblate and receives translations, for the same strings with Dragoman, with wlc alone, and with Serge and wlc.

    eval "$(Tests/Servers/weblate.sh up)"; weblate.py --dragoman BIN [--strings 500] [--wlc BIN] [--serge FOLDER]

Each program first sends one string in all languages, which is not measured. Then new strings are sent, and the translations of all
languages are received: Dragoman commits and pushes them to a git repository, Serge writes resource files, and wlc alone writes Weblate's
files. A run of Dragoman that sends also checks once for translations. Weblate's own time is measured with plain requests for the same strings.
Missing programs are skipped and reported.
"""
import argparse, io, os, shutil, subprocess, sys, tempfile, time, uuid, zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Acceptance"))
from weblate_round_trip import Weblate

LANGUAGES = ["de", "fr", "ja", "uk"]
HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'

def source(number):
    return f"Text number {number} of a screen"

def gettext(pairs):
    return (HEADER + "".join(f'\nmsgid "{key}"\nmsgstr "{text}"\n' for key, text in pairs)).encode()

def timed(work):
    start = time.monotonic()
    work()
    return time.monotonic() - start

class Place:
    """A Weblate project for one program, and the folder of the program."""
    made = []
    def __init__(self, weblate, folder, name):
        self.weblate, self.slug, self.folder = weblate, f"bench-{name}-{uuid.uuid4().hex[:8]}", os.path.join(folder, name)
        os.makedirs(self.folder)
        weblate.call("POST", "projects/", {"name": self.slug, "slug": self.slug, "web": "https://example.test/"})
        Place.made.append(self)

    def component(self, fields, files):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as bundle:
            for name, content in files.items():
                bundle.writestr(name, content)
        self.weblate.call("POST", f"projects/{self.slug}/components/", {
            "name": "App", "slug": "app", "filemask": "*.po", "new_lang": "add", "vcs": "local", "repo": "local:",
            "source_language": "en", "manage_units": "true", **fields}, files={"zipfile": ("init.zip", archive.getvalue())})

    def path(self, language, component="app"):
        return f"translations/{self.slug}/{component}/{language}/file/"

    def translate(self, keys, component="app"):
        """Enters every translation, as translators would."""
        for language in LANGUAGES:
            pairs = [(key, f"{language} {number}") for number, key in enumerate(keys)]
            self.weblate.call("POST", self.path(language, component), {"method": "translate", "conflicts": "replace-translated"},
                              files={"file": (language + ".po", gettext(pairs))})

    def run(self, *arguments, **options):
        result = subprocess.run(arguments, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
        if result.returncode:
            raise SystemExit(f"{' '.join(arguments[:4])}: exit {result.returncode}\n{result.stdout.decode(errors='replace')[-2000:]}")

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

class Monolingual(Place):
    """A project with one component that has keys and texts like a component of Dragoman."""
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.component({"file_format": "po-mono", "template": "en.po", "edit_template": "true", "check_flags": "objc-format"}, {"en.po": self.template(1)})
        for language in LANGUAGES:
            self.weblate.call("POST", f"components/{self.slug}/app/translations/", {"language_code": language})

    def template(self, count):
        return gettext((f"key.{number}", source(number)) for number in range(count))

    def answer(self, count):
        self.translate([f"key.{number}" for number in range(count)])

class Bare(Monolingual):
    def send(self, count):
        self.weblate.call("POST", self.path("en"), {"method": "replace"}, files={"file": ("en.po", self.template(count))})

    def take(self, count):
        for language in LANGUAGES:
            found = self.weblate.call("GET", self.path(language))
            assert f'"{language} {count - 1}"'.encode() in found, language

class Wlc(Monolingual):
    def __init__(self, weblate, folder, wlc):
        super().__init__(weblate, folder, "wlc")
        self.wlc = [wlc, "--url", weblate.url + "/api/", "--key", weblate.token]

    def send(self, count):
        self.run(*self.wlc, "upload", f"{self.slug}/app/en", "--input", self.write("en.po", self.template(count)), "--method", "replace")

    def take(self, count):
        for language in LANGUAGES:
            self.run(*self.wlc, "download", f"{self.slug}/app/{language}", "--output", os.path.join(self.folder, language + ".po"))
            with open(os.path.join(self.folder, language + ".po")) as file:
                assert f'"{language} {count - 1}"' in file.read(), language

class Dragoman(Place):
    def __init__(self, weblate, folder, dragoman):
        super().__init__(weblate, folder, "dragoman")
        self.dragoman = dragoman
        git = ["git", "-c", "user.name=Bench", "-c", "user.email=bench@example.test"]
        self.git = lambda *arguments: self.run(*git, "-C", "work", *arguments)
        self.run("git", "init", "-q", "--bare", "-b", "main", "origin.git")
        self.run("git", "clone", "-q", "origin.git", "work")
        self.write("token", weblate.token)
        self.write("app.yaml", f'pipeline: app\nrepository: {{ url: "file://{self.folder}/origin.git" }}\nlanguages: [{", ".join(LANGUAGES)}]\n'
                   f'vendors: [ {{ vendor: weblate, url: "{weblate.url}", project: {self.slug}, credentials: "file:{self.folder}/token", requests: 1000000 }} ]\n'
                   'deliver: { mode: branch, branch: l10n }\n')
        self.commit(1)
        self.once()

    def commit(self, count):
        entries = ",\n".join(f'    "key.{number}" : {{ "extractionState" : "manual", "localizations" : {{ "en" : {{ "stringUnit" : '
                             f'{{ "state" : "translated", "value" : "{source(number)}" }} }} }} }}' for number in range(count))
        self.write("work/App/Localizable.xcstrings", f'{{\n  "sourceLanguage" : "en",\n  "strings" : {{\n{entries}\n  }},\n  "version" : "1.0"\n}}\n')
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Strings")
        self.git("push", "-q", "origin", "HEAD:main")

    def once(self):
        self.run(self.dragoman, "run", "app.yaml", "--once", "--quiet")

    def prepare(self, count):
        self.commit(count)

    def send(self, count):
        self.once()

    def answer(self, count):
        listed = self.weblate.call("GET", f"projects/{self.slug}/components/")["results"]
        component = next(one["slug"] for one in listed if not one["is_glossary"])
        self.translate([f"key.{number}" for number in range(count)], component)

    def take(self, count):
        self.once()
        found = subprocess.run(["git", "-C", os.path.join(self.folder, "origin.git"), "show", "l10n:App/Localizable.xcstrings"], stdout=subprocess.PIPE).stdout
        for language in LANGUAGES:
            assert f'"{language} {count - 1}"'.encode() in found, language

class Serge(Place):
    """A project for Serge with wlc: Serge creates files with source texts as keys, and wlc uploads and downloads each file."""
    def __init__(self, weblate, folder, wlc, serge):
        super().__init__(weblate, folder, "serge")
        self.serge = ["perl", os.path.join(serge, "bin/serge")]
        self.wlc = f"{wlc} --url {weblate.url}/api/ --key {weblate.token}"
        self.prepare(1)
        self.write("bench.serge", f"""
sync {{
  ts {{
    plugin command
    data {{
      unused yes
    }}
  }}
}}
jobs {{
  {{
    id bench
    name Bench
    db_namespace bench
    source_language en
    destination_languages {" ".join(LANGUAGES)}
    source_dir {self.folder}/res/en
    source_match \\.strings$
    ts_file_path {self.folder}/po/%LOCALE%.po
    output_file_path {self.folder}/res/%LANG%/%FILE%
    output_default_lang_file NO
    parser {{
      plugin parse_strings
    }}
    db_source DBI:SQLite:dbname={self.folder}/serge.db3
  }}
}}
""")
        self.localize()
        self.component({"file_format": "po", "new_lang": "none"}, {f"{language}.po": self.file(language) for language in LANGUAGES})

    def file(self, language):
        with open(f"{self.folder}/po/{language}.po", "rb") as file:
            return file.read()

    def localize(self):
        self.run(*self.serge, "localize", "bench.serge", env=dict(os.environ, PERL_HASH_SEED="0"))

    def prepare(self, count):
        self.write("res/en/Localizable.strings", "".join(f'"key.{number}" = "{source(number)}";\n' for number in range(count)))

    def send(self, count):
        self.localize()
        for language in LANGUAGES:
            self.run(*self.wlc.split(), "upload", f"{self.slug}/app/{language}", "--input", f"po/{language}.po", "--method", "replace")

    def answer(self, count):
        self.translate([source(number) for number in range(count)])

    def take(self, count):
        for language in LANGUAGES:
            self.run(*self.wlc.split(), "download", f"{self.slug}/app/{language}", "--output", f"po/{language}.po")
        self.localize()
        for language in LANGUAGES:
            with open(f"{self.folder}/res/{language}/Localizable.strings") as file:
                assert f'"{language} {count - 1}"' in file.read(), language

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--strings", type=int, default=500)
    parser.add_argument("--wlc", default=shutil.which("wlc") or "")
    parser.add_argument("--serge")
    arguments = parser.parse_args()
    weblate = Weblate(os.environ["WEBLATE_URL"], os.environ["WEBLATE_TOKEN"])
    folder = tempfile.mkdtemp(prefix="weblate-bench-")
    programs = {"Weblate's own time": lambda: Bare(weblate, folder, "bare"),
                "dragoman": lambda: Dragoman(weblate, folder, os.path.abspath(arguments.dragoman))}
    if os.path.exists(arguments.wlc):
        programs["wlc"] = lambda: Wlc(weblate, folder, os.path.abspath(arguments.wlc))
        if arguments.serge and os.path.exists(os.path.join(arguments.serge, "bin/serge")):
            programs["Serge with wlc"] = lambda: Serge(weblate, folder, os.path.abspath(arguments.wlc), os.path.abspath(arguments.serge))
        else:
            print("left out: Serge; --serge names no folder")
    else:
        print("left out: wlc, which is not installed, and Serge, which sends with it")
    units = arguments.strings * len(LANGUAGES)
    print(f"real Weblate, {arguments.strings} new strings x {len(LANGUAGES)} languages = {units} units")
    try:
        for name, make in programs.items():
            place = make()
            if hasattr(place, "prepare"):
                place.prepare(arguments.strings)
            sent = timed(lambda: place.send(arguments.strings))
            place.answer(arguments.strings)
            taken = timed(lambda: place.take(arguments.strings))
            print(f"  {name}: sent in {sent:.1f} s ({units / sent:.0f} units/s), taken back in {taken:.1f} s ({units / taken:.0f} units/s)", flush=True)
    finally:
        for place in Place.made:
            weblate.call("DELETE", f"projects/{place.slug}/")
        shutil.rmtree(folder)

main()
