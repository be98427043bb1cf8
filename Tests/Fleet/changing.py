"""Packages whose texts change with every commit and whose size stays the same."""
import json, os, subprocess
from project import LANGUAGES, Project, git

TEXTS = 8
CATALOG = "Sources/Birds/Resources/Localizable.xcstrings"

class ChangingProject(Project):
    """A package whose texts change."""
    def __init__(self, folder, number):
        self.number, self.texts, self.version, self.merges = number, {}, 0, number % 2 == 0
        super().__init__(folder, number, "soak")

    def push(self):
        self.round += 1
        if self.round == 1:
            self.texts = {f"text-{number}": f"{self.name}: text {number}" for number in range(TEXTS)}
            self.write(CATALOG,
                       '{\n  "sourceLanguage" : "en",\n  "strings" : {\n\n  },\n  "version" : "1.0"\n}')
        else:
            git(self.work, "fetch", "-q", "origin")
            git(self.work, "reset", "-q", "--hard", "origin/main")
            if self.merges and self.delivered():
                # When people merge, they keep the delivered catalog if both sides changed the same lines.
                git(self.work, "merge", "-q", "--no-edit", "-X", "theirs", "origin/l10n/main")
            self.version += 1
            if self.version % 5 == 0:
                self.remove_stale()
            del self.texts[next(iter(self.texts))]
            self.texts[f"text-{TEXTS + self.version}"] = f"{self.name}: text {TEXTS + self.version}"
            changed = list(self.texts)[self.version % (TEXTS - 1)]
            self.texts[changed] = f"{self.name}: text changed in version {self.version}"
        self.write("Sources/Birds/Birds.swift", "import Foundation\n" + "".join(
            f'let t{number} = String(localized: "{key}", defaultValue: "{text}", bundle: .module)\n' for number, (key, text) in enumerate(self.texts.items())))
        git(self.work, "add", "-A")
        git(self.work, "commit", "-q", "--allow-empty", "-m", f"Texts {self.round}")
        # The pipeline may push at the same time.
        for _ in range(20):
            if subprocess.run(["git", "-C", self.work, "push", "-q", "origin", "HEAD:main"], capture_output=True).returncode == 0:
                return
            git(self.work, "pull", "-q", "--no-edit", "--no-rebase", "-X", "ours", "origin", "main")
        raise SystemExit(f"{self.name}: every push was rejected")

    def remove_stale(self):
        """Removes strings that are no longer in the code, as people do in Xcode. Otherwise the catalog would keep them all."""
        path = os.path.join(self.work, CATALOG)
        with open(path) as file:
            catalog = json.load(file)
        catalog["strings"] = {key: entry for key, entry in catalog["strings"].items() if entry.get("extractionState") != "stale"}
        self.write(CATALOG, json.dumps(catalog, indent=2, separators=(",", " : "), ensure_ascii=False))

    def file(self, url, vendor):
        return (f'pipeline: {self.name}\nrepository: {{ url: "{url}", branches: [main], poll: 5s, webhook: "env:HOOK" }}\nlanguages: [{", ".join(LANGUAGES)}]\n'
                f'catalogs: commit\nrounds: {{ quiet: 0s }}\ndeliver: {{ mode: {"branch" if self.merges else "push"} }}\nvendors:\n'
                f'  - {{ vendor: folder, name: agency, path: "{self.drop}", languages: [de], settle: 0s }}\n'
                f'  - {{ vendor: http, name: house, url: "{vendor}/{self.name}", languages: [uk], webhook: "env:VENDOR_HOOK" }}\n')

    def lacking(self):
        """Returns the number of missing translations of the current texts."""
        places = ["l10n/main", "main"] if self.merges else ["main"]
        best = TEXTS * len(LANGUAGES)
        for place in places:
            try:
                strings = json.loads(git(self.origin, "show", f"{place}:{CATALOG}"))["strings"]
            except subprocess.CalledProcessError:
                continue
            values = [strings.get(key, {}).get("localizations", {}).get(language, {}).get("stringUnit", {}).get("value") == f"«{text}»"
                      for key, text in self.texts.items() for language in LANGUAGES]
            best = min(best, values.count(False))
        return best
