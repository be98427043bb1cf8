internal import Foundation
internal import Localization

/// The requests and responses of Localazy's API that Dragoman uses, as JSON. Source: the responses that the official TypeScript client recorded.
enum LocalazyMessages {
  struct Project: Decodable, Sendable {
    struct Language: Decodable, Sendable {
      var id: Int
      /// The language's code, such as `pt_BR` or `zh#Hans`.
      var code: String
    }

    var id: String
    var slug: String
    /// The id of the source language in `languages`.
    var sourceLanguage: Int
    var languages: [Language]
  }

  struct File: Decodable, Sendable {
    var id: String
    var name: String
    /// The path of the file's folder; missing for a file without a folder.
    var path: String?

    var catalog: TreePath {
      let folder = path ?? ""
      return TreePath(trusted: folder.isEmpty ? name : "\(folder)/\(name)")
    }
  }

  struct Keys: Decodable, Sendable {
    var keys: [Key]
    /// The parameter that requests the next page; missing on the last page.
    var next: String?
  }

  struct Key: Decodable, Sendable {
    var id: String
    /// The key's components. Only nested keys, which Dragoman does not create, have more than one component.
    var key: [String]
    var value: Value?
    var comment: String?
    /// At least 0 for a deprecated key; -1 or missing for other keys.
    var deprecated: Int?
  }

  /// A text, or an object of plural forms with members such as `@one`. The content of lists and nested objects, which Dragoman does not create,
  /// is `nil`.
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

  /// The response to the request for an import.
  struct ImportStarted: Decodable, Sendable {
    /// The ID of the import, which is needed to request its progress.
    var result: String
  }

  struct ImportProgress: Decodable, Sendable {
    /// The status: `not_found`, `scheduled`, `in_progress`, `done`, `invalid_id` or `error`.
    var status: String
  }

  struct Import: Encodable {
    /// Whether the import replaces source texts that people changed at Localazy.
    var forceSource: Bool
    /// Whether the import leaves out translations that are equal to their source texts.
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

  /// The texts of one language as a JSON file. The member with the language's code contains the texts by key.
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
          // Without the `@`, the importer would treat the forms as separate keys.
          var categories = members.nestedContainer(keyedBy: Name.self, forKey: Name(key))
          for (category, form) in forms { try categories.encode(form, forKey: Name("@\(category.rawValue)")) }
        }
      }
    }
  }

  struct KeyChange: Encodable {
    var comment: String
    /// The value -1 makes a deprecated key active again.
    var deprecated: Int
  }

  /// A list of key ids. In this request, the API calls keys phrases.
  struct Phrases: Encodable {
    var phrases: [String]
  }
}
