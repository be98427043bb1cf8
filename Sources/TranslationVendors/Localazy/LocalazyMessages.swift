internal import Foundation
internal import Localization

/// The JSON of Localazy's API: the parts that Dragoman uses (answers recorded by the official TypeScript client).
enum LocalazyMessages {
  struct Project: Decodable, Sendable {
    struct Language: Decodable, Sendable {
      var id: Int
      /// Such as `pt_BR` or `zh#Hans`.
      var code: String
    }

    var id: String
    var slug: String
    /// The number of a language.
    var sourceLanguage: Int
    var languages: [Language]
  }

  struct File: Decodable, Sendable {
    var id: String
    var name: String
    /// The folder; missing for files without one.
    var path: String?

    var catalog: TreePath {
      let folder = path ?? ""
      return TreePath(trusted: folder.isEmpty ? name : "\(folder)/\(name)")
    }
  }

  struct Keys: Decodable, Sendable {
    var keys: [Key]
    /// Asks for the next page; missing on the last one.
    var next: String?
  }

  struct Key: Decodable, Sendable {
    var id: String
    /// More than one element for nested keys, which Dragoman does not make.
    var key: [String]
    var value: Value?
    var comment: String?
    /// -1 or missing for a key that is not deprecated.
    var deprecated: Int?
  }

  /// A text, or an object of texts by `@one` and so on. Lists and nested objects, which Dragoman does not make, are `nil`.
  struct Value: Decodable, Sendable {
    var content: PlatformText?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        content = .plain(text)
      } else if let forms = try? container.decode([String: String].self), forms.keys.allSatisfy({ $0.hasPrefix("@") }) {
        content = .plural(
          [PluralCategory: String](
            named: Dictionary(uniqueKeysWithValues: forms.map { (String($0.key.dropFirst()), $0.value) })))
      }
    }
  }

  /// The answer to an import: its number, with which its progress is requested.
  struct ImportStarted: Decodable, Sendable {
    var result: String
  }

  struct ImportProgress: Decodable, Sendable {
    /// `not_found`, `scheduled`, `in_progress`, `done`, `invalid_id` or `error`.
    var status: String
  }

  struct Import: Encodable {
    /// Whether source texts that people changed at Localazy are replaced.
    var forceSource: Bool
    /// Whether translations that are equal to the source text are left out.
    var filterSource: Bool
    var files: [ImportFile]
  }

  struct ImportFile: Encodable {
    var name: String
    var path: String
    var content: ImportContent

    init(_ catalog: TreePath, _ content: ImportContent) {
      let parts = catalog.text.split(separator: "/", omittingEmptySubsequences: false)
      name = parts.last.map(String.init) ?? ""
      path = parts.dropLast().joined(separator: "/")
      self.content = content
    }
  }

  /// Texts of one language, as a JSON file: an object whose member has the language's name.
  struct ImportContent: Encodable {
    private struct Name: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(_ name: String) { stringValue = name }
      init?(stringValue: String) { self.init(stringValue) }
      init?(intValue: Int) { nil }
    }

    var language: String
    var texts: [(key: String, text: PlatformText)]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      try container.encode("json", forKey: Name("type"))
      var members = container.nestedContainer(keyedBy: Name.self, forKey: Name(language))
      for (key, text) in texts {
        switch text {
        case .plain(let plain): try members.encode(plain, forKey: Name(key))
        case .plural(let forms):
          // Without the mark, the importer would treat the forms as separate keys.
          var categories = members.nestedContainer(keyedBy: Name.self, forKey: Name(key))
          for (category, form) in forms { try categories.encode(form, forKey: Name("@\(category.rawValue)")) }
        }
      }
    }
  }

  struct KeyChange: Encodable {
    var comment: String
    /// -1 for a key that is not deprecated.
    var deprecated: Int
  }

  /// The members are called phrases, as keys are elsewhere.
  struct Phrases: Encodable {
    var phrases: [String]
  }
}
