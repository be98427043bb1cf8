import Foundation

/// The targets of a package, as listed by `swift package dump-package`.
struct PackageTargets {
  struct Target {
    var name: String
    /// The folder of the target's sources, relative to the package.
    var path: String
    /// The names of the target's dependencies in this package.
    var dependencies: Set<String>
    var isTest: Bool
    var isSystemLibrary: Bool
  }

  private(set) var all: [Target] = []
  private let byName: [String: Target]

  init(json: Data) throws {
    let package = try JSONDecoder().decode(Package.self, from: json)
    let names = Set(package.targets.map(\.name))
    var found: [Target] = []
    for target in package.targets {
      let folder = target.type == "test" ? "Tests" : "Sources"
      let dependencies = target.dependencies.compactMap(\.name).filter { names.contains($0) }
      found.append(
        Target(
          name: target.name, path: target.path ?? "\(folder)/\(target.name)", dependencies: Set(dependencies),
          isTest: target.type == "test", isSystemLibrary: target.type == "system"))
    }
    all = found.sorted { $0.name < $1.name }
    byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
  }

  subscript(name: String) -> Target? { byName[name] }

  /// Returns all targets on which a target depends, directly or indirectly.
  func closure(of name: String) -> Set<String> {
    var seen: Set<String> = []
    var pending = Array(byName[name]?.dependencies ?? [])
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      pending += byName[next]?.dependencies ?? []
    }
    return seen
  }

  private struct Package: Decodable {
    struct Target: Decodable {
      var name: String
      var type: String
      var path: String?
      var dependencies: [Dependency]
    }

    /// A dependency in the JSON: `{"byName": ["Name", null]}` or `{"target": ["Name", null]}`. Products of other packages have the key `product`.
    struct Dependency: Decodable {
      var name: String?

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        for key in [CodingKeys.byName, .target] where container.contains(key) {
          var list = try container.nestedUnkeyedContainer(forKey: key)
          name = try list.decode(String.self)
        }
      }

      private enum CodingKeys: String, CodingKey { case byName, target }
    }

    var targets: [Target]
  }
}
