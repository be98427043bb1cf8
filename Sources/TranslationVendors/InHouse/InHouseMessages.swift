internal import Localization

/// The JSON messages of the protocol (docs/vendors/http.md).
enum InHouseMessages {
  struct Languages: Codable {
    var languages: [String]
  }

  struct ID: Codable, Hashable {
    var catalog: String
    var name: String

    init(_ id: PlatformID) {
      catalog = id.catalog.text
      name = id.name
    }

    var id: PlatformID { PlatformID(catalog: TreePath(trusted: catalog), name: name) }
  }

  struct IDs: Codable {
    var ids: [ID]
  }

  /// A text. A plain text is in `text`; plural forms are in `forms`, by plural category.
  struct Text: Codable, Hashable {
    var text: String?
    var forms: [String: String]?

    init(_ text: PlatformText) {
      switch text {
      case .plain(let plain): self.text = plain
      case .plural(let forms):
        self.forms = Dictionary(forms.map { ($0.key.rawValue, $0.value) }) { first, _ in first }
      }
    }

    var content: PlatformText? {
      if let forms {
        return .plural(Dictionary(forms.map { (PluralCategory(rawValue: $0.key), $0.value) }) { first, _ in first })
      }
      return text.map { .plain($0) }
    }
  }

  struct StoredString: Codable {
    var id: ID
    var source: Text
    var comment: String?
    /// The length limit in characters; missing if there is no limit.
    var maxLength: Int?
    var archived: Bool?
  }

  struct Strings: Codable {
    var strings: [StoredString]
  }

  struct Person: Codable {
    var name: String?
    var account: String?
    var address: String?
  }

  struct Translation: Codable {
    var id: ID
    var source: Text?
    var target: Text
    /// The state: `suggested`, `needs-review`, `translated` or `reviewed`.
    var state: String
    /// The person who made the translation; missing if unknown.
    var translator: Person?
    /// The stored translation that this translation may replace.
    var replaces: Text?
  }

  struct Translations: Codable {
    var translations: [ReturnedTranslation]
  }

  /// One translation in a request or response. In a response, each translation is decoded separately, so a faulty translation does not affect the
  /// other translations.
  enum ReturnedTranslation: Codable {
    case translation(Translation)
    /// A translation that cannot be used: its id, if the id can be read, and a message.
    case faulty(ID?, String)

    private enum Member: CodingKey {
      case id
    }

    init(from decoder: any Decoder) throws {
      do {
        let translation = try Translation(from: decoder)
        if translation.source?.content == nil {
          // Without the source text, it is unknown whether the translation was made from the current text.
          self = .faulty(translation.id, "`source` is missing. It must be the source text of the translation")
        } else if translation.target.content == nil {
          self = .faulty(translation.id, "`target` has neither `text` nor `forms`")
        } else if PlatformState(word: translation.state) != nil {
          self = .translation(translation)
        } else {
          let words = PlatformState.allCases.map(\.word).joined(separator: ", ")
          self = .faulty(translation.id, "unknown state “\(translation.state)”. Use \(words)")
        }
      } catch let error as DecodingError {
        let id = try? decoder.container(keyedBy: Member.self).decode(ID.self, forKey: .id)
        self = .faulty(id, JSONFault.words(for: error))
      }
    }

    func encode(to encoder: any Encoder) throws {
      if case .translation(let translation) = self { try translation.encode(to: encoder) }
    }
  }
}

extension PlatformState {
  /// The name of the state in the protocol.
  var word: String {
    switch self {
    case .suggested: "suggested"
    case .needsReview: "needs-review"
    case .translated: "translated"
    case .reviewed: "reviewed"
    }
  }

  init?(word: String) {
    guard let state = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = state
  }
}
