internal import Localization
internal import StructuredText

/// What the compiler says of one translation, in the wording of Apple's compiler where it is known (xcode-formats.md F; the compiler's
/// output as swift-build's own tests and users' logs have it).
struct CompileFault: Hashable {
  var isError: Bool
  var message: String
  /// The form that is meant.
  var path: VariationPath = .root

  static func error(_ message: String, at path: VariationPath = .root) -> CompileFault {
    CompileFault(isError: true, message: message, path: path)
  }

  static func warning(_ message: String, at path: VariationPath = .root) -> CompileFault {
    CompileFault(isError: false, message: message, path: path)
  }

  /// `path:line:column: error: message (de: key|==|substitutions.birds)`.
  func diagnostic(_ catalog: TreePath, _ language: LocaleIdentifier, _ key: UnitKey, at position: TextPosition?)
    -> Diagnostic
  {
    Diagnostic(
      path: catalog.text, line: position?.line, column: position?.column, severity: isError ? .error : .warning,
      message: "\(message) (\(language): \(Self.oneLine(ExchangeIdentifier.text(key: key, path: path))))")
  }

  /// Keys come from anywhere: what would end the line, or talk to a terminal, is escaped.
  static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
    return String(text.debugDescription.dropFirst().dropLast())
  }
}
