import Foundation
import TestSupport
import Testing

/// Commands in a sparse checkout that lacks catalogs or files of a language.
@Suite("Sparse checkouts")
struct SparseCheckoutTests {
  /// Returns a package whose table `T` has files in two languages. The given file is outside the sparse checkout.
  private func repository(without file: String) throws -> TemporaryRepository {
    let repository = try TemporaryRepository()
    try repository.write(
      GateTests.manifest.replacing(", .target(name: \"Tools\", resources: [.process(\"Resources\")]),", with: ""),
      to: "Package.swift")
    try repository.write(
      "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\n", to: "Sources/Kit/Kit.swift")
    try repository.write(GateTests.catalog([GateTests.entry("Hello", ["de": "Hallo"])]), to: GateTests.catalog)
    try repository.write(
      GateTests.catalog([GateTests.entry("m")]).replacing(
        "\"localizations\" : {  }", with: "\"extractionState\" : \"manual\""),
      to: "Sources/Kit/Resources/Manual/Manual.xcstrings")
    for language in ["en", "de"] {
      try repository.write("\"c\" = \"C\";\n", to: "Sources/Kit/Resources/\(language).lproj/T.strings")
    }
    try repository.commit()
    try repository.git("sparse-checkout", "set", "--no-cone", "/*", "!\(file)")
    return repository
  }

  @Test(
    "files outside the sparse checkout fail gates with their names and the next step, and no file is changed",
    arguments: [
      "Sources/Kit/Resources/Manual/Manual.xcstrings", "Sources/Kit/Resources/de.lproj/T.strings",
      "Sources/Kit/Resources/Localizable.xcstrings", "Package.swift",
    ])
  func leftOut(file: String) throws {
    let repository = try repository(without: file)
    #expect(!FileManager.default.fileExists(atPath: repository.path + "/" + file))
    for command in [["status", "--require", "0"], ["sync", "--check"], ["check"]] {
      let gate = try dragoman(command, in: repository.path)
      #expect(gate.status == 65, "\(command): \(gate)")
      let told = gate.output + gate.errors
      #expect(told.contains("\(file): this file is left out of the sparse checkout"), "\(command): \(told)")
      #expect(told.contains("git sparse-checkout add") && told.contains("--revision HEAD"), "\(command): \(told)")
    }
    for command in [["sync"], ["convert"], ["init"], ["add-language", "fr"], ["export", "--output", "out"]] {
      let end = try dragoman(command, in: repository.path)
      #expect(end.status == 65 && end.errors.contains(file), "\(command): \(end)")
    }
    #expect(try repository.git("status", "--porcelain") == "")
    // The commit has all files.
    let head = try dragoman(["status", "--require", "0", "--revision", "HEAD"], in: repository.path)
    #expect(head.status == 0, "\(head)")
    try repository.git("sparse-checkout", "disable")
    #expect(try dragoman(["status", "--require", "0"], in: repository.path).status == 0)
  }

  @Test("files without texts and files outside the project's folder may be missing from a sparse checkout")
  func unrelated() throws {
    let repository = try repository(without: "Other")
    try repository.git("sparse-checkout", "disable")
    try repository.write("x", to: "Other/notes.md")
    try repository.commit()
    try repository.git("sparse-checkout", "set", "--no-cone", "/*", "!Other")
    #expect(try dragoman(["status", "--require", "0"], in: repository.path).status == 0)
    try repository.git("sparse-checkout", "set", "--no-cone", "/*", "!Package.swift")
    #expect(try dragoman(["status", "Sources/Kit", "--require", "0"], in: repository.path).status == 0)
  }
}
