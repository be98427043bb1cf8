import Foundation
package import Localization

/// A file with the fingerprints of known findings, which are not reported again.
package struct AdviceBaseline: Sendable {
  private struct File: Codable {
    struct Finding: Codable {
      var fingerprint, rule, path, key: String
      var language: String?
      /// The finding's `AdviceFinding.texts`; `nil` in a file of an older version. Such an entry matches the finding whatever its texts are.
      var texts: String?
      /// The number of findings with this fingerprint and these texts, if it is not 1. Older versions do not write it, and ignore it.
      var count: Int?

      var number: Int { max(count ?? 1, 1) }
    }

    var version: Int
    var findings: [Finding]
  }

  private static let version = 1

  private let file: File
  /// The number of known findings by fingerprint and texts.
  private let known: [String: [String?: Int]]

  package init(of findings: [AdviceFinding]) {
    let numbers = Dictionary(findings.map { ($0.identity, 1) }, uniquingKeysWith: +)
    var seen: Set<String> = []
    self.init(
      File(
        version: Self.version,
        findings: findings.filter { seen.insert($0.identity).inserted }.map {
          File.Finding(
            fingerprint: $0.fingerprint, rule: $0.rule, path: $0.path.text, key: $0.key.text,
            language: $0.language?.rawValue, texts: $0.texts,
            count: numbers[$0.identity].flatMap { $0 > 1 ? $0 : nil })
        }))
  }

  private init(_ file: File) {
    self.file = file
    known = Dictionary(grouping: file.findings, by: \.fingerprint).mapValues { findings in
      Dictionary(findings.map { ($0.texts, $0.number) }, uniquingKeysWith: +)
    }
  }

  package static func read(_ bytes: [UInt8], at path: String) throws(InputFault) -> AdviceBaseline {
    let file: File
    do {
      file = try JSONDecoder().decode(File.self, from: Data(bytes))
    } catch {
      throw InputFault(
        Diagnostic(
          path: path, severity: .error, message: "not a baseline of dragoman check",
          hint: "write a new one with --write-baseline"))
    }
    guard file.version == version else {
      throw InputFault(
        Diagnostic(
          path: path, severity: .error, message: "the baseline has version \(file.version), which is not supported",
          hint: "write a new one with --write-baseline"))
    }
    return AdviceBaseline(file)
  }

  /// Returns the findings that the baseline does not contain, in the same order. If there are more equal findings than the baseline counts,
  /// the last ones are new.
  package func new(among findings: [AdviceFinding]) -> [AdviceFinding] {
    var left = known
    return findings.filter { finding in
      // A finding is matched first with the entry for its texts, and then with the entry without texts, which an older version wrote.
      for texts in [finding.texts, nil] as [String?] {
        if let number = left[finding.fingerprint]?[texts], number > 0 {
          left[finding.fingerprint]?[texts] = number - 1
          return false
        }
      }
      return true
    }
  }

  package var count: Int { file.findings.reduce(0) { $0 + $1.number } }

  /// Returns the bytes of the file. The findings are sorted, so two baselines differ only in the lines of different findings.
  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    var file = file
    file.findings.sort {
      ($0.path, $0.rule, $0.key, $0.language ?? "", $0.fingerprint + ($0.texts ?? ""))
        < ($1.path, $1.rule, $1.key, $1.language ?? "", $1.fingerprint + ($1.texts ?? ""))
    }
    return Array(try encoder.encode(file)) + [UInt8(ascii: "\n")]
  }
}
