"""Whole stories in the browser, each from the sign-in to the resulting change in git."""
from urllib.parse import quote
import installation
from webdriver import Failure, wait


def expect(condition, what):
    if not condition:
        raise Failure(what)


def sign_in(browser, url, token):
    browser.open(url + "/signin")
    browser.type("#token", token)
    browser.click("main button[type=submit]")
    wait("the sign-in", 10, lambda: browser.run("return document.querySelector('.who') !== null"))


def refused_sign_in(browser, place, tokens):
    browser.open(place.url + "/signin")
    browser.type("#token", "dragoman_wrong")
    browser.click("main button[type=submit]")
    wait("the refusal of a wrong token", 10, lambda: browser.run("return document.querySelector('[role=alert]') !== null"))
    browser.open(place.url + "/pipelines/birds")
    expect("/signin" in browser.url, "a page is shown to a stranger")
    browser.type("#token", tokens["viewer"])
    browser.click("main button[type=submit]")
    wait("the page that was asked for", 10, lambda: browser.url.endswith("/pipelines/birds"))
    browser.open(place.url + "/held")
    browser.click("main a[href^='/held/']")
    wait("the held unit", 10, lambda: "/held/" in browser.url)
    expect(not browser.run("return [...document.forms].some((f) => f.action.includes('/held/') && f.querySelector('button'))"), "a viewer is offered a decision")


def edit_held_unit(browser, place, tokens):
    """Edits a held unit using only the keyboard, from the list of held units to the translation on the branch."""
    sign_in(browser, place.url, tokens["operator"])
    browser.open(place.url + "/held?pipeline=birds")
    focus(browser, "main a[href^='/held/']")
    browser.press("Enter")
    wait("the held unit", 10, lambda: "/held/" in browser.url)
    expect("%lld" in browser.text(), "the reason is not shown")
    focus(browser, "textarea")
    browser.press("Control", "a")
    browser.write("%lld Vögel heute gesehen")
    focus(browser, "main form button.main")
    browser.press("Enter")
    wait("the delivery", 60, lambda: place.delivered("de", installation.HELD) == "%lld Vögel heute gesehen")
    log = [(entry["action"]["action"], entry["action"]["actor"]["name"]) for entry in place.api("/audit", tokens["admin"])["entries"]]
    expect(any("edit" in action and who == "test-operator" for action, who in log), f"the audit log does not name the edit: {log}")


def follow_missing_string(browser, place, tokens):
    """Follows a missing string from the heat map to its author and its location in the code."""
    sign_in(browser, place.url, tokens["viewer"])
    browser.click("main a[href='/pipelines/birds']")
    wait("the pipeline", 10, lambda: browser.url.endswith("/pipelines/birds"))
    browser.click("table.heat a[href*='language=ja']")
    wait("what is missing", 10, lambda: "/release" in browser.url)
    expect(installation.MISSING in browser.text(), "the missing string is not listed")
    expect(installation.AUTHOR[0] in browser.text(), "its author is not named")
    browser.click(f"main a[href*='{quote(installation.MISSING)}']")
    wait("the string", 10, lambda: "/strings" in browser.url)
    text = browser.text()
    expect(installation.MISSING in text and "Birds.swift" in text, f"the string's page does not say where it is: {text}")
    expect(installation.AUTHOR[0] in text, "the string's page does not name its author")


def share_release(browser, place, tokens):
    """Checks that a link opened by another person shows the same page after the sign-in, and that the page can be printed."""
    target = "/pipelines/birds/release?branch=" + quote("release/2.0", safe="") + "&language=ja"
    browser.open(place.url + target)
    expect("/signin" in browser.url, "the link is open to strangers")
    browser.type("#token", tokens["viewer"])
    browser.click("main button[type=submit]")
    wait("the shared page", 10, lambda: browser.url.endswith(target))
    expect("release/2.0" in browser.text("h1"), "the page is of another branch")
    expect(browser.print(place.path("release.pdf")).startswith(b"%PDF"), "the page cannot be printed")


def hostile_texts(browser, place, tokens):
    """Checks that markup and direction marks from a repository are shown and have no effect."""
    sign_in(browser, place.url, tokens["viewer"])
    browser.run("window.alert = () => { document.title = 'attacked' }")
    browser.open(place.url + "/pipelines/hostile/release?branch=main&language=de")
    expect("<script>alert(1)</script>" in browser.text(), "the markup is not shown as text")
    expect("\u202e" not in browser.text(), "a mark of direction reaches the page")
    expect(browser.run("return document.querySelectorAll('main script').length") == 0, "a script of a repository is in the page")
    status = browser.run_async("const done = arguments[0]; fetch('/pipelines/birds/pause', {method: 'POST', headers: {'Content-Type': "
                               "'application/x-www-form-urlencoded'}, body: 'form=forged'}).then((a) => done(a.status))")
    expect(status == 403, f"the response to a forged form has the status {status}")
    browser.console()


def live(browser, place, tokens):
    """Checks that the page of a pipeline changes by itself after a new commit."""
    sign_in(browser, place.url, tokens["operator"])
    browser.open(place.url + "/pipelines/birds")
    wait("the connection for events", 20, lambda: browser.run("return !document.getElementById('live').hidden"))
    before = browser.run("return document.querySelector('[data-live=below]').innerHTML")
    place.commit("birds", place.strings + [("A string of a live page", "A button")], "Change the page")
    wait("the changed page", 60, lambda: browser.run("return document.querySelector('[data-live=below]').innerHTML") != before)


def focus(browser, css):
    """Presses Tab until an element has the focus."""
    for _ in range(200):
        if browser.run("return document.activeElement !== null && document.activeElement.matches(arguments[0])", css):
            return
        browser.press("Tab")
    raise Failure(f"Tab does not reach {css}")


# PLAIN runs with and without JavaScript, except its last story. The order matters, because later stories use up data of earlier ones.
PLAIN = [refused_sign_in, follow_missing_string, share_release, edit_held_unit]
SCRIPTED = [hostile_texts, live]
