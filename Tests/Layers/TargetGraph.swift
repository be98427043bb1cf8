import Foundation

/// The targets of the package by level. Each target depends only on targets of lower levels.
struct TargetGraph {
  private static let start = "<!-- made by `make layers UPDATE=1` from Package.swift -->\n"
  private static let end = "<!-- end -->"

  private let text: String

  init(_ targets: PackageTargets) {
    var levels: [String: Int] = [:]
    func level(of name: String) -> Int {
      if let known = levels[name] { return known }
      let found = (targets[name]?.dependencies ?? []).map { level(of: $0) + 1 }.max() ?? 0
      levels[name] = found
      return found
    }
    let shown = targets.all.filter { !$0.isTest && !$0.isSystemLibrary && $0.path.hasPrefix("Sources/") }
    let width = (shown.map(\.name.count).max() ?? 0) + 2
    let lines = shown.map { (level: level(of: $0.name), target: $0) }
      .sorted { ($0.level, $0.target.name) < ($1.level, $1.target.name) }
      .map { level, target -> String in
        // Direct dependencies that are also indirect dependencies are omitted.
        let indirect = target.dependencies.reduce(into: Set<String>()) { $0.formUnion(targets.closure(of: $1)) }
        let direct = target.dependencies.subtracting(indirect).sorted().joined(separator: ", ")
        let name = target.name.padding(toLength: width, withPad: " ", startingAt: 0)
        return direct.isEmpty ? target.name : "\(name)→ \(direct)"
      }
    text = "```\n" + lines.joined(separator: "\n") + "\n```\n"
  }

  struct MissingMarks: Error, CustomStringConvertible {
    var description: String {
      "docs/architecture.md has no place for the target graph: \(TargetGraph.start)\(TargetGraph.end)"
    }
  }

  /// Returns the document with this graph between its markers.
  func replacing(in document: String) throws -> String {
    guard let start = document.range(of: Self.start), let end = document.range(of: Self.end),
      start.upperBound <= end.lowerBound
    else { throw MissingMarks() }
    return document[..<start.upperBound] + text + document[end.lowerBound...]
  }
}
