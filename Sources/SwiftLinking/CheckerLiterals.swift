import SwiftFacts

extension Checker {
  /// Collects the phrases of one App Shortcut. All phrases form one string, and the first phrase is its key.
  func phrases(_ elements: [Expression]) {
    guard let sink else { return }
    var found: [(parts: [KeyPart], place: SourcePlace)] = []
    for case .string(let literal) in elements {
      let parts = literal.segments.map { segment -> KeyPart in
        switch segment {
        case .text(let text): .text(text)
        case .interpolation(let arguments): specifier(arguments, isTaken: true)
        }
      }
      if sink.explains != nil {
        sink.explanations.append(
          LiteralExplanation(
            line: Int(literal.place.line), column: Int(literal.place.column), text: literal.sketch, isTaken: true,
            type: "AppShortcutPhrase", context: "AppShortcut",
            rule: "a phrase of an App Shortcut, for the table AppShortcuts"))
      }
      found.append((parts, literal.place))
    }
    guard let first = found.first else { return }
    sink.found.append(
      LocalizedLiteral(
        key: first.parts, value: nil, comment: nil, table: .named("AppShortcuts"), place: first.place,
        api: "AppShortcut", phrases: found.map(\.parts)))
  }

  func literal(_ literal: StringLiteral, _ expected: LinkedType, _ context: LiteralContext) -> LinkedType {
    let target = localizable(expected)
    let isKey = target.map { Self.isKey(literal, of: $0, in: context) } ?? false
    if let sink, let places = sink.explains, context.api != ReleaseOnlyCode.callee {
      sink.explanations.append(
        ExplanationWriting(places: places).explanation(
          of: literal, expected: expected, isLocalizable: isKey,
          isCompiled: !literal.platforms.isDisjoint(with: platforms), context: context))
    }
    var parts: [KeyPart] = []
    for segment in literal.segments {
      switch segment {
      case .text(let text): parts.append(.text(text))
      case .interpolation(let arguments): parts.append(specifier(arguments, isTaken: target != nil))
      }
    }
    guard let target else {
      if let sink, sink.takesUncertain, context.isOpen(expected), !literal.platforms.isDisjoint(with: platforms) {
        sink.found.append(
          LocalizedLiteral(
            key: parts, table: .standard, place: literal.place, api: context.api, isUncertain: true))
      }
      return resolver.conforms(expected, to: "ExpressibleByStringLiteral") && expected.nominal?.kind != .protocolType
        ? expected : resolver.standard("String")
    }
    if let sink, isKey, !literal.platforms.isDisjoint(with: platforms) {
      var value: [KeyPart]?
      if let given = context.value { value = valueParts(given) }
      sink.found.append(
        LocalizedLiteral(
          key: parts, value: value, comment: context.comment, table: context.table, place: literal.place,
          api: context.api, isFoundBySearch: context.isFoundBySearch,
          isOnlyForDebugging: !literal.platforms.contains(.release)))
    }
    return target
  }

  /// Returns whether a literal of a localizable type is a key, not a default value. In stubs, `_LocalizationKey` and `_DirectKey` mark keys with the
  /// declared type `String` or `StaticString`. Xcode extracts such a key only if it is a literal without interpolation.
  private static func isKey(_ literal: StringLiteral, of type: LinkedType, in context: LiteralContext) -> Bool {
    guard !context.isValue else { return false }
    switch type.nominal?.name {
    case "_LocalizationKey": return literal.plainText != nil
    // xcode-extraction.md R19
    case "_DirectKey": return literal.plainText != nil && context.isWholeArgument
    default: return true
    }
  }

  private func valueParts(_ expression: Expression) -> [KeyPart]? {
    guard case .string(let literal) = expression else { return nil }
    let kept = sink
    sink = nil
    defer { sink = kept }
    return literal.segments.map { segment in
      switch segment {
      case .text(let text): .text(text)
      case .interpolation(let arguments): specifier(arguments, isTaken: true)
      }
    }
  }

  /// Returns the type, without `Optional`, if Xcode extracts literals of this type; otherwise `nil`.
  func localizable(_ type: LinkedType) -> LinkedType? {
    switch type {
    case .nominal(let nominal, let arguments):
      if nominal.name == "Optional", let wrapped = arguments.first { return localizable(wrapped) }
      return nominal.kind != .protocolType && resolver.conforms(type, to: "_LocalizableLiteral") ? type : nil
    default: return nil
    }
  }

  private func specifier(_ arguments: [Argument], isTaken: Bool) -> KeyPart {
    guard let first = arguments.first else { return .undecided("%@") }
    for argument in arguments.dropFirst() {
      switch argument.label {
      case "specifier":
        if case .string(let literal) = argument.value, let text = literal.plainText {
          check(first.value)
          return .written(text)
        }
      case "placeholder":
        if case .implicitMember(let name) = argument.value { return .specifier(Self.placeholder(name)) }
      default: check(argument.value)
      }
    }
    if first.label == "placeholder", case .implicitMember(let name) = first.value {
      return .specifier(Self.placeholder(name))
    }
    if isTaken {
      if case .keyPath(_, let names) = first.value, let name = names.last {
        return .specifier("${" + (name.hasPrefix("$") ? String(name.dropFirst()) : name) + "}")
      }
      if arguments.count == 1, case .implicitMember(let name) = first.value, name == "applicationName" {
        return .specifier("${\(name)}")
      }
    }
    let type = check(first.value)
    if arguments.count > 1 { return .specifier("%@") }
    if type.isUnknown, first.value.isArithmeticWithInteger { return .undecided("%lld") }
    return Self.specifier(of: type)
  }

  private static func placeholder(_ name: String) -> String {
    switch name {
    case "int": "%lld"
    case "uint": "%llu"
    case "float": "%f"
    case "double": "%lf"
    default: "%@"
    }
  }

  static func specifier(of type: LinkedType) -> KeyPart {
    switch type {
    case .nominal(let nominal, _) where nominal.module.isStub:
      switch nominal.name {
      case "Int", "Int64": .specifier("%lld")
      case "UInt", "UInt64": .specifier("%llu")
      case "Int8", "Int16", "Int32": .specifier("%d")
      case "UInt8", "UInt16", "UInt32": .specifier("%u")
      case "Double", "CGFloat": .specifier("%lf")
      case "Float": .specifier("%f")
      default: .specifier("%@")
      }
    case .nominal, .tuple, .function, .metatype: .specifier("%@")
    case .composition, .generic: .specifier("%@")
    case .dependent, .unknown: .undecided("%@")
    }
  }
}

extension Expression {
  /// Whether the expression is arithmetic with an integer, such as `x + 1`. Its type is usually `Int`.
  fileprivate var isArithmeticWithInteger: Bool {
    guard case .binary(let name, let left, let right) = self, ["+", "-", "*", "/", "%"].contains(name) else {
      return false
    }
    if case .integer = left { return true }
    if case .integer = right { return true }
    return false
  }
}
