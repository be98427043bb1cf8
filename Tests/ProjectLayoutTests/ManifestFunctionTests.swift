import Localization
import ProjectLayout
import Testing

@Suite struct ManifestFunctionTests {
  @Test("a function in an extension of Target can call PackageDescription's functions without the type")
  func omittedType() throws {
    let project = try read(
      """
      extension Target {
        static func strict(name: String, path: String? = nil) -> Target {
          let target = target(name: name, path: path)
          if target.swiftSettings == nil {
            target.swiftSettings = []
          }
          target.swiftSettings?.append(.enableUpcomingFeature("ExistentialAny"))
          return target
        }
      }
      """, targets: ".strict(name: \"Kit\"), .strict(name: \"UI\", path: \"Custom/UI\")")
    #expect(project.diagnostics.filter { $0.severity != .note } == [])
    #expect(project.ids == ["Kit", "UI"])
    #expect(project["UI"]?.sources == ["Custom/UI/B.swift"])
  }

  @Test("a call without a type in an extension of another type is unknown")
  func otherType() throws {
    let project = try read(
      """
      extension String {
        func made() -> Target { target(name: self) }
      }
      """, targets: ".target(name: \"Kit\"), \"UI\".made()")
    #expect(project.ids == ["Kit"])
    #expect(project["Kit"]?.unknownSources.count == 1)
  }

  private func read(_ declarations: String, targets: String) throws -> ProjectDescription {
    try layout([
      "Package.swift": manifest("targets: [\(targets)]", after: declarations), "Sources/Kit/A.swift": "",
      "Custom/UI/B.swift": "",
    ])
  }
}
