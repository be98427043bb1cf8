import SwiftFacts

/// A type checker for a file's code, limited to the work that is needed to find the types of literals.
///
/// It passes down the type that the context expects, and returns the type of each expression. A literal is localizable if its type is localizable.
/// The checker never guesses a type from a name.
final class Checker {
  let resolver: TypeResolver
  var scope: TypeScope
  /// The scopes of local names, innermost last.
  var locals: [[String: LinkedType]] = [[:]]
  var localFunctions: [[String: [Member]]] = [[:]]
  /// The type of `self`; a metatype in static code.
  var selfType: LinkedType = .unknown
  var returnType: LinkedType = .unknown
  /// The result builder of the current statements; `nil` if there is none.
  var builder: Nominal?
  /// The receiver of the literals; `nil` while only a type is needed.
  var sink: LiteralSink?
  /// The names of functions whose first argument is a key (`LOCALIZED_STRING_MACRO_NAMES`, and the macros in the extraction options), without the
  /// names of the SDK's own macros.
  var macros: Set<String> = []
  /// The platforms that the target is built for. Code for other platforms has no keys.
  var platforms = PlatformSet.platforms
  /// The modules that the file imports; `nil` if no file is being checked.
  var imports: Set<String>?
  /// The recursion depth, which is limited because types can refer to each other in cycles.
  var depth = 0
  /// The number of expressions in the current declaration that may still be checked only for their type, without `sink`. This is limited because
  /// nested overloads check the same expressions repeatedly.
  var foresight = Checker.foresightOfDeclaration
  static let foresightOfDeclaration = 200_000

  init(module: Module, scope: TypeScope) {
    resolver = TypeResolver(module: module)
    self.scope = scope
  }

  /// Returns a checker that only determines types.
  static func pure(module: Module, scope: TypeScope) -> Checker {
    let checker = Checker(module: module, scope: scope)
    if let nominal = scope.nominal { checker.selfType = nominal.selfType }
    return checker
  }

  /// Returns the type of an expression; its literals are not collected.
  func type(of expression: Expression, expecting expected: LinkedType = .unknown) -> LinkedType {
    let kept = sink
    sink = nil
    defer { sink = kept }
    return check(expression, expected)
  }

  // MARK: expressions

  @discardableResult
  func check(
    _ expression: Expression, _ expected: LinkedType = .unknown, _ context: LiteralContext = LiteralContext(api: "")
  ) -> LinkedType {
    depth += 1
    defer { depth -= 1 }
    guard depth < 3000, resolver.module.progress.spend() else { return .unknown }
    if sink == nil {
      guard foresight > 0 else { return .unknown }
      foresight -= 1
    }
    switch expression {
    case .string(let literal): return self.literal(literal, expected, context)
    case .integer:
      return resolver.conforms(expected, to: "ExpressibleByIntegerLiteral") && expected.nominal?.kind != .protocolType
        ? expected : resolver.standard("Int")
    case .float:
      return resolver.conforms(expected, to: "ExpressibleByFloatLiteral") && expected.nominal?.kind != .protocolType
        ? expected : resolver.standard("Double")
    case .boolean: return resolver.standard("Bool")
    case .null: return expected
    case .name(let name, let generics): return value(named: name, generics)
    case .member(let base, let name, _): return member(name, of: base)
    case .implicitMember(let name): return implicitMember(name, expected)
    case .call(let fact): return call(fact, expected, context)
    case .array(let elements): return array(elements, expected, context)
    case .dictionary(let elements): return dictionary(elements, expected, context)
    case .tuple(let elements):
      var types: [LinkedType] = []
      var wanted: [LinkedType] = []
      if case .tuple(let inner, _) = resolver.unwrapped(expected) ?? expected { wanted = inner.elements }
      for (index, element) in elements.enumerated() {
        types.append(check(element.value, index < wanted.count ? wanted[index] : .unknown, context))
      }
      return .tuple(types, labels: elements.map(\.label))
    case .closure(let closure): return self.closure(closure, expected)
    case .ternary(let condition, let then, let otherwise):
      check(condition)
      let first = check(then, expected, context)
      let second = check(otherwise, expected, context)
      return first.isUnknown ? second : merge(first, second)
    case .binary(let name, let left, let right): return binary(name, left, right, expected, context)
    case .prefix(let name, let inner): return prefixed(name, inner, expected, context)
    case .unwrap(let inner), .chain(let inner):
      let type = check(inner)
      return resolver.unwrapped(type) ?? type
    case .cast(let inner, let fact, let isOptional):
      let type = resolver.resolve(fact, in: scope)
      check(inner, type, context.api.isEmpty ? LiteralContext(api: "as") : context)
      return isOptional ? resolver.optional(type) : type
    case .test(let inner):
      check(inner)
      return resolver.standard("Bool")
    case .type(let fact): return .metatype(resolver.resolve(fact, in: scope))
    case .statement(let statement): return visit(statement, expecting: expected, context)
    case .macro(let name, let arguments): return macro(name, arguments, expected, context)
    case .keyPath(let root, let names): return keyPath(root, names, expected)
    case .optionalTry(let inner):
      let type = check(inner, expected, context)
      return resolver.unwrapped(type) == nil ? resolver.optional(type) : type
    case .parts(let parts):
      for part in parts { check(part) }
      return .unknown
    }
  }

  // MARK: closures

  func closure(_ closure: ClosureFact, _ expected: LinkedType, builder own: Nominal? = nil) -> LinkedType {
    var parameters: [LinkedType] = []
    var result = closure.result.map { resolver.resolve($0, in: scope) } ?? .unknown
    let target = resolver.unwrapped(expected) ?? expected
    if case .function(let inputs, let output) = target {
      parameters = inputs.elements
      if result.isUnknown { result = output }
    }
    var frame: [String: LinkedType] = [:]
    if let names = closure.parameters {
      // Several names can decompose one tuple, as in `{ index, item in` over `enumerated()`.
      if names.count > 1, parameters.count == 1, case .tuple(let parts, _)? = parameters.first {
        parameters = parts.elements
      }
      for (index, parameter) in names.enumerated() {
        let type =
          parameter.type.map { resolver.resolve($0, in: scope) }
          ?? (index < parameters.count ? parameters[index] : .unknown)
        frame[parameter.name] = type
        if parameter.name.hasPrefix("$") {
          // In `{ $item in` over bindings, `item` is the value that the binding wraps.
          frame[String(parameter.name.dropFirst())] = memberType("wrappedValue", of: type)
        }
      }
    } else {
      for (index, type) in parameters.enumerated() { frame["$\(index)"] = type }
      if parameters.count == 1, case .tuple(let parts, _)? = parameters.first {
        for (index, type) in parts.enumerated() where index > 0 { frame["$\(index)"] = type }
      }
    }
    let kept = (returnType, builder)
    returnType = result.isGeneric ? .unknown : result
    builder = own
    defer { (returnType, builder) = kept }
    let found = visit(closure.body, frame: frame, expecting: returnType, LiteralContext(api: "closure"))
    return .function(parameters, result.isUnknown || result.isGeneric ? found : result)
  }
}
