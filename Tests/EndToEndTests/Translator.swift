import CatalogFormats
import Foundation
import Localization
import Pipeline
import ZipArchive

/// A simulated translator of a drop folder, who takes bundles from `to-translate` and puts XLIFF files into `translated`.
struct Translator {
  let drop: String

  /// Translates the bundles of a language in `to-translate`.
  /// - Parameters:
  ///   - pattern: a part of the names of the bundles to translate; empty for all bundles.
  ///   - answers: target texts by key, instead of `<language>: <source>`; a unit with an empty text is omitted.
  ///   - isEcho: whether each target text is the source text.
  /// - Returns: the number of translated forms.
  @discardableResult
  func translate(
    _ language: LocaleIdentifier, bundles pattern: String = "", answers: [String: String] = [:], isEcho: Bool = false
  ) throws -> Int {
    var count = 0
    for name in try names(in: "to-translate")
    where name.hasSuffix("-\(language).xcloc.zip") && (pattern.isEmpty || name.contains(pattern)) {
      let files = try ZipArchive.read(bytes("to-translate/\(name)"), limits: ArchiveLimits())
      for (path, content) in files where path.ending == "xliff" {
        var document = try XLIFF.read(content, at: path.text)
        for file in document.files.indices {
          document.files[file].units = document.files[file].units.compactMap { unit in
            var unit = unit
            let given = isEcho ? unit.source : target(of: unit, language: language, answers: answers)
            guard let text = given else { return nil }
            unit.target = ExchangeTarget(text, state: "translated")
            count += 1
            return unit
          }
        }
        let out = "\(drop)/translated/\(name.replacingOccurrences(of: ".xcloc.zip", with: ".xliff"))"
        try FileManager.default.createDirectory(atPath: "\(drop)/translated", withIntermediateDirectories: true)
        try Data(XLIFF.write(document)).write(to: URL(fileURLWithPath: out))
      }
    }
    return count
  }

  /// Puts every bundle of a language back with its source texts as translations, like a file that was saved without being translated.
  func echo(_ language: LocaleIdentifier) throws -> Int { try translate(language, isEcho: true) }

  private func target(of unit: ExchangeUnit, language: LocaleIdentifier, answers: [String: String]) -> ExchangeText? {
    if let answer = answers[unit.key.text] { return answer.isEmpty ? nil : .text(answer) }
    switch unit.source {
    case .text(let text): return .text("\(language): \(text)")
    case .phrases(let texts): return .phrases(texts.map { "\(language): \($0)" })
    case nil: return nil
    }
  }

  func names(in folder: String) throws -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(drop)/\(folder)")) ?? []).sorted()
  }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(drop)/\(name)")))
  }
}
