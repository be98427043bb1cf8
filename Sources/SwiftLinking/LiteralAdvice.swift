import SwiftFacts

/// Advice on how to localize a literal (`extract --why`).
enum LiteralAdvice {
  private static let wrapped = "write String(localized: \"…\")"

  /// - Returns: the advice as a clause of a message; `nil` for the key of a function that is known by name, for a default value, for a literal whose
  ///   place shows that it is for programs or developers, and in places without general advice, such as an operand.
  static func advice(for context: LiteralContext) -> String? {
    switch context.origin {
    case .macroName: return nil
    case .undeclared, .unfit: return isForDevelopers(context.api) ? nil : wrapped
    case .argument(let candidate, let index):
      let label = candidate.signature.parameters[index].label
      guard !context.isValue, !isForDevelopers(context.api), !technicalLabels.contains(label ?? "") else { return nil }
      if label == "verbatim" { return "write \(context.api)(\"…\")" }
      return candidate.isStub ? wrapped : "declare the parameter as LocalizedStringResource, or " + wrapped
    case .context:
      switch context.api {
      case "return": return "let it return LocalizedStringResource, or " + wrapped
      case "=": return "declare it as LocalizedStringResource, or " + wrapped
      case "default": return "declare the parameter as LocalizedStringResource, or " + wrapped
      case "case": return "give the enum the raw type LocalizedStringResource"
      case "closure": return wrapped
      default: return nil
      }
    }
  }

  /// Returns whether the texts in a call are not for users, such as printed or logged messages, URLs, and names of images, colors or settings.
  private static func isForDevelopers(_ api: String) -> Bool {
    let name = api.split(separator: ".").last.map(String.init) ?? api
    return developerCalls.contains(name)
  }

  private static let developerCalls: Set<String> = [
    "print", "debugPrint", "NSLog", "os_log", "fatalError", "preconditionFailure", "assertionFailure", "precondition",
    "assert", "Logger", "debug", "info", "notice", "warning", "error", "fault", "critical", "trace", "log", "Selector",
    "Image", "UIImage", "NSImage", "Color", "UIColor", "NSColor", "URL", "Notification", "AppStorage", "SceneStorage",
  ]

  /// The labels of arguments that are not texts for users, such as the name of a symbol, a file or a setting.
  private static let technicalLabels: Set<String> = [
    "systemImage", "systemName", "named", "name", "image", "identifier", "id", "forKey", "key", "table", "tableName",
    "comment", "format", "dateFormat", "pattern", "path", "atPath", "string", "withIdentifier", "reuseIdentifier",
    "withReuseIdentifier", "forResource", "ofType", "withExtension", "kind", "subsystem", "category", "suiteName",
    "scheme",
    "host", "forHTTPHeaderField", "nibName", "storyboardName", "entityName", "bundleIdentifier", "rawValue",
    "separator",
  ]
}
