/// The names that a file's facts declare and mention. These names determine whether a change in another file can change the resolution of the file's
/// literals (decision 13).
package struct FileNames: Hashable, Sendable {
  /// The declarations of the interface in order, as `NamedUnit.write` encodes them. They depend only on the interface.
  package var units: [UInt32] = []
  /// All names that the file's code can look up, ascending and without duplicates; empty if the file contains no literal. These names depend only on
  /// the shape.
  package var mentions: [UInt32] = []
}

/// A declaration of an interface, with the name by which the linker finds it, and all names that it mentions.
package struct NamedUnit: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// The header of a type: everything except its members.
    case type
    /// An initializer, or the stored properties of a structure without initializers. The linker finds it by the name of its type.
    case initializer
    /// A member that code uses without its name, such as a subscript. The linker finds it by the name of its type.
    case implicit
    /// A function, variable or case of a type.
    case member
    /// A `typealias` or `associatedtype`.
    case alias
    /// A function, variable or macro of a module.
    case global
    /// An operator function of a type or a module.
    case operation
    /// The header of an extension. Its name is the last component of the extended type.
    case extended
  }

  package var kind: Kind
  package var name: UInt32
  /// The names of the surrounding types, innermost first. For an extension: the extended type, followed by the types in its generic arguments,
  /// because an alias can refer to one of these.
  package var owners: [UInt32] = []
  /// Whether the declaration is in an extension. The extended type may be in another module or be named by an alias.
  package var isInExtension = false
  /// Whether this is an extension that adds conformances to the type.
  package var inherits = false
  /// Whether this is an extension whose extended type cannot be determined, or a declaration in such an extension. This is the case if the type
  /// contains anything other than names, or if the header contains too many names.
  package var isIrregular = false
  /// Whether this is an extension whose type is nested in another type, as in `Outer.Inner`.
  package var isNested = false
  /// A digest of everything in the declaration that other files can see.
  package var digest: UInt64 = 0x9E37_79B9_7F4A_7C15
  /// The names that the declaration mentions as types (`types`), and as values in initial values and attributes (`values`).
  package var types: [UInt32] = []
  package var values: [UInt32] = []

  package mutating func mix(_ value: UInt64) { digest = Self.mixed(digest, value) }

  // Incremental linking reads all units of a project. Its inner loops are inlined into that module.
  @inlinable
  package static func mixed(_ digest: UInt64, _ value: UInt64) -> UInt64 {
    let product = (digest ^ value) &* 0xD6E8_FEB8_6659_FD93
    return product ^ product >> 32
  }

  /// Members of a type that the linker's rules look up although the code does not name them.
  package static let implicitMembers: Set<String> = [
    "subscript", "wrappedValue", "projectedValue", "buildExpression", "buildBlock", "buildPartialBlock", "id",
  ]

  // MARK: words

  @inlinable
  static var headWords: Int { 7 }

  package func write(to words: inout [UInt32]) {
    let flags: UInt32 = (isInExtension ? 1 : 0) | (inherits ? 2 : 0) | (isIrregular ? 4 : 0) | (isNested ? 8 : 0)
    words.append(UInt32(kind.rawValue) | flags << 8)
    words.append(name)
    words.append(UInt32(truncatingIfNeeded: digest))
    words.append(UInt32(truncatingIfNeeded: digest >> 32))
    for list in [owners, types, values] { words.append(UInt32(truncatingIfNeeded: list.count)) }
    words += owners
    words += types
    words += values
  }

  /// A unit that refers to the words of a table instead of copying them.
  package struct View {
    package let kind: Kind
    package let flags: UInt32
    package let name: UInt32
    package let digest: UInt64
    package let owners: Slice<UnsafeBufferPointer<UInt32>>
    package let types: Slice<UnsafeBufferPointer<UInt32>>
    package let values: Slice<UnsafeBufferPointer<UInt32>>

    @inlinable
    package init(
      kind: Kind, flags: UInt32, name: UInt32, digest: UInt64, owners: Slice<UnsafeBufferPointer<UInt32>>,
      types: Slice<UnsafeBufferPointer<UInt32>>, values: Slice<UnsafeBufferPointer<UInt32>>
    ) {
      self.kind = kind
      self.flags = flags
      self.name = name
      self.digest = digest
      self.owners = owners
      self.types = types
      self.values = values
    }

    @inlinable package var isInExtension: Bool { flags & 1 != 0 }
    @inlinable package var inherits: Bool { flags & 2 != 0 }
    @inlinable package var isIrregular: Bool { flags & 4 != 0 }
    @inlinable package var isNested: Bool { flags & 8 != 0 }
    @inlinable package var owner: UInt32 { owners.first ?? NameHash.none }
  }

  /// Visits all units of a file.
  /// - Returns: whether the words are valid to the end.
  @inlinable
  package static func each(of words: UnsafeBufferPointer<UInt32>, _ visit: (View) -> Void) -> Bool {
    var place = 0
    while let unit = next(words, &place) { visit(unit) }
    return place == words.count
  }

  /// Reads the unit at a position and advances the position. Returns `nil` at the end, or if the words are not valid.
  @inlinable
  package static func next(_ words: UnsafeBufferPointer<UInt32>, _ place: inout Int) -> View? {
    guard place + headWords <= words.count, let kind = Kind(rawValue: UInt8(truncatingIfNeeded: words[place])) else {
      return nil
    }
    let digest = UInt64(words[place + 2]) | UInt64(words[place + 3]) << 32
    let start = place + headWords
    let owners = start + Int(words[place + 4])
    let types = owners + Int(words[place + 5])
    let end = types + Int(words[place + 6])
    guard end <= words.count else { return nil }
    defer { place = end }
    return View(
      kind: kind, flags: words[place] >> 8, name: words[place + 1], digest: digest, owners: words[start..<owners],
      types: words[owners..<types], values: words[types..<end])
  }
}
