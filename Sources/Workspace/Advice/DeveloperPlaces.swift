import Localization

/// The files that only developers see, by the names of the files and their folders. Projects have few names, and each is judged once.
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

  /// Returns whether the name of a file, or of one of its folders, says that only developers see its texts: code of tests, menus for
  /// developers, simulated devices, example apps, and archived code.
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

  /// Returns whether all uses of a string are in such files.
  mutating func own(_ string: ExtractedString) -> Bool {
    !string.sites.isEmpty && string.sites.allSatisfy { own($0.path) }
  }

  private static func isForDevelopers(_ part: Substring) -> Bool {
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
    return names.contains(stem.lowercased()) || partsOfNames.contains { part.holds($0) }
      || endings.contains { stem.hasSuffix($0) }
  }
}
