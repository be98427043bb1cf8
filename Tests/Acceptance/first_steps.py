#!/usr/bin/env python3
"""Follows docs/first-package.md and docs/first-app.md on fresh checkouts of public projects.

    first_steps.py --dragoman BIN --mirrors DIR [--only OWNER/NAME]

For each project, the script does what a new user would do: clone it, run extract, run init with a new language, commit, check that the catalogs
match the code, add another language, send a round, return a translation, receive and merge it, and run the gate. Each command must end as the
page describes, and every other file must be unchanged.
"""
import argparse, json, os, re, subprocess, sys, tempfile

# Two packages and three apps.
PROJECTS = ["StanfordSpezi/SpeziScheduler", "clerk/clerk-ios", "rxhanson/Rectangle", "geteduroam/apple-app", "apple/sample-backyard-birds"]
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from public_rounds import translate


class Failed(Exception):
    pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--mirrors", required=True)
    parser.add_argument("--only")
    options = parser.parse_args()
    program = os.path.abspath(options.dragoman)
    failed = 0
    for project in [options.only] if options.only else PROJECTS:
        mirror = os.path.join(options.mirrors, project.replace("/", "+"), "repo")
        if not os.path.isdir(mirror):
            print(f"{project}: skipped, no mirror")
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(f"{project}: {steps(program, os.path.abspath(mirror), folder)}")
            except Failed as failure:
                failed += 1
                print(f"{project}: FAILED: {failure}")
    sys.exit(1 if failed else 0)


def steps(program, mirror, folder):
    environment = dict(
        PATH="/usr/bin:/bin", HOME=folder, LC_ALL="C", GIT_CONFIG_NOSYSTEM="1", GIT_AUTHOR_NAME="New User",
        GIT_AUTHOR_EMAIL="new@example.com", GIT_COMMITTER_NAME="New User", GIT_COMMITTER_EMAIL="new@example.com")
    work = os.path.join(folder, "work")

    def run(*words, expect=(0,), where=work):
        end = subprocess.run(words, cwd=where, env=environment, capture_output=True, text=True, errors="replace")
        if end.returncode not in expect:
            raise Failed(f"{' '.join(words)} exited with {end.returncode}: {(end.stderr or end.stdout)[-600:]}")
        return end.stdout

    def dragoman(*words, expect=(0,)):
        return run(program, *words, expect=expect)

    git = lambda *words: run("git", "-c", "safe.directory=*", *words)
    run("git", "-c", "safe.directory=*", "clone", "-q", mirror, work, where=folder)
    # A user's clone has a remote, but a pipeline must not push to it here. The pages also work without a remote.
    git("remote", "remove", "origin")
    strings = dragoman("extract").count("\n")
    status = json.loads(dragoman("status", "--format", "json"))
    known = {language["language"] for language in status["languages"]} | {status["sourceLanguage"]}
    new = [language for language in ["cy", "mt", "sw", "is"] if language not in known][:2]
    dragoman("init", "--language", new[0], "--pipeline", "first.yaml", "--dry-run")
    if git("status", "--porcelain"):
        raise Failed("a dry run changed files")
    dragoman("init", "--language", new[0], "--pipeline", "first.yaml")
    changed = [line[3:].strip('"') for line in git("status", "--porcelain", "-uall").splitlines()]
    strange = [path for path in changed if not re.search(r"(\.xcstrings|\.strings|project\.pbxproj|Package(@swift-[0-9.]+)?\.swift|first\.yaml|^\.gitignore)$", path)]
    if strange:
        raise Failed(f"init changed {strange[:5]}")
    # With --pipeline, `init` also adds the folder for translators to .gitignore.
    ignored = git("diff", "--numstat", "--", ".gitignore").split()
    if ignored and ignored[1] != "0":
        raise Failed("init removed lines of .gitignore")
    # Sync updates strings that were in catalogs before init.
    dragoman("sync")
    git("add", "-A")
    git("commit", "-q", "-m", "Start localization")
    dragoman("sync", "--check", expect=(0, 65))
    dragoman("add-language", new[1], "--pipeline", "first.yaml")
    git("add", "-A")
    git("commit", "-q", "-m", "Add a language")
    dragoman("pipelines", "check", ".")
    dragoman("run", "first.yaml", "--once", expect=(0, 65))
    drop = os.path.join(work, re.search(r"path: (\S+)", open(os.path.join(work, "first.yaml")).read()).group(1).strip('"'))
    sent = translate(drop)
    if not {language for _, _, language in sent} >= set(new):
        raise Failed("not every language was sent")
    dragoman("run", "first.yaml", "--once", expect=(0, 65))
    branch = git("rev-parse", "--abbrev-ref", "HEAD").strip()
    git("merge", "-q", "--no-edit", f"l10n/{branch}")
    verdict = dragoman("status", "--require", "0", "--require", f"{new[0]}=95", "--require", f"{new[1]}=95", expect=(0, 1, 65)).split("\n")[0]
    report = json.loads(dragoman("status", "--format", "json", expect=(0, 65)))
    shares = {language["language"]: language["percent"] for language in report["languages"]}
    if min(shares.get(language, 0) for language in new) < 90:
        raise Failed(f"after the round {new} have {[shares.get(language) for language in new]} %: {verdict[:300]}")
    page = dragoman("status", "--require", "0", "--details", "--format", "html", expect=(0, 1, 65))
    if "</html>" not in page:
        raise Failed("the page of the release is incomplete")
    dragoman("check", expect=(0, 1, 65))
    return f"{strings} strings, {len(changed)} files changed by init, {len(sent)} translations sent and taken, {new[0]} {shares[new[0]]} %"


main()
