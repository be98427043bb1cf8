internal import Localization

/// The JSON of Crowdin's API v2: the parts that Dragoman uses (requests and answers in the tests of the official Java client, and the types
/// of the official JavaScript client).
enum CrowdinMessages {
  /// Each object is wrapped in a member of its own.
  struct Answer<Object: Decodable & Sendable>: Decodable, Sendable {
    var data: Object
  }

  /// One page of a list.
  struct Page<Object: Decodable & Sendable>: Decodable, Sendable {
    struct Place: Decodable, Sendable {
      /// How many objects a full page has.
      var limit: Int
    }

    var data: [Answer<Object>]
    var pagination: Place?
  }

  struct Project: Decodable, Sendable {
    /// 1 for a project of strings, without files; missing or 0 for one with files.
    var type: Int?
    var sourceLanguageId: String
    var targetLanguageIds: [String]
    /// The glossary that new terms go to.
    var defaultGlossaryId: Int?
    var assignedGlossaries: [Int]?
  }

  struct Branch: Decodable, Sendable {
    var id: Int
    var name: String
  }

  struct Directory: Decodable, Sendable {
    var id: Int
    /// `nil` outside of branches.
    var branchId: Int?
    /// The parent folder; `nil` or 0 for none.
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
    /// Missing in formats without keys.
    var identifier: String?
    var text: FormsInJSON
    var context: String?
    var isHidden: Bool?
    /// The length limit in characters; 0 or missing for none.
    var maxLength: Int?
    /// When the string last changed, as ISO 8601; `nil` for never. ``CrowdinTextTimes`` replaces it by the time when its text changed.
    var updatedAt: String?

    var content: PlatformText { text.content(isPlural: isPlural) }
    var isPlural: Bool { if case .forms = text { true } else { false } }
  }

  /// Who made a translation. Crowdin does not return addresses.
  struct User: Decodable, Sendable {
    var username: String?
    var fullName: String?

    var translator: Translator? { Translator(name: fullName, account: username) }
  }

  /// The translation of a string; the best one if it has several.
  struct Translation: Decodable, Sendable {
    struct Form: Decodable, Sendable {
      var translationId: Int
      var text: String
      /// A plural category.
      var pluralForm: String
      var createdAt: String?
      var user: User?
    }

    var stringId: Int
    var translationId: Int?
    /// `nil` for a plural.
    var text: String?
    var createdAt: String?
    var user: User?
    /// `nil` for a text without plural forms.
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

  /// One change of a list, as JSON Patch writes it.
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
    /// Below the list: `/-` to add, `/2814/isHidden`.
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
    /// `nil` for a text without plural forms.
    var pluralCategoryName: String?
  }
}
