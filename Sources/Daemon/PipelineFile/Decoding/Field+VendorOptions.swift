internal import Localization
internal import TranslationVendors

/// Functions that read mappings and decimal numbers in the options of vendors.
extension Field {
  func names() -> [String: String]? {
    pairs().map { pairs in
      Dictionary(
        pairs.compactMap { key, value in key.text().flatMap { name in value.text().map { (name, $0) } } },
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// Reads terms in the form `{ TERM: TRANSLATION, LANGUAGE: { TERM: TRANSLATION } }`.
  func terms() -> VendorOptionValue? {
    guard let pairs = pairs("a mapping of terms to translations") else { return nil }
    var all: [String: String] = [:]
    var languages: [LocaleIdentifier: [String: String]] = [:]
    for (key, value) in pairs {
      if case .mapping = value.value.content {
        guard let language = key.language(), let terms = value.names() else { continue }
        languages[language] = terms
      } else if let term = key.text("a term"), let translation = value.text("the term's translation") {
        all[term] = translation
      }
    }
    return .terms(all, languages)
  }

  /// Reads a number of 0 or more, and returns it as it is written in the file.
  func decimal() -> String? {
    guard let text = text("a number") else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isDecimal = parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
    guard isDecimal, text.utf8.count <= 16 else {
      report("\(shown) is not a number of 0 or more", hint: "write it with a decimal point: 2.50")
      return nil
    }
    return text
  }

  /// Reads a mapping of the keys `names` to numbers of 0 or more. All keys are required.
  func decimals(_ names: [String]) -> [String: String]? {
    guard let pairs = pairs("a mapping with \(names.joined(separator: ", "))") else { return nil }
    var found: [String: String] = [:]
    for (key, value) in pairs {
      guard let name = key.text() else { continue }
      guard names.contains(name) else {
        key.report("unknown key \(key.shown)", hint: "use \(names.joined(separator: ", "))")
        continue
      }
      found[name] = value.decimal()
    }
    let given = Set(pairs.compactMap { $0.key.text() })
    for name in names where !given.contains(name) { report("the key `\(name)` is missing", hint: "add it") }
    return found.count == names.count ? found : nil
  }
}
