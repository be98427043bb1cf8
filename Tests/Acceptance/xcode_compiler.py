#!/usr/bin/env python3
"""Compares `dragoman compile` with recorded output of Xcode's `xcstringstool compile` (26.6), file by file.

    xcode_compiler.py --dragoman BIN --mirrors FOLDER [--list] [--show JOB]

The records are the fixtures of a fork of box/mojito (`ja-openai/mojito`, file-formats/conformance): catalogs, the output of Apple's compiler
for each catalog (property lists as JSON), and whether the compiler refused it. They are read from a mirror and are not part of this repository.
A job is one catalog: a case, its normalized form, or the original or translated form of a template. The result of each job is one of

    equal      both have the same files with the same contents, or both refuse the catalog
    agree      both compile it, and Xcode's output is not recorded
    differ     both compile it, and the contents differ
    refused    Xcode compiles it, and we do not
    taken      Xcode refuses it, and we do not
"""
import argparse, collections, json, os, plistlib, subprocess, sys, tempfile

FOLDER = "file-formats/conformance"
MARKS = {"UTF-8-BOM": ("utf-8", b"\xef\xbb\xbf"), "UTF-16LE-BOM": ("utf-16-le", b"\xff\xfe"), "UTF-16BE-BOM": ("utf-16-be", b"\xfe\xff")}


class Records:
    """The files of the newest commit, read with a single `git cat-file`."""

    def __init__(self, directory):
        command = ["git", "-c", "safe.directory=*", "-C", directory, "cat-file", "--batch"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(self, path):
        self.process.stdin.write(f"HEAD:{FOLDER}/{path}\n".encode())
        self.process.stdin.flush()
        head = self.process.stdout.readline().split()
        if head[-1] == b"missing":
            sys.exit(f"{path}: missing in the mirror")
        data = self.process.stdout.read(int(head[2]))
        self.process.stdout.read(1)
        return data

    def json(self, path):
        return json.loads(self.read(path))


def jobs(records):
    """Returns the name, the catalog, whether Xcode accepts it, its possible outputs or None, and its message or None, for each job."""
    manifest = records.json("manifest.json")
    for case in manifest["cases"]:
        if case["format"] != "apple_xcstrings":
            continue
        policy = case.get("xcstringsOracle")
        taken = policy == "accept" or (policy != "reject" and "expected" in case)
        made = [records.json(case["xcstringsCompiled"])] if "xcstringsCompiled" in case else None
        if made is not None and "xcstringsCompiledAlternatives" in case:
            made = records.json(case["xcstringsCompiledAlternatives"])
        yield case["id"], records.read(case["input"]), taken, made, case.get("xcstringsDiagnostic")
        if "xcstringsNormalized" in case:
            if "xcstringsNormalizedCompiled" in case:
                made = [records.json(case["xcstringsNormalizedCompiled"])]
            yield case["id"] + "/normalized", records.read(case["xcstringsNormalized"]), True, made, None
    for case in manifest["sourceSkeletons"]:
        if case["format"] != "apple_xcstrings":
            continue
        for kind, path, made in (
                ("original", case["input"], case["xcstringsCompiled"]),
                ("localized", case["localized"], case["xcstringsLocalizedCompiled"])):
            text = records.read(path).decode()
            if case.get("lineEndings") == "CRLF":
                text = text.replace("\r\n", "\n").replace("\n", "\r\n")
            encoding, mark = MARKS.get(case.get("encoding"), ("utf-8", b""))
            yield f"{case['id']}/{kind}", mark + text.encode(encoding), True, [records.json(made)], None


def compiled(dragoman, data):
    """Returns our files by path, and our messages. There are no files if the catalog is refused."""
    with tempfile.TemporaryDirectory() as folder:
        catalog, output = os.path.join(folder, "catalog.xcstrings"), os.path.join(folder, "output")
        with open(catalog, "wb") as file:
            file.write(data)
        run = subprocess.run([dragoman, "compile", catalog, "--output", output], capture_output=True, text=True)
        said = (run.stdout + run.stderr).replace(folder + "/", "")
        if run.returncode:
            return None, said, run.returncode
        files = {}
        for parent, _, names in os.walk(output):
            for name in names:
                path = os.path.join(parent, name)
                with open(path, "rb") as file:
                    files[os.path.relpath(path, output)] = plistlib.load(file)
        return files, said, 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--mirrors", required=True, help="the folder with ja-openai+mojito/repo")
    parser.add_argument("--list", action="store_true", help="name every job that is not equal")
    parser.add_argument("--show", help="print one job: the catalog, Xcode's output and ours")
    options = parser.parse_args()
    mirror = os.path.join(options.mirrors, "ja-openai+mojito", "repo")
    if not os.path.isdir(mirror):
        sys.exit(f"xcode_compiler: there is no mirror of ja-openai/mojito in {options.mirrors}; nothing was compared")
    records = Records(mirror)
    counts = collections.Counter()
    for name, data, taken, made, message in jobs(records):
        if options.show and name != options.show:
            continue
        files, said, status = compiled(options.dragoman, data)
        if files is None:
            verdict = "refused" if taken else "equal"
            if status < 0 or message is not None and message not in said:
                verdict = "differ"
        elif not taken:
            verdict = "taken"
        else:
            verdict = "agree" if made is None else "equal" if files in made else "differ"
        counts[verdict] += 1
        if options.show:
            print(data.decode("utf-8", "replace"))
            print("Xcode:", "refuses" if not taken else json.dumps(made, ensure_ascii=False, indent=1))
            print("ours:", json.dumps(files, ensure_ascii=False, indent=1), said, sep="\n")
        if options.list and verdict in ("differ", "refused", "taken"):
            print(f"{verdict:8} {name}: {said.splitlines()[0] if said else ''}")
    print(sum(counts.values()), "jobs:", ", ".join(f"{verdict} {count}" for verdict, count in sorted(counts.items())))
    return 1 if counts["differ"] + counts["refused"] + counts["taken"] else 0


if __name__ == "__main__":
    sys.exit(main())
