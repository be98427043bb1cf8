import TestSupport
import Testing

/// Languages that `init` cannot add.
extension StartTests {
  @Test("init refuses the source language among the languages, and changes nothing")
  func sourceLanguage() throws {
    let repository = try kit()
    for languages in [["en"], ["en", "uk"]] {
      let end = try dragoman(
        ["init", "--pipeline", "kit.yaml"] + languages.flatMap { ["--language", $0] }, in: repository.path)
      #expect(end.status == 64 && end.errors.contains("en is the source language"), "\(end)")
    }
    #expect(try repository.git("status", "--porcelain").isEmpty)
  }

  @Test("init says that a package or an Xcode project has no target, and does not call an Xcode project a package")
  func withoutTarget() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: \"Kit\")\n",
      to: "Package.swift")
    let plain = try dragoman(["init"], in: folder.path)
    #expect(plain.status == 65 && plain.errors.contains("no package or Xcode project with a target"), "\(plain)")
    let other = try TemporaryFolder()
    try other.write(
      """
      // !$*UTF8*$!
      { objects = {
      0A = {isa = PBXProject; targets = (); mainGroup = 0B; knownRegions = (en, Base); developmentRegion = en; };
      0B = {isa = PBXGroup; children = (); sourceTree = "<group>"; };
      }; rootObject = 0A; }

      """, to: "App.xcodeproj/project.pbxproj")
    try other.write(
      "{ \"sourceLanguage\" : \"en\", \"strings\" : {}, \"version\" : \"1.0\" }", to: "Localizable.xcstrings")
    let project = try dragoman(["init", "--language", "uk"], in: other.path)
    #expect(project.status == 64 && project.errors.contains("only an Xcode project with a target"), "\(project)")
    #expect(!project.errors.contains("package"), "\(project)")
  }
}
