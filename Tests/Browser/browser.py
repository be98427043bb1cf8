#!/usr/bin/env python3
"""Tests the dashboard in a real Chromium.

    browser.py --dragoman BIN --axe AXE.js --out FOLDER [--only PAGE] [--languages en,ar]

The script makes an installation with the real program. It visits every page in three widths, in light and dark mode and in four languages, and
checks each page (checks.py). It presses Tab through each page, visits each page without JavaScript, and then plays whole stories (stories.py).
Screenshots are written to OUT/pictures. The script exits with 1 if a check fails.
"""
import argparse, os, shutil, sys, time, traceback
from urllib.parse import quote
import checks, installation, stories
from webdriver import Browser, Driver, Failure

WIDTHS, SCHEMES, LANGUAGES = [390, 1024, 1600], ["light", "dark"], ["en", "de", "ar", "ja"]


def pages(place, token):
    """Returns the path of every page by name."""
    held = place.api("/held", token)["held"]
    rounds = place.api("/rounds", token)["rounds"]
    unit = next(unit for unit in held if unit["pipeline"] == "birds")
    hostile = quote(installation.HOSTILE)
    return {
        "portfolio": "/", "pipeline": "/pipelines/birds", "pipeline-hostile": "/pipelines/hostile",
        "release": "/pipelines/birds/release?branch=main", "release-hostile": "/pipelines/hostile/release?branch=main",
        "rounds": "/rounds", "round": f"/rounds/{rounds[0]['id']}", "held": "/held",
        "held-unit": f"/held/{unit['id']}?branch={quote(unit['branch'], safe='')}",
        "string": "/strings?pipeline=birds&key=" + quote(installation.HELD), "string-hostile": f"/strings?pipeline=hostile&key={hostile}",
        "history": "/pipelines/birds/history?branch=main", "preview": "/pipelines/birds/preview?branch=main&style=longer",
        "preview-rtl": "/pipelines/hostile/preview?branch=main&style=right-to-left", "search": "/search?text=bird", "audit": "/audit", "missing": "/no/such/page",
    }


class Report:
    def __init__(self):
        self.checked, self.wrong = 0, []

    def add(self, what, found):
        self.checked += 1
        for line in found:
            self.wrong.append(f"{what}: {line}")
            print(f"{what}: {line}", flush=True)


def visit(browser, place, all_pages, axe, pictures, report):
    for language in LANGUAGES:
        for scheme in SCHEMES:
            for width in WIDTHS:
                browser.look(width, language, scheme)
                for name, path in all_pages.items():
                    browser.open(place.url + path)
                    found = checks.check(browser, axe, language, has_key=name in ("string", "held-unit"))
                    # The browser reports in the console that the missing page is missing.
                    if name == "missing":
                        found = [line for line in found if "status of 404" not in line]
                    report.add(f"{name} {language} {scheme} {width}", found)
                    browser.picture(os.path.join(pictures, f"{name}-{language}-{scheme}-{width}.png"))
        print(f"{language}: visited", flush=True)


def strangers(browser, place, axe, pictures, report):
    for language in LANGUAGES:
        for scheme in SCHEMES:
            for width in WIDTHS:
                browser.look(width, language, scheme)
                browser.open(place.url + "/signin")
                report.add(f"signin {language} {scheme} {width}", checks.check(browser, axe, language))
                browser.picture(os.path.join(pictures, f"signin-{language}-{scheme}-{width}.png"))


def tab_through(browser, place, all_pages, report):
    for language, width in (("en", 1024), ("ar", 390)):
        browser.look(width, language)
        for name, path in all_pages.items():
            browser.open(place.url + path)
            report.add(f"keyboard {name} {language} {width}", checks.keyboard(browser))


def play(driver, place, tokens, story, script, report):
    name = f"{story.__name__}{'' if script else ' without JavaScript'}"
    browser = Browser(driver, script=script)
    try:
        browser.look(1024)
        story(browser, place, tokens)
        report.add(name, [])
        print(f"{name}: done", flush=True)
    except Failure as failure:
        report.add(name, [str(failure)])
        browser.picture(os.path.join(place.pictures, f"failed-{story.__name__}.png"))
    finally:
        browser.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dragoman", required=True)
    parser.add_argument("--axe", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", help="visit one page only, and play no story")
    parser.add_argument("--languages", default=",".join(LANGUAGES), help="the languages to visit pages in")
    options = parser.parse_args()
    LANGUAGES[:] = options.languages.split(",")
    start = time.monotonic()
    with open(options.axe, encoding="utf-8") as file:
        axe = file.read()
    place, report = installation.Installation(options.dragoman, os.path.join(options.out, "installation")), Report()
    place.pictures = pictures = os.path.join(options.out, "pictures")
    shutil.rmtree(pictures, ignore_errors=True)
    os.makedirs(pictures)
    with open(os.path.join(options.out, "chromedriver.log"), "w") as log:
        driver = Driver(log)
        try:
            place.make()
            tokens = {role: place.token(role) for role in ("viewer", "operator", "admin")}
            place.serve()
            all_pages = pages(place, tokens["admin"])
            if options.only:
                all_pages = {options.only: all_pages[options.only]}
            browser = Browser(driver)
            print(f"Chromium {browser.version}", flush=True)
            strangers(browser, place, axe, pictures, report)
            stories.sign_in(browser, place.url, tokens["operator"])
            visit(browser, place, all_pages, axe, pictures, report)
            tab_through(browser, place, all_pages, report)
            browser.close()
            if not options.only:
                plain = Browser(driver, script=False)
                stories.sign_in(plain, place.url, tokens["operator"])
                for name, path in all_pages.items():
                    plain.open(place.url + path)
                    report.add(f"{name} without JavaScript", plain.run(checks.LAYOUT))
                plain.close()
                for story in stories.PLAIN:
                    # Stories that only read are played both with and without JavaScript.
                    for script in (True, False) if story is not stories.edit_held_unit else (False,):
                        play(driver, place, tokens, story, script, report)
                for story in stories.SCRIPTED:
                    play(driver, place, tokens, story, True, report)
        finally:
            place.stop()
            driver.close()
    print(f"{report.checked} checks of {len(all_pages) + 1} pages, {len(report.wrong)} findings, {time.monotonic() - start:.0f} s; pictures: {pictures}")
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
