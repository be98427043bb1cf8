import Localization
import Testing

@testable import ProjectLayout

/// Additions to manifests, which keep the layout of the manifest.
struct ManifestSpliceTests {
  private func splice(_ text: String) throws -> ManifestSplice {
    try #require(ManifestSplice(Array(text.utf8), at: "Package.swift"))
  }

  private func text(_ splice: ManifestSplice) -> String { String(decoding: splice.applied(), as: UTF8.self) }

  @Test("the language and the resource rule get their own lines with the indentation of their neighbours")
  func lines() throws {
    var splice = try splice(
      """
      // swift-tools-version: 6.0
      import PackageDescription

      let package = Package(
          name: "Kit",  // the kit
          targets: [
              .target(
                  name: "Kit",
                  dependencies: ["Base"],
                  swiftSettings: [.enableUpcomingFeature("X")]
              ),
              .target(
                  name: "Base"
              ),
              .testTarget(name: "KitTests", dependencies: [.target(name: "Kit")]),
          ]
      )

      """)
    let areDone = [
      splice.setDefaultLocalization("en"), splice.addResources("Resources", to: "Kit"),
      splice.addResources("Texts", to: "Base"),
    ]
    #expect(areDone == [true, true, true])
    #expect(
      text(splice) == """
        // swift-tools-version: 6.0
        import PackageDescription

        let package = Package(
            name: "Kit",
            defaultLocalization: "en",  // the kit
            targets: [
                .target(
                    name: "Kit",
                    dependencies: ["Base"],
                    resources: [.process("Resources")],
                    swiftSettings: [.enableUpcomingFeature("X")]
                ),
                .target(
                    name: "Base",
                    resources: [.process("Texts")]
                ),
                .testTarget(name: "KitTests", dependencies: [.target(name: "Kit")]),
            ]
        )

        """)
  }

  @Test(
    "calls are edited on one line, with existing rules and with trailing commas",
    arguments: [
      (
        #"Package(name: "K", targets: [.target(name: "K")])"#,
        #"Package(name: "K", defaultLocalization: "en", targets: [.target(name: "K", resources: [.process("R")])])"#
      ),
      (
        #"Package(name: "K", targets: [.executableTarget(name: "K", path: "S", sources: ["a"],)])"#,
        #"Package(name: "K", defaultLocalization: "en", targets: [.executableTarget(name: "K", path: "S", sources: ["a"], resources: [.process("R")])])"#
      ),
      (
        #"Package(name: "K", targets: [.target(name: "K", resources: [.copy("x")])])"#,
        #"Package(name: "K", defaultLocalization: "en", targets: [.target(name: "K", resources: [.copy("x"), .process("R")])])"#
      ),
      (
        #"Package(name: "K", targets: [.target(name: "K", resources: [])])"#,
        #"Package(name: "K", defaultLocalization: "en", targets: [.target(name: "K", resources: [.process("R")])])"#
      ),
      (
        "Package(name: \"K\", targets: [.target(name: \"K\", resources: [\n  .copy(\"x\"),\n])])",
        "Package(name: \"K\", defaultLocalization: \"en\", targets: [.target(name: \"K\", resources: [\n  .copy(\"x\"),\n  .process(\"R\"),\n])])"
      ),
    ])
  func layouts(_ before: String, _ after: String) throws {
    var splice = try splice("let package = " + before)
    let areDone = [splice.setDefaultLocalization("en"), splice.addResources("R", to: "K")]
    #expect(areDone == [true, true])
    #expect(text(splice) == "let package = " + after)
  }

  @Test(
    "computed arguments of a manifest are not changed",
    arguments: [
      #"let n = "K"; let package = Package(name: n, targets: [.target(name: n)])"#,
      #"let rules: [Resource] = []; let package = Package(name: "K", targets: [.target(name: "K", resources: rules)])"#,
      #"let package = Package(name: "K", targets: ["K"].map { .target(name: $0) })"#,
      #"let package = Package(name: "K", targets: [.target(name: "K"), .target(name: "K")])"#,
    ])
  func computed(_ text: String) throws {
    var splice = try splice(text)
    let areDone = [splice.addResources("R", to: "K"), splice.addResources("a\"b", to: "K")]
    #expect(areDone == [false, false])
    #expect(splice.isEmpty && self.text(splice) == text)
  }

  @Test("an existing language is kept")
  func language() throws {
    var splice = try splice(#"let package = Package(name: "K", defaultLocalization: "de")"#)
    let isDone = splice.setDefaultLocalization("en")
    #expect(!isDone && splice.isEmpty)
    #expect(ManifestSplice(Array("let package = Package(".utf8), at: "Package.swift") == nil)
  }
}
