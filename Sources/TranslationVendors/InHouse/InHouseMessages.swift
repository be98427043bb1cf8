internal import Localization

/// The messages of the protocol (docs/vendors/http.md). A missing member has no meaning.
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

  /// A text: `text`, or `forms` by plural category.
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
    /// The length limit in characters; missing for none.
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
    /// `suggested`, `needs-review`, `translated` or `reviewed`.
    var state: String
    /// Who made it.
    var translator: Person?
    /// The translation that it may replace.
    var replaces: Text?
  }

  struct Translations: Codable {
    var translations: [Answer]
  }

  /// One translation of an answer. A fault in it does not keep the others from being read.
  enum Answer: Codable {
    case translation(Translation)
    /// The id if it can be read, and what is wrong, in words.
    case faulty(ID?, String)

    private enum Member: CodingKey {
      case id
    }

    init(from decoder: any Decoder) throws {
      do {
        let translation = try Translation(from: decoder)
        if translation.source?.content == nil {
          // Without it, nobody can tell whether the translation was made of the present text.
          self = .faulty(translation.id, "`source` is missing, the source text that it was made of")
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
  /// As the protocol writes it.
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
