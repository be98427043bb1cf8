internal import Foundation
internal import Localization

/// The file that contains a catalog's strings at Crowdin, in the format of a String Catalog. Its keys are the names that Dragoman gives to strings at
/// platforms. Each key has a source text, with or without plural forms.
struct CrowdinFile: Sendable {
  private struct Document: Encodable {
    var sourceLanguage: String
    var strings: [String: Entry]
    var version = "1.0"
  }

  private struct Entry: Encodable {
    var comment: String?
    var extractionState = "manual"
    var localizations: [String: Text]
  }

  private struct Text: Encodable {
    struct Unit: Encodable {
      var state = "translated"
      var value: String
    }

    struct Form: Encodable {
      var stringUnit: Unit
    }

    struct Variations: Encodable {
      var plural: [String: Form]
    }

    var stringUnit: Unit?
    var variations: Variations?

    init(_ text: PlatformText) {
      switch text {
      case .plain(let plain): stringUnit = Unit(value: plain)
      case .plural(let forms):
        variations = Variations(plural: forms.named.mapValues { Form(stringUnit: Unit(value: $0)) })
      }
    }
  }

  /// The source text and comment of each string, by the string's name.
  var strings: [String: (text: PlatformText, comment: String?)] = [:]

  /// Returns the file's content.
  /// - Parameter language: the language of the source texts.
  func bytes(_ language: LocaleIdentifier) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let entries = strings.mapValues { string in
      Entry(comment: string.comment, localizations: [language.rawValue: Text(string.text)])
    }
    return Array(try encoder.encode(Document(sourceLanguage: language.rawValue, strings: entries)))
  }

  /// Returns the file's path at Crowdin. The path ends with `.xcstrings`, because Crowdin detects formats by the file extension.
  static func path(of catalog: TreePath) -> String {
    catalog.ending == "xcstrings" ? catalog.text : catalog.text + ".xcstrings"
  }
}
