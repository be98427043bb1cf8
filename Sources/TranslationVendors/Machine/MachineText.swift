internal import Localization

/// A text prepared for a machine translation service.
///
/// In a plural form with one number, an example number of the plural category replaces the placeholder. With “3 birds”, services choose the right
/// plural form; with “%lld birds”, they do not. All other parts that must not change are marked (``ProtectedText``).
struct MachineText {
  let sent: String
  let source: String
  private let protected: ProtectedText
  private let sample: (digits: String, placeholder: String)?

  var hasSample: Bool { sample != nil }

  /// - Parameter usesSample: whether an example number is used. If not, number placeholders are marked like other placeholders.
  init(_ request: EngineRequest, _ marking: ProtectedText.Marking, usesSample: Bool = true) {
    sample = usesSample ? Self.sample(for: request) : nil
    source = request.source
    protected = ProtectedText(
      sample.map { request.source.replacing($0.placeholder, with: $0.digits) } ?? request.source, marking)
    sent = protected.text
  }

  /// Returns the translation with its placeholders, markup and outer white space restored.
  /// - Returns: `nil` unless each mark and the example number occur exactly once.
  func restored(_ translation: String) -> String? {
    guard var restored = protected.restored(translation)?.withOuterSpace(of: source) else { return nil }
    guard let sample else { return restored }
    let ranges = Self.numbers(in: restored).filter { restored[$0] == sample.digits }
    guard ranges.count == 1, let range = ranges.first else { return nil }
    restored.replaceSubrange(range, with: sample.placeholder)
    return restored
  }

  private static func sample(for request: EngineRequest) -> (digits: String, placeholder: String)? {
    guard case .plural(let category)? = request.path.steps.last, let language = request.context.language else {
      return nil
    }
    var placeholder: String?
    for piece in PseudoScanner.pieces(of: request.source) {
      switch piece {
      case .words(let words): if !numbers(in: words).isEmpty { return nil }
      case .fixed(let fixed):
        guard isNumber(fixed) else { continue }
        guard placeholder == nil else { return nil }
        placeholder = fixed
      }
    }
    guard let placeholder,
      let number = (2...200).first(where: { PluralRules.category(of: $0, in: language) == category })
        ?? (0...1).first(where: { PluralRules.category(of: $0, in: language) == category })
    else { return nil }
    return (String(number), placeholder)
  }

  /// Returns whether a placeholder stands for a whole number: `%lld`, `%1$d`, `%arg`.
  private static func isNumber(_ placeholder: String) -> Bool {
    if placeholder == "%arg" { return true }
    guard placeholder.hasPrefix("%"), let last = placeholder.last, "diu".contains(last) else { return false }
    return placeholder.dropFirst().dropLast().allSatisfy { $0.isASCII && ($0.isNumber || "$lhqz".contains($0)) }
  }

  /// Returns the ranges of all sequences of ASCII digits.
  private static func numbers(in text: String) -> [Range<String.Index>] {
    var ranges: [Range<String.Index>] = []
    var start: String.Index?
    for index in text.indices {
      if text[index].isASCII, text[index].isNumber {
        start = start ?? index
      } else if let begin = start {
        ranges.append(begin..<index)
        start = nil
      }
    }
    if let start { ranges.append(start..<text.endIndex) }
    return ranges
  }
}
