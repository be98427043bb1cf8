// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import HTTPTransport
internal import Localization

/// The glossaries that Dragoman creates at DeepL from the pipeline's glossary file, one for each pair of languages.
///
/// A glossary's name ends with a digest of its terms, so an existing glossary with the same terms is found by its name. Glossaries with older terms
/// are deleted. Several installations of Dragoman may share an account. The name therefore also contains the installation. Each installation deletes
/// only its own glossaries and those of older versions of Dragoman, whose names lack the installation.
actor DeepLGlossaries {
  private struct Stored: Decodable {
    var glossary_id: String
    var name: String
    var ready: Bool
  }

  private struct List: Decodable {
    var glossaries: [Stored]
  }

  private struct Pairs: Decodable {
    struct Pair: Decodable {
      var source_lang: String
      var target_lang: String
    }
    var supported_languages: [Pair]
  }

  private struct New: Encodable {
    var name: String
    var source_lang: String
    var target_lang: String
    var entries: String
    var entries_format = "tsv"
  }

  private let http: VendorHTTP
  private let pipeline: String
  private let installation: String
  private let read: @Sendable () throws -> SharedGlossary?
  private var ids: [String: String] = [:]
  private var pairs: Set<[String]>?

  /// - Parameter installation: the identity of this installation of Dragoman; empty if it is unknown.
  init(
    http: VendorHTTP, pipeline: String, installation: String, read: @escaping @Sendable () throws -> SharedGlossary?
  ) {
    self.http = http
    self.pipeline = pipeline
    self.installation = String(installation.prefix(8))
    self.read = read
  }

  /// The digest of the pipeline's current glossary; empty if the pipeline has no glossary, or if the glossary cannot be read.
  nonisolated var digest: String { (try? read())?.digest ?? "" }

  /// Forgets the IDs of known glossaries. The next call of ``id(from:to:)`` reads DeepL's list again.
  func forget() { ids = [:] }

  /// Returns the ID of the glossary for a pair of languages. Creates the glossary if it is missing, and deletes glossaries with older terms for the
  /// pair that this installation or an older version of Dragoman created.
  /// - Parameter code: DeepL's code of the target language. The code's region is ignored.
  /// - Returns: `nil` if there are no terms, or if DeepL does not support glossaries for the pair.
  /// - Throws: `missing` while DeepL prepares the glossary.
  func id(from source: LocaleIdentifier, to code: String) async throws -> String? {
    guard let glossary = try read()?.glossary else { return nil }
    let target = LocaleIdentifier(code.lowercased()).language
    let terms = Self.entries(glossary, from: source, to: LocaleIdentifier(target))
    guard !terms.isEmpty else { return nil }
    let from = DeepLService.sourceCode(of: source).lowercased()
    guard try await supported().contains([from, target]) else { return nil }
    // Older versions of Dragoman wrote names without the installation. Glossaries with such names are deleted, because some accounts are limited to
    // one glossary.
    let former = "dragoman \(pipeline) \(from)-\(target) "
    let start = installation.isEmpty ? former : "dragoman \(pipeline) \(installation) \(from)-\(target) "
    let name = start + ContentDigest.hexadecimal(of: Array(terms.utf8), bytes: Self.digestBytes)
    if let known = ids[name] { return known }
    let all = try await http.json(VendorHTTP.Request("GET", ["v2", "glossaries"]), as: List.self).glossaries
    let found: Stored
    if let known = all.first(where: { $0.name == name }) {
      found = known
    } else {
      found = try await http.json(
        VendorHTTP.Request(
          "POST", ["v2", "glossaries"],
          json: New(name: name, source_lang: from, target_lang: target, entries: terms)), as: Stored.self)
    }
    guard found.ready else {
      throw VendorError(kind: .missing, at: "deepl: glossary \(name)", detail: "DeepL is still preparing it")
    }
    ids[name] = found.glossary_id
    // A glossary whose name begins like ours, but does not end with a digest, was made by a person and is kept.
    for old in all where old.name != name && [start, former].contains(where: { Self.isOurs(old.name, $0) }) {
      _ = try await http.send(VendorHTTP.Request("DELETE", ["v2", "glossaries", old.glossary_id]), accepting: [404])
    }
    return found.glossary_id
  }

  private static let digestBytes = 8

  private static func isOurs(_ name: String, _ start: String) -> Bool {
    let text = name.dropFirst(start.count)
    return name.hasPrefix(start) && text.utf8.count == 2 * digestBytes
      && text.allSatisfy { $0.isHexDigit && !$0.isUppercase }
  }

  private func supported() async throws -> Set<[String]> {
    if let pairs { return pairs }
    let found = try await http.json(VendorHTTP.Request("GET", ["v2", "glossary-language-pairs"]), as: Pairs.self)
    let all = Set(found.supported_languages.map { [$0.source_lang.lowercased(), $0.target_lang.lowercased()] })
    pairs = all
    return all
  }

  /// Returns a line for each term: the term, a tab and the term's preferred translation. A term is left out if it or its translation contains a line
  /// break or a tab.
  private static func entries(_ glossary: Glossary, from source: LocaleIdentifier, to target: LocaleIdentifier)
    -> String
  {
    glossary.check(from: source).terms(for: target).compactMap { term in
      let target = term.targets[0]
      guard ![term.source, target].contains(where: { $0.contains { $0.isNewline || $0 == "\t" } }) else { return nil }
      return "\(term.source)\t\(target)"
    }.joined(separator: "\n")
  }
}
