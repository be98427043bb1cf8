internal import Localization

/// The requests and responses of Crowdin's API v2 that Dragoman uses, as JSON. Sources: the requests and responses in the tests of the official Java
/// client, and the types of the official JavaScript client.
enum CrowdinMessages {
  /// The envelope of one object in a response. The object is in the member `data`.
  struct Envelope<Object: Decodable & Sendable>: Decodable, Sendable {
    var data: Object
  }

  /// One page of a list.
  struct Page<Object: Decodable & Sendable>: Decodable, Sendable {
    struct Place: Decodable, Sendable {
      /// The number of objects on a full page.
      var limit: Int
    }

    var data: [Envelope<Object>]
    var pagination: Place?
  }

  struct Project: Decodable, Sendable {
    /// The type: 1 for a string-based project, which has no files; 0 or missing for a file-based project.
    var type: Int?
    var sourceLanguageId: String
    var targetLanguageIds: [String]
    /// The ID of the glossary to which new terms are added.
    var defaultGlossaryId: Int?
    var assignedGlossaries: [Int]?
  }

  struct Branch: Decodable, Sendable {
    var id: Int
    var name: String
  }

  struct Directory: Decodable, Sendable {
    var id: Int
    /// The ID of the folder's branch; `nil` if the folder is in no branch.
    var branchId: Int?
    /// The ID of the parent folder; `nil` or 0 for a top-level folder.
    var directoryId: Int?
    var name: String
  }

  struct File: Decodable, Sendable {
    var id: Int
    var branchId: Int?
    var directoryId: Int?
    var name: String
  }

  struct Storage: Decodable, Sendable {
    var id: Int
  }

  struct SourceString: Decodable, Sendable {
    var id: Int
    /// The string's key; missing in formats without keys.
    var identifier: String?
    var text: FormsInJSON
    var context: String?
    var isHidden: Bool?
    /// The length limit in characters; 0 or missing if there is no limit.
    var maxLength: Int?
    /// The time of the string's last change, in ISO 8601 format; `nil` if the string never changed. With `changed: keep`, ``CrowdinTextTimes``
    /// replaces this time with the time of the last change of the text.
    var updatedAt: String?

    var content: PlatformText { text.content(isPlural: isPlural) }
    var isPlural: Bool { if case .forms = text { true } else { false } }
  }

  /// The person who made a translation. Crowdin does not return email addresses.
  struct User: Decodable, Sendable {
    var username: String?
    var fullName: String?

    var translator: Translator? { Translator(name: fullName, account: username) }
  }

  /// The translation of a string. If a string has several translations, Crowdin returns the best of them.
  struct Translation: Decodable, Sendable {
    struct Form: Decodable, Sendable {
      var translationId: Int
      var text: String
      /// The form's plural category.
      var pluralForm: String
      var createdAt: String?
      var user: User?
    }

    var stringId: Int
    var translationId: Int?
    /// The text; `nil` if the translation has plural forms.
    var text: String?
    var createdAt: String?
    var user: User?
    /// The plural forms; `nil` for a text without plural forms.
    var plurals: [Form]?

    var content: PlatformText {
      guard let plurals else { return .plain(text ?? "") }
      return .plural(
        [PluralCategory: String](named: Dictionary(plurals.map { ($0.pluralForm, $0.text) }) { a, _ in a }))
    }

    var translator: Translator? { (user ?? plurals?.lazy.compactMap(\.user).first)?.translator }
    var translationIDs: [Int] { plurals?.map(\.translationId) ?? translationId.map { [$0] } ?? [] }
    var times: [String] { plurals?.compactMap(\.createdAt) ?? createdAt.map { [$0] } ?? [] }
  }

  struct Approval: Decodable, Sendable {
    var id: Int
    var translationId: Int
  }

  struct NewDirectory: Encodable {
    var name: String
    var branchId: Int?
    var directoryId: Int?
  }

  struct NewFile: Encodable {
    var storageId: Int
    var name: String
    var branchId: Int?
    var directoryId: Int?
  }

  struct FileChange: Encodable {
    var storageId: Int
    var updateOption: String
  }

  /// One change to a list, as an operation of JSON Patch.
  struct Operation: Encodable {
    enum Value: Encodable {
      case flag(Bool)
      case number(Int)
      case text(FormsInJSON)
      case string(NewString)
      case translation(NewTranslation)

      func encode(to encoder: any Encoder) throws {
        switch self {
        case .flag(let flag): try flag.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .text(let text): try text.encode(to: encoder)
        case .string(let string): try string.encode(to: encoder)
        case .translation(let translation): try translation.encode(to: encoder)
        }
      }
    }

    var op: String
    /// The path within the list: `/-` for a new element, `/2814` for the element with the ID 2814, and `/2814/isHidden` for a member of this element.
    var path: String
    var value: Value?

    static func add(_ value: Value) -> Self { Self(op: "add", path: "/-", value: value) }
    static func remove(_ id: Int) -> Self { Self(op: "remove", path: "/\(id)", value: nil) }
    static func replace(_ id: Int, _ member: String, _ value: Value) -> Self {
      Self(op: "replace", path: "/\(id)/\(member)", value: value)
    }
  }

  struct NewString: Encodable {
    var text: FormsInJSON
    var identifier: String
    var context: String
    var branchId: Int
    var maxLength: Int?
  }

  struct NewTranslation: Encodable {
    var stringId: Int
    var languageId: String
    var text: String
    /// The plural category; `nil` for a text without plural forms.
    var pluralCategoryName: String?
  }
}
