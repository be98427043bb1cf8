import Localization

/// Rules that compare a translation with its source text. They use the checks of the import review.
extension AdviceRule {
  static let placeholderMismatch = AdviceRule(
    "placeholder-mismatch", .error, "A translation takes other arguments than its source text",
    reason: """
      A missing argument loses information. One of another number or type shows wrong values, or crashes the app.
      """,
    bad: "en “%lld of %@”, de “%@ von %@”",
    good: "en “%1$lld of %2$@”, de “%2$@: %1$lld”",
    findInUnit: { unit in
      // An empty source text is a form that its language does not use.
      guard unit.texts.contains(where: { !$0.isEmpty }) else { return [] }
      let check = PlaceholderCheck(source: unit.source)
      return unit.translations.compactMap { language, translation in
        for (path, leaf) in translation.leaves where leaf.isShown {
          guard let fault = check.difference(of: leaf.words, at: path, present: translation) else { continue }
          // A text without arguments is not known to be a format.
          let isPlain =
            check.isOfPlainText && !path.isInSubstitution && leaf.texts.allSatisfy(PlaceholderCheck.isHarmless)
          guard !isPlain, !takesArgumentsOfSubstitutions(leaf, unit.source.translation),
            !isLossOfEnding("\(fault)", in: unit.text)
          else { continue }
          return unit.remark(
            in: language, form: path, "\(language): \(fault)",
            hint: "the source text is \(unit.text.quotedForMessage)")
        }
        return nil
      }
    })

  /// Whether only an ending of the source language is missing: code puts “s” into “%lld file%@”.
  private static func isLossOfEnding(_ fault: String, in source: String) -> Bool {
    guard fault.hasSuffix(" is missing") else { return false }
    let parts = FormatString(source).parts
    return zip(parts, parts.dropFirst()).contains { before, part in
      guard case .literal(let text) = before, case .specifier(let argument, _) = part else { return false }
      return text.last?.isLetter == true && fault == "\(argument.text) is missing"
    }
  }

  /// Whether a translation without plural forms uses arguments that the forms of the source text use: ko “팔로워 %2$@명” for
  /// “%#@followers@” with “%2$@ followers”.
  private static func takesArgumentsOfSubstitutions(_ leaf: VariedLeaf, _ source: Translation) -> Bool {
    let used = source.leaves.filter { $0.path.isInSubstitution }.flatMap { $0.leaf.texts }
      .flatMap { FormatString($0).arguments }
    return leaf.texts.allSatisfy { text in
      let format = FormatString(text)
      return format.references.isEmpty && !format.arguments.isEmpty
        && format.arguments.allSatisfy { argument in
          used.contains { $0.number == argument.number && $0.type == argument.type }
        }
    }
  }

  static let markupMismatch = AdviceRule(
    "markup-mismatch", .warning, "A translation loses or breaks markup of its source text",
    reason: "Broken Markdown shows its marks on screen, and a lost link cannot be followed.",
    bad: "en “Read the [terms](https://example.com)”, de “Die Bedingungen lesen”",
    good: "en “Read the [terms](https://example.com)”, de “Die [Bedingungen](https://example.com) lesen”",
    findInUnit: { unit in
      guard unit.texts.contains(where: { $0.contains(where: { "*_`~[".contains($0) }) }) else { return [] }
      return unit.translations.compactMap { language, translation in
        for (path, leaf) in translation.leaves where leaf.isShown {
          guard case .text(let text) = leaf.words, case .text(let original)? = unit.source.leaf(at: path)?.words,
            !hasOwnMarks(text, original), !MarkChoice.isFree(text, original),
            let loss = MarkupCheck.losses(of: text, against: original, at: path).first(where: {
              !$0.message.isLossOfCode && (!$0.message.isLossOfEmphasis || losesAllEmphasis(text, original))
            })
          else { continue }
          return unit.remark(
            in: language, form: path, "\(language): \(loss.message)",
            hint: "the source text is \(original.quotedForMessage)")
        }
        return nil
      }
    })

  /// Whether a text with several emphasized parts has none left in its translation. A translator may well emphasize fewer words.
  private static func losesAllEmphasis(_ text: String, _ original: String) -> Bool {
    let bold = original.ranges(of: "**").count + original.ranges(of: "__").count
    return bold >= 4 && !text.contains("*") && !text.contains("_")
  }

  /// Whether underscores are the only markup and nothing is lost. Apps use underscores in their own notations, which need no surrounding
  /// spaces.
  private static func hasOwnMarks(_ text: String, _ original: String) -> Bool {
    let count = { (text: String) in text.count { $0 == "_" } }
    return count(original) > 0 && count(text) == count(original) && !original.contains { "*`~[".contains($0) }
  }

  static let pluralCategoryMissing = AdviceRule(
    "plural-category-missing", .warning, "A translation lacks a plural form that its language needs",
    reason: """
      The app then shows another form, which is wrong for many numbers: Ukrainian needs one, few and many, English one and other.
      """,
    bad: "uk: one “%lld файл”, other “%lld файлу”",
    good: "uk: one “%lld файл”, few “%lld файли”, many “%lld файлів”, other “%lld файлу”",
    findInUnit: { unit in
      unit.entry.translations.sorted { $0.key < $1.key }.compactMap { language, translation in
        guard language == unit.sourceLanguage || !isCopy(translation, unit.source) else { return nil }
        let missing = PluralCheck.missing(in: translation, for: language)
          .filter { isNeeded($0, of: translation, in: language, unit) }
        guard let first = missing.first, translation.leaves.contains(where: { $0.leaf.isShown }) else { return nil }
        let names = missing.filter { $0.parent == first.parent }.compactMap { $0.category?.rawValue }
        let forms = names.map { "“\($0)”" }.joined(separator: ", ")
        return unit.remark(
          in: language == unit.sourceLanguage ? nil : language, form: first.parent,
          "\(language): \(names.count == 1 ? "the plural form" : "the plural forms") \(forms) missing for "
            + unit.text.quotedForMessage)
      }
    })

  /// Whether all forms are the source text's: nothing is translated yet, so no form is missing.
  private static func isCopy(_ translation: Translation, _ source: SourceForms) -> Bool {
    translation.leaves.allSatisfy { path, leaf in source.leaf(at: path)?.words.isExactly(leaf.words) == true }
  }

  /// Languages whose nouns do not change after a number, so that a single form is right.
  private static let invariant: Set<String> = ["tr", "hu", "az", "ka", "kk", "ky", "uz", "tk", "fa", "hy", "ku", "ckb"]

  /// Whether the text is wrong for some whole number without a form.
  private static func isNeeded(
    _ path: VariationPath, of translation: Translation, in language: LocaleIdentifier, _ unit: AdvisedUnit
  ) -> Bool {
    guard let category = path.category, category != .other else { return true }
    // Czech `many` is for fractions only.
    guard PluralRules.takesWholeNumber(category, in: language) else { return false }
    let other = VariationPath(Array(path.steps.dropLast())).appending(.plural(.other))
    guard category == .one else { return true }
    if invariant.contains(language.language) { return false }
    // The source text does not distinguish numbers either: it is never shown for 1, or contains nothing that changes with the number.
    if language == unit.sourceLanguage, case .text(let text)? = translation[other]?.words {
      return CountedNoun.first(in: FormatString(text)) != nil
    }
    return unit.source.translation.leaves.contains { $0.path.category == .one }
  }

  static let pluralNumberMissing = AdviceRule(
    "plural-number-missing", .warning, "A plural form that stands for several numbers does not show the number",
    reason: """
      Only zero, and one where the language uses it for nothing but 1, can do without the number. In Ukrainian “one” is for 1, 21, 31 and \
      so on: without the number the text is wrong for 21.
      """,
    bad: "uk, one: “Один файл”",
    good: "uk, one: “%lld файл”",
    findInUnit: { unit in
      guard unit.texts.count > 1 || unit.texts.contains(where: { $0.contains("%") }) else { return [] }
      let check = PlaceholderCheck(source: unit.source)
      return unit.translations.compactMap { language, translation in
        for (path, leaf) in translation.leaves where leaf.isShown {
          guard case .text(let text) = leaf.words, let category = path.category, category != .zero,
            PluralRules.takesSeveralCounts(category, in: language),
            check.lacksNumber(FormatString(text), at: path, in: language),
            check.difference(of: leaf.words, at: path, present: translation) == nil
          else { continue }
          return unit.remark(
            in: language, form: path,
            "\(language): “\(category.rawValue)” stands for several numbers, but \(text.quotedForMessage) does not show the number"
          )
        }
        return nil
      }
    })

  static let sameAsSource = AdviceRule(
    "same-as-source", .note, "A translation is equal to its source text",
    reason: """
      A sentence that is the same in two languages was most likely copied, and is shown untranslated although it counts as translated.
      """,
    bad: "en “Delete all of them”, de “Delete all of them” (translated)",
    good: "en “Delete all of them”, de “Alle löschen”",
    findInUnit: { unit in
      // Endings of files, as in “.jpg, .mov”, are no words.
      let prose = unit.text.split(whereSeparator: \.isWhitespace).filter { !$0.hasPrefix(".") }.joined(separator: " ")
      let words = SourceWords(prose).words.filter { $0.count > 1 }
      // A text that only holds a place: “[Error goes here]”.
      guard !(unit.text.hasPrefix("[") && unit.text.hasSuffix("]")), !unit.text.contains("goes here") else { return [] }
      // Siri does not speak all languages of an app.
      guard !unit.text.contains("Siri, ") else { return [] }
      // Copyright notices and dummy texts stay as they are.
      guard !["©", "(c)", "All rights reserved", "ipsum", "cupidatat"].contains(where: { unit.text.contains($0) })
      else {
        return []
      }
      // Commands name programs and domains: `defaults write org.example.app`.
      guard !unit.text.split(whereSeparator: \.isWhitespace).contains(where: isDomain), !isCode(unit.text) else {
        return []
      }
      // Names are written with capitals, and lists of keywords without spaces.
      guard words.count >= 3, unit.text.split(whereSeparator: \.isWhitespace).count >= 3,
        words.count(where: { $0.count > 2 && $0.allSatisfy(\.isLowercase) }) >= 2
      else {
        return []
      }
      let comment = unit.comment?.lowercased() ?? ""
      guard !["not translate", "n't translate", "not be translated"].contains(where: { comment.contains($0) }) else {
        return []
      }
      return unit.translations.compactMap { language, translation in
        guard language.language != unit.sourceLanguage.language, PluralRules.knows(language) else { return nil }
        let isSame = translation.leaves.contains { path, leaf in
          leaf.state == .translated && unit.source.leaf(at: path)?.words.isExactly(leaf.words) == true
        }
        guard isSame else { return nil }
        return unit.remark(
          in: language, "\(language): the translation of \(unit.text.quotedForMessage) is the source text",
          hint: "translate it, or mark the key as not to be translated")
      }
    })
}

/// Whether a text holds code that was meant as an interpolation: `Rate: (Int(value))`.
private func isCode(_ text: String) -> Bool {
  text.firstRange(of: "))") != nil || text.firstRange(of: "(value") != nil
}

/// Whether a word is a name such as `org.example.app`.
private func isDomain(_ word: Substring) -> Bool {
  let parts = word.split(separator: ".", omittingEmptySubsequences: false)
  return parts.count > 2 && parts.allSatisfy { $0.first?.isLetter == true && $0.last?.isLetter == true }
}

extension String {
  /// Whether the message of `MarkupCheck` speaks of bold or italic text that is missing.
  fileprivate var isLossOfEmphasis: Bool {
    hasPrefix("a bold text") || hasPrefix("an italic text")
  }

  /// Whether it speaks of code that is missing: a translator may well use quotation marks, or no marks at all.
  fileprivate var isLossOfCode: Bool { hasPrefix("a code span") }
}

extension VariedLeaf {
  /// Whether the app shows the form: it is not waiting for its translation.
  var isShown: Bool { state != .new && !words.isEmpty }
}
