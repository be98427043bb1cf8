import Localization
import SDKDeclarations
import SwiftFacts
import SwiftLinking

/// The names under which links are cached. They are digests of all inputs of the links. The contribution of each target is digested only once,
/// because most targets have the same dependencies.
struct LinkNames {
  /// The modules that the files of each target import.
  let imports: [TargetID: Set<String>]
  /// The modules that the files of any target import, without the names of these targets.
  let outside: Set<String>
  /// The targets whose `Localizable` table is a String Catalog. Literals of unknown type are needed only for these targets, because such literals
  /// keep keys of this catalog (decision 10). There can be more such literals than localized literals.
  let withCatalog: Set<TargetID>
  private let project: ProjectDescription
  private let macros: [String]
  private let version: String
  private let closure: [ProjectTarget]

  /// - Parameters:
  ///   - closure: the targets to link, and all their dependencies.
  ///   - macros: names of functions whose first argument is a key.
  init(
    _ closure: [ProjectTarget], of project: ProjectDescription, facts: SourceFacts, macros: [String], version: String
  ) {
    self.project = project
    self.macros = macros
    self.version = version
    self.closure = closure
    var imports: [TargetID: Set<String>] = [:]
    for target in closure {
      var own: Set<String> = []
      for source in target.swiftSources {
        for name in facts.files[source.path]?.imports ?? [] { own.insert(name) }
      }
      imports[target.id] = own
    }
    self.imports = imports
    outside = Set(imports.values.joined()).subtracting(closure.map(\.name))
    let catalogs = Set(project.catalogs.map(\.path).filter(\.isKeptInStep))
    withCatalog = Set(closure.filter { catalogs.contains($0.catalog(of: "Localizable")) }.map(\.id))
  }

  /// Digests of all inputs for linking the files of a target.
  struct Names {
    /// The digest of everything except the declarations and literals of files.
    var frame: String
    /// The name of the target's `LinkRecord`: a digest of the frame and of all interfaces that the target can see.
    var record: String
  }

  /// Returns the names for each of these targets, in order.
  func names(of targets: [ProjectTarget], _ facts: SourceFacts) -> [Names] {
    let modules = SDKFacts.imports.filter { outside.contains($0) }
    let known = Set(SDKFacts.imports)
    var frames: [TargetID: [UInt8]] = [:]
    var interfaces: [TargetID: [UInt8]] = [:]
    for target in closure {
      frames[target.id] = frame(of: target, known)
      interfaces[target.id] = Self.interfaces(of: target, facts)
    }
    let byID = TargetClosure.byID(project)
    return targets.map { target in
      let units = TargetClosure.closure(of: [target], in: byID)
      var digest = ContentDigest()
      digest.update(text: version)
      digest.update(text: SDKFacts.digest.description)
      Self.update(&digest, [modules, macros.sorted()])
      digest.update(text: target.id.rawValue)
      for unit in units { digest.update(frames[unit.id] ?? []) }
      let frame = digest.finishHexadecimal()
      var record = ContentDigest()
      record.update(text: frame)
      for unit in units { record.update(interfaces[unit.id] ?? []) }
      return Names(frame: frame, record: "links \(LinkRecord.version) \(record.finishHexadecimal())")
    }
  }

  private func frame(of target: ProjectTarget, _ known: Set<String>) -> [UInt8] {
    var digest = ContentDigest()
    digest.update(text: target.id.rawValue)
    digest.update(text: target.name)
    // Imports of other modules do not matter here, because these modules are in the repository or unknown.
    let imports = (imports[target.id] ?? []).intersection(known).sorted()
    Self.update(&digest, [target.macros.sorted(), target.dependencies.map(\.rawValue), imports])
    digest.update(number: Int(target.platformSet.rawValue))
    digest.update(number: withCatalog.contains(target.id) ? 1 : 0)
    return digest.finish()
  }

  private static func interfaces(of target: ProjectTarget, _ facts: SourceFacts) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(target.swiftSources.count * FactsDigest.byteCount)
    for source in target.swiftSources { facts.interfaceDigest(of: source.path).append(to: &bytes) }
    var digest = ContentDigest()
    digest.update(bytes)
    return digest.finish()
  }

  private static func update(_ digest: inout ContentDigest, _ lists: [[String]]) {
    for names in lists {
      digest.update(number: names.count)
      for name in names { digest.update(text: name) }
    }
  }
}
