#!/usr/bin/env python3
"""Imports every bundle of a folder into the project from which it was exported, and counts the outcomes of its units.

    import_bundles.py --dragoman BIN --corpus FOLDER [--list N]

The project is rebuilt from the bundle: tables and String Catalogs from the XLIFF's source texts, and the other files from its Source Contents,
which have no keys in code. Interface files are not created. A bundle fails if the program exits with a code other than 0 or 1, if a unit of the
XLIFF does not have exactly one outcome, if written files cannot be read again, or if a second import of the same bundle changes a file.
Held units are counted by reason and are not failures.
"""
import argparse, collections, json, os, plistlib, shutil, subprocess, sys, tempfile
import xml.etree.ElementTree as ET



def bundles(folder):
    """Returns the name, the path to import, the XLIFF files, and Source Contents or None for each bundle."""
    for root, folders, names in os.walk(folder):
        folders.sort()
        if root.endswith(".xcloc"):
            folders.clear()
            files = [os.path.join(at, n) for at, _, found in os.walk(root) for n in found if n.endswith(".xliff")]
            yield os.path.relpath(root, folder), root, files, os.path.join(root, "Source Contents")
            continue
        for name in sorted(names):
            if name.endswith((".xliff", ".xlf")):
                path = os.path.join(root, name)
                yield os.path.relpath(path, folder), path, [path], None


def units(path):
    """Returns for each <file> its original, its source language, and the (id, source) pairs of its units."""
    for file in ET.parse(path).iter():
        if file.tag.split("}")[-1] == "file":
            found = []
            for unit in file.iter():
                if unit.tag.split("}")[-1] == "trans-unit":
                    source = next((e for e in unit if e.tag.split("}")[-1] == "source"), None)
                    found.append((unit.get("id") or "", None if source is None else "".join(source.itertext())))
            yield file.get("original") or "", file.get("source-language") or "en", found


def table(found):
    quoted = lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return "".join(f"{quoted(key)} = {quoted(source or '')};\n" for key, source in found).encode()


def rules(found):
    """Returns the .stringsdict for units with ids such as /key:dict/variable:dict/one:dict/:string."""
    entries = {}
    for key, source in found:
        steps = key.removesuffix("/:string").strip("/").split(":dict/")
        steps = [step.removesuffix(":dict") for step in steps]
        if len(steps) < 2:
            continue
        entry = entries.setdefault(steps[0], {})
        if len(steps) == 2:
            entry[steps[1]] = source or ""
        else:
            variable = {"NSStringFormatSpecTypeKey": "NSStringPluralRuleType", "NSStringFormatValueTypeKey": "d"}
            entry.setdefault(steps[1], variable)[steps[2]] = source or ""
    return plistlib.dumps(entries)


def catalog(language, found):
    unit = lambda text: {"stringUnit": {"state": "translated", "value": text or ""}}
    strings = {}
    for identifier, source in found:
        key, mark, path = identifier.rpartition("|==|")
        if not mark:
            key, path = identifier, ""
        steps = path.split(".") if path else []
        at = strings.setdefault(key, {"extractionState": "manual", "localizations": {language: {}}})["localizations"][language]
        if steps[:1] == ["substitutions"] and len(steps) > 2:
            at = at.setdefault("substitutions", {}).setdefault(steps[1], {"formatSpecifier": "lld"})
            steps = steps[2:]
        while len(steps) > 1:
            at = at.setdefault("variations", {}).setdefault(steps[0], {}).setdefault(steps[1], {})
            steps = steps[2:]
        at.update(unit(source))
    whole = {"sourceLanguage": language, "strings": strings, "version": "1.0"}
    return json.dumps(whole, ensure_ascii=False, indent=2, separators=(",", " : ")).encode()


def project(files, contents, folder):
    """Writes the project, and shortens paths that lead out of it. Returns the originals that are not created."""
    if contents and os.path.isdir(contents):
        shutil.copytree(contents, folder, dirs_exist_ok=True)
    os.makedirs(folder, exist_ok=True)
    left = []
    for file in files:
        for original, language, found in units(file):
            parts = [part for part in original.split("/") if part not in ("", ".", "..")]
            path = os.path.join(folder, *parts)
            make = {".strings": table, ".stringsdict": rules, ".xcstrings": lambda f: catalog(language, f)}.get(os.path.splitext(path)[1])
            if make is None or not parts:
                if not os.path.exists(path):
                    left.append(original)
                continue
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as stream:
                stream.write(make(found))
    return left


def run(dragoman, *arguments):
    return subprocess.run([dragoman, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--list", type=int, default=0, help="number of held units to show for each bundle")
    options = parser.parse_args()
    sums, failed = collections.Counter(), 0
    for name, path, files, contents in bundles(options.corpus):
        with tempfile.TemporaryDirectory() as folder:
            left = project(files, contents, folder)
            came = [u for file in files for _, _, found in units(file) for u in found]
            first = run(options.dragoman, "import", path, "--project", folder, "--format", "json")
            faults = []
            if first.returncode not in (0, 1):
                faults.append(f"ended with {first.returncode}: {first.stderr[-400:]}")
                report = {"units": []}
            else:
                report = json.loads(first.stdout)
                if len(report["units"]) != len(came):
                    faults.append(f"{len(came)} units came, {len(report['units'])} have an outcome")
                again = run(options.dragoman, "import", path, "--project", folder, "--format", "json")
                taken = json.loads(again.stdout)["taken"] if again.returncode in (0, 1) else again.stderr[-400:]
                if taken != 0:
                    faults.append(f"a second import takes {taken}")
                status = run(options.dragoman, "status", folder)
                broken = [line for line in status.stderr.split("\n") if ": error: " in line]
                if status.returncode != 0 or broken:
                    faults.append(f"status ends with {status.returncode}: {broken[:2]}")
            verdicts = collections.Counter(unit["verdict"] for unit in report["units"])
            reasons = collections.Counter(unit["reason"].split(":")[0].split(";")[0] for unit in report["units"] if unit["verdict"] == "held")
            sums.update(verdicts, units=len(came), bundles=1)
            failed += bool(faults)
            print(f"{name}: {len(came)} units: " + ", ".join(f"{verdicts[v]} {v}" for v in ("taken", "unchanged", "held")))
            for reason, count in reasons.most_common():
                print(f"    held {count}: {reason}")
            if left:
                print(f"    not made: {len(left)} files, such as {left[0]}")
            for unit in [u for u in report["units"] if u["verdict"] == "held"][:options.list]:
                print(f"      {unit['catalog']}: {unit['id']!r}: {unit['reason']}")
            for fault in faults:
                print(f"  FAILED: {fault}")
    print(f"sum: {sums['bundles']} bundles, {sums['units']} units: {sums['taken']} taken, {sums['unchanged']} unchanged, {sums['held']} held; {failed} bundles failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
