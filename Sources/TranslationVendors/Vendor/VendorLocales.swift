package import Localization

/// A two-way map between our language tags and a vendor's codes.
package struct VendorLocales: Sendable {
  /// The general spelling of a vendor's codes.
  package enum Spelling: Sendable {
    /// `pt-BR`
    case hyphen
    /// `pt_BR`
    case underscore
    /// `pt_BR`, `zh#Hans`, `zh_TW#Hant`
    case numberSign
  }

  private let spelling: Spelling
  /// The vendor's codes that do not follow the spelling, and the codes in the pipeline file, by language.
  private let codes: [LocaleIdentifier: String]
  private let languages: [String: LocaleIdentifier]
  private let overrides: [LocaleIdentifier: String]

  /// - Parameters:
  ///   - exceptions: the vendor's own codes, such as `zh-Hans: zh-CN`.
  ///   - overrides: the pipeline file's `locales`, which take precedence.
  package init(
    _ spelling: Spelling, exceptions: [LocaleIdentifier: String] = [:], overrides: [LocaleIdentifier: String] = [:]
  ) {
    self.spelling = spelling
    self.overrides = overrides
    codes = exceptions.merging(overrides) { _, override in override }
    languages = Dictionary(codes.map { ($0.value.lowercased(), $0.key) }) { first, _ in first }
  }

  /// Returns the vendor's code of a language.
  package func code(of language: LocaleIdentifier) -> String {
    if let code = codes[language] { return code }
    switch spelling {
    case .hyphen: return language.rawValue
    case .underscore: return language.rawValue.replacing("-", with: "_")
    case .numberSign:
      var parts = language.rawValue.split(separator: "-")
      guard parts.count > 1, parts[1].count == 4, let first = parts[1].first, !first.isNumber else {
        return parts.joined(separator: "_")
      }
      let script = parts.remove(at: 1)
      return parts.joined(separator: "_") + "#" + script
    }
  }

  /// Returns our tag for a vendor's code; `nil` if the code is not a well-formed language tag.
  package func language(of code: String) -> LocaleIdentifier? {
    if let known = languages[code.lowercased()] { return known }
    var parts = code.split(separator: "_", omittingEmptySubsequences: false)
    if spelling == .numberSign, let last = parts.last, let sign = last.firstIndex(of: "#") {
      parts[parts.count - 1] = last[..<sign]
      parts.insert(last[last.index(after: sign)...], at: 1)
    }
    let language = LocaleIdentifier(parts.joined(separator: "-"))
    return language.isWellFormed ? language : nil
  }

  /// Returns the vendor's code of a language, in the vendor's spelling.
  /// - Parameter known: the vendor's codes, in upper or lower case.
  /// - Throws: `VendorError` of kind `unknownLanguage` if the vendor does not have the language. The message contains the next step: add the
  ///   language at the vendor, or map it to one of the vendor's codes.
  package func code(
    of language: LocaleIdentifier, among known: some Sequence<String>, at vendor: String
  ) throws(VendorError) -> String {
    let all = Array(known)
    if let match = match(language, among: all) { return match }
    throw VendorError(
      kind: .unknownLanguage, at: "\(vendor): language \(language)",
      detail:
        "\(vendor) has no language \(code(of: language)); it has \(all.sorted().prefix(40).joined(separator: ", ")). "
        + "Add it there, or map it with locales: { \(language): CODE }")
  }

  /// Checks that the pipeline file's `locales` do not map another language to the code of a language. A vendor's project may have both languages, so
  /// the other language's translations could be returned.
  /// - Throws: `VendorError` of kind `unknownLanguage`, which affects only this language.
  func checkOwnCode(of language: LocaleIdentifier, at vendor: String) throws(VendorError) {
    let code = code(of: language)
    let others = overrides.filter { $0.key != language && $0.value.lowercased() == code.lowercased() }.map(\.key)
    guard !others.isEmpty else { return }
    let words = Self.sharing(code, (others + [language]).sorted(), at: vendor)
    throw VendorError(
      kind: .unknownLanguage, at: "\(vendor): language \(language)", detail: "\(words.fault): \(words.step)")
  }

  /// Returns the code of a language at a vendor that allows adding languages. If the vendor already has the language, its spelling of the code is
  /// used.
  package func code(of language: LocaleIdentifier, preferring known: some Sequence<String>) -> String {
    match(language, among: Array(known)) ?? code(of: language)
  }

  /// Returns those of the given languages that share a code at the vendor. Each of these languages would get the translations of the others.
  /// - Parameter known: the vendor's codes; `nil` if the codes are not known.
  /// - Returns: the shared codes with their languages, sorted.
  package func shared(
    by languages: [LocaleIdentifier], among known: [String]? = nil
  ) -> [(code: String, languages: [LocaleIdentifier])] {
    let codes = Dictionary(grouping: Set(languages)) { language in
      known.flatMap { match(language, among: $0) } ?? code(of: language)
    }
    // For vendors, codes that differ only in letter case are the same code.
    return Dictionary(grouping: codes) { $0.key.lowercased() }.values.map { same in
      (same.map(\.key).sorted()[0], same.flatMap(\.value).sorted())
    }.filter { $0.languages.count > 1 }.sorted { $0.code < $1.code }
  }

  /// Returns an error message for languages that share a code, and the step that resolves the conflict.
  package static func sharing(_ code: String, _ languages: [LocaleIdentifier], at vendor: String) -> (
    fault: String, step: String
  ) {
    let names = languages.map(\.rawValue)
    return (
      "\(names.joined(separator: " and ")) have the same code \(code) at \(vendor), so one would get the translations of the other",
      "give each language its own code with locales: { \(names.last ?? ""): CODE }, or leave one out of `languages`"
    )
  }

  private func match(_ language: LocaleIdentifier, among all: [String]) -> String? {
    let wanted = code(of: language)
    if let match = all.first(where: { $0.lowercased() == wanted.lowercased() }) { return match }
    // Otherwise, use a code that spells the same language differently, if there is only one such code.
    let same = all.filter { self.language(of: $0) == language }
    return same.count == 1 ? same[0] : nil
  }

  /// Returns the result of a probe: the token's status, and whether the vendor has each language.
  /// - Parameters:
  ///   - known: the vendor's codes, from a successful request.
  ///   - access: a sentence about the token (``VendorAccess``).
  ///   - addsLanguages: whether a missing language is added when strings are sent in this language.
  func probe(
    _ languages: [LocaleIdentifier], among known: [String], at vendor: String, access: String,
    addsLanguages: Bool = false
  ) -> VendorProbe {
    let count = known.count == 1 ? "1 language" : "\(known.count) languages"
    var probe = VendorProbe(facts: [access, "\(vendor) has \(count)."])
    look(for: languages, among: known, at: vendor, addsLanguages: addsLanguages, into: &probe)
    return probe
  }

  /// Adds a fact to a probe for each language that the vendor has or adds on demand, and a fault for each other language.
  func look(
    for languages: [LocaleIdentifier], among known: [String], at vendor: String, addsLanguages: Bool = false,
    into probe: inout VendorProbe
  ) {
    for language in languages {
      if addsLanguages, match(language, among: known) == nil {
        probe.facts.append("\(language) is added as \(code(of: language)) when strings are sent in it.")
        continue
      }
      do throws(VendorError) {
        probe.facts.append("The vendor's code for \(language) is \(try code(of: language, among: known, at: vendor)).")
      } catch {
        probe.faults.append(error.detail)
      }
    }
  }
}
