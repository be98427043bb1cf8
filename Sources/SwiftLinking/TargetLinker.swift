package import Localization
import SDKDeclarations
package import SwiftFacts

/// A linker of the facts of all targets, which finds the literals that each target's code localizes.
package final class TargetLinker {
  package struct Unit {
    var target: ProjectTarget
    /// The interfaces of the target's files, in the order of `swiftSources`.
    var interfaces: [FileFacts]
    /// The modules that any file of the target imports.
    package let imports: Set<String>

    /// - Parameter imports: the imports of all files, including files that are not in `interfaces` because their declarations are not needed.
    package init(target: ProjectTarget, interfaces: [FileFacts], imports: Set<String>) {
      self.target = target
      self.interfaces = interfaces
      self.imports = imports
    }
  }

  private var modules: [TargetID: Module] = [:]
  private var units: [TargetID: Unit] = [:]
  private var stubs: [(module: Module, imports: Set<String>)] = []
  private let macros: Set<String>
  private let progress: ResolvingProgress
  /// Whether the shared declarations alone exceeded the limit of steps for a file.
  private var isOverBudgetFromTheStart = false
  /// The places of declarations, for explanations.
  private lazy var places = DeclarationPlaces(units.values)

  /// - Parameters:
  ///   - sdk: the declarations of the SDK, by module.
  ///   - imported: the modules that any file imports. A module of the SDK that must be imported is created only if a file imports it.
  ///   - macros: names of functions whose first argument is a key, in addition to those in a target's settings.
  ///   - mostSteps: the limit of steps for linking one file.
  package init(
    _ given: [Unit], sdk: [(name: String, facts: FileFacts)], imported: Set<String>, macros: Set<String>,
    mostSteps: Int = ResolvingProgress.mostSteps
  ) {
    self.macros = macros
    progress = ResolvingProgress(mostSteps: mostSteps)
    for unit in given {
      units[unit.target.id] = unit
      modules[unit.target.id] = Module(name: unit.target.name, isStub: false, progress: progress)
    }
    var builders = makeStubs(sdk, imported: imported)
    for unit in given {
      guard let module = modules[unit.target.id] else { continue }
      module.visible = visible(from: unit, module)
      var builder = ModuleBuilder(module)
      builder.declare(unit.interfaces)
      builders.append(builder)
    }
    for index in builders.indices { builders[index].declareExtensions() }
    for module in Array(modules.values) + stubs.map(\.module) {
      module.finishDeclarations()
      let resolver = TypeResolver(module: module)
      for nominal in module.nominals { resolver.bindBounds(of: nominal) }
    }
    isOverBudgetFromTheStart = progress.isOverBudget
  }

  deinit {
    for module in modules.values { module.dismantle() }
    for stub in stubs { stub.module.dismantle() }
  }

  private func makeStubs(_ sdk: [(name: String, facts: FileFacts)], imported: Set<String>) -> [ModuleBuilder] {
    var byName: [String: (module: Module, files: [FileFacts])] = [:]
    for (name, facts) in sdk {
      byName[name, default: (Module(name: name, isStub: true, progress: progress), [])].files.append(facts)
    }
    var builders: [ModuleBuilder] = []
    for (_, made) in byName.sorted(by: { $0.key < $1.key }) {
      let imports = Set(made.files.flatMap(\.imports))
      guard imports.isEmpty || !imports.isDisjoint(with: imported) else { continue }
      stubs.append((made.module, imports))
      var builder = ModuleBuilder(made.module)
      builder.declare(made.files)
      builders.append(builder)
    }
    // Modules that are always visible come first, because a package may use the name of one of Apple's types.
    stubs = stubs.filter(\.imports.isEmpty) + stubs.filter { !$0.imports.isEmpty }
    for stub in stubs {
      stub.module.visible = [stub.module] + stubs.map(\.module).filter { $0 !== stub.module }
    }
    return builders
  }

  /// Returns the modules that a target's code sees: its own module, its direct and indirect dependencies, the modules of the SDK that are always
  /// visible, and the other stub modules that the target or one of these dependencies imports.
  private func visible(from unit: Unit, _ module: Module) -> [Module] {
    var found = [module]
    var seen: Set<TargetID> = [unit.target.id]
    var pending = unit.target.dependencies
    var imports = unit.imports
    while !pending.isEmpty {
      let next = pending.removeFirst()
      guard seen.insert(next).inserted, let other = units[next], let module = modules[next] else { continue }
      found.append(module)
      imports.formUnion(other.imports)
      pending += other.target.dependencies
    }
    for stub in stubs where stub.imports.isEmpty || !stub.imports.isDisjoint(with: imports) {
      found.append(stub.module)
    }
    return found
  }

  /// Returns the literals that one file of a target localizes.
  /// - Parameters:
  ///   - facts: all facts of the file.
  ///   - file: the index of the file in the target.
  ///   - includesUncertain: whether to also return literals of unknown type.
  package func literals(
    in facts: FileFacts, file: Int, of target: TargetID, includesUncertain: Bool = true
  ) -> [LocalizedLiteral] {
    let sink = LiteralSink(takesUncertain: includesUncertain)
    visit(facts, file: file, of: target, sink)
    return sink.found
  }

  /// Explains every literal of a target's file.
  /// - Parameter file: the index of the file in the target.
  package func explanations(in facts: FileFacts, file: Int, of target: TargetID) -> [LiteralExplanation] {
    let sink = LiteralSink(explains: places)
    visit(facts, file: file, of: target, sink)
    return sink.explanations
  }

  /// The number of steps for the last file.
  package var steps: Int { progress.steps }

  /// Whether the last file, one of its types, or the shared declarations exceeded a limit of steps.
  package var isOverBudget: Bool { progress.isOverBudget }

  /// Whether the linker must be replaced. When a limit is exceeded, types that other files need may be cached as unknown.
  package var mustBeReplaced: Bool { progress.isOverBudget && !isOverBudgetFromTheStart }

  private func visit(_ facts: FileFacts, file: Int, of target: TargetID, _ sink: LiteralSink) {
    guard let unit = units[target], let module = modules[target] else { return }
    progress.restart(keepingExcess: isOverBudgetFromTheStart)
    let own = module.files.indices.contains(file) ? module.files[file] : nil
    let checker = Checker(module: module, scope: TypeScope(module: module, file: own))
    checker.sink = sink
    // If a project declares a function with the name of an SDK macro, the name refers to that function, even if the settings list the name.
    checker.macros = macros.union(unit.target.macros).subtracting(LocalizingMacros.sdkNames)
    checker.platforms = unit.target.platformSet
    checker.imports = Set(facts.imports)
    for statement in facts.statements { checker.visit(statement) }
  }
}

extension ProjectTarget {
  /// The platforms that the target is built for, or all platforms if the project does not specify them. If `isForDevices` is set, as for an export,
  /// simulators are excluded.
  package var platformSet: PlatformSet {
    let known = PlatformSet((platforms ?? []).compactMap { PlatformSet.named($0.rawValue) })
    let built = known.isEmpty ? .platforms : known
    return isForDevices ? built.subtracting(.simulators) : built
  }
}
