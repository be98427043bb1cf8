internal import Localization

/// The faults of one file, collected while the file is read.
final class FaultList {
  let path: String
  private var found: [Diagnostic] = []

  init(path: String) { self.path = path }

  var isEmpty: Bool { found.isEmpty }

  /// The faults, sorted by their position in the file.
  var diagnostics: [Diagnostic] {
    found.enumerated().sorted {
      ($0.element.line ?? 0, $0.element.column ?? 0, $0.offset) < (
        $1.element.line ?? 0, $1.element.column ?? 0, $1.offset
      )
    }.map(\.element)
  }

  func add(_ message: String, at place: Place? = nil, hint: String? = nil) {
    found.append(
      Diagnostic(
        path: path, line: place?.line, column: place?.column, severity: .error, message: message, hint: hint))
  }
}
