import SwiftFacts

/// A generic parameter, or the `Self` of a protocol: itself, wherever its name stands.
final class GenericParameter: Hashable {
  let name: String
  var bounds: [LinkedType] = []

  init(name: String) { self.name = name }

  static func == (a: GenericParameter, b: GenericParameter) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A type that the linker has resolved.
indirect enum LinkedType: Hashable {
  case nominal(Nominal, TypeList)
  case tuple(TypeList, labels: [String?])
  case function(TypeList, LinkedType)
  case generic(GenericParameter)
  /// An associated type whose owner is not known yet: `Data.Element`.
  case dependent(LinkedType, String)
  case composition(TypeList)
  case metatype(LinkedType)
  case unknown

  static var void: LinkedType { .tuple([], labels: []) }

  var isUnknown: Bool { self == .unknown }

  var nominal: Nominal? {
    if case .nominal(let nominal, _) = self { return nominal }
    return nil
  }

  /// Whether a parameter stands anywhere in it.
  var isGeneric: Bool {
    switch self {
    case .nominal(_, let parts), .tuple(let parts, _), .composition(let parts): parts.isGeneric
    case .function(let parameters, let result): result.isGeneric || parameters.isGeneric
    case .generic, .dependent: true
    case .metatype(let inner): inner.isGeneric
    case .unknown: false
    }
  }
}

typealias Substitution = [GenericParameter: LinkedType]

/// A declared type with the members that its own module gives it.
final class Nominal: Hashable {
  let name: String
  unowned let module: Module
  let kind: TypeDeclaration.Kind
  let parent: Nominal?
  let declaration: TypeDeclaration
  let generics: [GenericParameter]
  /// `Self`, for a protocol.
  let selfParameter: GenericParameter?
  var nested: [String: TypeEntry] = [:]
  /// Its declarations: more than one where builds differ (`#if os`).
  var declarations: [TypeDeclaration] = []
  /// The members that its own module gives it.
  let table = MemberTable()
  /// What it inherits from or conforms to, as written in its declaration and in its own module's extensions.
  var inherited: [(fact: TypeFact, scope: TypeScope)] = []
  var resolvedInherited: [LinkedType]?
  var isResolvingInherited = false
  var memberwise: Member?
  /// Declared in a function's body.
  var isLocal = false

  init(name: String, module: Module, parent: Nominal?, declaration: TypeDeclaration) {
    self.name = name
    self.module = module
    self.parent = parent
    self.declaration = declaration
    kind = declaration.kind
    generics = declaration.generics.map { GenericParameter(name: $0.name) }
    selfParameter = declaration.kind == .protocolType ? GenericParameter(name: "Self") : nil
  }

  static func == (a: Nominal, b: Nominal) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// What modules know of it, the one that asked last first.
  private var views: [NominalView] = []

  /// What a module knows of it.
  func view(in module: Module) -> NominalView {
    let seer = ObjectIdentifier(module)
    if let first = views.first, first.seer == seer { return first }
    if let index = views.firstIndex(where: { $0.seer == seer }) {
      views.swapAt(0, index)
      return views[0]
    }
    let view = NominalView(seer)
    views.append(view)
    views.swapAt(0, views.count - 1)
    if !module.isSettled { module.earlyViews.append(view) }
    return view
  }

  /// Cuts the circles that it is in.
  func dismantle() {
    table.dismantle()
    nested = [:]
    inherited = []
    resolvedInherited = nil
    memberwise = nil
    views = []
    for parameter in generics { parameter.bounds = [] }
  }

  /// The type within its own declaration.
  var selfType: LinkedType {
    selfParameter.map { .generic($0) } ?? .nominal(self, generics.map { .generic($0) })
  }

  var instanceType: LinkedType { .nominal(self, generics.map { .generic($0) }) }
}

enum TypeEntry {
  case nominal(Nominal)
  case alias(AliasDeclaration, TypeScope)
  case associated(AssociatedTypeDeclaration)
}

/// Where a type's name is looked up.
struct TypeScope {
  unowned var module: Module
  var nominal: Nominal?
  var generics: [String: GenericParameter] = [:]
  var locals: [String: TypeEntry] = [:]
}

/// Something that a name after a dot, or within a type, can mean; also a function or variable of a module.
final class Member {
  enum Kind {
    case function(FunctionDeclaration)
    case variable(VariableDeclaration, name: String)
    case enumCase(EnumCaseDeclaration)
    case memberwise([VariableDeclaration])
  }

  let kind: Kind
  let nominal: Nominal?
  let scope: TypeScope
  /// Clauses of the extension that it stands in.
  let requirements: [RequirementFact]
  var signature: Signature?
  var variableType: LinkedType?
  var isResolving = false
  var isResolvingSignature = false

  init(_ kind: Kind, nominal: Nominal?, scope: TypeScope, requirements: [RequirementFact] = []) {
    self.kind = kind
    self.nominal = nominal
    self.scope = scope
    self.requirements = requirements
  }

  var isStatic: Bool {
    switch kind {
    case .function(let function): function.isStatic || function.kind == .initializer
    case .variable(let variable, _): variable.isStatic
    case .enumCase, .memberwise: true
    }
  }
}

/// A callable with its types resolved.
final class Signature {
  struct Parameter {
    var label: String?
    var type: LinkedType
    var isVariadic: Bool
    var hasDefault: Bool
    /// The result builder that makes something of a closure's statements.
    var builder: Nominal?
  }

  let parameters: [Parameter]
  let result: LinkedType
  let generics: [GenericParameter]
  let sameTypes: [(LinkedType, LinkedType)]
  let isDisfavored: Bool
  /// A stub's `@_anyOrder`: one declaration that stands for an API's many overloads, which have the same labels.
  let isInAnyOrder: Bool

  init(
    parameters: [Parameter], result: LinkedType, generics: [GenericParameter], sameTypes: [(LinkedType, LinkedType)],
    isDisfavored: Bool, isInAnyOrder: Bool = false
  ) {
    self.parameters = parameters
    self.result = result
    self.generics = generics
    self.sameTypes = sameTypes
    self.isDisfavored = isDisfavored
    self.isInAnyOrder = isInAnyOrder
  }
}

/// The declarations of a module.
final class Module {
  let name: String
  /// Whether it comes from the stubs: what Apple or a widely used package declares.
  let isStub: Bool
  var types: [String: TypeEntry] = [:]
  var members: [String: [Member]] = [:]
  /// Operator functions, wherever the module declares them.
  var operators: [String: [Member]] = [:]
  /// Members given to types of other modules.
  var extensions: [Nominal: MemberTable] = [:]
  var extensionTypes: [Nominal: [String: TypeEntry]] = [:]
  var conformances: [Nominal: [(fact: TypeFact, scope: TypeScope)]] = [:]
  /// Modules whose declarations it sees, itself first.
  var visible: [Module] = [] { didSet { standardLibrary = visible.first { $0.isStub && $0.name == "Swift" } } }
  /// The module of them that declares what Swift itself does.
  private(set) var standardLibrary: Module?
  var resolvedConformances: [Nominal: [LinkedType]] = [:]
  /// What it came to know of types while declarations were still being added.
  var earlyViews: [NominalView] = []
  /// What a type's name means in the module at large; `nil` for nothing.
  var typeCache: [String: TypeEntry?] = [:]
  var globalCache: [String: [Member]] = [:]
  /// The types of other modules that have the name of a type.
  var namesakeCache: [Nominal: [Nominal]] = [:]
  var operatorCache: [String: [Member]] = [:]
  /// Whether all declarations are in, so that look-ups may be remembered.
  var isSettled = false
  /// Every type that was made for it, to be taken apart at the end.
  var nominals: [Nominal] = []

  /// What is being resolved in all modules that are linked together.
  let progress: ResolvingProgress

  init(name: String, isStub: Bool, progress: ResolvingProgress) {
    self.name = name
    self.isStub = isStub
    self.progress = progress
  }

  /// Forgets what was looked up while declarations were still being added.
  func settle() {
    isSettled = true
    for nominal in nominals { nominal.resolvedInherited = nil }
    resolvedConformances = [:]
    for view in earlyViews { view.forget() }
    earlyViews = []
  }

  /// Types, members and modules refer to each other in circles; this cuts them.
  func dismantle() {
    for nominal in nominals { nominal.dismantle() }
    for table in extensions.values { table.dismantle() }
    nominals = []
    types = [:]
    members = [:]
    extensions = [:]
    extensionTypes = [:]
    conformances = [:]
    resolvedConformances = [:]
    earlyViews = []
    typeCache = [:]
    globalCache = [:]
    namesakeCache = [:]
    operatorCache = [:]
    operators = [:]
    visible = []
  }
}
