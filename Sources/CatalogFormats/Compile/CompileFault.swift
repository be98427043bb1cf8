internal import Localization
internal import StructuredText

/// A fault in one translation, with the message of Apple's compiler where it is known (from xcode-formats.md F, the tests of swift-build,
/// and users' logs).
struct CompileFault: Hashable {
  var isError: Bool
  var message: String
  /// The path of the form that has the fault.
  var path: VariationPath = .root

  static func error(_ message: String, at path: VariationPath = .root) -> CompileFault {
    CompileFault(isError: true, message: message, path: path)
  }

  static func warning(_ message: String, at path: VariationPath = .root) -> CompileFault {
    CompileFault(isError: false, message: message, path: path)
  }

  /// Returns a diagnostic that is printed as `path:line:column: error: message (de: key|==|substitutions.birds)`.
  func diagnostic(_ catalog: TreePath, _ language: LocaleIdentifier, _ key: UnitKey, at position: TextPosition?)
    -> Diagnostic
  {
    Diagnostic(
      path: catalog.text, line: position?.line, column: position?.column, severity: isError ? .error : .warning,
      message: "\(message) (\(language): \(Self.oneLine(ExchangeIdentifier.text(key: key, path: path))))")
  }

  /// Escapes a text that has control characters, including its quotation marks and backslashes; returns any other text unchanged. Keys are untrusted
  /// input, and control characters could break the line or control a terminal.
  static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
    return String(text.debugDescription.dropFirst().dropLast())
  }
}
