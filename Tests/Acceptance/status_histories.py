#!/usr/bin/env python3
"""Compares `dragoman status` on public projects with an independent count from the catalogs and from `git log`.

    status_histories.py --dragoman BIN --mirrors FOLDER --plurals FILE [--least N] [--projects NAME …]

FOLDER has bare mirrors, and FILE is CLDR's plurals.json. At the heads of up to four branches of a project, and at two older commits, the
script compares:

- the counts of each catalog and language, and of each language, and every missing string with its state;
- thresholds for all languages, one language, one catalog, and one branch in a pipeline file: the percentages in the verdict, the languages that
  miss their threshold, and the exit code. The script does not read code, so a verdict may also fail because of strings that are only in code;
- fallback languages, one of them for a language that the project does not have;
- --since: the strings that are new, have another source text, or have lost a translation since an earlier commit. A catalog that replaces a
  removed catalog of the same name and target is compared with that catalog;
- at the head, --details: commit, author and day of every missing string, and its age on the page.

Projects with fewer than two String Catalogs or a hundred commits are skipped. The script does not read Info.plists, so it
takes over the counts of tables that do not exist yet for the texts with which the system asks for a permission. It exits with 1 if any result
differs, or if there are fewer than N projects.
"""
import argparse, calendar, html, json, os, re, subprocess, sys, tempfile, time
from verdicts import categories, translated, values

PROJECTS = ["MarkEdit-app+MarkEdit", "bryceco+GoMap", "coteditor+CotEditor", "newmarcel+KeepingYouAwake", "objective-see+LuLu",
            "planetary-social+nos", "tisfeng+Easydict"]
READINGS = 400  # the number of versions of a catalog that --details reads at most, as in the reference
PAGE = 5000     # the number of missing strings on a page
SPECIFIER = re.compile(r"%(?:(\d+)\$)?(#@\w+@|[-+ #0']*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|q|L|z|t|j)?[@dDiuUxXoOfFeEgGcCsSaAp])|%%")


def git(repository, *arguments):
    return subprocess.run(["git", "-c", "safe.directory=*", "-C", repository, *arguments], capture_output=True, check=True).stdout


def blobs(repository, ids):
    """Returns the contents of blobs, in the order of their ids."""
    process = subprocess.Popen(["git", "-c", "safe.directory=*", "-C", repository, "cat-file", "--batch"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for name in ids:
        process.stdin.write(name.encode() + b"\n")
        process.stdin.flush()
        head = process.stdout.readline().split()
        yield process.stdout.read(int(head[2])) if len(head) == 3 else None
        if len(head) == 3:
            process.stdout.read(1)
    process.stdin.close()
    process.wait()


def catalog(text):
    """Returns a String Catalog, or None if the text is not one, for example because of conflict markers."""
    try:
        document = json.loads(text.decode("utf-8-sig"))
        return document if isinstance(document["strings"], dict) else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def has_twins(text):
    """Returns whether an object of a catalog has a duplicate key. Merges can cause these, and Dragoman does not choose one of the values."""
    twins = []

    def pairs(members):
        if len(dict(members)) < len(members):
            twins.append(members)
        return dict(members)

    if text:
        json.loads(text.decode("utf-8-sig"), object_pairs_hook=pairs)
    return bool(twins)


def catalogs(repository, revision):
    listed = git(repository, "ls-tree", "-r", "-z", revision).decode().split("\0")
    entries = [(line.split("\t", 1)[1], line.split()[2]) for line in listed if line.endswith(".xcstrings") and line.split()[1] == "blob"]
    return {path: catalog(text) for (path, _), text in zip(entries, blobs(repository, [blob for _, blob in entries]))}


def unnumbered(text):
    """Returns the text without the numbers of its arguments if they only count up, because a build adds such numbers."""
    found = [match for match in SPECIFIER.finditer(text) if match.group(2)]
    if any("*" in match.group(2) for match in found) or any(
            match.group(1) and int(match.group(1)) != place for place, match in enumerate(found, 1)):
        return text
    return SPECIFIER.sub(lambda match: "%" + match.group(2) if match.group(2) else match.group(0), text)


def source(key, entry, language):
    """Returns all forms of the source text. If two results are equal, no text needs to be translated again."""
    localization = entry.get("localizations", {}).get(language)
    forms = []

    def visit(node, path):
        if "stringUnit" in node:
            forms.append((path, unnumbered(node["stringUnit"].get("value", ""))))
        for number, value in enumerate(node.get("stringSet", {}).get("values", [])):
            forms.append((path + (number,), unnumbered(value)))
        for kind, variants in node.get("variations", {}).items():
            for name, variant in variants.items():
                visit(variant, path + (kind, name))

    if localization is not None:
        visit(localization, ())
        for name, substitution in localization.get("substitutions", {}).items():
            forms.append((("%", name), f"{substitution.get('argNum')} {substitution.get('formatSpecifier')}"))
            visit(substitution, ("%", name))
    return sorted(forms, key=str) if any(text for _, text in forms) else [((), unnumbered(key))]


def is_live(entry):
    return entry.get("extractionState") != "stale" and entry.get("shouldTranslate", True)


class Figures:
    """The numbers of texts in catalogs, by catalog and language, and the missing strings with their states."""

    def __init__(self, documents, languages, plurals, chains={}, old=None):
        self.counts, self.missing, self.absent = {}, {}, set()
        needed = {language: categories(plurals, language) for language in set(languages) | {l for c in chains.values() for l in c}}
        for path, document in documents.items():
            own = document.get("sourceLanguage", "en")
            entries = document["strings"]
            former = predecessors(path, documents, old)
            if former:
                entries = {key: entry for key, entry in entries.items() if is_new(key, entry, own, former, needed)}
            for language in languages:
                if language == own:
                    continue
                total = done = review = stale = spared = 0
                for key, entry in entries.items():
                    if not entry.get("shouldTranslate", True):
                        continue
                    if entry.get("extractionState") == "stale":
                        stale += language in entry.get("localizations", {})
                        continue
                    total += 1
                    state = translated(key, entry, language, own, needed[language])
                    # An app shows a language's own text, reviewed or not, even if forms are missing.
                    if not list(values(entry.get("localizations", {}).get(language, {}))) and state == "new" and any(
                            other == own or translated(key, entry, other, own, needed[other]) == "translated" for other in chains.get(language, [])):
                        state, spared = "translated", spared + 1
                    done += state == "translated"
                    review += state == "needs_review"
                    if state != "translated":
                        self.missing[path, key, language] = state
                self.counts[path, language] = (total, done, review, total - done - review, stale, spared)

    def overall(self):
        sums = {}
        for (_, language), counts in self.counts.items():
            sums[language] = tuple(map(sum, zip(sums.get(language, (0,) * 6), counts)))
        return sums


def predecessors(path, documents, old):
    """Returns the older catalogs that a catalog replaces: the one at the same path, or removed ones with the same file name and target."""
    if old is None or path in old:
        return [old[path]] if old else []
    return [document for other, document in sorted(old.items()) if identity(other) == identity(path) and other not in documents]


def identity(path):
    """Returns a catalog's file name, and the name of its package target if the path has the folder `Sources`."""
    folders = path.split("/")[:-1]
    return os.path.basename(path), next((target for folder, target in zip(folders, folders[1:]) if folder == "Sources"), None)


def is_new(key, entry, language, former, needed):
    """Returns whether a string is new, has another source text than in the older catalogs, or lost a translation. `needed` has the plural forms
    of the languages to compare."""
    before = next((document for document in former if key in document["strings"]), None)
    if before is None:
        return True
    earlier, then = before["strings"][key], before.get("sourceLanguage", "en")
    if is_live(entry) and not is_live(earlier) or source(key, entry, language) != source(key, earlier, then):
        return True
    return is_live(entry) and any(
        other not in (language, then) and translated(key, earlier, other, then, forms) == "translated"
        and translated(key, entry, other, language, forms) != "translated" for other, forms in needed.items())


def tenths(counts):
    return 1000 if counts[0] == 0 else counts[1] * 1000 // counts[0]


def percent(value):
    return f"{value // 10}" + (f".{value % 10}" if value % 10 else "")


def numbers(language):
    return tuple(language.get(name, 0) for name in ("total", "translated", "needsReview", "new", "stale", "fallback"))


class Project:
    def __init__(self, name, repository, options, plurals):
        self.name, self.repository, self.program, self.plurals = name, repository, options.dragoman, plurals
        self.differences, self.compared = [], 0

    def status(self, revision, *arguments):
        run = subprocess.run([self.program, "status", self.repository, "--revision", revision, "--format", "json", *arguments],
                             capture_output=True, text=True, errors="replace")
        try:
            report = json.loads(run.stdout)
            # A project file that cannot be read causes exit code 65, whatever the verdict.
            report["faults"] = [line for line in run.stderr.split("\n") if re.match(r"\S.*:\d+:\d+: error: ", line)]
            return report, run.returncode
        except ValueError:
            self.differs(revision, arguments, f"no JSON, exit code {run.returncode}: {run.stderr[-300:]}")
            return None, run.returncode

    def differs(self, revision, arguments, text):
        self.differences.append(f"{self.name} {revision} {' '.join(arguments)}: {text}")

    def check(self, revision, arguments, what, mine, theirs):
        self.compared += 1
        if mine != theirs:
            self.differs(revision, arguments, f"{what}: read here {mine}, dragoman says {theirs}")

    def figures(self, revision, documents, arguments=(), chains={}, old=None):
        """Compares counts and missing strings, and returns the independent counts and strings."""
        report, _ = self.status(revision, *arguments)
        if report is None:
            return None
        languages = {language["language"] for language in report["languages"]}
        known = {l for d in documents.values() for e in d["strings"].values() for l in e.get("localizations", {})}
        sources = {document.get("sourceLanguage", "en") for document in documents.values()}
        self.check(revision, arguments, "languages that are not reported", set(), (known | set(chains)) - sources - languages)
        mine = Figures(documents, languages, self.plurals, chains, old)
        theirs = {(c["catalog"], l["language"]): numbers(l) for c in report["catalogs"] for l in c["languages"]}
        absent = {path for path, _ in theirs if path not in documents and os.path.basename(path).startswith("InfoPlist.")}
        permissions = {(m["catalog"], m["key"], m["language"]): m["state"] for m in report["missing"] if m["catalog"] in absent}
        self.check(revision, arguments, "missing strings of absent tables", [],
                   sorted(key for _, key, _ in permissions if not key.endswith("UsageDescription")))
        mine.absent = absent
        mine.counts.update({place: counts for place, counts in theirs.items() if place[0] in absent})
        mine.missing.update(permissions)
        for place in sorted(set(mine.counts) | set(theirs)):
            self.check(revision, arguments, " ".join(place), mine.counts.get(place), theirs.get(place))
        sums = mine.overall()
        for language in report["languages"]:
            counts = sums.get(language["language"], (0,) * 6)
            share = tenths(counts) / 10 if counts[0] else None
            self.check(revision, arguments, language["language"], (counts, share), (numbers(language), language.get("percent")))
        missing = {(m["catalog"], m["key"], m["language"]): m["state"] for m in report["missing"]}
        self.check(revision, arguments, "missing strings", sorted(mine.missing.items() - missing.items())[:3],
                   sorted(missing.items() - mine.missing.items())[:3])
        return mine

    def verdict(self, revision, arguments, judged):
        """Compares a verdict with the expected values: (name, counts, needed tenths)."""
        report, code = self.status(revision, *arguments)
        if report is None:
            return
        line, passed = report["verdict"]["line"], report["verdict"]["passed"]
        texts = {name: f"{name} {percent(tenths(counts))} % ({counts[1]}/{counts[0]}), needs {percent(needed)} %"
                 for name, counts, needed in judged}
        short = [name for name, counts, needed in judged if tenths(counts) < needed]
        shown = texts.values() if passed else [
            texts[name] + f": {counts[0] - counts[1]} string{'' if counts[0] - counts[1] == 1 else 's'} missing"
            for name, counts, _ in judged if name in short]
        parts = line.split(" ", 1)[1].split("; ")
        self.check(revision, arguments, "verdict", sorted(shown), sorted(part for part in parts if ", needs " in part))
        others = [part for part in parts if ", needs " not in part]
        self.check(revision, arguments, "passed", not short and not others, passed)
        self.check(revision, arguments, "exit code", 0 if passed else 65 if report["faults"] else 1, code)

    def thresholds(self, revision, mine, branch):
        sums = {language: counts for language, counts in mine.overall().items() if counts[0]}
        if not sums:
            return
        order = sorted(sums, key=lambda language: (tenths(sums[language]), language))
        low, middle = order[0], order[len(order) // 2]
        most, least = tenths(sums[middle]), tenths(sums[low])
        rule = lambda exact, most: [(language, sums[language], exact if language == low else most) for language in sorted(sums)]
        general = ["--require", percent(most)]
        self.verdict(revision, general + ["--require", f"{low}={percent(least)}"], rule(least, most))
        if least < 1000:
            self.verdict(revision, general + ["--require", f"{low}={percent(least + 1)}"], rule(least + 1, most))
        place = next((p for p in sorted(mine.counts) if not set(p[0]) & set("*?[]{}!") and mine.counts[p][0]), None)
        if place:
            counts = mine.counts[place]
            needed = min(1000, tenths(counts) + 1)
            self.verdict(revision, ["--require", f"{place[0]}:{place[1]}={percent(needed)}"],
                         [(f"{place[0]} {place[1]}", counts, needed)])
        if branch is None or least == 1000:
            return
        # The pipeline files of this script have whole percentages.
        whole = least // 10
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "pipeline.yaml")
            for pattern, needed in [(branch, whole), ("no-such-branch/*", whole + 1)]:
                with open(file, "w") as output:
                    output.write(json.dumps({
                        "pipeline": "gate", "repository": {"url": self.repository}, "vendors": [{"vendor": "pseudo"}],
                        "require": {"default": most // 10, low: whole + 1, pattern: {low: whole}}}))
                self.verdict(revision, ["--pipeline", file, "--branch", branch], rule(needed * 10, most // 10 * 10))

    def chains(self, revision, documents, mine):
        sums = mine.overall()
        order = sorted(sums, key=lambda language: (tenths(sums[language]), language))
        if len(order) < 2:
            return
        sources = sorted({document.get("sourceLanguage", "en") for document in documents.values()})
        chosen = {order[0]: [order[-1]]}
        if len(order) > 2:
            chosen[order[1]] = [order[0], sources[0]]
        absent = next((language for language in ("es-MX", "fr-CA", "pt-MZ") if language not in sums), None)
        if absent:
            chosen[absent] = [absent[:2] + "-419", order[-1]]
        arguments = [part for language, chain in chosen.items() for part in ("--fallback", f"{language}={','.join(chain)}")]
        self.figures(revision, documents, arguments, chosen)

    def origins(self, revision, mine):
        """Compares the commit, author and day of each missing string, and the age shown on the page."""
        arguments = ["--details"]
        report, _ = self.status(revision, *arguments)
        if report is None:
            return
        wanted = {}
        for path, key, _ in mine.missing:
            if path in mine.absent:
                continue
            wanted.setdefault(path, set()).add(key)
        expected, readings = {}, 0
        for path, keys in wanted.items():
            history = versions(self.repository, revision, path)
            readings += len(history)
            expected.update({(path, key): commit for key, commit in brought(self.repository, history, keys).items()})
        unknown = 0
        for missing in report["missing"]:
            place = (missing["catalog"], missing["key"])
            if missing["catalog"] in mine.absent:
                continue
            if "commit" not in missing:
                unknown += 1
                continue
            seconds = calendar.timegm(time.strptime(missing["date"], "%Y-%m-%dT%H:%M:%SZ"))
            self.check(revision, arguments, " ".join(place), expected.get(place), (missing["commit"], missing["author"], seconds))
        if unknown and readings <= READINGS:
            self.differs(revision, arguments, f"{unknown} missing strings without a commit, and only {readings} versions of catalogs")
        self.page(revision, report["missing"], expected)
        return unknown

    def page(self, revision, missing, expected):
        arguments = ["--details", "--format", "html"]
        run = subprocess.run([self.program, "status", self.repository, "--revision", revision, *arguments], capture_output=True)
        now = time.time()
        rows = re.findall(r"<tr[^>]*>((?:<td>.*?</td>)+)</tr>", run.stdout.decode(errors="replace"))
        rows = [html.unescape(row) for row in rows if "added by" in row]
        shown = [m for m in missing[:PAGE] if "commit" in m]
        self.check(revision, arguments, "rows with an origin", len(shown), len(rows))
        for unit, row in zip(shown, rows):
            commit, author, seconds = expected[unit["catalog"], unit["key"]]
            day = time.strftime("%Y-%m-%d", time.gmtime(seconds))
            ages = {max(0, int((now - back - seconds) // 86400)) for back in (0, 600)}
            texts = [f"on {day} in {commit[:7]}"] + ([author] if len(author) < 200 else [])
            age = re.search(r"; (\d+) days?</td>$", row)
            found = all(text in row for text in texts) and age is not None and int(age.group(1)) in ages
            self.check(revision, arguments, f"{unit['catalog']} {unit['key']}", True, found)


def versions(repository, revision, path):
    """Returns the versions of a file in the first-parent history, newest first: (commit, author, seconds since 1970, blob or None)."""
    log = git(repository, "-c", "log.mailmap=false", "log", "--first-parent", "--diff-merges=first-parent", "--raw", "--no-renames",
              "--no-abbrev", "--format=%x01%H%x02%an%x02%at", revision, "--", ":(literal)" + path).decode(errors="replace")
    found = []
    for part in log.split("\x01")[1:]:
        head, _, rest = part.partition("\n")
        commit, author, seconds = head.split("\x02")
        line = next(line for line in rest.split("\n") if line.startswith(":"))
        blob = line.split()[3]
        found.append((commit, author, int(seconds), None if set(blob) == {"0"} else blob))
    return found


def brought(repository, history, keys):
    """Returns for each key the oldest commit since which its source text is unchanged. Versions that are not catalogs are ignored."""
    open_keys, found, texts, holder = set(keys), {}, {}, None
    contents = blobs(repository, [blob for *_, blob in history if blob])
    for commit, author, seconds, blob in history:
        text = next(contents) if blob else b""
        document = catalog(text) if blob else {"strings": {}}
        if document is None or has_twins(text):
            continue
        language = document.get("sourceLanguage", "en")
        for key in list(open_keys):
            entry = document["strings"].get(key)
            form = source(key, entry, language) if entry is not None else None
            if holder is None:
                texts[key] = form
            elif form != texts[key]:
                found[key] = holder
                open_keys.discard(key)
        holder = (commit, author, seconds)
        if not open_keys:
            break
    return {**{key: holder for key in open_keys}, **found}


def compare(name, repository, options, plurals):
    """Returns the project with its differences, or None if the project is not suitable."""
    commits = git(repository, "rev-list", "--first-parent", "HEAD").decode().split()
    here = catalogs(repository, "HEAD")
    if len(here) < 2 or len(commits) < 100 or b"true" in git(repository, "rev-parse", "--is-shallow-repository"):
        return None
    project = Project(name, repository, options, plurals)
    changes = git(repository, "rev-list", "--first-parent", "HEAD", "--", "*.xcstrings").decode().split()
    heads = git(repository, "for-each-ref", "--sort=-committerdate", "--format=%(refname:short)", "refs/heads").decode().split("\n")
    main = git(repository, "rev-parse", "--abbrev-ref", "HEAD").decode().strip()
    branches = [main] + [head for head in heads if head and head != main and catalogs(repository, head)][:3]
    older = sorted({changes[len(changes) // 3], changes[len(changes) * 2 // 3]})
    unknown = 0
    for revision in branches + older:
        documents = {path: document for path, document in catalogs(repository, revision).items() if document}
        report, _ = project.status(revision)
        reported = {part["catalog"] for part in (report or {"catalogs": []})["catalogs"]}
        others = {path for path in reported if not path.endswith(".xcstrings")}
        if report is None or others:
            print(f"  {name} {revision}: skipped, it also has {len(others)} catalogs of another format")
            continue
        left = set(documents) - reported
        if left:
            print(f"  {name} {revision}: {len(left)} String Catalogs belong to no target and are not reported: {sorted(left)[:3]}")
        documents = {path: document for path, document in documents.items() if path in reported}
        mine = project.figures(revision, documents)
        if mine is None:
            continue
        project.chains(revision, documents, mine)
        project.thresholds(revision, mine, revision if revision in branches else None)
        for since in older:
            # The base is the merge base, so changes that exist only on the other branch are not new.
            base = git(repository, "merge-base", since, revision).decode().strip()
            old = catalogs(repository, base)
            if since != revision and all(old.values()):
                project.figures(revision, documents, ["--since", since], old=old)
        if revision == main:
            unknown = project.origins(revision, mine) or 0
    print(f"{name}: {len(branches)} branches, {len(commits)} commits, {project.compared} results compared, "
          f"{len(project.differences)} differences" + (f", {unknown} strings older than what --details reads" if unknown else ""))
    return project


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--mirrors", required=True)
    parser.add_argument("--plurals", required=True)
    parser.add_argument("--projects", nargs="*", default=PROJECTS)
    parser.add_argument("--least", type=int, default=5)
    options = parser.parse_args()
    plurals = json.load(open(options.plurals))
    projects = []
    for name in options.projects:
        repository = os.path.join(options.mirrors, name, "repo")
        if not os.path.isdir(repository):
            print(f"{name}: skipped, no mirror in {options.mirrors}")
            continue
        project = compare(name, os.path.abspath(repository), options, plurals)
        if project:
            projects.append(project)
    differences = [line for project in projects for line in project.differences]
    print(f"status_histories: {len(projects)} projects, {sum(project.compared for project in projects)} results compared, "
          f"{len(differences)} differences")
    for line in differences[:60]:
        print("  " + line)
    if differences or len(projects) < options.least:
        sys.exit(1)


if __name__ == "__main__":
    main()
