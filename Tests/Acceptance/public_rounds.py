#!/usr/bin/env python3
"""Runs complete rounds with the `folder` vendor on real repositories, with a script as the translator.

    public_rounds.py --dragoman BIN --mirrors DIR [--only OWNER/NAME] [--keep]

For each project, with `catalogs: leave` and with `catalogs: commit`, the script copies the bare mirror, runs `dragoman run --once`, translates
every bundle in to-translate/, runs again, and checks the commits. With `leave`, there must be one commit that changes only catalogs, a
language's tables and, for new languages, the project file; every changed line must belong to a returned unit or to a new language. With
`commit`, the first commit must have the changes of sync, and the second one the translations.
"""
import argparse, io, json, os, re, shutil, subprocess, sys, tempfile, time, zipfile
import xml.etree.ElementTree as ET

LANGUAGES = ["de", "uk", "ja"]
PROJECTS = ["StanfordSpezi/SpeziViews", "clerk/clerk-ios", "apple/sample-backyard-birds", "geteduroam/apple-app", "Dimillian/IceCubesApp"]
NS = "{urn:oasis:names:tc:xliff:document:1.2}"
ET.register_namespace("", NS[1:-1])

def git(directory, *arguments):
    environment = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")
    return subprocess.run(["git", "-c", "safe.directory=*", "-C", directory, *arguments], capture_output=True, check=True, env=environment).stdout.decode()

def translate(folder):
    """Adds a target to every unit of every bundle, as a translator does. Returns the units as (catalog, key, language)."""
    units = set()
    inbox, outbox = os.path.join(folder, "to-translate"), os.path.join(folder, "translated")
    os.makedirs(outbox, exist_ok=True)
    for name in sorted(os.listdir(inbox)):
        if not name.endswith(".zip"):
            continue
        result = io.BytesIO()
        with zipfile.ZipFile(os.path.join(inbox, name)) as archive, zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as out:
            for entry in archive.namelist():
                data = archive.read(entry)
                if entry.endswith(".xliff"):
                    tree = ET.ElementTree(ET.fromstring(data))
                    for file in tree.iter(NS + "file"):
                        for unit in file.iter(NS + "trans-unit"):
                            source, target = unit.find(NS + "source"), unit.find(NS + "target")
                            if unit.get("translate") == "no":
                                continue
                            if target is None:
                                target = ET.Element(NS + "target")
                                unit.insert(1, target)
                            for child in list(target):
                                target.remove(child)
                            text = source.text or ""
                            marks = list(source)
                            if marks:
                                target.text = None
                                for mark in marks:
                                    copy = ET.SubElement(target, mark.tag, mark.attrib)
                                    copy.text = mark.text
                            else:
                                target.text = text and "«" + text + "»"
                            target.set("state", "translated")
                            key = re.split(r"\|==\|(?=(?:plural|device|substitutions)\.)", unit.get("id"))[0]
                            units.add((file.get("original"), key, file.get("target-language")))
                    buffer = io.BytesIO()
                    tree.write(buffer, encoding="UTF-8", xml_declaration=True)
                    data = buffer.getvalue()
                out.writestr(entry, data)
        path = os.path.join(outbox, name)
        with open(path, "wb") as file:
            file.write(result.getvalue())
        os.utime(path, (time.time() - 60, time.time() - 60))
    return units

def owners(text):
    """Returns the (key, language) of each line of a catalog in Xcode's layout."""
    key = language = None
    result = []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        name = re.match(r' *("(?:[^"\\]|\\.)*") ?:', line)
        if indent <= 2 and line.strip():
            key = language = None
        elif indent == 4 and name:
            key, language = json.loads(name.group(1)), None
        elif indent == 8 and name:
            language = json.loads(name.group(1))
        elif indent < 8:
            language = None
        result.append((key, language))
    return result

def check_lines(directory, old, new, path, units):
    """Returns the changed lines of a catalog that no returned unit explains, and the number of changed lines.

    Every (key, language) without a returned unit must have the same lines as before, and the keys must have the same order. The comma
    after a closing bracket counts as part of the following entry.
    """
    def sections(revision):
        try:
            text = git(directory, "show", f"{revision}:{path}")
        except subprocess.CalledProcessError:
            return {}
        found = {}
        for line, owner in zip(text.split("\n"), owners(text)):
            found.setdefault(owner, []).append(line.removesuffix(","))
        return found
    before, after = sections(old), sections(new)
    keys = {key for catalog, key, _ in units if catalog == path}
    stray = []
    for owner in before.keys() | after.keys():
        key, language = owner
        if (path, key, language) in units:
            continue
        mine, theirs = before.get(owner, []), after.get(owner, [])
        if key in keys and language is None or key is None and not before:
            # Ignores the brackets around a new translation, because the rest of the entry is unchanged. A new file also has other brackets.
            mine, theirs = ([l for l in lines if l.strip() not in ("}", "{", "", '"localizations" : {', json.dumps(key, ensure_ascii=False) + " : {")] for lines in (mine, theirs))
            if not before.get(owner):
                continue
        if mine != theirs:
            stray += [(path, line) for line in set(mine) ^ set(theirs)] or [(path, "(order)")]
    kept = [owner for owner in before if owner in after]
    if kept != [owner for owner in after if owner in before]:
        stray.append((path, "(order of keys)"))
    counts = git(directory, "diff", "--numstat", old, new, "--", path).split()
    return stray, int(counts[0]) + int(counts[1])

def check_table(directory, old, new, path, units):
    """Checks a language's `.strings` file like `check_lines`: every changed entry must belong to a returned unit of its table and language."""
    language = re.search(r"([^/]+)\.lproj/", path).group(1)
    keys = {key for original, key, target in units
            if target == language and re.sub(r"[^/]+\.lproj/", language + ".lproj/", original) == path}
    def entries(revision):
        try:
            data = git(directory, "show", f"{revision}:{path}")
        except subprocess.CalledProcessError:
            return {}
        return {json.loads(key): text for text, key in re.findall(r'^(("(?:[^"\\]|\\.)*") = .*)$', data, re.M)}
    before, after = entries(old), entries(new)
    stray = [(path, key) for key in before.keys() | after.keys() if before.get(key) != after.get(key) and key not in keys]
    counts = git(directory, "diff", "--numstat", old, new, "--", path).split()
    return stray, int(counts[0]) + int(counts[1])

def check_project(directory, old, new, path):
    """Checks a project file like `check_lines`: only lines for new languages may be added."""
    changed = [l for l in git(directory, "diff", "-U0", old, new, "--", path).split("\n") if re.match(r"[-+](?![-+])", l)]
    isNew = re.compile(r"\+.*\b(" + "|".join(LANGUAGES) + r")\b")
    return [(path, line) for line in changed if not isNew.match(line)], len(changed)

def round_of(project, dragoman, mirrors, mode, keep):
    name = project.replace("/", "+")
    source = os.path.join(mirrors, name, "repo")
    folder = tempfile.mkdtemp(prefix="round-")
    origin = os.path.join(folder, "origin.git")
    shutil.copytree(source, origin, symlinks=True)
    if not os.path.exists(os.path.join(origin, "config")):
        with open(os.path.join(origin, "config"), "w") as file:
            file.write("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
    branch = git(origin, "symbolic-ref", "--short", "HEAD").strip()
    drop = os.path.join(folder, "drop")
    os.makedirs(drop)
    pipeline = os.path.join(folder, "pipeline.yaml")
    with open(pipeline, "w") as file:
        file.write(f"pipeline: acceptance\nrepository:\n  url: {origin}\n  branches: [{branch}]\ncatalogs: {mode}\nlanguages: [{', '.join(LANGUAGES)}]\n"
                   f"vendors:\n  - vendor: folder\n    path: {drop}\n    settle: 0s\n")
    def run():
        started = time.time()
        result = subprocess.run([dragoman, "run", pipeline, "--once", "--store", f"sqlite:{folder}/state"], capture_output=True, cwd=folder)
        return result, time.time() - started
    problems = []
    first, seconds_first = run()
    if first.returncode != 0:
        problems.append(f"first run exited with {first.returncode}: {first.stderr.decode()[-600:]}")
    units = translate(drop) if not problems else set()
    second, seconds_second = run()
    if second.returncode != 0:
        problems.append(f"second run exited with {second.returncode}: {second.stderr.decode()[-600:]}")
    head = git(origin, "rev-parse", branch).strip()
    try:
        commits = git(origin, "rev-list", "--reverse", f"{branch}..l10n/{branch}").split()
    except subprocess.CalledProcessError:
        commits = []
    lines = 0
    stray = []
    expected = {1} if mode == "leave" else {1, 2}
    if len(commits) not in expected:
        problems.append(f"{len(commits)} commits")
    if commits:
        last, base = commits[-1], (commits[-2] if len(commits) > 1 else head)
        paths = git(origin, "diff", "--name-only", head, last).split("\n")[:-1]
        checks = [(r"\.xcstrings$", lambda old, new, path: check_lines(origin, old, new, path, units)),
                  (r"\.lproj/[^/]*\.strings$", lambda old, new, path: check_table(origin, old, new, path, units)),
                  (r"\.xcodeproj/project\.pbxproj$", lambda old, new, path: check_project(origin, old, new, path))]
        problems += [f"{p} is not a catalog" for p in paths if not any(re.search(end, p) for end, _ in checks)]
        for path in git(origin, "diff", "--name-only", base, last).split("\n")[:-1]:
            for end, check in checks:
                if re.search(end, path):
                    more, count = check(base, last, path)
                    stray += more
                    lines += count
    held = len([n for n in os.listdir(os.path.join(drop, "held"))]) if os.path.isdir(os.path.join(drop, "held")) else 0
    third, _ = run()
    again = git(origin, "rev-list", f"{branch}..l10n/{branch}").split() if commits else []
    if sorted(again) != sorted(commits):
        problems.append("a third run made another commit")
    print(f"{project:32} catalogs: {mode:6} commits {len(commits)}, returned forms' units {len(units)}, changed lines {lines}, stray {len(stray)},"
          f" bundles with held units {held}, {seconds_first:.2f} s + {seconds_second:.2f} s" + "".join("\n    PROBLEM " + p for p in problems)
          + "".join(f"\n    stray {path}: {line!r}" for path, line in stray[:5]))
    if keep:
        print("    kept in", folder)
    else:
        shutil.rmtree(folder)
    return not problems and not stray

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--mirrors", required=True)
    parser.add_argument("--only")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    good = True
    for project in PROJECTS:
        if options.only in (None, project):
            for mode in ("leave", "commit"):
                good = round_of(project, os.path.abspath(options.dragoman), options.mirrors, mode, options.keep) and good
    sys.exit(0 if good else 1)

if __name__ == "__main__":
    main()
