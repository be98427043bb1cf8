internal import Foundation
package import Localization

/// The glossary file of a pipeline.
package struct SharedGlossary: Sendable {
  /// The largest file that is read, in bytes.
  private static let limit = 16 << 20

  package let glossary: Glossary
  /// SHA-256 of the file.
  package let digest: String

  package init(glossary: Glossary, digest: String) {
    self.glossary = glossary
    self.digest = digest
  }

  /// - Parameter path: absolute, or from the working directory. Not in a Git repository: the authors of one must not be able to write to
  ///   a model.
  /// - Throws: `VendorError` if the file cannot be used.
  package init(at path: String) throws {
    let full = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    let bytes: [UInt8]
    do { bytes = try OperatorFile.bytes(of: full, key: "", limit: Self.limit) } catch {
      throw VendorError(kind: .configuration, at: "glossary \(path)", detail: error.detail)
    }
    do { glossary = try Glossary.read(bytes, at: path).glossary } catch {
      throw VendorError(
        kind: .configuration, at: "glossary \(path)",
        detail: error.diagnostics.map(\.description).joined(separator: "; "))
    }
    digest = ContentDigest.hexadecimal(of: bytes)
  }
}

extension Glossary {
  /// Returns the terms of a source language with those of every other language.
  package func check(from source: LocaleIdentifier) -> TermCheck {
    var found: [LocaleIdentifier: [String: [String]]] = [:]
    for entry in entries {
      let own = entry.terms(in: source)
      let sources = own.isEmpty ? entry.terms(in: LocaleIdentifier(source.language)) : own
      guard !sources.isEmpty else { continue }
      for language in Set(entry.terms.map(\.language)) where language.language != source.language {
        let targets = entry.terms(in: language).map(\.text)
        for term in sources where !targets.isEmpty {
          let known = found[language]?[term.text] ?? []
          found[language, default: [:]][term.text] = known + targets.filter { !known.contains($0) }
        }
      }
    }
    return TermCheck(
      found.mapValues { terms in
        terms.sorted { $0.key < $1.key }.map { TermCheck.Term(source: $0.key, targets: $0.value) }
      })
  }
}
