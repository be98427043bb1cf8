import SwiftFacts

/// A generic parameter, or the `Self` of a protocol. Parameters are compared by identity.
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
  /// An associated type of a generic parameter, or of another such type, for example `Data.Element`.
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

  /// Whether the type contains a generic parameter.
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

/// A declared type, with the members that its own module declares.
final class Nominal: Hashable {
  let name: String
  unowned let module: Module
  let kind: TypeDeclaration.Kind
  let parent: Nominal?
  let declaration: TypeDeclaration
  let generics: [GenericParameter]
  /// The parameter for `Self` if the type is a protocol.
  let selfParameter: GenericParameter?
  var nested: [String: TypeEntry] = [:]
  /// The declarations of the type. A type has several declarations if they are in clauses of `#if os`.
  var declarations: [TypeDeclaration] = []
  /// The members that the type's own module declares.
  let table = MemberTable()
  /// The inherited types and protocols, as in the declaration and in extensions of the same module.
  var inherited: [(fact: TypeFact, scope: TypeScope)] = []
  var resolvedInherited: [LinkedType]?
  var isResolvingInherited = false
  var memberwise: Member?
  /// Whether the type is declared in a function's body.
  var isLocal = false
  /// The file that declares the type; `nil` if a stub declares it.
  unowned var file: FileScope? = nil

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

  /// Each module's view of the type. The view of the module that used the type last comes first.
  private var views: [NominalView] = []

  /// Returns a module's view of the type.
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
    if !module.hasAllDeclarations { module.earlyViews.append(view) }
    return view
  }

  /// Breaks the reference cycles of the type.
  func dismantle() {
    table.dismantle()
    nested = [:]
    inherited = []
    resolvedInherited = nil
    memberwise = nil
    views = []
    for parameter in generics { parameter.bounds = [] }
  }

  /// The type to which `Self` refers in the declaration.
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

/// The scope in which a type's name is looked up.
struct TypeScope {
  unowned var module: Module
  /// The file that contains the code; `nil` for a stub.
  unowned var file: FileScope? = nil
  var nominal: Nominal?
  var generics: [String: GenericParameter] = [:]
  var locals: [String: TypeEntry] = [:]
}

/// A member of a type, a function or variable of a module, or a local function.
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
  /// The requirements of the extension that declares the member.
  let requirements: [RequirementFact]
  /// Whether the member, or the extension that declares it, is private.
  let isPrivate: Bool
  var signature: Signature?
  var variableType: LinkedType?
  var isResolving = false
  var isResolvingSignature = false

  init(
    _ kind: Kind, nominal: Nominal?, scope: TypeScope, requirements: [RequirementFact] = [],
    isInPrivateExtension: Bool = false
  ) {
    self.kind = kind
    self.nominal = nominal
    self.scope = scope
    self.requirements = requirements
    switch kind {
    case .function(let function): isPrivate = isInPrivateExtension || function.isPrivate
    case .variable(let variable, _): isPrivate = isInPrivateExtension || variable.isPrivate
    case .enumCase, .memberwise: isPrivate = false
    }
  }

  var isStatic: Bool {
    switch kind {
    case .function(let function): function.isStatic || function.kind == .initializer
    case .variable(let variable, _): variable.isStatic
    case .enumCase, .memberwise: true
    }
  }
}

/// The resolved types of a callable declaration.
final class Signature {
  struct Parameter {
    var label: String?
    var type: LinkedType
    var isVariadic: Bool
    var hasDefault: Bool
    /// The result builder for the statements of a closure argument; `nil` if there is none.
    var builder: Nominal?
  }

  let parameters: [Parameter]
  let result: LinkedType
  let generics: [GenericParameter]
  let sameTypes: [(LinkedType, LinkedType)]
  let isDisfavored: Bool
  /// Whether the stub has `@_anyOrder`. One declaration then represents many overloads of an API with the same labels.
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
  /// Whether the module comes from the stubs, which declare the APIs of Apple and of widely used packages.
  let isStub: Bool
  var types: [String: TypeEntry] = [:]
  var members: [String: [Member]] = [:]
  /// The private declarations of the files, in the order of the files.
  var files: [FileScope] = []
  /// The operator functions that the module declares, in types and outside them.
  var operators: [String: [Member]] = [:]
  /// The members that the module adds to types of other modules.
  var extensions: [Nominal: MemberTable] = [:]
  var extensionTypes: [Nominal: [String: TypeEntry]] = [:]
  var conformances: [Nominal: [(fact: TypeFact, scope: TypeScope)]] = [:]
  /// The modules with visible declarations, starting with the module itself.
  var visible: [Module] = [] { didSet { standardLibrary = visible.first { $0.isStub && $0.name == "Swift" } } }
  /// The visible module that contains the declarations of the Swift standard library.
  private(set) var standardLibrary: Module?
  var resolvedConformances: [Nominal: [LinkedType]] = [:]
  /// The views of types that were created while declarations were still being added.
  var earlyViews: [NominalView] = []
  /// The types to which names in the module's code refer; `nil` for a name without a type.
  var typeCache: [String: TypeEntry?] = [:]
  var globalCache: [String: [Member]] = [:]
  /// The types of other modules with the same name as a type.
  var namesakeCache: [Nominal: [Nominal]] = [:]
  var operatorCache: [String: [Member]] = [:]
  /// Whether all declarations have been added. Results of look-ups that ran before are not cached, or are discarded.
  var hasAllDeclarations = false
  /// All types that were created for the module, to be dismantled at the end.
  var nominals: [Nominal] = []

  /// The state of the type resolution, shared by all modules that are linked together.
  let progress: ResolvingProgress

  init(name: String, isStub: Bool, progress: ResolvingProgress) {
    self.name = name
    self.isStub = isStub
    self.progress = progress
  }

  /// Marks the declarations as complete, and discards the results of look-ups that ran before.
  func finishDeclarations() {
    hasAllDeclarations = true
    for nominal in nominals { nominal.resolvedInherited = nil }
    resolvedConformances = [:]
    for view in earlyViews { view.forget() }
    earlyViews = []
  }

  /// Breaks the reference cycles between types, members and modules.
  func dismantle() {
    for nominal in nominals { nominal.dismantle() }
    for table in extensions.values { table.dismantle() }
    nominals = []
    types = [:]
    members = [:]
    files = []
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
