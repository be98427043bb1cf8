#!/usr/bin/env python3
"""Compares `dragoman status --require 100` on public projects with an independent count from the catalogs.

    verdicts.py --dragoman BIN --mirrors FOLDER --plurals FILE [--least N]

FOLDER has bare mirrors, and FILE is CLDR's plurals.json. The script counts in the String Catalogs and languages that `status` reports. A key is
translated if every form that the language needs, and a form for zero if there is one, is in the state `translated` and has a text if the source
has one. Stale keys and keys that are not translatable do not count. The counts of every catalog and language must agree, and so must the
verdict: PASS if and only if all languages are complete and dragoman has a verdict. The script exits with 1 if any result differs, or if there
are fewer than N projects.
"""
import argparse, json, os, subprocess, sys, unicodedata


def categories(plurals, language):
    rules = plurals["supplemental"]["plurals-type-cardinal"]
    for name in (language, language.split("-")[0]):
        if name in rules:
            found = {key.rsplit("-", 1)[1]: rule for key, rule in rules[name].items()}
            # Xcode offers no form for whole millions in Romance languages (xcode-formats.md H: fr, es, it and pt have one and other).
            return {c for c, rule in found.items() if not rule.partition("@integer")[2].strip().startswith("1000000")}
    return {"other"}


def forms(node, needed, state):
    """Returns the states of the counted forms below a node: the plural forms that the language needs. A missing form counts as `new`."""
    if "stringUnit" in node:
        state.append(node["stringUnit"].get("state", "new"))
    if "stringSet" in node:
        state.append(node["stringSet"].get("state", "new"))
    variations = node.get("variations", {})
    for form in variations.get("device", {}).values():
        forms(form, needed, state)
    plural = variations.get("plural")
    if plural is not None:
        for category in needed:
            if category in plural:
                forms(plural[category], needed, state)
            else:
                state.append("new")
        for category, form in plural.items():
            # Every language can show the form `zero` for 0.
            if category not in needed and category not in ("one", "two", "few", "many", "other"):
                forms(form, needed, state)
    return state


def values(node, needed=None):
    """Returns the texts of the forms below a node; with `needed`, only those of plural forms that the language needs."""
    if "stringUnit" in node:
        yield node["stringUnit"].get("value", "")
    for kind, variants in node.get("variations", {}).items():
        for name, form in variants.items():
            if kind != "plural" or needed is None or name in needed or name == "zero":
                yield from values(form, needed)


def shows_nothing(text):
    unseen = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    return all(c.isspace() or unicodedata.category(c) in ("Cc", "Cf") or c in unseen or 0xFE00 <= ord(c) <= 0xFE0F for c in text)


def is_missing(text, texts):
    """Returns whether a form shows no text although every form of the source does. White space may replace a text with white space at both ends."""
    if not shows_nothing(text) or any(shows_nothing(t) for t in texts):
        return False
    return not text.isspace() or not any(t[0].isspace() and t[-1].isspace() for t in texts)


def lacks_text(key, entry, language, own, needed):
    """Returns whether a form of the text or of a substitution shows no text although every form of its source does."""
    source, localization = (entry.get("localizations", {}).get(name) or {} for name in (own, language))
    pairs = [(list(values(source)) or [key], values(localization, needed))]
    for name, substitution in localization.get("substitutions", {}).items():
        pairs.append((list(values(source.get("substitutions", {}).get(name, {}))), values(substitution, needed)))
    return any(texts and any(is_missing(text, texts) for text in found) for texts, found in pairs)


def translated(key, entry, language, own, needed):
    localization = entry.get("localizations", {}).get(language)
    if localization is None or lacks_text(key, entry, language, own, needed):
        return "new"
    states = forms(localization, needed, [])
    for substitution in localization.get("substitutions", {}).values():
        states += forms(substitution, needed, [])
    if not states or "new" in states:
        return "new"
    return "translated" if all(s == "translated" for s in states) else "needs_review"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--mirrors", required=True)
    parser.add_argument("--plurals", required=True)
    parser.add_argument("--least", type=int, default=20)
    options = parser.parse_args()
    plurals = json.load(open(options.plurals))
    projects = figures = 0
    differences = []
    for name in sorted(os.listdir(options.mirrors)):
        directory = os.path.join(options.mirrors, name, "repo")
        # mojito has catalogs for compiler tests, with names of languages and forms that do not exist elsewhere.
        if not os.path.isdir(directory) or name.endswith("+mojito"):
            continue
        git = ["git", "-c", "safe.directory=*", "-C", directory]
        run = subprocess.run([options.dragoman, "status", directory, "--revision", "HEAD", "--require", "100", "--format", "json"],
                             capture_output=True, text=True)
        try:
            report = json.loads(run.stdout)
        except ValueError:
            differences.append(f"{name}: status says nothing: {run.stderr[-200:]}")
            continue
        catalogs = [c for c in report["catalogs"] if c["catalog"].endswith(".xcstrings") and c["languages"]]
        if not catalogs:
            continue
        projects += 1
        incomplete = False
        for catalog in catalogs:
            shown = subprocess.run(git + ["show", "HEAD:" + catalog["catalog"]], capture_output=True)
            text = shown.stdout
            if shown.returncode:
                # The project does not have this table for the usage descriptions of an Info.plist yet.
                incomplete = incomplete or any(l["total"] != l["translated"] for l in catalog["languages"])
                continue
            document = json.loads(text.decode("utf-8-sig"))
            live = {k: e for k, e in document["strings"].items() if e.get("extractionState") != "stale" and e.get("shouldTranslate", True)}
            for language in catalog["languages"]:
                needed = categories(plurals, language["language"])
                states = [translated(k, e, language["language"], document["sourceLanguage"], needed) for k, e in live.items()]
                mine = (len(states), states.count("translated"), states.count("needs_review"), states.count("new"))
                theirs = (language["total"], language["translated"], language["needsReview"], language["new"])
                figures += 1
                incomplete = incomplete or mine[0] != mine[1]
                if mine != theirs:
                    differences.append(f"{name}: {catalog['catalog']}: {language['language']}: counted {mine}, dragoman says {theirs}")
        passed = report["verdict"]["passed"]
        others = any(l["total"] != l["translated"] for c in report["catalogs"] if not c["catalog"].endswith(".xcstrings") for l in c["languages"])
        if passed and (incomplete or others):
            differences.append(f"{name}: passed, though translations are missing")
        obstacles = report["verdict"].get("obstacles") or []
        if not passed and not incomplete and not others and not obstacles and "strings" not in report["verdict"]["line"]:
            differences.append(f"{name}: failed, though all is translated: {report['verdict']['line'][:200]}")
        if (run.returncode == 0) != passed:
            differences.append(f"{name}: exit code {run.returncode} beside passed = {passed}")
    print(f"verdicts: {projects} projects, {figures} figures of catalogs and languages, {len(differences)} differences")
    for line in differences[:60]:
        print("  " + line)
    if differences or projects < options.least:
        sys.exit(1)


if __name__ == "__main__":
    main()
