import SwiftFacts

/// The names that the stubs declare and mention, as hashes.
///
/// Incremental linking needs these names, because a project's code uses types of the SDK without naming them, and the SDK's declarations look up
/// names in the project's types.
package struct SDKNames: Sendable {
  /// All types, including nested types.
  package private(set) var types: Set<UInt32> = []
  /// Aliases and associated types, with the names that they mention.
  package private(set) var aliases: [UInt32: [UInt32]] = [:]
  /// The types and aliases whose headers or extensions mention each type, such as its subclasses.
  package private(set) var heirs: [UInt32: [UInt32]] = [:]
  /// Every name that the declarations mention, and the names of associated types that the linker's rules look up.
  package private(set) var mentioned: Set<UInt32> = []

  /// The names of the committed table, collected on first use.
  package static let all = SDKNames(SDKFacts.modules.map(\.facts))

  init(_ files: [FileFacts]) {
    for facts in files {
      let units = FactsWriter.encode(facts).names.units
      units.withUnsafeBufferPointer { words in
        var place = 0
        while let unit = NamedUnit.next(words, &place) {
          switch unit.kind {
          case .type: types.insert(unit.name)
          case .alias: aliases[unit.name, default: []] += unit.types
          default: break
          }
          if unit.kind == .type || unit.kind == .alias || unit.kind == .extended {
            for name in unit.types where name != unit.name { heirs[name, default: []].append(unit.name) }
          }
          mentioned.formUnion(unit.types)
          mentioned.formUnion(unit.values)
        }
      }
    }
    // The linker's rules look up these names.
    for name in ["ArrayLiteralElement", "Element", "ID", "Key", "RawValue", "Value"] {
      mentioned.insert(NameHash.of(name))
    }
  }
}
