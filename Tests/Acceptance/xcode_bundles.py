#!/usr/bin/env python3
"""Compares `dragoman export`, unit by unit, with .xcloc bundles that Xcode exported and projects committed.

    xcode_bundles.py --dragoman BIN --repository GITDIR --revision COMMIT [--bundles FOLDER] [--project FOLDER] [--list N]
    xcode_bundles.py --dragoman BIN --all MIRRORS

Both sides come from the same commit. There is a row for each <file> element of a bundle: the units that are equal in id, source, target, state,
note and `translate`; the units that only Xcode has (missing) or only we have (extra); the units that differ, by field; and whether the element
is equal byte for byte. Then follow the files of Source Contents, contents.json, and a line with totals. Languages with equal rows share one line.

`--all` runs the cases of xcode_bundles.json. A case lists causes that explain why a bundle differs, by patterns for lines such as
`missing FILE ID`, `differing FILE ID FIELD`, `extra file PATH`. A difference without a cause makes the script exit with 1. If a bundle was
exported between two commits, `older` is the first of them: a missing or extra unit needs no cause if Xcode's bundle agrees with `older`.
"""
import argparse, collections, contextlib, io, json, os, re, subprocess, sys, tarfile, tempfile
import xml.etree.ElementTree as ET

NS = "{urn:oasis:names:tc:xliff:document:1.2}"
FIELDS = ["source", "target", "state", "note", "from", "translate"]


def git(directory, *arguments):
    command = ["git", "-c", "safe.directory=*", "-c", "core.quotePath=false", "-C", directory, *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout


def text(element):
    return None if element is None else "".join(element.itertext())


def units(data):
    found = collections.OrderedDict()
    for file in ET.fromstring(data).iter(NS + "file"):
        rows = found.setdefault(file.get("original"), {})
        for unit in file.iter(NS + "trans-unit"):
            source, target, note = (unit.find(NS + name) for name in ("source", "target", "note"))
            rows[unit.get("id")] = (
                text(source), text(target), None if target is None else (target.get("state"), target.get("state-qualifier")),
                text(note), None if note is None else note.get("from"), unit.get("translate"))
    return found


def elements(data):
    """Returns the <file> elements as bytes, by their original."""
    return {re.search(rb'original="([^"]*)"', e).group(1).decode(): e for e in re.findall(rb"  <file .*?  </file>\n", data, re.S)}


def compare(theirs, ours, options, told):
    """Returns the rows of one bundle and their totals, and adds each difference to `told`."""
    mine, other = units(ours), units(theirs)
    my_bytes, other_bytes = elements(ours), elements(theirs)
    rows, sums = [], collections.Counter()
    for original in list(other) + [o for o in mine if o not in other]:
        a, b = other.get(original, {}), mine.get(original, {})
        missing, extra = a.keys() - b.keys(), b.keys() - a.keys()
        differing = {k: [f for f, x, y in zip(FIELDS, a[k], b[k]) if x != y] for k in a.keys() & b.keys() if a[k] != b[k]}
        equal = len(a.keys() & b.keys()) - len(differing)
        fields = collections.Counter(f for names in differing.values() for f in names)
        same = my_bytes.get(original) == other_bytes.get(original)
        told.update(("missing", original, key, None) for key in missing)
        told.update(("extra", original, key, None) for key in extra)
        told.update(("differing", original, key, f) for key, names in differing.items() for f in names)
        rows.append((original, len(a), equal, len(missing), len(extra), dict(fields), same))
        sums.update(units=len(a), equal=equal, missing=len(missing), extra=len(extra), differing=len(differing), elements=1, same=same)
        for name, keys in (("missing", missing), ("extra", extra)):
            for key in sorted(keys)[:options.list]:
                rows.append(f"      {name}: {key!r} {(a.get(key) or b.get(key))!r}")
        for key in sorted(differing)[:options.list]:
            for i, f in enumerate(FIELDS):
                if f in differing[key]:
                    rows.append(f"      {key!r} {f}: Xcode {a[key][i]!r}, ours {b[key][i]!r}")
    return rows, sums


def unexplained(case, told, older):
    """Returns the differences that no cause of a case explains, as lines, and the causes that explain no difference."""
    causes = [(re.compile(pattern, re.S), cause) for cause, patterns in case.get("causes", {}).items() for pattern in patterns]
    found, used = [], set()
    for kind, original, key, field in sorted(told, key=str):
        place = re.sub(r"[^/]+\.lproj/", "", original)
        if older is not None and key is not None:
            if (kind == "missing" and key in older.get(place, ())) or (kind == "extra" and key not in older.get(place, ())):
                continue
        line = " ".join(x for x in (kind, original, key, field) if x is not None)
        matching = [cause for pattern, cause in causes if pattern.fullmatch(line)]
        used.update(matching)
        if not matching:
            found.append(line)
    return found, [cause for cause in case.get("causes", {}) if cause not in used]


def every(options):
    """Runs all cases whose mirrors exist."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "xcode_bundles.json")) as file:
        cases = json.load(file)
    failed, ran = 0, 0
    for case in cases:
        repository = os.path.join(options.all, case["repository"], "repo")
        name = f"{case['repository']} {case['revision']}"
        if not os.path.isdir(repository):
            print(f"{name}: no mirror")
            continue
        ran += 1
        own = argparse.Namespace(**{**vars(options), "list": 0, "repository": repository, **{k: case[k] for k in (
            "revision", "bundles", "project", "xcode_project", "sources", "language") if k in case}})
        told, older = set(), None
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            run(own, told)
            if "older" in case:
                older = units_of(own, case["older"])
        lines, unused = unexplained(case, told, older)
        total = output.getvalue().rstrip().split("\n")[-1]
        print(f"{name}: {'new differences' if lines else 'as expected'}; {total}")
        for line in lines[:20]:
            print(f"    {line!r}")
        if len(lines) > 20:
            print(f"    … {len(lines)} in all")
        for cause in unused:
            print(f"    no difference has this cause any more: {cause}")
        failed += bool(lines)
    if failed or not ran:
        sys.exit(f"{failed} of {ran} cases have new differences")
    print(f"{ran} of {len(cases)} cases as expected")


def units_of(options, revision):
    """Returns the ids in an export of another revision, by original without language folders."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [options.dragoman, "export", options.repository, "--revision", revision, "--language", "tlh", "--output", folder, "--quiet"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, "tlh.xcloc", "Localized Contents", "tlh.xliff"), "rb") as file:
            return {re.sub(r"[^/]+\.lproj/", "", original): set(rows) for original, rows in units(file.read()).items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--repository")
    parser.add_argument("--all", metavar="MIRRORS", help="the folder of the mirrors: all cases of xcode_bundles.json")
    parser.add_argument("--revision", default="HEAD")
    parser.add_argument("--bundles", default="", help="the folder of the bundles")
    parser.add_argument("--project", default="", help="the project's folder")
    parser.add_argument("--xcode-project", help="the .xcodeproj or .xcworkspace that was exported, if the tree has several")
    parser.add_argument("--sources", help="the revision of the sources, if it differs")
    parser.add_argument("--language", action="append", default=[])
    parser.add_argument("--list", type=int, default=0, help="number of units to show for each kind of difference")
    parser.add_argument("--catalogs-only", action="store_true")
    parser.add_argument("--only-source-contents", action="store_true")
    options = parser.parse_args()
    if options.all:
        every(options)
    elif options.repository:
        run(options, set())
    else:
        parser.error("--repository or --all is needed")


def run(options, told):
    """Compares the bundles of one commit, and adds the differences to `told`."""
    listed = git(options.repository, "ls-tree", "-r", "--name-only", options.revision).decode().split("\n")
    bundles = {}
    for name in listed:
        match = re.fullmatch(r"((?:.*/)?([^/]+)\.xcloc)/Localized Contents/\2\.xliff", name)
        if match and name.startswith(options.bundles) and (not options.language or match[2] in options.language):
            bundles[match[2]] = match[1]
    first = git(options.repository, "show", f"{options.revision}:{next(iter(bundles.values()))}/contents.json").decode()
    version, build = (re.search(f'"{key}" : "([^"]*)"', first)[1] for key in ("toolVersion", "toolBuildNumber"))
    sums, seen = collections.Counter(), {}
    with tempfile.TemporaryDirectory() as folder:
        revision = (options.sources or options.revision) + (":" + options.project if options.project else "")
        command = [options.dragoman, "export", options.repository, "--revision", revision, "--xcode", f"{version}/{build}", "--output", folder, "--quiet"]
        for language in bundles:
            command += ["--language", language]
        if options.xcode_project:
            command += ["--xcode-project", options.xcode_project]
        if options.catalogs_only:
            command.append("--catalogs-only")
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"dragoman exited with {done.returncode}\n{done.stderr}")
        print(f"Xcode {version} ({build}), {options.revision}, {len(bundles)} bundles; {len(done.stderr.splitlines())} lines of diagnostics")
        files = collections.Counter()
        for language, bundle in bundles.items():
            mine = os.path.join(folder, language + ".xcloc")
            theirs = git(options.repository, "show", f"{options.revision}:{bundle}/Localized Contents/{language}.xliff")
            with open(os.path.join(mine, "Localized Contents", language + ".xliff"), "rb") as file:
                ours = file.read()
            rows, found = compare(theirs, ours, options, told)
            sums.update(found)
            sums["xliff"] += ours == theirs
            key = repr([r if isinstance(r, str) else (r[0],) + r[3:] for r in rows])
            if key in seen:
                print(f"{language}: as {seen[key]}")
            else:
                seen[key] = language
                print(f"{language}: {'equal byte for byte' if ours == theirs else 'differs'}")
                for row in rows:
                    if isinstance(row, str):
                        print(row)
                    elif row[3] or row[4] or row[5] or not row[6]:
                        print(f"  {row[0]}: units {row[1]}, equal {row[2]}, missing {row[3]}, extra {row[4]}, differing {row[5] or 0}, bytes {'equal' if row[6] else 'differ'}")
            archive = tarfile.open(fileobj=io.BytesIO(git(options.repository, "archive", options.revision, bundle)))
            expected = {m.name[len(bundle) + 1:]: archive.extractfile(m).read() for m in archive.getmembers() if m.isfile()}
            actual = {}
            for root, _, names in os.walk(mine):
                for name in names:
                    with open(os.path.join(root, name), "rb") as file:
                        actual[os.path.relpath(os.path.join(root, name), mine)] = file.read()
            for name in sorted(expected.keys() | actual.keys()):
                if name.endswith(".xliff"):
                    continue
                kind = "equal" if expected.get(name) == actual.get(name) else "missing" if name not in actual else "extra" if name not in expected else "differing"
                files[kind] += 1
                if kind != "equal":
                    told.add((f"{kind} file", name, None, None))
                if kind != "equal" and name not in seen:
                    seen[name] = language
                    print(f"  {kind} file: {name}")
    print(f"sum: units {sums['units']}, equal {sums['equal']} ({100 * sums['equal'] / max(1, sums['units']):.2f} %), missing {sums['missing']}, extra {sums['extra']},"
          f" differing {sums['differing']}; <file> elements equal byte for byte {sums['same']} of {sums['elements']}; XLIFF files {sums['xliff']} of {len(bundles)};"
          f" other files: {dict(files)}")


if __name__ == "__main__":
    main()
