/// A check for imports of targets that are not dependencies in Package.swift.
enum ImportCheck {
  static func faults(
    of target: PackageTargets.Target, _ files: [SourceFile], among targets: PackageTargets
  ) -> [String] {
    files.flatMap { file in
      // A module's name has underscores where its target's name has hyphens.
      file.imported.map { $0.replacing("_", with: "-") }.sorted().compactMap { name -> String? in
        guard targets[name] != nil, name != target.name, !target.dependencies.contains(name) else { return nil }
        return
          "\(file.path): error: imports \(name), which Package.swift does not name as a dependency of \(target.name)"
      }
    }
  }
}
