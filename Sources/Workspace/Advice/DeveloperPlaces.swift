import Localization

extension TreePath {
  private static let partsOfNames = ["Debug", "Developer", "Mock", "Playground"]
  private static let names: Set<String> = [
    "Tests", "Testing", "TestApp", "Example", "Examples", "Demo", "Demos", "Sample", "Samples",
    "Archived", "Deprecated", "Obsolete",
  ]
  private static let endings = ["UITests", "Example", "Examples"]

  /// Whether the name of a file, or of one of its folders, says that only developers see what it shows: code of tests, menus for
  /// developers, simulated devices, example apps, and code that was put away.
  var isForDevelopers: Bool {
    let parts = text.split(separator: "/")
    if parts.first == "Archive" { return true }
    return parts.contains { part in
      Self.names.contains(String(part)) || Self.partsOfNames.contains { part.contains($0) }
        || Self.endings.contains { part.hasSuffix($0) }
    }
  }
}

extension ExtractedString {
  /// Whether only developers see the text.
  var isForDevelopers: Bool { !sites.isEmpty && sites.allSatisfy(\.path.isForDevelopers) }
}
