/// Coding of a translation as a dictionary of its forms by path: `{"forms": {"plural.one": {"state": …, "value": …}},
/// "substitutions": {"birds": {"argNum": 1, "formatSpecifier": "lld"}}}`.
extension Translation: Codable {
  private enum CodingKeys: String, CodingKey { case forms, substitutions }

  private struct Form: Codable {
    var state: TranslationState
    var value: String?
    var values: [String]?

    init(_ leaf: VariedLeaf) {
      state = leaf.state
      switch leaf.words {
      case .text(let text): value = text
      case .phrases(let phrases): values = phrases
      }
    }

    var leaf: VariedLeaf {
      VariedLeaf(values.map(ExchangeText.phrases) ?? .text(value ?? ""), state: state)
    }
  }

  private struct Argument: Codable {
    var argNum: Int?
    var formatSpecifier: String?
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let arguments = try container.decodeIfPresent([String: Argument].self, forKey: .substitutions) ?? [:]
    var text: VariedText?
    var substitutions: [String: Substitution] = [:]
    for (key, form) in try container.decode([String: Form].self, forKey: .forms).sorted(by: { $0.key < $1.key }) {
      guard let path = VariationPath(text: key) else { throw Self.fault("not a variation path: \(key)", in: container) }
      var whole = Translation(text: text ?? VariedText(form.leaf, at: path.steps[...]), substitutions: substitutions)
      if case .substitution(let name)? = path.steps.first {
        guard let argument = arguments[name] else { throw Self.fault("no substitution \(name)", in: container) }
        guard whole.set(form.leaf, at: path) else { throw Self.fault("does not fit: \(key)", in: container) }
        whole.substitutions[name]?.argumentNumber = argument.argNum
        whole.substitutions[name]?.formatSpecifier = argument.formatSpecifier
        substitutions = whole.substitutions
      } else {
        guard whole.set(form.leaf, at: path) else { throw Self.fault("does not fit: \(key)", in: container) }
        text = whole.text
      }
    }
    guard let text else { throw Self.fault("a translation without a text", in: container) }
    self.init(text: text, substitutions: substitutions)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let forms = leaves.map { ($0.path.text, Form($0.leaf)) }
    try container.encode(Dictionary(forms, uniquingKeysWith: { first, _ in first }), forKey: .forms)
    guard !substitutions.isEmpty else { return }
    let arguments = substitutions.mapValues { Argument(argNum: $0.argumentNumber, formatSpecifier: $0.formatSpecifier) }
    try container.encode(arguments, forKey: .substitutions)
  }

  private static func fault(_ text: String, in container: KeyedDecodingContainer<CodingKeys>) -> DecodingError {
    DecodingError.dataCorruptedError(forKey: .forms, in: container, debugDescription: text)
  }
}
