/// The rows of xcode-formats.md D. The texts are our own. If a row names a capture, such as `state-import`, its structure comes from this
/// `apple_xcode27` capture of Xcode's behaviour in the repository Murzav/xcstrings-mcp (tests/fixtures).
extension ImportCase {
  static let all: [ImportCase] = states + targets + keys + plurals + substituted + marks

  private static let states: [ImportCase] =
    [
      ("translated", "translated"), ("final", "translated"), ("signed-off", "translated"), ("custom", "translated"),
    ].map { state, expected in
      ImportCase(
        name: "state \(state)", xcode: "written as \(expected) (state-import)",
        before: entry("k", en: text("source"), fr: text("old", "needs_review")),
        units: transUnit("k", "source", "<target state=\"\(state)\">changed</target>"),
        after: entry("k", en: text("source"), fr: text("changed", expected)), verdicts: ["taken"])
    }
    + ["new", "needs-review-l10n", "needs-review-translation"].map { state in
      ImportCase(
        name: "state \(state)", xcode: "ignored, “Target has unfinished state” (state-import)",
        before: entry("k", en: text("source"), fr: text("old")),
        units: transUnit("k", "source", "<target state=\"\(state)\">changed</target>"), after: nil,
        verdicts: ["unfinishedState"])
    }
    + ["exact-match", "fuzzy-match", "x-machine-translated", "needs-review-l10n"].map { qualifier in
      ImportCase(
        name: "qualifier \(qualifier)", xcode: "written as translated (state-qualifiers)",
        before: entry("k", en: text("source"), fr: text("old")),
        units: transUnit(
          "k", "source", "<target state=\"translated\" state-qualifier=\"\(qualifier)\">changed</target>"),
        after: entry("k", en: text("source"), fr: text("changed")), verdicts: ["taken"])
    }
    + [
      ImportCase(
        name: "no state", xcode: "written as translated (state-import)",
        before: entry("k", en: text("source"), fr: text("old")),
        units: transUnit("k", "source", "<target>changed</target>"),
        after: entry("k", en: text("source"), fr: text("changed")), verdicts: ["taken"]),
      ImportCase(
        name: "leveraged-mt", xcode: "written as machine_translated (state-qualifiers)",
        before: entry("k", en: text("source"), fr: text("old")),
        units: transUnit(
          "k", "source", "<target state=\"translated\" state-qualifier=\"leveraged-mt\">changed</target>"),
        after: entry("k", en: text("source"), fr: text("changed", "machine_translated")), verdicts: ["taken"]),
    ]

  private static let targets: [ImportCase] = [
    ImportCase(
      name: "no target", xcode: "kept, “No translation found in the XLIFF” (state-import)",
      before: entry("k", en: text("source"), fr: text("old")), units: transUnit("k", "source", nil), after: nil,
      verdicts: ["noTarget"]),
    ImportCase(
      name: "empty target for an existing translation",
      xcode: "sets “”; Dragoman keeps the translation and holds the unit (state-import)",
      before: entry("k", en: text("source"), fr: text("old")),
      units: transUnit("k", "source", "<target state=\"translated\"/>"), after: nil, verdicts: ["emptyTarget"]),
    ImportCase(
      name: "empty target without an earlier translation", xcode: "sets “” (state-import)",
      before: entry("k", en: text("source")),
      units: transUnit("k", "source", "<target state=\"translated\"/>"),
      after: entry("k", en: text("source"), fr: text("")), verdicts: ["taken"]),
    ImportCase(
      name: "empty target without a state",
      xcode: "sets “”; Dragoman holds it, because tools write it for untranslated units",
      before: entry("k", en: text("source")),
      units: transUnit("k", "source", "<target></target>"), after: nil, verdicts: ["emptyTarget"]),
    ImportCase(
      name: "inline tags", xcode: "text kept, tags dropped (inline-import)",
      before: entry("g", en: text("source g"), fr: text("old")) + ", " + entry("m", en: text("source m")) + ", "
        + entry("p", en: text("source p"), fr: text("old")) + ", " + entry("x", en: text("source x"), fr: text("old")),
      units: transUnit("g", "source g", translated("before <g id=\"1\">middle</g> after"))
        + transUnit("p", "source p", translated("before <ph id=\"1\">%@</ph> after"))
        + transUnit("x", "source x", translated("before <x id=\"1\"/> after"))
        + transUnit("m", "source m", translated("a <mrk mtype=\"term\">b <g id=\"2\">c</g></mrk>")),
      after: entry("g", en: text("source g"), fr: text("before middle after")) + ", "
        + entry("m", en: text("source m"), fr: text("a b c")) + ", "
        + entry("p", en: text("source p"), fr: text("before %@ after")) + ", "
        + entry("x", en: text("source x"), fr: text("before  after")),
      verdicts: ["taken", "taken", "taken", "taken"]),
    ImportCase(
      name: "target equal to the source", xcode: "written as translated (inferred)", before: entry("k", en: text("OK")),
      units: transUnit("k", "OK", translated("OK")), after: entry("k", en: text("OK"), fr: text("OK")),
      verdicts: ["taken"]),
    ImportCase(
      name: "not to be translated", xcode: "imported if the target is finished (inferred)",
      before: entry("k", en: text("Brand"), "\"shouldTranslate\" : false"),
      units: transUnit("k", "Brand", translated("Marque"), attributes: " translate=\"no\""),
      after: entry("k", en: text("Brand"), fr: text("Marque"), "\"shouldTranslate\" : false"), verdicts: ["taken"]),
    ImportCase(
      name: "other arguments than the source's",
      xcode: "written; Dragoman holds it, because it would print another argument",
      before: entry("k", en: text("%lld birds"), fr: text("%lld oiseaux")),
      units: transUnit("k", "%lld birds", translated("%@ oiseaux")), after: nil, verdicts: ["placeholdersUnsafe"]),
  ]

  private static let keys: [ImportCase] = [
    ImportCase(
      name: "source text that no form has",
      xcode: "skipped, “Ignoring overrides for top-level key”; its siblings are written",
      before: entry(
        "k", en: varied("plural", [("one", text("%lld bird")), ("other", text("%lld birds"))]),
        fr: varied("plural", [("one", text("%lld oiseau")), ("other", text("%lld oiseaux"))])),
      units: transUnit("k|==|plural.one", "%lld bird", translated("%lld piaf"))
        + transUnit("k|==|plural.other", "%lld fowls", translated("%lld piafs")),
      after: entry(
        "k", en: varied("plural", [("one", text("%lld bird")), ("other", text("%lld birds"))]),
        fr: varied("plural", [("one", text("%lld piaf")), ("other", text("%lld oiseaux"))])),
      verdicts: ["taken", "sourceChanged"]),
    ImportCase(
      name: "source of another form of the key", xcode: "written: it is one of the project's source strings of the key",
      before: entry("k", en: varied("plural", [("one", text("%lld bird")), ("other", text("%lld birds"))])),
      units: transUnit("k|==|plural.one", "%lld birds", translated("%lld oiseau"))
        + transUnit("k|==|plural.other", "%lld birds", translated("%lld oiseaux")),
      after: entry(
        "k", en: varied("plural", [("one", text("%lld bird")), ("other", text("%lld birds"))]),
        fr: varied("plural", [("one", text("%lld oiseau")), ("other", text("%lld oiseaux"))])),
      verdicts: ["taken", "taken"]),
    ImportCase(
      name: "id not in the catalog", xcode: "skipped, “Key not found in the project”",
      before: entry("k", en: text("a")),
      units: transUnit("gone", "b", translated("c")), after: nil, verdicts: ["unknownKey"]),
    ImportCase(
      name: "key that is not in the file", xcode: "kept, “Key not found in the XLIFF”",
      before: entry("a", en: text("a"), fr: text("old a")) + ", " + entry("b", en: text("b"), fr: text("old b")),
      units: transUnit("b", "b", translated("new b")),
      after: entry("a", en: text("a"), fr: text("old a")) + ", " + entry("b", en: text("b"), fr: text("new b")),
      verdicts: ["taken"]),
    ImportCase(
      name: "keys that contain the delimiter",
      xcode: "ignores those that end in a form's path; Dragoman imports all of them (literal-variation-suffix)",
      before: [
        "a|==|b|==|plural.one", "p|==|device.iphone", "p|==|substitutions.N.plural.one", "p|==|unknown.x", "p|==|word",
      ]
      .map { entry($0, en: text("EN"), fr: text("FR")) }.joined(separator: ", "),
      units: [
        "a|==|b|==|plural.one", "p|==|device.iphone", "p|==|substitutions.N.plural.one", "p|==|unknown.x", "p|==|word",
      ]
      .map { transUnit($0, "EN", translated("changed")) }.joined(),
      after: [
        "a|==|b|==|plural.one", "p|==|device.iphone", "p|==|substitutions.N.plural.one", "p|==|unknown.x", "p|==|word",
      ]
      .map { entry($0, en: text("EN"), fr: text("changed")) }.joined(separator: ", "),
      verdicts: Array(repeating: "taken", count: 5)),
    ImportCase(
      name: "control characters in keys and texts", xcode: "kept, CR as &#13; (catalog-matrix)",
      before: entry("key\\rCR", en: text("source\\rCR"), fr: text("old")) + ", "
        + entry("key\\tTAB", en: text("a\\tb"), fr: text("old")),
      units: transUnit("key&#13;CR", "source&#13;CR", translated("cible&#13;CR"))
        + transUnit("key&#9;TAB", "a\tb", translated("c\td")),
      after: entry("key\\rCR", en: text("source\\rCR"), fr: text("cible\\rCR")) + ", "
        + entry("key\\tTAB", en: text("a\\tb"), fr: text("c\\td")),
      verdicts: ["taken", "taken"]),
  ]

  private static let plurals: [ImportCase] = [
    ImportCase(
      name: "variation overriding", xcode: "the language has plural forms afterwards (WWDC23 10155)",
      before: entry("k", en: text("%lld birds"), fr: text("%lld oiseaux")),
      units: transUnit("k|==|plural.one", "%lld birds", translated("%lld oiseau"))
        + transUnit("k|==|plural.other", "%lld birds", translated("%lld piafs")),
      after: entry(
        "k", en: text("%lld birds"),
        fr: varied("plural", [("one", text("%lld oiseau")), ("other", text("%lld piafs"))])),
      verdicts: ["taken", "taken"]),
    ImportCase(
      name: "variation overriding by one form", xcode: "unknown; Dragoman keeps the former text for the other numbers",
      before: entry("k", en: text("%lld birds"), fr: text("%lld oiseaux")),
      units: transUnit("k|==|plural.one", "%lld birds", translated("%lld oiseau")),
      after: entry(
        "k", en: text("%lld birds"),
        fr: varied("plural", [("one", text("%lld oiseau")), ("other", text("%lld oiseaux"))])),
      verdicts: ["taken"]),
    ImportCase(
      name: "device overriding", xcode: "the language has device forms afterwards, with the former text as fallback",
      before: entry("k", en: text("Tap"), fr: text("Toucher")),
      units: transUnit("k|==|device.mac", "Tap", translated("Cliquer")),
      after: entry("k", en: text("Tap"), fr: varied("device", [("mac", text("Cliquer")), ("other", text("Toucher"))])),
      verdicts: ["taken"]),
    ImportCase(
      name: "partly translated plural",
      xcode: "missing categories are added as new, with the source text (plural-fallback)",
      before: entry(
        "k", en: varied("plural", [("other", text("EN %lld"))]), fr: varied("plural", [("other", text("FR %lld"))])),
      units: transUnit("k|==|plural.one", "EN %lld", nil)
        + transUnit("k|==|plural.other", "EN %lld", translated("changed %lld")),
      after: entry(
        "k", en: varied("plural", [("other", text("EN %lld"))]),
        fr: varied("plural", [("one", text("EN %lld", "new")), ("other", text("changed %lld"))])),
      verdicts: ["noTarget", "taken"]),
    ImportCase(
      name: "untranslated plural beside translated texts",
      xcode:
        "gets all its cases as new when the file is written; here what nobody touched keeps its bytes (plural-fallback)",
      before: entry("k", en: text("a")) + ", "
        + entry("p", en: varied("plural", [("one", text("one %lld")), ("other", text("other %lld"))])),
      units: transUnit("k", "a", translated("b")) + transUnit("p|==|plural.one", "one %lld", nil)
        + transUnit("p|==|plural.other", "other %lld", nil),
      after: entry("k", en: text("a"), fr: text("b")) + ", "
        + entry("p", en: varied("plural", [("one", text("one %lld")), ("other", text("other %lld"))])),
      verdicts: ["taken", "noTarget", "noTarget"]),
    ImportCase(
      name: "partly translated plural of a new language",
      xcode: "missing categories are added as new, with the source text",
      before: entry("k", en: varied("plural", [("one", text("%lld bird")), ("other", text("%lld birds"))])),
      units: transUnit("k|==|plural.few", "%lld birds", nil) + transUnit("k|==|plural.many", "%lld birds", nil)
        + transUnit("k|==|plural.one", "%lld bird", translated("%lld птах"))
        + transUnit("k|==|plural.other", "%lld birds", translated("%lld птаха")),
      after: """
        "k" : { "extractionState" : "manual", "localizations" : { \
        "en" : { \(varied("plural", [("one", text("%lld bird")), ("other", text("%lld birds"))])) }, \
        "uk" : { \(varied("plural", [
          ("few", text("%lld birds", "new")), ("many", text("%lld birds", "new")), ("one", text("%lld птах")),
          ("other", text("%lld птаха")),
        ])) } } }
        """,
      verdicts: ["noTarget", "noTarget", "taken", "taken"], language: "uk"),
    ImportCase(
      name: "no translation at all",
      xcode: "“No translations to import”, the language is not created (missing-locale-uk)",
      before: entry("k", en: varied("plural", [("one", text("%lld bird")), ("other", text("%lld birds"))])),
      units: ["few", "many", "one", "other"].map { transUnit("k|==|plural.\($0)", "%lld birds", nil) }.joined(),
      after: nil, verdicts: Array(repeating: "noTarget", count: 4), language: "uk"),
    ImportCase(
      name: "varied source, simple target", xcode: "the target's shape rules (plural-fallback)",
      before: entry(
        "k", en: varied("plural", [("one", text("EN %lld one")), ("other", text("EN %lld other"))]),
        fr: text("FR %lld flat")),
      units: transUnit("k", "EN %lld other", translated("FR %lld changed")),
      after: entry(
        "k", en: varied("plural", [("one", text("EN %lld one")), ("other", text("EN %lld other"))]),
        fr: text("FR %lld changed")),
      verdicts: ["taken"]),
  ]
}
