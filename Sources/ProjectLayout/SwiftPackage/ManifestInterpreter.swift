import SwiftParser
import SwiftSyntax

/// An interpreter that evaluates a manifest statement by statement. A value that depends on more than the manifest's text is unknown.
///
/// Nothing is run. For a call of a function that the manifest declares, the statements of the function are evaluated. A call of a type or of a static
/// function becomes a `ManifestCall`. The methods `map`, `flatMap`, `joined` and `appending` are evaluated, and any other call is unknown. A value
/// that depends on an undecided condition is marked as unknown, with its position, and the evaluation continues.
final class ManifestInterpreter {
  /// The variables of one block. This is a class because inner blocks assign to outer variables.
  final class Frame {
    var names: [String: ManifestValue] = [:]
    let parent: Frame?
    init(parent: Frame?) { self.parent = parent }

    func owner(of name: String) -> Frame? {
      names[name] != nil ? self : parent?.owner(of: name)
    }
  }

  /// A property of an extension or of a type that the manifest declares, or an enum case.
  struct Member {
    var type: String
    var value: MemberValue
  }

  enum MemberValue {
    case constant(ExprSyntax)
    case getter(CodeBlockItemListSyntax)
    case raw(String, AbsolutePosition)
  }

  let globals = Frame(parent: nil)
  var functions: [String: [FunctionDeclSyntax]] = [:]
  var members: [String: [Member]] = [:]
  /// The position of an undecided condition and the reason. It is `nil` except during the evaluation of statements that might not be reached.
  var doubt: ManifestValue?
  private var steps = 0
  /// The size in bytes of the texts and lists created so far.
  private var bytes = 0
  private var depth = 0

  /// Evaluates a whole manifest.
  /// - Returns: the final value of the first global variable that contains a `Package(…)`; `nil` if there is none.
  func package(of file: SourceFileSyntax) -> ManifestValue? {
    declare(file.statements)
    _ = run(file.statements, in: globals)
    return globals.names.values
      .filter { $0.call?.name == "Package" }
      .min { $0.position < $1.position }
  }

  /// Counts a step. Returns an unknown value if the limit is exceeded, which stops endless loops and recursion in a manifest; otherwise `nil`.
  func spend(at node: some SyntaxProtocol) -> ManifestValue? {
    steps += 1
    return steps > ManifestLimits.steps
      ? ManifestValue(
        .unknown("the manifest needs too many steps to evaluate"), at: node.positionAfterSkippingLeadingTrivia)
      : nil
  }

  /// Counts the bytes of a new text or list. Each value is small, but a few lines of code can create thousands of values.
  /// - Returns: the value; an unknown value if the manifest has created too many bytes.
  func counted(_ value: ManifestValue) -> ManifestValue {
    switch value.content {
    case .text(let text): bytes += text.utf8.count
    case .list(let elements): bytes += elements.count * ManifestLimits.elementBytes
    case .call, .truth, .null, .unknown: return value
    }
    guard bytes > ManifestLimits.madeBytes else { return value }
    return ManifestValue(
      .unknown("the manifest creates more than \(ManifestLimits.madeBytes >> 20) MB of texts and lists"),
      at: value.position)
  }

  func nested(_ node: some SyntaxProtocol, _ body: () -> ManifestValue) -> ManifestValue {
    guard depth < ManifestLimits.depth else { return unknown(node, "calls are nested too deeply") }
    depth += 1
    defer { depth -= 1 }
    return body()
  }

  func unknown(_ node: some SyntaxProtocol, _ reason: String? = nil) -> ManifestValue {
    let text = node.trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let excerpt = text.count > 48 ? text.prefix(45) + "…" : text[...]
    let reason = reason ?? "`\(excerpt)` cannot be evaluated without running the manifest"
    return ManifestValue(.unknown(reason), at: node.positionAfterSkippingLeadingTrivia)
  }

  // MARK: Declarations

  /// Declares functions and members in advance, because their declarations may follow their use.
  func declare(_ statements: CodeBlockItemListSyntax) {
    for statement in statements {
      guard case .decl(let declaration) = statement.item else { continue }
      declare(declaration)
    }
  }

  private func declare(_ declaration: DeclSyntax) {
    if let function = declaration.as(FunctionDeclSyntax.self) {
      functions[function.name.text, default: []].append(function)
    } else if let block = declaration.as(IfConfigDeclSyntax.self) {
      for clause in chosenClauses(of: block).clauses {
        if case .statements(let statements)? = clause.elements { declare(statements) }
      }
    } else if let type = declaration.as(ExtensionDeclSyntax.self) {
      declareMembers(type.memberBlock, of: type.extendedType.trimmedDescription)
    } else if let type = declaration.as(EnumDeclSyntax.self) {
      declareMembers(type.memberBlock, of: type.name.text)
    } else if let type = declaration.as(StructDeclSyntax.self) {
      declareMembers(type.memberBlock, of: type.name.text)
    } else if let type = declaration.as(ClassDeclSyntax.self) {
      declareMembers(type.memberBlock, of: type.name.text)
    }
  }

  private func declareMembers(_ block: MemberBlockSyntax, of type: String) {
    let type = type.split(separator: ".").last.map(String.init) ?? type
    for member in block.members {
      if let variable = member.decl.as(VariableDeclSyntax.self) {
        for binding in variable.bindings {
          guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
          if let value = binding.initializer?.value {
            members[name, default: []].append(Member(type: type, value: .constant(value)))
          } else if case .getter(let body)? = binding.accessorBlock?.accessors {
            members[name, default: []].append(Member(type: type, value: .getter(body)))
          }
        }
      } else if let cases = member.decl.as(EnumCaseDeclSyntax.self) {
        for element in cases.elements where element.parameterClause == nil {
          let raw = element.rawValue?.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue
          let text = raw ?? element.name.identifier?.name ?? element.name.text
          let place = element.positionAfterSkippingLeadingTrivia
          members[element.name.text, default: []].append(Member(type: type, value: .raw(text, place)))
        }
      } else {
        declare(member.decl)
      }
    }
  }

  /// Returns the value of a member by name; `nil` if there is none. If a type is given, the member must belong to this type.
  func member(_ name: String, of type: String?, receiver: ManifestValue? = nil) -> ManifestValue? {
    guard let found = members[name] else { return nil }
    let last = type.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
    guard let member = last.flatMap({ last in found.first { $0.type == last } }) ?? (last == nil ? found.first : nil)
    else { return nil }
    switch member.value {
    case .constant(let expression): return nested(expression) { value(of: expression, in: globals) }
    case .raw(let text, let position): return ManifestValue(.text(text), at: position)
    case .getter(let body):
      let frame = Frame(parent: globals)
      if let receiver { frame.names["self"] = receiver }
      return nested(body) { result(of: body, in: frame) }
    }
  }

  // MARK: Functions

  /// Returns the value of a function body: that of its `return`, or of its only expression; an unknown value if it has neither.
  func result(of body: CodeBlockItemListSyntax, in frame: Frame) -> ManifestValue {
    if body.count == 1, let only = body.first, let expression = only.expression {
      return value(of: expression, in: frame)
    }
    switch run(body, in: frame) {
    case .returned(let value): return value
    case .went: return unknown(body, "the function returns no value that Dragoman can evaluate")
    }
  }

  func call(
    _ name: String, _ arguments: [(label: String?, value: ManifestValue)], receiver: ManifestValue? = nil,
    at node: some SyntaxProtocol
  ) -> ManifestValue? {
    guard let candidates = functions[name] else { return nil }
    for function in candidates {
      guard let body = function.body?.statements, let frame = bind(function, to: arguments) else { continue }
      if let receiver { frame.names["self"] = receiver }
      return nested(node) { result(of: body, in: frame) }
    }
    return unknown(node)
  }

  /// Returns the variables for a function body, which contain the parameters; `nil` if the arguments do not match the parameters.
  private func bind(_ function: FunctionDeclSyntax, to arguments: [(label: String?, value: ManifestValue)]) -> Frame? {
    let frame = Frame(parent: globals)
    var rest = arguments[...]
    for parameter in function.signature.parameterClause.parameters {
      let first = parameter.firstName.text
      let label = first == "_" ? nil : first
      let name = parameter.secondName?.text ?? first
      let position = parameter.positionAfterSkippingLeadingTrivia
      if parameter.ellipsis != nil {
        var taken: [ManifestValue] = []
        while let next = rest.first, next.label == (taken.isEmpty ? label : nil) {
          taken.append(next.value)
          rest = rest.dropFirst()
        }
        frame.names[name] = ManifestValue(.list(taken), at: position)
      } else if let next = rest.first, next.label == label {
        frame.names[name] = next.value
        rest = rest.dropFirst()
      } else if let value = parameter.defaultValue?.value {
        frame.names[name] = self.value(of: value, in: globals)
      } else {
        return nil
      }
    }
    return rest.isEmpty ? frame : nil
  }
}

extension CodeBlockItemSyntax {
  /// The expression that is the statement or that the statement returns; `nil` for any other statement.
  var expression: ExprSyntax? {
    switch item {
    case .expr(let expression): expression
    case .stmt(let statement):
      statement.as(ReturnStmtSyntax.self)?.expression ?? statement.as(ExpressionStmtSyntax.self)?.expression
    default: nil
    }
  }
}
