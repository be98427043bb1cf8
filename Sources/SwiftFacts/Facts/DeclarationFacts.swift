package struct GenericParameterFact: Hashable, Sendable {
  package var name: String
  /// The bounds from `<T: P>`.
  package var bounds: [TypeFact]
}

/// A requirement of a `where` clause.
package struct RequirementFact: Hashable, Sendable {
  package var left: TypeFact
  package var right: TypeFact
  /// Whether the requirement is `==`. Otherwise, it is a conformance.
  package var isSameType: Bool
}

package struct AttributeFact: Sendable {
  package var type: TypeFact
  /// The arguments; `nil` if there are no parentheses.
  package var arguments: [Argument]?

  /// The last component of the name.
  package var name: String {
    switch type {
    case .named(let name, _), .member(_, let name, _): name
    default: ""
    }
  }
}

/// The declaration of a type or of an extension.
package final class TypeDeclaration: Sendable {
  package enum Kind: UInt8, Sendable {
    case structure, classType, enumeration, actor, protocolType, extended
  }

  package let kind: Kind
  package let name: String
  /// The extended type if this is an extension.
  package let extended: TypeFact?
  package let generics: [GenericParameterFact]
  package let inherited: [TypeFact]
  package let requirements: [RequirementFact]
  package let attributes: [AttributeFact]
  package let members: [Declaration]
  /// Whether the declaration is `private` or `fileprivate`.
  package let isPrivate: Bool

  package init(
    kind: Kind, name: String, extended: TypeFact?, generics: [GenericParameterFact], inherited: [TypeFact],
    requirements: [RequirementFact], attributes: [AttributeFact], members: [Declaration], isPrivate: Bool = false
  ) {
    self.kind = kind
    self.name = name
    self.extended = extended
    self.generics = generics
    self.inherited = inherited
    self.requirements = requirements
    self.attributes = attributes
    self.members = members
    self.isPrivate = isPrivate
  }
}

package struct ParameterFact: Sendable {
  /// The argument label; `nil` for `_`.
  package var label: String?
  package var name: String
  package var type: TypeFact
  package var isVariadic: Bool
  package var hasDefault: Bool
  /// The default value, if it contains a literal.
  package var defaultValue: Expression?
  /// The names of attributes such as `ViewBuilder`.
  package var attributes: [String]
}

/// A function, initializer, deinitializer, subscript or macro. The use of a macro in a member list is stored as a function without a name.
package final class FunctionDeclaration: Sendable {
  package enum Kind: UInt8, Sendable {
    case function, initializer, subscriptAccess, macro
  }

  package let kind: Kind
  /// The name; `init`, `deinit` and `subscript` for declarations without a name.
  package let name: String
  package let isStatic: Bool
  /// Whether the declaration is `init?`.
  package let isFailable: Bool
  package let isDisfavored: Bool
  package let generics: [GenericParameterFact]
  package let parameters: [ParameterFact]
  package let result: TypeFact?
  package let requirements: [RequirementFact]
  package let attributes: [AttributeFact]
  /// The body, or the accessors of a subscript; `nil` if it contains no literal.
  package let body: Body?
  /// Whether the declaration is `private` or `fileprivate`.
  package let isPrivate: Bool

  package init(
    kind: Kind, name: String, isStatic: Bool, isFailable: Bool, isDisfavored: Bool, generics: [GenericParameterFact],
    parameters: [ParameterFact], result: TypeFact?, requirements: [RequirementFact], attributes: [AttributeFact],
    body: Body?, isPrivate: Bool = false
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
    self.isPrivate = isPrivate
  }
}

/// A `let` or `var` with one pattern.
package final class VariableDeclaration: Sendable {
  package let pattern: Pattern
  package let isStatic: Bool
  package let isLet: Bool
  package let type: TypeFact?
  package let initializer: Expression?
  package let hasInitializer: Bool
  /// Whether the initial value may contain a literal. If not, the value is kept only for its type.
  package let initializerHoldsLiteral: Bool
  /// Whether the variable is stored: it has no accessor that computes its value.
  package let isStored: Bool
  /// Whether the declaration is `private` or `fileprivate`.
  package let isPrivate: Bool
  package let attributes: [AttributeFact]
  /// The getter, if it contains a literal.
  package let getter: Body?
  /// The other accessors that contain a literal, such as setters and observers.
  package let observers: [Body]

  package init(
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

package final class EnumCaseDeclaration: Sendable {
  package let name: String
  /// The associated values; `nil` if the case has none.
  package let payload: [ParameterFact]?
  package let rawValue: Expression?

  package init(name: String, payload: [ParameterFact]?, rawValue: Expression?) {
    self.name = name
    self.payload = payload
    self.rawValue = rawValue
  }
}

package final class AliasDeclaration: Sendable {
  package let name: String
  package let generics: [GenericParameterFact]
  package let type: TypeFact
  /// Whether the declaration is `private` or `fileprivate`.
  package let isPrivate: Bool

  package init(name: String, generics: [GenericParameterFact], type: TypeFact, isPrivate: Bool = false) {
    self.name = name
    self.generics = generics
    self.type = type
    self.isPrivate = isPrivate
  }
}

/// An `associatedtype`.
package final class AssociatedTypeDeclaration: Sendable {
  package let name: String
  package let bounds: [TypeFact]

  package init(name: String, bounds: [TypeFact]) {
    self.name = name
    self.bounds = bounds
  }
}

package enum Declaration: Sendable {
  case type(TypeDeclaration)
  case function(FunctionDeclaration)
  case variable(VariableDeclaration)
  case enumCase(EnumCaseDeclaration)
  case alias(AliasDeclaration)
  case associatedType(AssociatedTypeDeclaration)
}

/// The facts of one Swift file. They depend only on the bytes of the file.
package struct FileFacts: Sendable {
  package var imports: [String]
  /// The declarations, and the other statements at the top level: the code of a script, and a call with the literals that only Release builds
  /// compile (`ReleaseOnlyCode`).
  package var statements: [Statement]
  /// Whether the file may contain a literal.
  package var holdsLiterals = true
  /// The place of the first syntax error or conflict marker; `nil` if there is none.
  package var firstError: SourcePlace?

  package static let empty = FileFacts(imports: [], statements: [], firstError: nil)
}
