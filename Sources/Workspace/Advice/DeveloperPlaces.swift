import Localization

extension TreePath {
  private static let partsOfNames = ["Debug", "Developer", "Mock", "Playground"]
  private static let names: Set<String> = [
    "test", "tests", "testing", "testapp", "example", "examples", "demo", "demos", "sample", "samples",
    "preview content",
    "previews", "fixtures", "archived", "deprecated", "obsolete",
  ]
  private static let endings = [
    "Tests", "Example", "Examples", "Demo", "Sample", "Samples", "Previews", "_Preview", "TestApp", "ExampleApp",
    "DemoApp",
    "SampleApp",
  ]

  /// Whether the name of a file, or of one of its folders, says that only developers see what it shows: code of tests, menus for
  /// developers, simulated devices, example apps, and code that was put away.
  var isForDevelopers: Bool {
    let parts = text.split(separator: "/")
    if parts.first == "Archive" { return true }
    return parts.contains { part in
      // Without the ending of a file.
      let stem = part.prefix { $0 != "." }.drop { $0 == "_" }
      // `DevSettings`, but not `Devices`.
      if stem.hasPrefix("Dev"), stem.dropFirst(3).first?.isUppercase == true { return true }
      // `TestsFoundation`, but not `Testimonials`.
      if ["Tests", "UITest", "UITests"].contains(where: {
        stem.hasPrefix($0) && stem.dropFirst($0.count).first?.isUppercase == true
      }) {
        return true
      }
      return Self.names.contains(stem.lowercased()) || Self.partsOfNames.contains { part.contains($0) }
        || Self.endings.contains { stem.hasSuffix($0) }
    }
  }
}

extension ExtractedString {
  /// Whether only developers see the text.
  var isForDevelopers: Bool { !sites.isEmpty && sites.allSatisfy(\.path.isForDevelopers) }
}
