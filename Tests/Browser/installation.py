"""An installation of Dragoman with projects, rounds, a held unit and a served dashboard, made with the real program."""
import json, os, shutil, signal, sqlite3, struct, subprocess, urllib.request, zipfile, zlib
import xml.etree.ElementTree as ET
from webdriver import OPENER, free_port, wait

NS = "{urn:oasis:names:tc:xliff:document:1.2}"
ET.register_namespace("", NS[1:-1])
HELD = "%lld birds today"
MISSING = "A string that was added last"
HOSTILE = "<script>alert(1)</script> \u202egnp.exe"
LONG = "An unbroken word: " + "Donaudampfschifffahrtsgesellschaftskapitän" * 8
AUTHOR = ("Ada Example", "ada@example.com")
CATALOG = "Sources/Birds/Resources/Localizable.xcstrings"


def picture(width, height, description):
    """Returns a PNG file with a plain colour, whose metadata names the strings that it shows."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + b"\x2f\x6f\xb0" * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"tEXt", b"Description\0" + description.encode("latin-1")) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Installation:
    def __init__(self, program, folder):
        self.program, self.folder = os.path.abspath(program), os.path.abspath(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.path("pipelines"))
        self.environment = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", NO_COLOR="1")
        self.server = None

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def dragoman(self, *arguments):
        result = subprocess.run([self.program, *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        if result.returncode:
            raise RuntimeError(f"dragoman {' '.join(arguments)}: {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    def git(self, name, *arguments):
        who = ["-c", f"user.name={AUTHOR[0]}", "-c", f"user.email={AUTHOR[1]}"]
        result = subprocess.run(["git", *who, "-C", self.path(name), *arguments], env=self.environment, capture_output=True, text=True)
        if result.returncode:
            raise RuntimeError(f"git {' '.join(arguments)}: {result.stderr}")
        return result.stdout.strip()

    def commit(self, name, strings, subject):
        """Writes the project's sources and catalog with `strings`, a list of (key, comment) pairs, and commits them."""
        root = self.path(name, "Sources", "Birds")
        os.makedirs(os.path.join(root, "Resources"), exist_ok=True)
        with open(self.path(name, "Package.swift"), "w") as file:
            file.write('// swift-tools-version: 5.9\nimport PackageDescription\nlet package = Package(name: "Birds", defaultLocalization: "en", '
                       'targets: [.target(name: "Birds", resources: [.process("Resources")])])\n')
        with open(os.path.join(root, "Birds.swift"), "w") as file:
            file.write("import Foundation\n\nlet count = 3\n")
            for number, (key, comment) in enumerate(strings):
                swift = json.dumps(key, ensure_ascii=False).replace("%lld", "\\(count)")
                file.write(f"let text{number} = String(localized: {swift}, bundle: .module, comment: {json.dumps(comment)})\n")
        catalog = {"sourceLanguage": "en", "strings": {}, "version": "1.0"}
        if os.path.exists(self.path(name, CATALOG)):
            with open(self.path(name, CATALOG)) as file:
                catalog = json.load(file)
        for key, comment in strings:
            catalog["strings"].setdefault(key, {"comment": comment})
        with open(self.path(name, CATALOG), "w") as file:
            json.dump(catalog, file, indent=2, ensure_ascii=False)
        self.git(name, "add", "-A")
        self.git(name, "commit", "-q", "-m", subject)

    def translate(self, language, answers, leaves=()):
        """Translates every bundle of a language. `answers` are targets by source text; units with a source text in `leaves` are omitted."""
        inbox, outbox = self.path("drop", "to-translate"), self.path("drop", "translated")
        os.makedirs(outbox, exist_ok=True)
        for name in sorted(os.listdir(inbox)):
            if not name.endswith(f"-{language}.xcloc.zip"):
                continue
            with zipfile.ZipFile(os.path.join(inbox, name)) as archive:
                document = next(entry for entry in archive.namelist() if entry.endswith(".xliff"))
                tree = ET.ElementTree(ET.fromstring(archive.read(document)))
            for body in tree.iter(NS + "body"):
                for unit in list(body.iter(NS + "trans-unit")):
                    source = unit.find(NS + "source").text or ""
                    if source in leaves:
                        body.remove(unit)
                        continue
                    target = unit.find(NS + "target")
                    if target is None:
                        target = ET.Element(NS + "target")
                        unit.insert(1, target)
                    target.text = answers.get(source, f"{language}: {source}")
                    target.set("state", "translated")
            tree.write(os.path.join(outbox, name.replace(".xcloc.zip", ".xliff")), encoding="UTF-8", xml_declaration=True)

    def make(self):
        for name in ("birds", "hostile"):
            os.makedirs(self.path(name))
            self.git(name, "init", "-q", "-b", "main")
        strings = [(HELD, "How many birds were seen today"), ("Feed the birds", "A button"), ("Settings", "A title"),
                   ("Add a bird to the list", "A button")]
        self.commit("birds", strings, "Show birds")
        self.git("birds", "branch", "release/2.0")
        self.commit("hostile", [(HOSTILE, "<b>markup</b>"), (LONG, "A long text"), ("x" * 600, "A long key")], "Hostile texts")
        os.makedirs(self.path("shots", "A long name of a folder " * 4))
        for name, size in (("today.png", (400, 860)), ("wide.png", (2400, 300)), ("A long name of a folder " * 4 + "/tiny.png", (8, 8))):
            with open(self.path("shots", name), "wb") as file:
                file.write(picture(*size, "12 birds today"))
        for name, drop in (("birds", "drop"), ("hostile", "drop-hostile")):
            branches = '["main", "release/*"]' if name == "birds" else "[main]"
            with open(self.path("pipelines", f"{name}.yaml"), "w") as file:
                file.write(f"pipeline: {name}\nrepository: {{ url: {self.path(name)}, branches: {branches}, poll: 2s }}\nlanguages: [de, ar, ja]\n"
                           f"vendors: [{{ vendor: folder, name: agency, path: {self.path(drop)}, settle: 0s }}]\nrounds: {{ quiet: 0s, latest: 0s }}\n"
                           f"screenshots: {{ folder: {self.path('shots')} }}\n")
        self.once()
        self.translate("de", {HELD: "Vögel heute", "Settings": "Einstellungen"})
        self.translate("ar", {"Settings": "الإعدادات", HELD: "%lld طيور اليوم"}, leaves=["Feed the birds"])
        self.once()
        self.git("birds", "merge", "-q", "l10n/main")
        self.once()
        self.strings = strings + [(MISSING, "For the story of a missing string")]
        self.commit("birds", self.strings, "Say something new")
        self.once()
        self.earlier_days()

    def once(self):
        self.dragoman("run", self.path("pipelines", "birds.yaml"), self.path("pipelines", "hostile.yaml"), "--once")

    def earlier_days(self):
        """Adds counts of earlier days, which are lower than today's, because charts need several days and a test cannot wait for them."""
        with sqlite3.connect(self.path(".dragoman", "ledger.sqlite")) as ledger:
            columns = [row[1] for row in ledger.execute("PRAGMA table_info(completion)")]
            rows = [dict(zip(columns, row)) for row in ledger.execute("SELECT * FROM completion")]
            if not rows:
                raise RuntimeError("no completion was noted")
            for ago in range(1, 30):
                for row in rows:
                    old = dict(row, day=row["day"] - ago, translated=max(0, row["translated"] - (ago + 6) // 7))
                    ledger.execute(f"INSERT OR IGNORE INTO completion ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})", list(old.values()))

    def token(self, role):
        return self.dragoman("tokens", "add", f"test-{role}", "--role", role).strip().splitlines()[-1]

    def serve(self):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.log = open(self.path("serve.log"), "w")
        self.server = subprocess.Popen(
            [self.program, "serve", "--listen", f"127.0.0.1:{port}"], cwd=self.folder, env=self.environment, stdout=self.log, stderr=self.log)
        wait("the server", 60, self.is_ready)

    def is_ready(self):
        if self.server.poll() is not None:
            raise RuntimeError("the server ended: " + open(self.path("serve.log")).read())
        try:
            return OPENER.open(self.url + "/readyz", timeout=5).status == 200
        except OSError:
            return False

    def api(self, path, token):
        request = urllib.request.Request(self.url + "/api/v1" + path, headers={"Authorization": f"Bearer {token}"})
        with OPENER.open(request, timeout=30) as response:
            return json.load(response)

    def delivered(self, language, key):
        """Returns the translation on the delivery branch, or `None` if there is none."""
        try:
            catalog = json.loads(self.git("birds", "show", f"l10n/main:{CATALOG}"))
        except RuntimeError:
            return None
        unit = catalog["strings"].get(key, {}).get("localizations", {}).get(language, {}).get("stringUnit", {})
        return unit.get("value")

    def stop(self):
        if self.server and self.server.poll() is None:
            self.server.send_signal(signal.SIGTERM)
            self.server.wait(60)
