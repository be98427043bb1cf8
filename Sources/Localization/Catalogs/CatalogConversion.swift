/// One file of a table that is converted to a String Catalog.
package struct ConvertedFile: Sendable {
  /// A position in the file.
  package struct Place: Hashable, Sendable {
    package var path: TreePath
    /// The line number, counted from 1.
    package var line: Int
    /// The column in UTF-8 bytes, counted from 1.
    package var column: Int

    package init(path: TreePath, line: Int, column: Int) {
      self.path = path
      self.line = line
      self.column = column
    }
  }

  package struct Text: Sendable {
    package var key: UnitKey
    package var translation: Translation
    package var place: Place

    package init(key: UnitKey, translation: Translation, place: Place) {
      self.key = key
      self.translation = translation
      self.place = place
    }
  }

  /// A comment without its delimiters and surrounding white space.
  package struct Comment: Sendable {
    package var key: UnitKey
    package var text: String
    package var place: Place

    package init(key: UnitKey, text: String, place: Place) {
      self.key = key
      self.text = text
      self.place = place
    }
  }

  package var language: LocaleIdentifier
  /// The texts of the file, at most one for each key.
  package var texts: [Text]
  package var comments: [Comment]

  package init(language: LocaleIdentifier, texts: [Text], comments: [Comment]) {
    self.language = language
    self.texts = texts
    self.comments = comments
  }
}

/// Makes one String Catalog from the files of a table in all languages, like Xcode's migration followed by a build (xcode-formats.md A5, E3):
///
/// - Texts from the files become `translated`, also in the source language, with one exception. If a key is found in code, and its source text is
///   missing in the files or equals the text in code, code provides the source text. This text has the state `new`, or is left out if it equals the
///   key.
/// - Keys found in code are maintained automatically. All others are `manual`, so that sync does not remove them.
/// - A format of a `.stringsdict` that consists of one variable becomes plural forms. Any other format keeps its variables as substitutions.
/// - A comment from code replaces the file's comment (xcode-formats.md E6), as in all known migrations where the two differ. Xcode's standard comment
///   for an Info.plist key does not. `No comment provided by engineer.` and `(No Comment)` count as no comment.
///
/// Unlike Xcode, the conversion loses no comment of the files if code has none: it joins the different comments of the files, beginning with those of
/// the source language. Xcode uses only the source language's comment, even if it is empty (14 entries in real migrations, without a counterexample).
/// For a key that the source language lacks, Xcode uses the comment of one other language (182 of 205 keys), and never joins several comments.
package enum CatalogConversion {
  package struct Result: Sendable {
    package var catalog: Catalog
    /// Texts that were dropped because an earlier file has a different text for the same key and language.
    package var overruled: [(text: ConvertedFile.Text, language: LocaleIdentifier)] = []
    /// The files' comments that were replaced by a comment from code that lacks some of their lines. There are no duplicates for a key.
    package var replaced: [ConvertedFile.Comment] = []
  }

  /// Texts that genstrings and Xcode's exports write instead of a comment.
  private static let placeholders: Set<UnitKey> = ["No comment provided by engineer.", "(No Comment)"]

  /// Converts the files of one table.
  /// - Parameters:
  ///   - files: the files of the table in order of precedence at run time: `.stringsdict` before `.strings`, a language's own before `Base`.
  ///   - strings: the strings of this table found in code or in an interface file.
  ///   - addsAll: whether to add keys of `strings` that no file has.
  package static func convert(
    _ files: [ConvertedFile], to path: TreePath, sourceLanguage source: LocaleIdentifier, strings: [ExtractedString],
    addsAll: Bool = false
  ) -> Result {
    var result = Result(catalog: Catalog(path: path, sourceLanguage: source))
    for file in files {
      for text in file.texts {
        let form = text.translation.catalogForm
        if let known = result.catalog.entries[text.key]?.translations[file.language] {
          if known != form { result.overruled.append((text, file.language)) }
        } else {
          result.catalog.entries[text.key, default: CatalogEntry()].translations[file.language] = form
        }
      }
    }
    let found = Dictionary(strings.map { ($0.key, [$0]) }, uniquingKeysWith: +)
    var comments: [UnitKey: [ConvertedFile.Comment]] = [:]
    for file in files.filter({ $0.language == source }) + files.filter({ $0.language != source }) {
      for comment in file.comments where !comment.text.isEmpty && !placeholders.contains(UnitKey(comment.text)) {
        comments[comment.key, default: []].append(comment)
      }
    }
    for key in result.catalog.entries.keys.sorted() {
      let inCode = found[key] ?? []
      let own = different(comments[key] ?? [])
      // Xcode's standard comment for an Info.plist key is not a developer's comment (`CatalogSync`).
      let given = inCode.filter { $0.origin != .infoPlist || own.isEmpty }.compactMap(\.comment)
      if given.isEmpty {
        result.catalog.entries[key]?.comment = own.isEmpty ? nil : own.map(\.text).joined(separator: "\n")
      } else {
        let lines = lines(of: given.joined(separator: "\n"))
        result.replaced += own.filter { !self.lines(of: $0.text).isSubset(of: lines) }
      }
      result.catalog.entries[key]?.extractionState = inCode.isEmpty ? .manual : .migrated
      guard !inCode.isEmpty else { continue }
      // A text that equals the text in code is maintained by code. A person wrote any other text.
      let present = result.catalog.entries[key]?.translations[source]
      let text = inCode.lazy.compactMap(\.value).first ?? key.text
      guard present == nil || present == Translation(text) else { continue }
      let isKey = text.isExactly(key.text)
      result.catalog.entries[key]?.translations[source] = isKey ? nil : Translation(text, state: .new)
      if !isKey { result.catalog.entries[key]?.extractionState = .extractedWithValue }
    }
    let known = strings.filter { addsAll || result.catalog.entries[$0.key] != nil }
    result.catalog = CatalogSync.sync(result.catalog, with: known, mayRemove: false).catalog
    return result
  }

  /// Returns the comments except those whose lines all occur in earlier comments.
  private static func different(_ comments: [ConvertedFile.Comment]) -> [ConvertedFile.Comment] {
    var seen: Set<UnitKey> = []
    return comments.filter { comment in
      let lines = lines(of: comment.text)
      defer { seen.formUnion(lines) }
      return !lines.isSubset(of: seen)
    }
  }

  /// Returns the trimmed lines of a comment. Comments are compared by these lines, because genstrings indents all lines except the first.
  private static func lines(of comment: String) -> Set<UnitKey> {
    Set(
      comment.split(whereSeparator: \.isNewline).map { line in
        UnitKey(line.withoutOuterSpace)
      })
  }
}

extension Translation {
  /// The translation of a `.stringsdict` in the form of a String Catalog. A format that is only `%#@birds@` becomes the plural forms of `birds`, if
  /// these take no other argument and there is no other variable. The forms of each device are converted in the same way, if this is possible for all
  /// devices whose texts reference a variable, and if no variable is lost. Any other translation is unchanged.
  package var catalogForm: Translation {
    switch text {
    case .text(let unit):
      guard let forms = forms(of: unit, on: nil) else { return self }
      return Translation(text: forms)
    case .device(let devices):
      var texts: [Device: VariedText] = [:]
      for (device, text) in devices {
        guard case .text(let unit) = text else { return self }
        if FormatString(unit.value).references.isEmpty {
          texts[device] = text
        } else if device != .other, let forms = forms(of: unit, on: device) {
          // In a catalog, the fallback for devices cannot vary further.
          texts[device] = forms
        } else {
          return self
        }
      }
      // A variable that no text references would be lost.
      let isWhole = substitutions.allSatisfy { name, substitution in
        func names(_ device: Device) -> Bool {
          guard case .text(let unit)? = devices[device] else { return false }
          return FormatString(unit.value).references.contains { $0.name == name }
        }
        guard case .device(let forms) = substitution.forms else { return devices.keys.contains(where: names) }
        return forms.keys.allSatisfy(names)
      }
      return isWhole ? Translation(text: .device(texts)) : self
    case .plural, .phrases: return self
    }
  }

  /// Returns the plural forms of a text that consists only of one variable; `nil` for any other text, or if the variable has no plural forms that
  /// take only the first argument.
  private func forms(of unit: StringUnit, on device: Device?) -> VariedText? {
    let format = FormatString(unit.value)
    guard substitutions.count == 1 || device != nil, format.parts.count == 1,
      let reference = format.references.first, reference.number == 1,
      let substitution = substitutions[reference.name]
    else { return nil }
    var forms = substitution.forms
    if case .device(let devices) = forms {
      guard let device, let own = devices[device] ?? devices[.other] else { return nil }
      forms = own
    }
    guard case .plural(let cases) = forms else { return nil }
    for form in cases.values {
      guard case .text(let unit) = form else { return nil }
      let inner = FormatString(unit.value)
      guard inner.references.isEmpty, inner.substitutionArguments == 0, inner.arguments.allSatisfy({ $0.number == 1 })
      else { return nil }
    }
    return forms
  }
}
