import Localization

/// Rules about the limits and terms that comments and glossaries declare, and about texts that are in the catalog of another target.
extension AdviceRule {
  static let lengthExceeded = AdviceRule(
    "length-exceeded", .warning, "A text is longer than its comment allows",
    reason: "If space is limited, the end of the text is cut off. The comment states how many characters fit.",
    bad: "dragoman:max-length 10, de “Benachrichtigungen”",
    good: "dragoman:max-length 10, de “Hinweise”",
    findInUnit: { unit in
      guard let limit = unit.limits.maxLength else { return [] }
      let forms =
        [(language: unit.sourceLanguage, translation: unit.source.translation)] + unit.translations
      return forms.compactMap { language, translation in
        for (path, leaf) in translation.leaves where leaf.isShown || language == unit.sourceLanguage {
          for text in leaf.texts {
            let length = DeclaredLimits.length(of: text)
            guard length > limit else { continue }
            return unit.remark(
              in: language == unit.sourceLanguage ? nil : language, form: path,
              "\(language): \(text.quotedForMessage) has \(length) characters, but its comment allows \(limit)",
              hint: "shorten the text, or change the comment")
          }
        }
        return nil
      }
    })

  static let termNotUsed = AdviceRule(
    "term-not-used", .warning, "A translation does not use a term of the glossary, or translates a name",
    reason: """
      Users should see the same name everywhere. Names that a comment protects must stay as they are, and terms of the `--glossary` \
      file must have one of their translations in the file.
      """,
    bad: "dragoman:keep Swift; en “Made with Swift”, de “Mit Mauersegler gemacht”",
    good: "de “Mit Swift gemacht”",
    find: { subject in
      subject.units.flatMap { unit -> [Remark] in
        let terms = subject.terms(unit.sourceLanguage)
        guard !terms.isEmpty || !unit.limits.kept.isEmpty else { return [] }
        return unit.translations.compactMap { language, translation in
          for (path, leaf) in translation.leaves where leaf.isShown {
            guard case .text(let text) = leaf.words, case .text(let original)? = unit.source.leaf(at: path)?.words
            else { continue }
            if let name = unit.limits.kept.first(where: { original.contains($0) && !text.contains($0) }) {
              return unit.remark(
                in: language, form: path, "\(language): \(name.quotedForMessage) must stay as it is",
                hint: "the source text is \(original.quotedForMessage)")
            }
            if let fault = terms.fault(of: text, for: original, in: language) {
              return unit.remark(
                in: language, form: path, "\(language): \(fault) in the glossary",
                hint: "the source text is \(original.quotedForMessage)")
            }
          }
          return nil
        }
      }
    })

  static let moduleOfOtherTarget = AdviceRule(
    "module-of-other-target", .warning, "A text is looked up in .module, but only another target's catalog has it",
    reason: """
      `.module` is the bundle of the target that contains the code. If the text and its translations are in another target, for example \
      because a file was moved, users see the source text.
      """,
    bad: #"Text("Save", bundle: .module) in the target Views, “Save” in the catalog of the target Kit"#,
    good: "“Save” with its translations in the catalog of Views",
    find: { subject in
      let project = subject.snapshot.project
      var packages: [TargetID: TreePath] = [:]
      var catalogs: [TreePath: Set<TreePath>] = [:]
      for target in project.targets {
        guard case .package(let manifest) = target.kind else { continue }
        packages[target.id] = manifest
        catalogs[manifest, default: []].formUnion(target.catalogs.values)
      }
      var calls = SourceCalls(subject.snapshot.tree)
      return subject.units.compactMap { unit in
        guard let string = unit.string, string.origin == .swift, let first = string.targets.first,
          let package = packages[first], string.targets.allSatisfy({ packages[$0] == package }),
          subject.snapshot.catalogs[unit.catalog]?.entries[unit.key] == nil
        else { return nil }
        let others = (catalogs[package] ?? []).subtracting([unit.catalog]).sorted()
        let holder = others.first { path in
          guard let entry = subject.snapshot.catalogs[path]?.entries[unit.key], entry.extractionState != .stale else {
            return false
          }
          return entry.translations.contains { $0.key != unit.sourceLanguage }
        }
        guard let holder, string.sites.contains(where: { calls.mentions(".module", at: $0) }) else { return nil }
        return unit.remark(
          at: .code,
          "\(unit.key.text.quotedForMessage) is looked up in this target, but only \(holder) has its translations",
          hint: "move the entry into the catalog of this target, or pass the bundle of the other target")
      }
    })
}
