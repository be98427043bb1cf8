"""Small packages, each with a bare repository and a drop folder, and a script as the translator."""
import io, json, os, subprocess, zipfile
import xml.etree.ElementTree as ET

LANGUAGES = ["de", "uk"]
NS = "{urn:oasis:names:tc:xliff:document:1.2}"
ET.register_namespace("", NS[1:-1])
STRINGS = 4

def git(folder, *arguments):
    environment = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", GIT_AUTHOR_NAME="Ann",
                       GIT_AUTHOR_EMAIL="ann@example.com", GIT_COMMITTER_NAME="Ann", GIT_COMMITTER_EMAIL="ann@example.com")
    return subprocess.run(["git", "-c", "safe.directory=*", "-C", folder, *arguments], capture_output=True, check=True,
                          env=environment, text=True).stdout.strip()

class Project:
    """A bare repository of a small package, its drop folder, and a script as the translator."""
    MANIFEST = ('// swift-tools-version: 5.9\nimport PackageDescription\nlet package = Package(name: "Birds", defaultLocalization: "en", '
                'targets: [.target(name: "Birds", resources: [.process("Resources")])])\n')

    def __init__(self, folder, number, name="fleet"):
        self.name, self.round = f"{name}-{number}", 0
        self.work, self.origin, self.drop = f"{folder}/work/{number}", f"{folder}/origin/{number}.git", f"{folder}/drop/{number}"
        for path in (self.work, self.drop, f"{folder}/origin"):
            os.makedirs(path, exist_ok=True)
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", self.origin], check=True)
        git(self.work, "init", "-q", "-b", "main")
        git(self.work, "remote", "add", "origin", self.origin)
        self.write("Package.swift", self.MANIFEST)
        self.push()

    def write(self, path, text):
        os.makedirs(os.path.dirname(f"{self.work}/{path}") or self.work, exist_ok=True)
        with open(f"{self.work}/{path}", "w") as file:
            file.write(text)

    def push(self):
        """Commits new strings."""
        self.round += 1
        keys = [f"{self.name} string {number}" for number in range(self.round * STRINGS)]
        self.write("Sources/Birds/Birds.swift",
                   "import Foundation\n" + "".join(f'let s{n} = String(localized: "{key}", bundle: .module)\n' for n, key in enumerate(keys)))
        self.write("Sources/Birds/Resources/Localizable.xcstrings", json.dumps(
            {"sourceLanguage": "en", "strings": {key: {} for key in sorted(keys)}, "version": "1.0"},
            indent=2, separators=(",", " : ")))
        git(self.work, "add", "-A")
        git(self.work, "commit", "-q", "-m", f"Strings {self.round}")
        git(self.work, "push", "-q", "origin", "main")

    def file(self):
        return (f'pipeline: {self.name}\nrepository: {{ url: "{self.origin}", branches: [main], poll: 2s }}\nlanguages: [{", ".join(LANGUAGES)}]\n'
                f'rounds: {{ quiet: 0s }}\nvendors: [ {{ vendor: folder, path: "{self.drop}", settle: 0s }} ]\n')

    def translate(self):
        """Translates the bundles that are not translated yet."""
        inbox, outbox = f"{self.drop}/to-translate", f"{self.drop}/translated"
        if not os.path.isdir(inbox):
            return
        os.makedirs(outbox, exist_ok=True)
        for name in sorted(os.listdir(inbox)):
            seen = any(os.path.exists(f"{self.drop}/{place}/{name}") for place in ("translated", "done"))
            if not name.endswith(".zip") or seen:
                continue
            try:
                with zipfile.ZipFile(f"{inbox}/{name}") as archive:
                    entries = [(entry, archive.read(entry)) for entry in archive.namelist()]
            except (FileNotFoundError, zipfile.BadZipFile):
                continue
            result = io.BytesIO()
            with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as out:
                for entry, data in entries:
                    out.writestr(zipfile.ZipInfo(entry), self.translated(data) if entry.endswith(".xliff") else data)
            part = f"{self.drop}/.{name}.part"
            with open(part, "wb") as file:
                file.write(result.getvalue())
            os.rename(part, f"{outbox}/{name}")

    @staticmethod
    def translated(data):
        tree = ET.ElementTree(ET.fromstring(data))
        for unit in tree.iter(NS + "trans-unit"):
            source, target = unit.find(NS + "source"), unit.find(NS + "target")
            if target is None:
                target = ET.Element(NS + "target")
                unit.insert(1, target)
            target.text = "«" + (source.text or "") + "»"
            target.set("state", "translated")
        buffer = io.BytesIO()
        tree.write(buffer, encoding="UTF-8", xml_declaration=True)
        return buffer.getvalue()

    def delivered(self):
        """Returns whether the delivery branch exists."""
        return subprocess.run(["git", "-c", "safe.directory=*", "-C", self.origin, "rev-parse", "-q", "--verify", "l10n/main"],
                              capture_output=True).returncode == 0

    def missing(self):
        """Returns the number of translations that the delivery branch lacks."""
        wanted = self.round * STRINGS * len(LANGUAGES)
        try:
            catalog = json.loads(git(self.origin, "show", "l10n/main:Sources/Birds/Resources/Localizable.xcstrings"))
        except subprocess.CalledProcessError:
            return wanted
        found = 0
        for key, entry in catalog["strings"].items():
            for language in LANGUAGES:
                unit = entry.get("localizations", {}).get(language, {}).get("stringUnit", {})
                found += unit.get("value") == f"«{key}»"
        return wanted - found
