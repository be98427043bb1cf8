extension ImportCase {
  private static let total = (
    en: text("%lld total"),
    fr: text("Total %#@COUNT@") + ", "
      + substitutions(
        "COUNT", varied("plural", [("one", text("fr %arg single")), ("other", text("fr %arg multiple"))]))
  )
  private static let id = "k|==|substitutions.COUNT.plural."

  private static func totalChanged(_ more: [(String, String)]) -> String {
    text("Total %#@COUNT@ changed") + ", "
      + substitutions(
        "COUNT",
        varied("plural", [("one", text("fr %arg a")), ("other", text("fr %arg b"))] + more))
  }

  private static let totalUnits =
    transUnit("k", "%lld total", translated("Total %1$#@COUNT@ changed"))
    + transUnit(id + "one", id + "one", translated("fr %1$lld a"))
    + transUnit(id + "other", id + "other", translated("fr %1$lld b"))

  static let substituted: [ImportCase] = [
    ImportCase(
      name: "new case of a substitution with a source text",
      xcode: "accepted, “Unexpected case” (new-target-case-existing-context)",
      before: entry("k", en: total.en, fr: total.fr),
      units: totalUnits + transUnit(id + "many", id + "other", translated("fr %1$lld c")),
      after: entry("k", en: total.en, fr: totalChanged([("many", text("fr %arg c"))])),
      verdicts: ["taken", "taken", "taken", "taken"]),
    ImportCase(
      name: "new case of a substitution with its id as source", xcode: "skipped (new-target-case-source-identity)",
      before: entry("k", en: total.en, fr: total.fr),
      units: totalUnits + transUnit(id + "many", id + "many", translated("fr %1$lld c")),
      after: entry("k", en: total.en, fr: totalChanged([])), verdicts: ["taken", "taken", "taken", "sourceIsID"]),
    ImportCase(
      name: "added case of a substitution without a source, as Xcode exports it",
      xcode: "unknown; Dragoman imports it (xcode-formats.md B2.6)",
      before: entry("k", en: total.en, fr: total.fr), units: transUnit(id + "one", nil, translated("fr %1$lld a")),
      after: entry(
        "k", en: total.en,
        fr: text("Total %#@COUNT@") + ", "
          + substitutions("COUNT", varied("plural", [("one", text("fr %arg a")), ("other", text("fr %arg multiple"))]))),
      verdicts: ["taken"]),
    ImportCase(
      name: "substitution units for a language without translations",
      xcode:
        "drops the forms and writes a root that nothing resolves; here all are held (new-target-substitution-loss)",
      before: entry("k", en: total.en), units: totalUnits, after: nil,
      verdicts: ["placeholdersDiffer", "sourceIsID", "sourceIsID"]),
    ImportCase(
      name: "numbered roots and arguments", xcode: "stored as %#@X@ and %arg, argNum kept (catalog-matrix)",
      before: entry("k", en: multi("Birds %#@BIRDS@ yards %#@YARDS@"), fr: multi("Yards %#@YARDS@ oiseaux %#@BIRDS@")),
      units: transUnit(
        "k", "Birds %1$#@BIRDS@ yards %2$#@YARDS@", translated("Changé %2$#@YARDS@ oiseaux %1$#@BIRDS@"))
        + transUnit("k|==|substitutions.YARDS.plural.one", "YARDS %2$lld one", translated("YARDS %2$lld un")),
      after: entry(
        "k", en: multi("Birds %#@BIRDS@ yards %#@YARDS@"),
        fr: multi("Changé %#@YARDS@ oiseaux %#@BIRDS@", yardsOne: "YARDS %arg un")),
      verdicts: ["taken", "taken"]),
    ImportCase(
      name: "names with dots and delimiters",
      xcode:
        "imports names with dots, loses names with a delimiter; Dragoman imports both (delimiter-substitution-loss)",
      before: ["A.B", "P|==|Q"].map { name in
        entry("sub_\(name)", en: single("en", name, "%lld one"), fr: single("fr", name, "%lld un"))
      }.joined(separator: ", "),
      units: transUnit("sub_A.B|==|substitutions.@A.B@.plural.one", "%lld one", translated("%lld seul"))
        + transUnit("sub_P|==|Q|==|substitutions.P|==|Q.plural.one", "%lld one", translated("%lld seul"))
        + transUnit("sub_P|==|Q", "en %1$#@P|==|Q@", translated("voici %1$#@P|==|Q@")),
      after: entry("sub_A.B", en: single("en", "A.B", "%lld one"), fr: single("fr", "A.B", "%lld seul")) + ", "
        + entry("sub_P|==|Q", en: single("en", "P|==|Q", "%lld one"), fr: single("voici", "P|==|Q", "%lld seul")),
      verdicts: ["taken", "taken", "taken"]),
    ImportCase(
      name: "texts by device with a substitution", xcode: "written (device-root-substitution)",
      before: entry("k", en: phone("", "%lld other"), fr: phone("FR ", "FR %lld other")),
      units: transUnit("k|==|device.iphone", "%1$#@COUNT@ phone", translated("DE %1$#@COUNT@ phone"))
        + transUnit("k|==|device.other", "%lld other", translated("DE %lld other"))
        + transUnit("k|==|substitutions.COUNT.plural.one", "%1$lld item", translated("DE %1$lld item"))
        + transUnit("k|==|substitutions.COUNT.plural.other", "%1$lld items", translated("DE %1$lld items")),
      after: entry("k", en: phone("", "%lld other"), fr: phone("DE ", "DE %lld other")),
      verdicts: ["taken", "taken", "taken", "taken"]),
    ImportCase(
      name: "root of a substitution without its forms", xcode: "unknown; the forms are filled as those of a plural",
      before: entry("k", en: single("en", "N", "%arg one")),
      units: transUnit("k", "en %1$#@N@", translated("fr %1$#@N@")),
      after: entry(
        "k", en: single("en", "N", "%arg one"),
        fr: text("fr %#@N@") + ", "
          + substitutions(
            "N", varied("plural", [("one", text("%arg one", "new")), ("other", text("%lld all", "new"))]))),
      verdicts: ["taken"]),
    ImportCase(
      name: "forms of a substitution without their root", xcode: "unknown; the root is filled",
      before: entry("k", en: single("en", "N", "%arg one")),
      units: transUnit("k|==|substitutions.N.plural.one", "%1$lld one", translated("%1$lld un")),
      after: entry(
        "k", en: single("en", "N", "%arg one"),
        fr: text("en %#@N@", "new") + ", "
          + substitutions("N", varied("plural", [("one", text("%arg un")), ("other", text("%lld all", "new"))]))),
      verdicts: ["taken"]),
  ]

  static let marks: [ImportCase] = [
    ImportCase(
      name: "phrases of an App Shortcut", xcode: "unknown; as they are exported (xcode-formats.md B2.8)",
      before: "\"a ${applicationName}\" : { \"localizations\" : { \"en\" : { \"stringSet\" : { \"state\" : \"new\", "
        + "\"values\" : [ \"a ${applicationName}\", \"b ${applicationName}\" ] } } } }",
      units: transUnit(
        "a ${applicationName}",
        "\n          <mrk mtype=\"x-set\" mid=\"0\">a ${applicationName}</mrk>\n          "
          + "<mrk mtype=\"x-set\" mid=\"1\">b ${applicationName}</mrk>\n        ",
        translated("\n          <mrk mtype=\"x-set\" mid=\"0\">c ${applicationName}</mrk>\n        ")),
      after: "\"a ${applicationName}\" : { \"localizations\" : { \"en\" : { \"stringSet\" : { \"state\" : \"new\", "
        + "\"values\" : [ \"a ${applicationName}\", \"b ${applicationName}\" ] } }, \"fr\" : { \"stringSet\" : { "
        + "\"state\" : \"translated\", \"values\" : [ \"c ${applicationName}\" ] } } } }",
      verdicts: ["taken"])
  ]

  private static func multi(_ root: String, yardsOne: String = "YARDS %arg one") -> String {
    let forms = [("BIRDS", 1, "BIRDS %arg one"), ("YARDS", 2, yardsOne)].map { name, number, one in
      "\"\(name)\" : { \"argNum\" : \(number), \"formatSpecifier\" : \"lld\", "
        + varied("plural", [("one", text(one)), ("other", text("\(name) %arg all"))]) + " }"
    }
    return text(root) + ", \"substitutions\" : { \(forms.joined(separator: ", ")) }"
  }

  private static func single(_ word: String, _ name: String, _ one: String) -> String {
    text("\(word) %#@\(name)@") + ", "
      + substitutions(name, varied("plural", [("one", text(one)), ("other", text("%lld all"))]))
  }

  private static func phone(_ prefix: String, _ other: String) -> String {
    varied("device", [("iphone", text("\(prefix)%#@COUNT@ phone")), ("other", text(other))]) + ", "
      + substitutions(
        "COUNT", varied("plural", [("one", text("\(prefix)%arg item")), ("other", text("\(prefix)%arg items"))]))
  }
}
