internal import Localization

/// The data that a request sends to the model, as JSON. All texts except the texts to translate are shortened to a maximum length.
struct LLMDocument: Encodable {
  struct Text: Encodable {
    var id: String
    var text: String
    var key: String?
    var comment: String?
    var plural: String?
    var numbers: String?
    var device: String?
    var counts: String?
    var earlier: String?
    var fault: String?
  }

  struct Neighbour: Encodable {
    var key: String
    var text: String
  }

  /// The maximum number of neighbours in one request.
  static let mostNeighbours = 40
  var around: [Neighbour]?
  var strings: [Text]

  init(_ items: [LLMWork.Item], language: LocaleIdentifier) {
    strings = items.map { Text($0, language) }
    var seen = Set(items.map(\.request.unit.key))
    let around = items.flatMap(\.request.context.neighbours).filter { seen.insert($0.key).inserted }
    self.around =
      around.isEmpty
      ? nil : around.prefix(Self.mostNeighbours).map { Neighbour(key: $0.key.text.cut(200), text: $0.text.cut(300)) }
  }
}

extension LLMDocument.Text {
  init(_ item: LLMWork.Item, _ language: LocaleIdentifier) {
    let request = item.request
    id = item.id
    text = request.source
    key = request.unit.key.text == request.source ? nil : request.unit.key.text.cut(200)
    comment = request.comment?.cut(1000)
    earlier = item.earlier?.cut(2000)
    fault = item.fault?.cut(500)
    for step in request.path.steps {
      switch step {
      case .plural(let category):
        plural = category.rawValue
        numbers = Self.numbers(of: category, in: language)
      case .device(let device): self.device = device.rawValue
      case .substitution(let name): counts = name.cut(200)
      }
    }
  }

  /// Returns up to five whole numbers of a plural category, separated by commas; `nil` if there are none up to 120, if the category is a single
  /// number (`=0`), or if the language's plural rules are unknown.
  private static func numbers(of category: PluralCategory, in language: LocaleIdentifier) -> String? {
    guard PluralRules.knows(language), !category.rawValue.hasPrefix("=") else { return nil }
    let numbers = (0...120).lazy.filter { PluralRules.category(of: $0, in: language) == category }.prefix(5)
    return numbers.isEmpty ? nil : numbers.map(String.init).joined(separator: ", ")
  }
}

extension String {
  /// Returns the first characters of the text, followed by an ellipsis if the text is longer.
  func cut(_ length: Int) -> String { count <= length ? self : String(prefix(length)) + "…" }
}
