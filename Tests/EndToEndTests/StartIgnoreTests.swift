import Foundation
import TestSupport
import Testing

/// The changes that `init --pipeline` makes to `.gitignore`.
struct StartIgnoreTests {
  /// Runs `init`, first with `--dry-run`, and checks that git then ignores the translators' folder.
  /// - Returns: the text of `.gitignore` after `init`, with FOLDER in place of the translators' folder.
  private func ignored(_ old: String?) throws -> String {
    let repository = try TemporaryRepository()
    try repository.commit([
      "Package.swift":
        "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: \"Kit\", targets: [.target(name: \"Kit\")])\n",
      "Sources/Kit/Kit.swift": "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\n",
    ])
    if let old { try repository.write(old, to: ".gitignore") }
    let start = ["init", "--language", "de", "--pipeline", "kit.yaml"]
    let dry = try dragoman(start + ["--dry-run"], in: repository.path)
    let end = try dragoman(start, in: repository.path)
    #expect(end.status == 0 && dry.output == end.output, "\(dry)\(end)")
    let text = try String(contentsOfFile: repository.path + "/.gitignore", encoding: .utf8)
    #expect(end.output.contains(old == nil ? ".gitignore: created" : ".gitignore: changed") == (text != old), "\(end)")
    let folder = "translations/" + URL(filePath: repository.path).lastPathComponent
    try FileManager.default.createDirectory(
      atPath: repository.path + "/\(folder)/to-translate", withIntermediateDirectories: true)
    try repository.write("x", to: folder + "/to-translate/a")
    #expect(try !repository.git("status", "--porcelain", "-uall").contains("translations/"))
    return text.replacing(folder, with: "FOLDER")
  }

  @Test("init adds the translators' folder to .gitignore unless git already ignores it")
  func folder() throws {
    #expect(try ignored(nil) == "/FOLDER/\n")
    #expect(try ignored(".build") == ".build\n/FOLDER/\n")
    #expect(try ignored("a\r\nb\r\n") == "a\r\nb\r\n/FOLDER/\r\n")
    for known in ["/translations/\n", "translations", "translations*\n", "/*/\n!/Sources/\n", "**/translations/**\n"] {
      #expect(try ignored(known) == known)
    }
    // These lines do not ignore the folder.
    for other in [" translations/\n", "# translations\n", "translations/\n!translations/\n", "/Sources/translations\n"]
    {
      #expect(try ignored(other) == other + "/FOLDER/\n")
    }
  }
}
