import SwiftParser
import SwiftSyntax

extension ManifestInterpreter {
  func value(of expression: ExprSyntax, in frame: Frame) -> ManifestValue {
    if let spent = spend(at: expression) { return spent }
    let position = expression.positionAfterSkippingLeadingTrivia
    if let literal = expression.as(StringLiteralExprSyntax.self) { return text(of: literal, in: frame) }
    if let array = expression.as(ArrayExprSyntax.self) {
      return counted(ManifestValue(.list(array.elements.map { value(of: $0.expression, in: frame) }), at: position))
    }
    if let call = expression.as(FunctionCallExprSyntax.self) { return nested(call) { value(of: call, in: frame) } }
    if let access = expression.as(MemberAccessExprSyntax.self) {
      return nested(access) { value(of: access, in: frame) }
    }
    if let reference = expression.as(DeclReferenceExprSyntax.self) { return value(of: reference, in: frame) }
    if let sequence = expression.as(SequenceExprSyntax.self) {
      return value(of: Array(sequence.elements), in: frame, whole: expression)
    }
    if let literal = expression.as(BooleanLiteralExprSyntax.self) {
      return ManifestValue(.truth(literal.literal.tokenKind == .keyword(.true)), at: position)
    }
    if expression.is(NilLiteralExprSyntax.self) { return ManifestValue(.null, at: position) }
    if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
      return value(of: only.expression, in: frame)
    }
    if let condition = expression.as(IfExprSyntax.self) { return value(of: condition, in: frame) }
    if let forced = expression.as(ForceUnwrapExprSyntax.self) { return value(of: forced.expression, in: frame) }
    if let tried = expression.as(TryExprSyntax.self) { return value(of: tried.expression, in: frame) }
    if let negation = expression.as(PrefixOperatorExprSyntax.self), negation.operator.text == "!",
      let truth = value(of: negation.expression, in: frame).truth
    {
      return ManifestValue(.truth(!truth), at: position)
    }
    return unknown(expression)
  }

  private func text(of literal: StringLiteralExprSyntax, in frame: Frame) -> ManifestValue {
    if let text = literal.representedLiteralValue {
      return ManifestValue(.text(text), at: literal.positionAfterSkippingLeadingTrivia)
    }
    var joined = ""
    for segment in literal.segments {
      switch segment {
      case .stringSegment(let segment):
        guard !segment.content.text.contains("\\") else { return unknown(literal) }
        joined += segment.content.text
      case .expressionSegment(let segment):
        guard segment.expressions.count == 1, let only = segment.expressions.first else { return unknown(literal) }
        let part = value(of: only.expression, in: frame)
        guard let text = part.text else { return part.isUnknown ? part : unknown(only) }
        joined += text
      }
      guard joined.utf8.count <= ManifestLimits.textBytes else { return unknown(literal, "the text is too long") }
    }
    return counted(ManifestValue(.text(joined), at: literal.positionAfterSkippingLeadingTrivia))
  }

  private func value(of reference: DeclReferenceExprSyntax, in frame: Frame) -> ManifestValue {
    let name = reference.baseName.text
    if let owner = frame.owner(of: name), let value = owner.names[name] { return value }
    return member(name, of: nil) ?? unknown(reference)
  }

  /// Returns the value of an if-expression: that of one branch if the condition can be decided, and otherwise an unknown value.
  private func value(of condition: IfExprSyntax, in frame: Frame) -> ManifestValue {
    switch truth(of: condition.conditions, in: frame) {
    case true?: return result(of: condition.body.statements, in: Frame(parent: frame))
    case false?:
      switch condition.elseBody {
      case .codeBlock(let block)?: return result(of: block.statements, in: Frame(parent: frame))
      case .ifExpr(let next)?: return value(of: next, in: frame)
      case nil: return unknown(condition)
      }
    case nil: return unknown(condition.conditions)
    }
  }

  func truth(of conditions: ConditionElementListSyntax, in frame: Frame) -> Bool? {
    var all: Bool? = true
    for element in conditions {
      guard case .expression(let expression) = element.condition else { return nil }
      switch value(of: expression, in: frame).truth {
      case false?: return false
      case nil: all = nil
      case true?: break
      }
    }
    return all
  }

  // MARK: Operators

  /// Evaluates operators, which the parser leaves in a flat sequence. The sequence is split at the operator with the lowest precedence first. An
  /// operation with an unknown operator has an unknown value. Casts with `as` are ignored.
  func value(of parts: [ExprSyntax], in frame: Frame, whole: ExprSyntax) -> ManifestValue {
    if parts.count == 1 { return value(of: parts[0], in: frame) }
    if let index = parts.firstIndex(where: { $0.is(UnresolvedTernaryExprSyntax.self) }), index > 0,
      let ternary = parts[index].as(UnresolvedTernaryExprSyntax.self)
    {
      switch value(of: Array(parts[..<index]), in: frame, whole: whole).truth {
      case true?: return value(of: ternary.thenExpression, in: frame)
      case false?: return value(of: Array(parts[(index + 1)...]), in: frame, whole: whole)
      case nil: return unknown(whole)
      }
    }
    if let index = parts.firstIndex(where: { $0.is(UnresolvedAsExprSyntax.self) }), index + 1 < parts.count {
      var rest = parts
      rest.removeSubrange(index...(index + 1))
      return value(of: rest, in: frame, whole: whole)
    }
    for level in [["||"], ["&&"], ["==", "!="], ["??"], ["+"]] {
      guard
        let index = parts.lastIndex(where: {
          $0.as(BinaryOperatorExprSyntax.self).map { level.contains($0.operator.text) } ?? false
        }), index > 0, index + 1 < parts.count, let sign = parts[index].as(BinaryOperatorExprSyntax.self)?.operator.text
      else { continue }
      let left = value(of: Array(parts[..<index]), in: frame, whole: whole)
      let right = value(of: Array(parts[(index + 1)...]), in: frame, whole: whole)
      return combine(left, sign, right, whole)
    }
    return unknown(whole)
  }

  private func combine(_ left: ManifestValue, _ sign: String, _ right: ManifestValue, _ whole: ExprSyntax)
    -> ManifestValue
  {
    switch sign {
    case "+": return counted(left + right)
    case "??": return left.isNull ? right : left
    case "||", "&&":
      let decisive = sign == "||"
      if left.truth == decisive || right.truth == decisive { return ManifestValue(.truth(decisive), at: left.position) }
      return left.truth != nil && right.truth != nil
        ? ManifestValue(.truth(!decisive), at: left.position) : unknown(whole)
    default:
      if let a = left.text, let b = right.text {
        return ManifestValue(.truth((a == b) == (sign == "==")), at: left.position)
      }
      if let a = left.truth, let b = right.truth {
        return ManifestValue(.truth((a == b) == (sign == "==")), at: left.position)
      }
      return unknown(whole)
    }
  }

  // MARK: Members and calls

  /// Returns the name of the type to which an expression refers: `Target`, `Target.Dependency`, `PackageDescription.Target`. `nil` for any other
  /// expression.
  private func typeName(_ expression: ExprSyntax, in frame: Frame) -> String? {
    if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text {
      return frame.owner(of: name) == nil && name.first?.isUppercase == true ? name : nil
    }
    if let access = expression.as(MemberAccessExprSyntax.self), let base = access.base {
      let name = access.declName.baseName.text
      guard name.first?.isUppercase == true, let outer = typeName(base, in: frame) else { return nil }
      // The name of a case or constant can also start with a capital letter.
      return members[name]?.contains { $0.type == outer } == true ? nil : name
    }
    return nil
  }

  private func value(of access: MemberAccessExprSyntax, in frame: Frame) -> ManifestValue {
    let name = access.declName.baseName.text
    let position = access.positionAfterSkippingLeadingTrivia
    guard let base = access.base else {
      return member(name, of: nil) ?? ManifestValue(.call(ManifestCall(name: name, arguments: [])), at: position)
    }
    if let type = typeName(base, in: frame) {
      if let found = member(name, of: type) { return found }
      return isOfPackageDescription(type)
        ? ManifestValue(.call(ManifestCall(name: name, arguments: [])), at: position) : unknown(access)
    }
    let receiver = value(of: base, in: frame)
    switch receiver.content {
    case .call(let call): return call[name] ?? ManifestValue(.null, at: position)
    case .text where name == "rawValue": return receiver
    case .text: return member(name, of: "String", receiver: receiver) ?? unknown(access)
    case .unknown: return receiver
    default: return unknown(access)
    }
  }

  /// The static functions of PackageDescription that create targets, products, dependencies and resources.
  static let packageFunctions: Set<String> = [
    "target", "executableTarget", "testTarget", "macro", "plugin", "systemLibrary", "binaryTarget", "product", "byName",
    "package", "library", "executable", "process", "copy", "embedInCode",
  ]

  private func isOfPackageDescription(_ type: String) -> Bool {
    ["Target", "Dependency", "Resource", "Product", "Package", "PluginUsage", "LanguageTag"].contains(type)
  }

  /// Returns whether a call without a type means a static function of PackageDescription. In an extension of a type, its static functions can be
  /// called without the type: `target(name: "Kit")` in `extension Target`.
  private func isOfExtendedType(_ name: String, at node: some SyntaxProtocol) -> Bool {
    guard Self.packageFunctions.contains(name) else { return false }
    var ancestor = node.parent
    while let current = ancestor {
      if let block = current.as(ExtensionDeclSyntax.self) {
        let type = block.extendedType.trimmedDescription.split(separator: ".").last.map(String.init)
        return type.map(isOfPackageDescription) ?? false
      }
      ancestor = current.parent
    }
    return false
  }

  func arguments(of call: FunctionCallExprSyntax, in frame: Frame) -> [(label: String?, value: ManifestValue)] {
    call.arguments.map { ($0.label?.text, value(of: $0.expression, in: frame)) }
  }

  private func value(of call: FunctionCallExprSyntax, in frame: Frame) -> ManifestValue {
    let position = call.positionAfterSkippingLeadingTrivia
    if let closure = call.calledExpression.as(ClosureExprSyntax.self), call.arguments.isEmpty {
      return result(of: closure.statements, in: Frame(parent: frame))
    }
    if let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text {
      let arguments = arguments(of: call, in: frame)
      if let result = self.call(name, arguments, at: call) { return result }
      return name.first?.isUppercase == true || isOfExtendedType(name, at: call)
        ? ManifestValue(.call(ManifestCall(name: name, arguments: arguments)), at: position) : unknown(call)
    }
    guard let access = call.calledExpression.as(MemberAccessExprSyntax.self) else { return unknown(call) }
    let name = access.declName.baseName.text
    let type = access.base.flatMap { typeName($0, in: frame) }
    guard let base = access.base, type == nil else {
      let arguments = arguments(of: call, in: frame)
      if let result = self.call(name, arguments, at: call) { return result }
      let isMaking = name == "init" ? type ?? name : name
      return ManifestValue(.call(ManifestCall(name: isMaking, arguments: arguments)), at: position)
    }
    return method(name, of: value(of: base, in: frame), call, in: frame)
  }

  /// Evaluates a call of a method that the manifest declares, or of `map`, `flatMap`, `joined` or `appending`. All other methods give an unknown
  /// value.
  private func method(
    _ name: String, of receiver: ManifestValue, _ call: FunctionCallExprSyntax, in frame: Frame
  ) -> ManifestValue {
    if receiver.isUnknown { return receiver }
    let closure = call.trailingClosure ?? call.arguments.first?.expression.as(ClosureExprSyntax.self)
    switch (name, receiver.content) {
    case ("map", .list(let elements)), ("flatMap", .list(let elements)):
      guard let closure else { return unknown(call) }
      var results: [ManifestValue] = []
      for element in elements {
        let result = apply(closure, to: element, in: frame)
        if name == "flatMap", let inner = result.elements { results += inner } else { results.append(result) }
        guard results.count <= ManifestLimits.elements else { return unknown(call, "the list is too long") }
      }
      return counted(ManifestValue(.list(results), at: receiver.position))
    case ("joined", .list(let elements)):
      let texts = elements.compactMap(\.text)
      let separator = arguments(of: call, in: frame).first?.value.text ?? ""
      guard texts.count == elements.count else { return unknown(call) }
      let length = texts.reduce(texts.count * separator.utf8.count) { $0 + $1.utf8.count }
      guard length <= ManifestLimits.textBytes else { return unknown(call, "the text is too long") }
      return counted(ManifestValue(.text(texts.joined(separator: separator)), at: receiver.position))
    case ("appending", .text):
      return self.call(name, arguments(of: call, in: frame), receiver: receiver, at: call)
        ?? counted(receiver + (arguments(of: call, in: frame).first?.value ?? unknown(call)))
    default:
      return self.call(name, arguments(of: call, in: frame), receiver: receiver, at: call) ?? unknown(call)
    }
  }

  private func apply(_ closure: ClosureExprSyntax, to element: ManifestValue, in frame: Frame) -> ManifestValue {
    let inner = Frame(parent: frame)
    switch closure.signature?.parameterClause {
    case .simpleInput(let names)?: names.first.map { inner.names[$0.name.text] = element }
    case .parameterClause(let clause)?:
      clause.parameters.first.map { inner.names[($0.secondName ?? $0.firstName).text] = element }
    case nil: inner.names["$0"] = element
    }
    return nested(closure) { result(of: closure.statements, in: inner) }
  }
}
