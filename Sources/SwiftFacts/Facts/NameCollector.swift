/// A collector of a file's names, which is filled while the file's facts are written.
package struct NameCollector {
  package private(set) var names = FileNames()
  private var mentions: [UInt32] = []
  /// The declaration that is being written, without nested declarations.
  private var unit: NamedUnit?
  private var containers: [Container] = []
  /// Whether the names that are being written are names of values.
  package var isInExpression = false

  /// A surrounding type or extension.
  private struct Container {
    var owners: [UInt32]
    /// The header of an extension, which affects all declarations in the extension.
    var header: NamedUnit?
    /// The memberwise initializer of a structure; `nil` if there is none.
    var memberwise: NamedUnit?
  }

  /// Whether the current code is in a type or an extension.
  package var isInType: Bool { !containers.isEmpty }

  // MARK: names

  package mutating func mix(_ value: UInt64) { unit?.mix(value) }

  /// Records a name that may be looked up.
  /// - Parameter isInInterface: whether the name is part of the declaration's interface, and not only of code that other files cannot see.
  package mutating func mention(_ name: String, isInInterface: Bool) {
    var name = name
    name.withUTF8 { bytes in
      add(NameHash.of(bytes[...]), isInInterface)
      // `$name` and `_name` refer to the wrapper of the property `name`.
      if bytes.count > 1, bytes[0] == UInt8(ascii: "$") || bytes[0] == UInt8(ascii: "_") {
        add(NameHash.of(bytes[1...]), isInInterface)
      }
    }
  }

  private mutating func add(_ hash: UInt32, _ isInInterface: Bool) {
    mentions.append(hash)
    guard isInInterface else { return }
    if isInExpression { unit?.values.append(hash) } else { unit?.types.append(hash) }
  }

  /// Records a possible initializer call. A call without the name of a callee may create a value of a type that the code does not name.
  package mutating func mentionInitializer(isInInterface: Bool) { mention("init", isInInterface: isInInterface) }

  // MARK: declarations

  package mutating func begin(_ kind: NamedUnit.Kind, _ name: String) {
    var made = NamedUnit(kind: kind, name: NameHash.of(name), owners: containers.last?.owners ?? [])
    if let header = containers.last?.header {
      made.isInExtension = true
      made.isIrregular = header.isIrregular
      made.mix(header.digest)
      made.types = header.types
      made.values = header.values
    }
    // An operator is looked up without its type, but its code is in the scope of the type.
    if kind == .operation { made.types += made.owners }
    unit = made
  }

  /// Ends the declaration that was begun last.
  /// - Parameters:
  ///   - names: all names that the declaration gives, if they differ from the name in `begin`.
  ///   - isStored: whether the declaration is a parameter of the structure's memberwise initializer.
  package mutating func end(names given: [String]? = nil, isStored: Bool = false) {
    guard let made = unit else { return }
    unit = nil
    if let given {
      for name in given {
        var own = made
        own.name = NameHash.of(name)
        if own.kind == .member, NamedUnit.implicitMembers.contains(name) { own.kind = .implicit }
        finish(own)
      }
    } else {
      finish(made)
    }
    guard var container = containers.popLast() else { return }
    if isStored, var memberwise = container.memberwise {
      memberwise.mix(made.digest)
      memberwise.types += made.types
      memberwise.values += made.values
      container.memberwise = memberwise
    }
    if made.kind == .initializer, container.header == nil { container.memberwise = nil }
    containers.append(container)
  }

  private mutating func finish(_ made: NamedUnit) {
    var made = made
    made.types = Self.sorted(made.types)
    made.values = Self.sorted(made.values)
    made.write(to: &names.units)
  }

  private static func sorted(_ hashes: [UInt32]) -> [UInt32] {
    guard hashes.count > 1 else { return hashes }
    var kept: [UInt32] = []
    for hash in hashes.sorted() where hash != kept.last { kept.append(hash) }
    return kept
  }

  /// Ends the header of a type or extension, after which its members follow.
  package mutating func enterMembers(of type: TypeDeclaration) {
    guard var made = unit else { return }
    unit = nil
    var container = Container(owners: [], header: nil, memberwise: nil)
    if type.kind == .extended {
      let path = type.extended.flatMap(Self.path)
      made.isIrregular = path == nil
      made.isNested = path?.names.count ?? 0 > 1
      var owners = path?.names ?? []
      for argument in path?.arguments ?? [] { Self.gather(argument, &owners) }
      if owners.count > Self.ownerLimit { made.isIrregular = true }
      made.owners = owners.prefix(Self.ownerLimit).map(NameHash.of)
      made.name = made.owners.first ?? NameHash.none
      made.inherits = !type.inherited.isEmpty
      container.owners = made.owners
      made.types = Self.sorted(made.types)
      made.values = Self.sorted(made.values)
      var header = made
      // Each declaration in the extension repeats the extension's header. A long header is not repeated; instead, the extension is treated as an
      // extension of any type.
      if made.types.count + made.values.count > Self.headerLimit {
        made.isIrregular = true
        header.isIrregular = true
        header.types = []
        header.values = []
      }
      container.header = header
    } else {
      container.owners = Self.bounded([made.name] + made.owners)
      if type.kind == .structure {
        container.memberwise = NamedUnit(kind: .initializer, name: NameHash.of("init"), owners: container.owners)
      }
    }
    finish(made)
    containers.append(container)
  }

  /// Limits on the names that each declaration repeats from the surrounding types. Without them, malicious sources could use too much memory.
  private static let ownerLimit = 16
  private static let headerLimit = 48

  /// Returns the innermost owners, followed by one hash of all others if there are too many.
  private static func bounded(_ owners: [UInt32]) -> [UInt32] {
    guard owners.count > ownerLimit else { return owners }
    let rest = owners[(ownerLimit - 1)...].reduce(UInt64(owners.count)) { NamedUnit.mixed($0, UInt64($1)) }
    return owners.prefix(ownerLimit - 1) + [UInt32(truncatingIfNeeded: rest)]
  }

  package mutating func leaveMembers() {
    guard let container = containers.popLast(), let memberwise = container.memberwise else { return }
    finish(memberwise)
  }

  /// Returns the components of a type's name, last first, and its generic arguments; `nil` if the type contains anything other than names.
  private static func path(_ fact: TypeFact) -> (names: [String], arguments: [TypeFact])? {
    switch fact {
    case .named(let name, let arguments): ([name], arguments)
    case .member(let base, let name, let arguments): path(base).map { ([name] + $0.names, arguments + $0.arguments) }
    default: nil
    }
  }

  /// Collects all names in a type.
  private static func gather(_ fact: TypeFact, _ names: inout [String]) {
    switch fact {
    case .named(let name, let arguments):
      names.append(name)
      for argument in arguments { gather(argument, &names) }
    case .member(let base, let name, let arguments):
      names.append(name)
      gather(base, &names)
      for argument in arguments { gather(argument, &names) }
    case .tuple(let elements): for element in elements { gather(element.type, &names) }
    case .function(let parameters, let result): for part in parameters + [result] { gather(part, &names) }
    case .composition(let parts): for part in parts { gather(part, &names) }
    case .opaque(let inner), .metatype(let inner): gather(inner, &names)
    case .unknown: break
    }
  }

  package func finished(holdsLiterals: Bool) -> FileNames {
    var names = names
    if holdsLiterals { names.mentions = Self.sorted(mentions) }
    return names
  }
}
