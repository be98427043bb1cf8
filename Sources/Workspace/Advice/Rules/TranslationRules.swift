import Localization

/// Rules that compare a translation with its source text. They use the checks of the import review.
extension AdviceRule {
  static let placeholderMismatch = AdviceRule(
    "placeholder-mismatch", .error, "A translation has different arguments than its source text",
    reason: """
      A missing argument loses information. An argument with another number or type shows wrong values or crashes the app.
      """,
    bad: "en “%lld of %@”, de “%@ von %@”",
    good: "en “%1$lld of %2$@”, de “%2$@: %1$lld”",
    findInUnit: { unit in
      // If all source texts are empty, the source language does not use these forms, so there is nothing to compare.
      guard unit.texts.contains(where: { !$0.isEmpty }) else { return [] }
      let check = PlaceholderCheck(source: unit.source)
      return unit.translations.compactMap { language, translation in
        for (path, leaf) in translation.leaves where leaf.isShown {
          guard
            let fault = check.difference(of: leaf.words, at: path, present: translation)
              ?? undefinedReference(in: leaf, of: translation, unit.source.translation)
          else { continue }
          // A source text without arguments is possibly never used as a format string.
          let isPlain =
            check.isOfPlainText && !path.isInSubstitution && leaf.texts.allSatisfy(PlaceholderCheck.isHarmless)
          guard !isPlain, !takesArgumentsOfSubstitutions(leaf, unit.source.translation),
            !differsInWidths(leaf, at: path, unit.source, fault), !isLossOfEnding(fault, in: unit.text)
          else { continue }
          return unit.remark(
            in: language, form: path, "\(language): \(fault.message)",
            hint: "the source text is \(unit.text.quotedForMessage)")
        }
        return nil
      }
    })

  /// Returns the fault of a reference to a substitution that only the source text has; `nil` if there is none. `import` does not need this check,
  /// because it adds such a substitution.
  private static func undefinedReference(
    in leaf: VariedLeaf, of translation: Translation, _ source: Translation
  ) -> ArgumentFault? {
    let undefined = leaf.references.first { translation.substitutions[$0] == nil && source.substitutions[$0] != nil }
    return undefined.map { .other("the translation does not define %#@\($0)@, so users see the reference") }
  }

  /// Returns whether only the widths of whole numbers differ, as in `%d` and `%li`. Both show a number correctly if it is below two billion.
  private static func differsInWidths(
    _ leaf: VariedLeaf, at path: VariationPath, _ source: SourceForms, _ fault: ArgumentFault
  ) -> Bool {
    guard case .otherType = fault else { return false }
    let whole: Set<ArgumentType> = [.int32, .int64]
    let formats = leaf.texts.map(FormatString.init)
    let given = formats.flatMap(\.arguments)
    let needed = source.translation.leaves.flatMap { $0.leaf.texts }.flatMap { FormatString($0).arguments }
    let originals = (source.leaf(at: path)?.texts ?? []).map(FormatString.init)
    let references = { (formats: [FormatString]) in Set(formats.flatMap(\.references).map(\.name)) }
    let names = { (formats: [FormatString]) in Set(formats.flatMap(\.names)) }
    guard !given.isEmpty, Set(given.map(\.number)) == Set(needed.map(\.number)),
      references(formats) == references(originals), names(formats) == names(originals),
      !formats.contains(where: \.hasStrayPercent)
    else { return false }
    return given.allSatisfy { one in
      needed.contains {
        $0.number == one.number && ($0.type == one.type || whole.contains($0.type) && whole.contains(one.type))
      }
    }
  }

  /// Returns whether only a word ending of the source language is missing, as when code inserts “s” into “%lld file%@”.
  private static func isLossOfEnding(_ fault: ArgumentFault, in source: String) -> Bool {
    guard case .missing(let missing) = fault else { return false }
    let parts = FormatString(source).parts
    return zip(parts, parts.dropFirst()).contains { before, part in
      guard case .literal(let text) = before, case .specifier(let argument, _) = part else { return false }
      return text.last?.isLetter == true && argument.text == missing.text
    }
  }

  /// Returns whether a translation without plural forms directly uses the arguments of the source text's substitutions: ko “팔로워 %2$@명” for
  /// “%#@followers@” with “%2$@ followers”.
  private static func takesArgumentsOfSubstitutions(_ leaf: VariedLeaf, _ source: Translation) -> Bool {
    let forms = source.leaves.filter { $0.path.isInSubstitution }.flatMap { $0.leaf.texts }.map(FormatString.init)
    // If the forms also show the number itself, the translation lacks the number.
    guard forms.allSatisfy({ $0.substitutionArguments == 0 }) else { return false }
    let used = forms.flatMap(\.arguments)
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
      guard unit.texts.contains(where: { $0.holdsOne(of: "*_`~[") }) else { return [] }
      return unit.translations.compactMap { language, translation in
        for (path, leaf) in translation.leaves where leaf.isShown {
          guard case .text(let text) = leaf.words, case .text(let original)? = unit.source.leaf(at: path)?.words,
            // A text with “ * ” describes the mark itself, such as a wildcard of a search.
            !hasOwnMarks(text, original), !original.contains(" * "), !MarkChoice.isFree(text, original),
            let loss = MarkupCheck.losses(of: text, against: original).first(where: {
              // In place of a code span, a translator may use quotation marks or no marks.
              $0.kind != .code && ($0.kind != .emphasis || losesAllEmphasis(text, original))
            })
          else { continue }
          return unit.remark(
            in: language, form: path, "\(language): \(loss.message)",
            hint: "the source text is \(original.quotedForMessage)")
        }
        return nil
      }
    })

  /// Returns whether the translation of a text with several emphasized parts has no emphasis at all. Emphasizing fewer words is a translator's
  /// choice.
  private static func losesAllEmphasis(_ text: String, _ original: String) -> Bool {
    let bold = original.ranges(of: "**").count + original.ranges(of: "__").count
    return bold >= 4 && !text.contains("*") && !text.contains("_")
  }

  /// Returns whether underscores are the only markup of the source text, and the translation has as many of them. Such underscores belong to a
  /// notation of the app, in which surrounding spaces are optional.
  private static func hasOwnMarks(_ text: String, _ original: String) -> Bool {
    let count = { (text: String) in text.count { $0 == "_" } }
    return count(original) > 0 && count(text) == count(original) && !original.contains { "*`~[".contains($0) }
  }

  static let pluralCategoryMissing = AdviceRule(
    "plural-category-missing", .warning, "A translation lacks a plural form that its language needs",
    reason: """
      The app then shows another form, which is wrong for many numbers: Ukrainian needs one, few and many; English needs one and other.
      """,
    bad: "uk: one “%lld файл”, other “%lld файлу”",
    good: "uk: one “%lld файл”, few “%lld файли”, many “%lld файлів”, other “%lld файлу”",
    findInUnit: { unit in
      guard unit.hasForms else { return [] }
      return unit.entry.translations.sorted { $0.key < $1.key }.compactMap { language, translation in
        guard language == unit.sourceLanguage || !isCopy(translation, unit.source) else { return nil }
        let missing =
          (flatCategories(of: translation, in: language, unit) ?? PluralCheck.missing(in: translation, for: language))
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

  /// Returns the categories that a text without plural forms lacks although its source text has plural forms; `nil` for other translations.
  private static func flatCategories(
    of translation: Translation, in language: LocaleIdentifier, _ unit: AdvisedUnit
  ) -> [VariationPath]? {
    let source = unit.source.translation
    guard translation.leaves.map(\.path) == [.root], source.substitutions.isEmpty,
      source.leaves.contains(where: { $0.path.category != nil })
    else { return nil }
    return PluralRules.neededCategories(of: language).filter { $0 != .other }.sorted { $0.rawValue < $1.rawValue }
      .map { VariationPath([.plural($0)]) }
  }

  /// Returns whether all forms are copies of the source text. In that case nothing is translated yet, so no form counts as missing.
  private static func isCopy(_ translation: Translation, _ source: SourceForms) -> Bool {
    translation.leaves.allSatisfy { path, leaf in source.leaf(at: path)?.words.isExactly(leaf.words) == true }
  }

  /// Languages whose nouns do not change after a number. A single form is correct in these languages.
  private static let invariant: Set<String> = ["tr", "hu", "az", "ka", "kk", "ky", "uz", "tk", "fa", "hy", "ku", "ckb"]

  /// Returns whether the text is wrong for some whole number if this form is missing.
  private static func isNeeded(
    _ path: VariationPath, of translation: Translation, in language: LocaleIdentifier, _ unit: AdvisedUnit
  ) -> Bool {
    guard let category = path.category, category != .other else { return true }
    // For example, the Czech category `many` is only for fractions.
    guard PluralRules.takesWholeNumber(category, in: language) else { return false }
    let other = VariationPath(Array(path.steps.dropLast())).appending(.plural(.other))
    guard category == .one else { return true }
    if invariant.contains(language.language) { return false }
    // In the source language, `one` is needed only if a word of the text depends on the number. In other languages, it is needed only if the source
    // text has it, because the text is otherwise never shown for 1.
    if language == unit.sourceLanguage, case .text(let text)? = translation[other]?.words {
      return CountedNoun.first(in: FormatString(text)) != nil
    }
    return unit.source.translation.leaves.contains { $0.path.category == .one }
  }

  static let pluralNumberMissing = AdviceRule(
    "plural-number-missing", .warning, "A plural form that stands for several numbers does not show the number",
    reason: """
      Only a form for a single number, such as `zero`, or `one` in English, can omit the number. In Ukrainian, “one” is for 1, 21, 31 and \
      so on, so without the number the text is wrong for 21.
      """,
    bad: "uk, one: “Один файл”",
    good: "uk, one: “%lld файл”",
    findInUnit: { unit in
      guard unit.texts.count > 1 || unit.texts.contains(where: { $0.contains("%") }), !countsLongTimes(unit) else {
        return []
      }
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

  /// Returns whether a text counts weeks, months or years. Such counts rarely reach 21, so the form `one` means only 1.
  private static func countsLongTimes(_ unit: AdvisedUnit) -> Bool {
    let times: Set<String> = ["week", "weeks", "month", "months", "year", "years"]
    return SourceWords(unit.text).words.contains { word in
      times.contains(word.lowercased().split(separator: "-").last.map(String.init) ?? "")
    }
  }
}

extension VariedLeaf {
  /// Whether the app shows the form: it has a text and is not waiting for its translation.
  var isShown: Bool { state != .new && !words.isEmpty }
}
