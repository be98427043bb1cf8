"""The checks for every page: no overflow, no console messages, no finding of axe-core, and every element reachable with the keyboard."""

# Finds elements that overflow the page or their parent (buttons, tags, cells), and controls smaller than 24 px (WCAG 2.5.8).
LAYOUT = """
const found = [], width = document.documentElement.clientWidth;
const name = (e) => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + (e.className && e.className.baseVal === undefined ? "." + e.className : "");
if (document.scrollingElement.scrollWidth > width) found.push(`the page is ${document.scrollingElement.scrollWidth} px wide, the window ${width}`);
for (const e of document.querySelectorAll("body *")) {
  if (e.closest(".visually-hidden, .skip, svg") || !e.checkVisibility()) continue;
  const box = e.getBoundingClientRect();
  // On narrow screens the head of a table is hidden like .visually-hidden.
  if (box.width <= 1 || getComputedStyle(e.closest("thead") ?? e).clipPath !== "none") continue;
  if (!e.closest(".scroll") && (box.right > width + 1 || box.left < -1)) found.push(`${name(e)} sticks out: ${Math.round(box.left)} to ${Math.round(box.right)} of ${width}`);
  const style = getComputedStyle(e);
  if (e.matches("button, .tag, .button, dd, dt, td, th, h1, h2, h3, p, li") && style.overflowX === "visible" && style.display !== "inline" && e.scrollWidth > e.clientWidth + 2 && !e.querySelector(".scroll, textarea"))
    found.push(`${name(e)}: its content is ${e.scrollWidth} px wide, it has ${e.clientWidth}`);
  if (e.matches("button, input:not([type=hidden]), select, textarea, summary") && (box.height < 24 || box.width < 24)) found.push(`${name(e)} is ${Math.round(box.width)} x ${Math.round(box.height)} px`);
}
for (const chart of document.querySelectorAll("svg.chart[role=img]")) {
  const frame = chart.getBoundingClientRect(), lines = [...chart.querySelectorAll("line.grid")].map((e) => e.getBoundingClientRect());
  for (const e of chart.querySelectorAll("text")) {
    const box = e.getBoundingClientRect();
    if (box.right > frame.right + 1 || box.left < frame.left - 1) found.push(`"${e.textContent}" sticks out of its chart`);
    if (lines.some((line) => box.right > line.left + 1 && box.left < line.right - 1 && box.top < line.bottom && box.bottom > line.top + 1)) found.push(`"${e.textContent}" is on a line of its chart`);
  }
}
for (const e of document.querySelectorAll("img")) {
  const box = e.getBoundingClientRect();
  if (e.complete && !e.naturalWidth) found.push(`the picture ${e.alt} is not shown`);
  if (box.width < 24 || box.height < 24) found.push(`the picture ${e.alt} is ${Math.round(box.width)} x ${Math.round(box.height)} px`);
}
return found.slice(0, 20);
"""

AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"]})
  .then((result) => done(result.violations.map((v) => `${v.id} (${v.impact}): ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " " + (n.any[0]?.message ?? "")).join("; ")}`)))
  .catch((error) => done(["axe failed: " + error]));
"""

# Returns the focused element, whether it is in the window, and whether its focus is visible.
FOCUS = """
const e = document.activeElement;
if (!e || e === document.body) return null;
const box = e.getBoundingClientRect(), style = getComputedStyle(e);
window.focusables ??= new Map();
if (!window.focusables.has(e)) window.focusables.set(e, window.focusables.size);
return {number: window.focusables.get(e), name: e.tagName.toLowerCase() + " " + (e.textContent.trim() || e.name || "").slice(0, 40),
  visible: e.matches(":focus-visible") && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
  inside: box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight};
"""

REACHABLE = """
return [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")]
  .filter((e) => e.checkVisibility() && !e.disabled).length;
"""


def check(browser, axe, language, has_key=False):
    """Returns the faults of the open page."""
    found = browser.run(LAYOUT)
    browser.run(axe + "; window.axe = axe;")
    found += browser.run_async(AXE)
    found += [f"console: {entry['message']}" for entry in browser.console()]
    page = browser.run("return {lang: document.documentElement.lang, dir: document.documentElement.dir, title: document.title, "
                       "main: document.querySelectorAll('main').length, h1: document.querySelectorAll('h1').length, "
                       "raw: /[{][{]|[}][}]|%(?:[0-9][$])?(?:@|lld)/.test(document.title)}")
    if page["lang"] != language:
        found.append(f"its language is {page['lang']}, not {language}")
    if page["dir"] != ("rtl" if language == "ar" else "ltr"):
        found.append(f"its direction is {page['dir']}")
    if page["main"] != 1 or page["h1"] != 1:
        found.append(f"it has {page['main']} main parts and {page['h1']} titles")
    if page["raw"] and not has_key:
        found.append(f"its title is not filled: {page['title']}")
    return found


def keyboard(browser):
    """Presses Tab until every element had the focus. Returns the elements that cannot be reached, or whose focus is not visible."""
    found, seen = [], set()
    wanted = browser.run(REACHABLE)
    for _ in range(wanted + 10):
        browser.press("Tab")
        focus = browser.run(FOCUS)
        if focus is None or focus["number"] in seen and focus["number"] == 0:
            break
        seen.add(focus["number"])
        if not focus["visible"]:
            found.append(f"{focus['name']}: one cannot see that it has the focus")
        if not focus["inside"]:
            found.append(f"{focus['name']}: it has the focus, but is outside the window")
    if len(seen) < wanted:
        found.append(f"Tab reaches {len(seen)} of {wanted} elements")
    return found
