import SwiftSyntax

/// Texts for developers instead of users: logs, assertions, thrown errors and descriptions.
enum DeveloperText {
  private static let functions: Set<String> = [
    "print", "debugPrint", "NSLog", "os_log", "dump", "fatalError", "precondition", "preconditionFailure", "assert",
    "assertionFailure", "log", "DDLogDebug", "DDLogInfo", "DDLogWarn", "DDLogError", "DDLogVerbose",
  ]
  private static let methods: Set<String> = [
    "log", "debug", "info", "notice", "warning", "warn", "error", "fault", "trace", "critical", "verbose", "write",
  ]
  private static let declarations: Set<String> = ["description", "debugDescription", "log", "debugText"]

  /// Returns whether a call adds a text to a list of errors, as in `errors.append("…")`.
  private static func isAddedToErrors(_ node: Syntax) -> Bool {
    guard let call = node.as(FunctionCallExprSyntax.self), call.calledName == "append",
      let list = call.calledExpression.as(MemberAccessExprSyntax.self)?.base
    else { return false }
    return list.trimmedDescription.lowercased().contains("error")
  }

  /// Returns whether a node is a part of a text for developers.
  static func contains(_ node: some SyntaxProtocol) -> Bool {
    var next = node.parent
    while let parent = next {
      if let call = parent.as(FunctionCallExprSyntax.self), let name = call.calledName,
        call.isMethod ? methods.contains(name) || functions.contains(name) : functions.contains(name)
      {
        return true
      }
      if parent.is(ThrowStmtSyntax.self) || isAddedToErrors(parent) { return true }
      if let function = parent.as(FunctionDeclSyntax.self) { return declarations.contains(function.name.text) }
      if let variable = parent.as(PatternBindingSyntax.self),
        let name = variable.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
      {
        if declarations.contains(name) { return true }
      }
      next = parent.parent
    }
    return false
  }
}
