import Localization

/// Finds files whose texts only developers see, by the names of files and folders. Each name is checked only once.
struct DeveloperPlaces {
  private var judged: [Substring: Bool] = [:]

  private static let partsOfNames: [StaticString] = ["Debug", "Developer", "Mock", "Playground"]
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

  /// Returns whether a path contains a name of a file or folder whose texts only developers see, such as tests, developer menus, mocks, previews,
  /// example apps, or archived code.
  mutating func own(_ path: TreePath) -> Bool {
    let parts = path.text.split(separator: "/")
    if parts.first == "Archive" { return true }
    return parts.contains { part in
      if let known = judged[part] { return known }
      let isForDevelopers = Self.isForDevelopers(part)
      judged[part] = isForDevelopers
      return isForDevelopers
    }
  }

  /// Returns whether all uses of a string are in files whose texts only developers see.
  mutating func own(_ string: ExtractedString) -> Bool {
    !string.sites.isEmpty && string.sites.allSatisfy { own($0.path) }
  }

  private static func isForDevelopers(_ part: Substring) -> Bool {
    // The name without the extension and leading underscores.
    let stem = part.prefix { $0 != "." }.drop { $0 == "_" }
    // This matches `DevSettings`, but not `Devices`.
    if stem.hasPrefix("Dev"), stem.dropFirst(3).first?.isUppercase == true { return true }
    // This matches `TestsFoundation`, but not `Testimonials`.
    if ["Tests", "UITest", "UITests"].contains(where: {
      stem.hasPrefix($0) && stem.dropFirst($0.count).first?.isUppercase == true
    }) {
      return true
    }
    return names.contains(stem.lowercased()) || partsOfNames.contains { part.holds($0) }
      || endings.contains { stem.hasSuffix($0) }
  }
}
