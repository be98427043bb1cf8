internal import Localization
internal import Pipeline
internal import TranslationVendors

/// A value in the file, with its key path and the list that collects faults. If the value has the wrong type, reading it reports a fault and returns
/// `nil`.
struct Field {
  let keyPath: String
  let value: FileValue
  let faults: FaultList
  /// The place of the key, which is used if the value is empty.
  var keyPlace: Place?
  /// Whether the value may be a secret. If so, messages do not show it.
  var mayBeSecret = false

  var place: Place {
    if case .nothing = value.content { keyPlace ?? value.place } else { value.place }
  }

  /// The value as shown in messages: shortened, and without control characters.
  var shown: String {
    guard case .text(let text) = value.content else { return value.kind }
    guard !mayBeSecret, !Address.holdsCredentials(text) else { return "the value given (not shown)" }
    let line = text.unicodeScalars.prefix(61).map { $0.properties.isWhitespace || $0.value < 0x20 ? " " : String($0) }
    return "\"\(line.prefix(60).joined())\(line.count > 60 ? "…" : "")\""
  }

  func report(_ message: String, hint: String? = nil) {
    faults.add("\(keyPath.isEmpty ? "the file" : keyPath): \(message)", at: place, hint: hint)
  }

  private func reportKind(_ wanted: String) {
    if case .nothing = value.content, keyPath.isEmpty {
      report("contains no pipeline", hint: "write one, as `dragoman init --pipeline FILE` does, or delete the file")
    } else if case .nothing = value.content {
      report("has no value", hint: "set it to \(wanted), or remove the key")
    } else {
      report("expected \(wanted), found \(value.kind)")
    }
  }

  /// Reads a text. A value of another kind, or a blank text, is reported.
  func text(_ wanted: String = "a text") -> String? {
    guard case .text(let text) = value.content else {
      reportKind(wanted)
      return nil
    }
    guard !text.allSatisfy(\.isWhitespace) else {
      report("is empty", hint: "set it to \(wanted), or remove the key")
      return nil
    }
    return text
  }

  /// Reads the elements of a list.
  /// - Parameter example: an example of a list. The hint contains it if the value is a text.
  func items(_ wanted: String = "a list", example: String = "") -> [Field]? {
    guard case .list(let list) = value.content else {
      if case .text = value.content, !example.isEmpty {
        report("expected \(wanted), found a text", hint: "write it in brackets: \(example)")
      } else {
        reportKind(wanted)
      }
      return nil
    }
    return list.enumerated().map { field("\(keyPath)[\($0)]", $1, key: nil) }
  }

  /// Reads the pairs of a mapping with arbitrary keys. Each key is returned as a field.
  func pairs(_ wanted: String = "a mapping") -> [(key: Field, value: Field)]? {
    guard case .mapping(let entries) = value.content else {
      reportKind(wanted)
      return nil
    }
    return entries.map { entry in
      let path = keyPath.appendingKey(entry.key)
      let key = FileValue(place: entry.keyPlace, content: .text(entry.key))
      return (key: field(path, key, key: nil), value: field(path, entry.value, key: entry.keyPlace))
    }
  }

  private func field(_ path: String, _ value: FileValue, key: Place?) -> Field {
    Field(keyPath: path, value: value, faults: faults, keyPlace: key, mayBeSecret: mayBeSecret)
  }

  /// Reads a value that must be one of the cases of an enumeration.
  func choice<Choice: RawRepresentable & CaseIterable>() -> Choice? where Choice.RawValue == String {
    let words = Choice.allCases.map(\.rawValue)
    guard let text = text("one of \(words.joined(separator: ", "))") else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    report(
      "unknown value \(shown)" + NearestName.suffix(text, words), hint: "use one of: \(words.joined(separator: ", "))")
    return nil
  }

  func duration(atLeast least: Duration = .zero, _ leastText: String = "0") -> Duration? {
    guard let text = text("a time such as 10s") else { return nil }
    guard let duration = DurationText.duration(text) else {
      report("\(shown) is not a time", hint: "write it as 500ms, 10s, 2m, 1h30m or 0; a year at most")
      return nil
    }
    guard duration >= least else {
      report("\(shown) is too short", hint: "use \(leastText) or more")
      return nil
    }
    return duration
  }

  func language() -> LocaleIdentifier? {
    guard let text = text("a language such as de or pt-BR") else { return nil }
    let language = LocaleIdentifier(text)
    guard language.isWellFormed else {
      let hyphens = LocaleIdentifier(text.replacing("_", with: "-"))
      report(
        "\(shown) is not a language",
        hint: hyphens.isWellFormed ? "write \(hyphens)" : "write it as Xcode does: de, pt-BR, zh-Hans")
      return nil
    }
    guard KnownLanguages.contains(language) else {
      report(
        "\(shown) is not a language",
        hint: KnownLanguages.suggestion(for: language).map { "write \($0)" }
          ?? "write it as Xcode does: de, pt-BR, zh-Hans")
      return nil
    }
    return language
  }

  /// Reads a list of languages without duplicates.
  func languages() -> [Located<LocaleIdentifier>]? {
    guard let items = items("a list of languages", example: "[de, fr]") else { return nil }
    guard !items.isEmpty else {
      report("is an empty list", hint: "add a language, or remove the key")
      return nil
    }
    return items.distinct({ $0.language() }, sameAs: { $0.rawValue.lowercased() })
  }

  func credential() -> CredentialReference? {
    var field = self
    field.mayBeSecret = true
    let wanted = "a reference to a credential"
    guard let text = field.text(wanted) else { return nil }
    if let reference = CredentialReference(text) {
      switch reference {
      case .environment(let name) where !Self.isVariable(name):
        field.report(
          "the text after env: is not a variable name", hint: "write env:NAME, with letters, digits and underscores")
      case .service(let name) where !Self.isServiceCredential(name):
        field.report(
          "the text after credential: is not the name of a service's credential",
          hint: "write credential:NAME, with letters, digits, dots, dashes and underscores")
      default: return reference
      }
      return nil
    }
    field.report(
      "a pipeline file must not contain secrets",
      hint: "write where the secret is: env:NAME, file:PATH, credential:NAME (systemd), agent (ssh) or none")
    return nil
  }

  /// Returns whether a name is a plain file name, so it cannot refer to a file outside the folder of the service's credentials.
  private static func isServiceCredential(_ name: String) -> Bool {
    let isOrdinary = name.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || "._-".utf8.contains($0)
    }
    return isOrdinary && name != "." && name != ".."
  }

  private static func isVariable(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy {
      $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
    }
  }
}

/// A value and the field from which it was read.
struct Located<Value> {
  let value: Value
  let field: Field
}

extension [Field] {
  /// Reads each field, and reports duplicates. The result contains the first of equal values, and no value that could not be read.
  func distinct<Value, Identity: Hashable>(
    _ read: (Field) -> Value?, sameAs identity: (Value) -> Identity
  ) -> [Located<Value>] {
    var seen: Set<Identity> = []
    return compactMap { field in
      guard let value = read(field) else { return nil }
      guard seen.insert(identity(value)).inserted else {
        field.report("\(field.shown) is listed twice", hint: "keep one of them")
        return nil
      }
      return Located(value: value, field: field)
    }
  }
}
