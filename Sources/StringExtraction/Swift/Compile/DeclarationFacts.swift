struct GenericParameterFact: Hashable, Sendable {
  var name: String
  /// Bounds from `<T: P>`.
  var bounds: [TypeFact]
}

/// A clause of `where`.
struct RequirementFact: Hashable, Sendable {
  var left: TypeFact
  var right: TypeFact
  /// `==`; else conformance.
  var isSameType: Bool
}

struct AttributeFact: Sendable {
  var type: TypeFact
  /// `nil` where there are no parentheses.
  var arguments: [Argument]?

  /// The last component of the name.
  var name: String {
    switch type {
    case .named(let name, _), .member(_, let name, _): name
    default: ""
    }
  }
}

/// What a type, or an extension of one, declares.
final class TypeDeclaration: Sendable {
  enum Kind: UInt8, Sendable {
    case structure, classType, enumeration, actor, protocolType, extended
  }

  let kind: Kind
  let name: String
  /// For an extension: the type extended.
  let extended: TypeFact?
  let generics: [GenericParameterFact]
  let inherited: [TypeFact]
  let requirements: [RequirementFact]
  let attributes: [AttributeFact]
  let members: [Declaration]

  init(
    kind: Kind, name: String, extended: TypeFact?, generics: [GenericParameterFact], inherited: [TypeFact],
    requirements: [RequirementFact], attributes: [AttributeFact], members: [Declaration]
  ) {
    self.kind = kind
    self.name = name
    self.extended = extended
    self.generics = generics
    self.inherited = inherited
    self.requirements = requirements
    self.attributes = attributes
    self.members = members
  }
}

struct ParameterFact: Sendable {
  /// `nil` for `_`.
  var label: String?
  var name: String
  var type: TypeFact
  var isVariadic: Bool
  var hasDefault: Bool
  /// Kept where it holds a literal.
  var defaultValue: Expression?
  /// Names of attributes, `ViewBuilder` among them.
  var attributes: [String]
}

/// A function, initialiser, subscript or macro.
final class FunctionDeclaration: Sendable {
  enum Kind: UInt8, Sendable {
    case function, initializer, subscriptAccess, macro
  }

  let kind: Kind
  /// `init` and `subscript` for these.
  let name: String
  let isStatic: Bool
  /// `init?`
  let isFailable: Bool
  let isDisfavored: Bool
  let generics: [GenericParameterFact]
  let parameters: [ParameterFact]
  let result: TypeFact?
  let requirements: [RequirementFact]
  let attributes: [AttributeFact]
  /// Absent where no literal is in it.
  let body: Body?

  init(
    kind: Kind, name: String, isStatic: Bool, isFailable: Bool, isDisfavored: Bool, generics: [GenericParameterFact],
    parameters: [ParameterFact], result: TypeFact?, requirements: [RequirementFact], attributes: [AttributeFact],
    body: Body?
  ) {
    self.kind = kind
    self.name = name
    self.isStatic = isStatic
    self.isFailable = isFailable
    self.isDisfavored = isDisfavored
    self.generics = generics
    self.parameters = parameters
    self.result = result
    self.requirements = requirements
    self.attributes = attributes
    self.body = body
  }
}

/// One `let` or `var` with one pattern.
final class VariableDeclaration: Sendable {
  let pattern: Pattern
  let isStatic: Bool
  let isLet: Bool
  let type: TypeFact?
  let initializer: Expression?
  let hasInitializer: Bool
  /// Whether a literal may stand in the initial value; where none does, it is only there for its type.
  let initializerHoldsLiteral: Bool
  /// Whether it has no getter of its own.
  let isStored: Bool
  let isPrivate: Bool
  let attributes: [AttributeFact]
  /// The getter, where a literal is in it.
  let getter: Body?
  /// Setters and observers, where a literal is in them.
  let observers: [Body]

  init(
    pattern: Pattern, isStatic: Bool, isLet: Bool, type: TypeFact?, initializer: Expression?, hasInitializer: Bool,
    initializerHoldsLiteral: Bool, isStored: Bool, isPrivate: Bool, attributes: [AttributeFact], getter: Body?,
    observers: [Body]
  ) {
    self.pattern = pattern
    self.isStatic = isStatic
    self.isLet = isLet
    self.type = type
    self.initializer = initializer
    self.hasInitializer = hasInitializer
    self.initializerHoldsLiteral = initializerHoldsLiteral
    self.isStored = isStored
    self.isPrivate = isPrivate
    self.attributes = attributes
    self.getter = getter
    self.observers = observers
  }
}

final class EnumCaseDeclaration: Sendable {
  let name: String
  /// `nil` where there is no payload.
  let payload: [ParameterFact]?
  let rawValue: Expression?

  init(name: String, payload: [ParameterFact]?, rawValue: Expression?) {
    self.name = name
    self.payload = payload
    self.rawValue = rawValue
  }
}

final class AliasDeclaration: Sendable {
  let name: String
  let generics: [GenericParameterFact]
  let type: TypeFact

  init(name: String, generics: [GenericParameterFact], type: TypeFact) {
    self.name = name
    self.generics = generics
    self.type = type
  }
}

/// `associatedtype`
final class AssociatedTypeDeclaration: Sendable {
  let name: String
  let bounds: [TypeFact]

  init(name: String, bounds: [TypeFact]) {
    self.name = name
    self.bounds = bounds
  }
}

enum Declaration: Sendable {
  case type(TypeDeclaration)
  case function(FunctionDeclaration)
  case variable(VariableDeclaration)
  case enumCase(EnumCaseDeclaration)
  case alias(AliasDeclaration)
  case associatedType(AssociatedTypeDeclaration)
}

/// What one Swift file says: a pure function of its bytes.
struct FileFacts: Sendable {
  var imports: [String]
  /// Declarations and, in a script, statements.
  var statements: [Statement]
  /// Whether a literal may stand anywhere in it.
  var holdsLiterals = true
  /// Where the parser met something that is not Swift.
  var firstError: SourcePlace?

  static let empty = FileFacts(imports: [], statements: [], firstError: nil)
}
