import Localization
import ProjectLayout
import Testing

@Suite("Limits on the work for project files")
struct ProjectBudgetTests {
  @Test("targets that repeat long texts share one budget; beyond it, texts stay unchanged, which is reported once")
  func settings() throws {
    let count = 400
    let long = String(repeating: "x", count: 2000)
    let names = (0..<count).map { "T\($0)" }
    let value = String(repeating: "$(L)", count: 30)
    let project = try layout([
      "App.xcodeproj/project.pbxproj": pbxproj(
        names.map { target($0, $0, settings: (0..<10).map { "S\($0) = \"\(value)\"; " }.joined()) }
          .joined(separator: "\n"), targets: names.joined(separator: ", "), settings: "L = \(long);")
    ])
    let built = project.targets.compactMap { $0.builtConfiguration?.settings["S9"]?.value }
    #expect(built.count == count)
    let replaced = built.filter { $0 == String(repeating: long, count: 30) }.count
    #expect(replaced > 50 && replaced < count)
    #expect(built.contains(value))
    #expect(project.diagnostics.filter { $0.message.contains("too many references") }.count == 1)
  }

  @Test(
    "the first of many missing includes are each reported once, with a note about the others",
    arguments: [3000, 6000])
  func missingIncludes(_ count: Int) throws {
    let lines = (0..<count).map { "#include \"Gone\($0).xcconfig\"\n" }.joined()
    let project = try layout([
      "A.xcconfig": lines,
      "App.xcodeproj/project.pbxproj": pbxproj(
        target("T", "App", base: "baseConfigurationReference = XC;")
          + target("U", "Tool", base: "baseConfigurationReference = XC;") + file("XC", "A.xcconfig"), children: "XC",
        targets: "T, U"),
    ])
    let reported = project.diagnostics.filter { $0.path == "A.xcconfig" }
    #expect(reported.count == 21)
    #expect(reported.last?.line == 21 && reported.last?.message.contains("more included files") == true)
  }
}
