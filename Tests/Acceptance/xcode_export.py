#!/usr/bin/env python3
"""Compares `dragoman export --catalogs-only` with bundles that Xcode exported and projects committed.

    xcode_export.py --dragoman BIN --repository GITDIR [--revision HEAD] [--folder Localizations]

The script counts the units of String Catalogs whose id, source, state and target are equal, and the XLIFF files that are equal byte for byte.
For the other files it prints missing and extra `<file>` elements, and whether the rest is equal byte for byte.
"""
import argparse, os, re, subprocess, sys, tempfile
import xml.etree.ElementTree as ET

NS = "{urn:oasis:names:tc:xliff:document:1.2}"

def git(directory, *arguments):
    return subprocess.run(["git", "-c", "safe.directory=*", "-c", "core.quotePath=false", "-C", directory, *arguments], capture_output=True, check=True).stdout

def units(data):
    found = {}
    for file in ET.fromstring(data).iter(NS + "file"):
        for unit in file.iter(NS + "trans-unit"):
            source, target = unit.find(NS + "source"), unit.find(NS + "target")
            text = lambda e: None if e is None else "".join(e.itertext())
            found[file.get("original"), unit.get("id")] = (text(source), None if target is None else target.get("state"), text(target))
    return found

def elements(data):
    """Returns the `<file>` elements as bytes, by their original."""
    return {re.search(rb'original="([^"]*)"', e).group(1).decode(): e for e in re.findall(rb"  <file .*?  </file>\n", data, re.S)}

def without(element, ids):
    """Returns a `<file>` element without the units that have these ids."""
    unescape = lambda t: t.replace("&quot;", '"').replace("&#10;", "\n").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    keep = lambda m: b"" if unescape(m.group(1).decode()) in ids else m.group(0)
    return re.sub(rb'      <trans-unit id="([^"]*)".*?</trans-unit>\n', keep, element, flags=re.S)

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--repository", required=True)
    parser.add_argument("--revision", default="HEAD")
    parser.add_argument("--folder", default="Localizations")
    options = parser.parse_args()
    names = [n for n in git(options.repository, "ls-tree", "-r", "--name-only", options.revision, options.folder + "/").decode().split("\n") if n.endswith(".xliff")]
    languages = [os.path.basename(n)[:-len(".xliff")] for n in names]
    first = git(options.repository, "show", f"{options.revision}:{names[0]}").decode()
    version, build = re.search(r'tool-version="([^"]*)" build-num="([^"]*)"', first).groups()
    good = total = same_files = same_but_elements = 0
    surplus = set()
    with tempfile.TemporaryDirectory() as folder:
        command = [options.dragoman, "export", options.repository, "--revision", options.revision, "--catalogs-only", "--xcode", f"{version}/{build}", "--output", folder, "--quiet"]
        for language in languages:
            command += ["--language", language]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for name, language in zip(names, languages):
            theirs = git(options.repository, "show", f"{options.revision}:{name}")
            with open(os.path.join(folder, f"{language}.xcloc", "Localized Contents", f"{language}.xliff"), "rb") as file:
                ours = file.read()
            expected = {k: v for k, v in units(theirs).items() if k[0].endswith(".xcstrings")}
            actual = units(ours)
            total += len(expected)
            good += sum(actual.get(k) == v for k, v in expected.items())
            for key, value in expected.items():
                if actual.get(key) != value:
                    print(f"{language}: {key}: Xcode {value}, ours {actual.get(key)}")
            surplus |= {key for key in actual.keys() - expected.keys()}
            same_files += ours == theirs
            mine, other = elements(ours), elements(theirs)
            common = mine.keys() & other.keys()
            gained = actual.keys() - expected.keys()
            mine = {o: without(e, {i for c, i in gained if c == o}) for o, e in mine.items()}
            same_but_elements += all(mine[o] == other[o] for o in common)
            if ours != theirs and language == languages[0]:
                print("only in Xcode's:", sorted(other.keys() - mine.keys()), "only in ours:", sorted(mine.keys() - other.keys()))
                print("differing:", [o for o in sorted(common) if mine[o] != other[o]])
    for catalog, key in sorted(surplus):
        print(f"in the catalog, not in Xcode's export: {catalog}: {key!r}")
    print(f"units equal: {good} of {total}; XLIFF files equal byte for byte: {same_files} of {len(names)};"
          f" equal byte for byte in every <file> that both have, without the keys that the catalogs have gained since: {same_but_elements} of {len(names)}")
    sys.exit(0 if good == total else 1)

if __name__ == "__main__":
    main()
