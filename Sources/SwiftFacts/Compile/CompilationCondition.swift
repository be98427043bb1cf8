@_spi(RawSyntax) import SwiftSyntax

/// An evaluator of `#if` conditions for Debug or Release builds for Apple's systems. Dragoman extracts the strings of Debug builds, like Xcode.
struct CompilationCondition {
  enum Value {
    case always, never, sometimes

    var negated: Value {
      switch self {
      case .always: .never
      case .never: .always
      case .sometimes: .sometimes
      }
    }
  }

  private let compiler: FactCompiler
  private let isDebug: Bool

  init(_ compiler: FactCompiler, isDebug: Bool) {
    self.compiler = compiler
    self.isDebug = isDebug
  }

  func value(of node: RawNode) -> Value {
    switch node.kind {
    case .booleanLiteralExpr: return node[BooleanLiteralExpr.literal]?.isText("true") == true ? .always : .never
    case .integerLiteralExpr: return node[IntegerLiteralExpr.literal]?.isText("0") == true ? .never : .sometimes
    case .prefixOperatorExpr:
      return node[PrefixOperatorExpr.expression].map { value(of: $0).negated } ?? .sometimes
    case .tupleExpr:
      guard let list = node[TupleExpr.elements], list.elements.count == 1,
        let only = list.elements.first(where: { _ in true })?[LabeledExpr.expression]
      else { return .sometimes }
      return value(of: only)
    case .sequenceExpr: return sequence(node)
    case .functionCallExpr: return call(node)
    // Debug builds compile the clause of `#if DEBUG`, and not its `#else` clause (xcode-extraction.md R7).
    case .declReferenceExpr:
      guard compiler.text(node[DeclReferenceExpr.baseName]) == "DEBUG" else { return .sometimes }
      return isDebug ? .always : .never
    default: return .sometimes
    }
  }

  /// Evaluates operators. `&&` binds tighter than `||`.
  private func sequence(_ node: RawNode) -> Value {
    var alternatives: [Value] = []
    var current: Value = .always
    var isAfterOr = false
    for element in node[SequenceExpr.elements]?.elements.map({ $0 }) ?? [] {
      if element.kind == .binaryOperatorExpr {
        isAfterOr = compiler.text(element.elements.first { $0.raw.isToken }) == "||"
        if isAfterOr {
          alternatives.append(current)
          current = .always
        }
        continue
      }
      current = Self.both(current, value(of: element))
    }
    alternatives.append(current)
    if alternatives.contains(.always) { return .always }
    return alternatives.allSatisfy { $0 == .never } ? .never : .sometimes
  }

  private static func both(_ a: Value, _ b: Value) -> Value {
    if a == .never || b == .never { return .never }
    return a == .always && b == .always ? .always : .sometimes
  }

  private func call(_ node: RawNode) -> Value {
    let name = compiler.text(node[FunctionCallExpr.calledExpression]?[DeclReferenceExpr.baseName])
    guard let argument = node[FunctionCallExpr.arguments]?.elements.first(where: { _ in true })?[LabeledExpr.expression]
    else { return .sometimes }
    let value = compiler.text(argument.firstToken)
    switch name {
    case "os", "platform": return Self.foreignSystems.contains(value) ? .never : .sometimes
    case "canImport":
      if Self.foreignModules.contains(value) { return .never }
      return Self.everywhere.contains(value) ? .always : .sometimes
    case "swift", "compiler": return version(argument)
    default: return .sometimes
    }
  }

  /// Evaluates a version condition such as `swift(>=5.9)`. The compilers of recent Xcode versions have at least the version `leastCompiler`.
  private func version(_ argument: RawNode) -> Value {
    guard let (comparison, first) = Self.comparison(argument) else { return .sometimes }
    let number = compiler.text(first).split(separator: ".").first.flatMap { Int($0) }
    guard let number, number < Self.leastCompiler else { return .sometimes }
    return comparison == ">=" ? .always : comparison == "<" ? .never : .sometimes
  }

  private static let leastCompiler = 6

  private static func comparison(_ argument: RawNode) -> (operator: String, number: RawNode)? {
    guard argument.kind == .prefixOperatorExpr, let sign = argument.firstToken,
      let number = argument[PrefixOperatorExpr.expression]?.firstToken
    else { return nil }
    return (String(decoding: sign.bytes, as: UTF8.self), number)
  }

  private static let foreignSystems: Set<String> = [
    "Linux", "Windows", "Android", "WASI", "FreeBSD", "OpenBSD", "PS4", "Cygwin",
  ]
  private static let foreignModules: Set<String> = [
    "Glibc", "Musl", "WinSDK", "Android", "Bionic", "FoundationNetworking", "FoundationXML", "WASILibc", "CRT", "ucrt",
  ]
  /// Modules that all of Apple's systems have.
  private static let everywhere: Set<String> = [
    "Foundation", "Darwin", "ObjectiveC", "Combine", "CoreFoundation", "Dispatch", "CryptoKit", "Security", "os",
    "OSLog",
    "CoreGraphics", "SwiftUI", "Observation",
  ]
}
