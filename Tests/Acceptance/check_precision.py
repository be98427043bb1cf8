#!/usr/bin/env python3
"""Measures the share of correct findings of `dragoman check` in public projects.

    check_precision.py --dragoman PROGRAM --mirrors FOLDER                      compares the findings with the sample next to this script
    check_precision.py --dragoman PROGRAM --mirrors FOLDER --draw 300 --seed N  draws a new sample, with `?` for each verdict
      … --least N        draws more until each rule has N findings; these rows are marked `extra` and do not count
      … --judged FILE    excludes the findings of an older sample; may be repeated
      … --show FOLDER    writes each drawn finding there, with the surrounding code or entry, for the verdict
    … --reports FOLDER   stores the report of each project there, and reuses stored reports
    … --projects FILE    reads only these projects, one name per line

A draw chooses a random project, each with the same probability, and then one of its findings that was not drawn yet, again each with the
same probability. These are the findings that a user of some project sees with the default settings. No rule is preferred. Projects without a
String Catalog or `.strings` file are skipped.

The sample (check_sample.tsv) lists findings by project, commit, path, line, rule, language and fingerprint, with a verdict and its reason.
A reader gave the verdicts: `right` if the author of the project would change the code or the catalog because of the finding, or would
agree that it is a risk for users of some language; `wrong` if the finding is noise. The sample has only locations, because texts of public
projects are not copied. The check fails if less than 90 % of the findings are right, or if fewer than half of the judged findings are still
reported, because the sample is then too old.
"""
import argparse
import collections
import hashlib
import json
import pathlib
import random
import subprocess
import sys

SAMPLE = pathlib.Path(__file__).with_name("check_sample.tsv")
NEEDED = 0.90
COLUMNS = ["project", "commit", "path", "line", "rule", "language", "fingerprint", "verdict", "reason"]
TABLES = (".xcstrings", ".strings", ".stringsdict")


def findings(program, repository, commit, report=None):
    """Returns the findings in a project at a commit, from a stored report if there is one."""
    if report and report.is_file():
        return json.loads(report.read_text())["findings"]
    result = subprocess.run(
        [program, "check", repository, "--revision", commit, "--format", "json"], capture_output=True, text=True, timeout=1800)
    if result.returncode not in (0, 1, 65) or not result.stdout:
        sys.exit(f"{repository}: check exited with {result.returncode}: {result.stderr.strip()[-400:]}")
    if report:
        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text(result.stdout)
    return json.loads(result.stdout)["findings"]


def git(repository, *arguments):
    return subprocess.run(["git", "-C", repository, *arguments], capture_output=True, check=True).stdout.decode(errors="replace")


def read_sample(path):
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            yield dict(zip(COLUMNS, line.split("\t")))


def reported(options):
    """Returns the findings of each project, each finding once. Equal texts in one file have the same fingerprint."""
    names = set(options.projects.read_text().split()) if options.projects else None
    for mirror in sorted(options.mirrors.iterdir()):
        repository = mirror / "repo"
        if not repository.is_dir() or names is not None and mirror.name not in names:
            continue
        commit = git(repository, "rev-parse", "HEAD").strip()
        if not any(path.endswith(TABLES) for path in git(repository, "ls-tree", "-r", "--name-only", commit).splitlines()):
            continue
        report = options.reports / f"{mirror.name}.json" if options.reports else None
        unique = {}
        for finding in findings(options.dragoman, str(repository), commit, report):
            unique.setdefault((finding["rule"], finding["fingerprint"]), finding)
        if unique:
            yield mirror.name, commit, list(unique.values())


def draw(options):
    judged = {
        (row["project"], row["rule"], row["fingerprint"]) for path in options.judged or [] for row in read_sample(path)}
    pools, commits, totals = {}, {}, collections.Counter()
    for name, commit, found in reported(options):
        commits[name] = commit
        totals.update(finding["rule"] for finding in found)
        pools[name] = [f for f in found if (name, f["rule"], f["fingerprint"]) not in judged]
    chance = random.Random(options.seed)
    # The order of a finding depends only on the seed and the finding, so a rule that reports less does not change which other findings are drawn.
    for name in sorted(pools):
        pools[name].sort(key=lambda f: hashlib.sha256(f"{options.seed} {name} {f['rule']} {f['fingerprint']}".encode()).digest(), reverse=True)
    chosen = []
    names = sorted(name for name in pools if pools[name])
    while len(chosen) < options.draw and any(pools.values()):
        name = chance.choice(names)
        if pools[name]:
            chosen.append((name, pools[name].pop(), ""))
    drawn = collections.Counter(finding["rule"] for _, finding, _ in chosen)
    extra = collections.Counter()
    for rule in sorted(totals) if options.least else []:
        while drawn[rule] + extra[rule] < options.least:
            names = sorted(name for name in pools if any(finding["rule"] == rule for finding in pools[name]))
            if not names:
                break
            name = chance.choice(names)
            index = next(index for index, finding in enumerate(pools[name]) if finding["rule"] == rule)
            chosen.append((name, pools[name].pop(index), "extra"))
            extra[rule] += 1
    print(f"# Drawn with --draw {options.draw} --seed {options.seed} from {len(commits)} projects with findings.")
    for rule, total in sorted(totals.items()):
        print(f"# {rule}: {total} findings, {drawn[rule]} drawn" + (f", {extra[rule]} more" if extra[rule] else ""))
    print("# " + "\t".join(COLUMNS))
    shown = []
    for number, (name, finding, mark) in enumerate(sorted(chosen, key=lambda row: (row[2], row[1]["rule"], row[0])), 1):
        print("\t".join([
            name, commits[name], finding["path"], str(finding["line"] or ""), finding["rule"], finding["language"] or "",
            finding["fingerprint"], "?", mark]))
        shown.append(f"## {number} {mark} {finding['rule']} {name}\n" + context(options.mirrors / name / "repo", commits[name], finding))
    if options.show:
        options.show.mkdir(parents=True, exist_ok=True)
        for start in range(0, len(shown), 50):
            (options.show / f"{start + 1:03}.txt").write_text("\n".join(shown[start:start + 50]))


def context(repository, commit, finding):
    """Returns the information that a reader needs for a verdict: the message, lines of the file, and the entry in the String Catalog."""
    lines = [f"{finding['path']}:{finding['line']} [{finding['language'] or 'source'}] {finding['message']} ({finding['hint']})"]
    path, line = finding["path"], finding["line"]
    if line and not path.endswith(".xcstrings"):
        # `splitlines` would also split at separators that do not end lines in a source file.
        text = git(repository, "show", f"{commit}:{path}").split("\n")
        reach = 1 if path.endswith(TABLES) else 3
        for number in range(max(1, line - reach), min(len(text), line + reach) + 1):
            lines.append(f"  {number}{'>' if number == line else ':'} {text[number - 1][:140]}")
    catalog = finding["catalog"]
    if catalog and catalog.endswith(".xcstrings"):
        try:
            document = json.loads(git(repository, "show", f"{commit}:{catalog}"))
            entry = document["strings"].get(finding["key"])
        except (subprocess.CalledProcessError, ValueError, KeyError):
            entry = None
        if entry is not None:
            languages = entry.get("localizations", {})
            source = languages.get(document.get("sourceLanguage", "en"))
            shown = {"comment": entry.get("comment"), "source": source, finding["language"]: languages.get(finding["language"])}
            lines.append(f"  {finding['key']!r} of {catalog}, in {len(languages)} languages: " + json.dumps(
                {key: value for key, value in shown.items() if value}, ensure_ascii=False)[:700])
    return "\n".join(lines) + "\n"


def judge(options):
    if not SAMPLE.is_file():
        print(f"check_precision: {SAMPLE.name} does not exist yet; draw a sample with --draw, and write right or wrong for each ?")
        return 1
    verdicts = collections.defaultdict(dict)
    for row in read_sample(SAMPLE):
        if row["verdict"] not in ("right", "wrong"):
            sys.exit(f"{SAMPLE.name}: no verdict: {row}")
        # Extra findings of a rare rule are not representative of the findings that users see.
        if not row["reason"].startswith("extra: "):
            verdicts[row["project"], row["commit"]][row["rule"], row["fingerprint"]] = row["verdict"]
    counts = collections.defaultdict(collections.Counter)
    missing = 0
    for (project, commit), judged in sorted(verdicts.items()):
        repository = options.mirrors / project / "repo"
        if not repository.is_dir():
            print(f"{project}: skipped, no mirror in {options.mirrors}")
            missing += len(judged)
            continue
        report = options.reports / f"{project}.json" if options.reports else None
        found = {(finding["rule"], finding["fingerprint"]) for finding in findings(options.dragoman, str(repository), commit, report)}
        for (rule, fingerprint), verdict in judged.items():
            counts[rule]["gone" if (rule, fingerprint) not in found else verdict] += 1
    right = sum(count["right"] for count in counts.values())
    wrong = sum(count["wrong"] for count in counts.values())
    gone = sum(count["gone"] for count in counts.values())
    for rule, count in sorted(counts.items()):
        print(f"{rule}: {count['right']} right, {count['wrong']} wrong, {count['gone']} no longer reported")
    if right + wrong == 0:
        print(f"check_precision: nothing could be judged: no mirrors of the sample's projects in {options.mirrors}")
        return 1
    share = right / (right + wrong)
    print(f"{right} of {right + wrong} findings are right: {100 * share:.1f} % (needed: {100 * NEEDED:.0f} %)")
    if right + wrong < gone:
        print("check_precision: most of the sample is no longer reported; draw and judge a new one")
        return 1
    return 0 if share >= NEEDED else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--mirrors", required=True, type=pathlib.Path)
    parser.add_argument("--draw", type=int, metavar="COUNT")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=int, default=0, metavar="COUNT", help="draws more until each rule has this many findings")
    parser.add_argument("--judged", action="append", type=pathlib.Path, metavar="FILE", help="leaves out the findings of this sample")
    parser.add_argument("--show", type=pathlib.Path, metavar="FOLDER", help="writes the drawn findings with their surroundings")
    parser.add_argument("--reports", type=pathlib.Path, metavar="FOLDER", help="keeps the report of each project in this folder")
    parser.add_argument("--projects", type=pathlib.Path, metavar="FILE", help="reads only the projects that the file lists")
    options = parser.parse_args()
    return draw(options) if options.draw else judge(options)


if __name__ == "__main__":
    sys.exit(main())
