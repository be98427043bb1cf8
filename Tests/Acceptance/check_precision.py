#!/usr/bin/env python3
"""Measures how many findings of `dragoman check` on public projects are right.

    check_precision.py --dragoman PROGRAM --mirrors FOLDER                  judges the findings by the sample beside this script
    check_precision.py --dragoman PROGRAM --mirrors FOLDER --draw 300       draws a new sample to judge, with source lines
    … --draw 300 --reports FOLDER                                           keeps the reports of the projects there, and uses them again

The sample (check_sample.tsv) lists findings by project, commit, path, line, rule, language and fingerprint, with a verdict and its reason.
A person gave the verdicts: `right` if a careful localization engineer would be glad of the finding, `wrong` if it is noise. The sample names
places only; texts of public projects are not copied. The check fails below 90 %, or if fewer than half of the judged findings are still
reported: then the sample is too old.
"""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys

SAMPLE = pathlib.Path(__file__).with_name("check_sample.tsv")
NEEDED = 0.90
COLUMNS = ["project", "commit", "path", "line", "rule", "language", "fingerprint", "verdict", "reason"]


def findings(program, repository, commit, report=None):
    """The findings in a project at a commit; from a report that was kept, if there is one."""
    if report and report.is_file():
        return json.loads(report.read_text())["findings"]
    result = subprocess.run(
        [program, "check", repository, "--revision", commit, "--format", "json"], capture_output=True, text=True, timeout=600)
    if result.returncode not in (0, 1, 65) or not result.stdout:
        sys.exit(f"{repository}: check ended with {result.returncode}: {result.stderr.strip()[-400:]}")
    if report:
        report.write_text(result.stdout)
    return json.loads(result.stdout)["findings"]


def git(repository, *arguments):
    return subprocess.run(["git", "-C", repository, *arguments], capture_output=True, check=True).stdout.decode(errors="replace")


def draw(program, mirrors, count, seed, reports):
    """Prints a sample: as many of each rule as possible, and of each project, at random."""
    by_rule = collections.defaultdict(list)
    totals = collections.Counter()
    for mirror in sorted(mirrors.iterdir()):
        repository = mirror / "repo"
        if not repository.is_dir():
            continue
        commit = git(repository, "rev-parse", "HEAD").strip()
        report = reports / f"{mirror.name}.json" if reports else None
        for finding in findings(program, str(repository), commit, report):
            totals[finding["rule"]] += 1
            by_rule[finding["rule"]].append((mirror.name, commit, finding))
    chance = random.Random(seed)
    for rule in by_rule:
        chance.shuffle(by_rule[rule])
        # One of each project in turn, so that a project with many findings does not fill the sample.
        rank = collections.Counter()
        ordered = []
        for entry in by_rule[rule]:
            ordered.append((rank[entry[0]], entry))
            rank[entry[0]] += 1
        by_rule[rule] = [entry for _, entry in sorted(ordered, key=lambda pair: pair[0])]
    chosen = []
    while len(chosen) < count and any(by_rule.values()):
        for rule in sorted(by_rule):
            if by_rule[rule] and len(chosen) < count:
                chosen.append(by_rule[rule].pop(0))
    for rule, total in sorted(totals.items()):
        print(f"# {rule}: {total} findings, {sum(1 for entry in chosen if entry[2]['rule'] == rule)} drawn")
    for project, commit, finding in sorted(chosen, key=lambda entry: (entry[2]["rule"], entry[0])):
        print("\t".join([
            project, commit, finding["path"], str(finding["line"] or ""), finding["rule"], finding["language"] or "",
            finding["fingerprint"], "?", ""]))
        place = f"{finding['path']}:{finding['line']}"
        print(f"#   {place} [{finding['language'] or 'source'}] {finding['message']}")
        if finding["line"] and not finding["path"].endswith((".xcstrings", ".strings", ".stringsdict")):
            lines = git(mirrors / project / "repo", "show", f"{commit}:{finding['path']}").splitlines()
            for number in range(max(1, finding["line"] - 2), min(len(lines), finding["line"] + 2) + 1):
                print(f"#     {number}: {lines[number - 1][:160]}")


def judge(program, mirrors):
    if not SAMPLE.is_file():
        print(f"check_precision: {SAMPLE.name} does not exist yet; draw a sample with --draw, and write right or wrong for each ?")
        return 1
    verdicts = collections.defaultdict(dict)
    for line in SAMPLE.read_text().splitlines():
        if line and not line.startswith("#"):
            row = dict(zip(COLUMNS, line.split("\t")))
            if row["verdict"] not in ("right", "wrong"):
                sys.exit(f"{SAMPLE.name}: no verdict: {line}")
            verdicts[row["project"], row["commit"]][row["rule"], row["fingerprint"]] = row["verdict"]
    counts = collections.defaultdict(collections.Counter)
    missing = 0
    for (project, commit), judged in sorted(verdicts.items()):
        repository = mirrors / project / "repo"
        if not repository.is_dir():
            print(f"{project}: skipped, there is no mirror of it in {mirrors}")
            missing += len(judged)
            continue
        reported = {(finding["rule"], finding["fingerprint"]) for finding in findings(program, str(repository), commit)}
        for (rule, fingerprint), verdict in judged.items():
            counts[rule]["gone" if (rule, fingerprint) not in reported else verdict] += 1
    right = sum(count["right"] for count in counts.values())
    wrong = sum(count["wrong"] for count in counts.values())
    gone = sum(count["gone"] for count in counts.values())
    for rule, count in sorted(counts.items()):
        print(f"{rule}: {count['right']} right, {count['wrong']} wrong, {count['gone']} no longer reported")
    if right + wrong == 0:
        print(f"check_precision: nothing could be judged: no mirrors of the sample's projects in {mirrors}")
        return 1
    share = right / (right + wrong)
    print(f"{right} of {right + wrong} findings are right: {100 * share:.1f} % (needed: {100 * NEEDED:.0f} %)")
    if right + wrong + missing < (right + wrong + gone + missing) / 2:
        print("check_precision: most of the sample is no longer reported; draw and judge a new one")
        return 1
    return 0 if share >= NEEDED else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--mirrors", required=True, type=pathlib.Path)
    parser.add_argument("--draw", type=int, metavar="COUNT")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reports", type=pathlib.Path, help="keeps the report of each project in this folder")
    arguments = parser.parse_args()
    if arguments.draw:
        return draw(arguments.dragoman, arguments.mirrors, arguments.draw, arguments.seed, arguments.reports)
    return judge(arguments.dragoman, arguments.mirrors)


if __name__ == "__main__":
    sys.exit(main())
