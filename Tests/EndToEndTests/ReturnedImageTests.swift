import Foundation
import TestSupport
import Testing

/// `import` of bundles that contain images.
struct ReturnedImageTests {
  @Test("images that differ from the project's are reported, also if only one of several bundles has a changed one")
  func images() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", to: "App/same.png")
    try folder.write("a", to: "App/changed.png")
    for (language, content) in [("de", "b"), ("uk", "a")] {
      let contents = "back/\(language).xcloc/Localized Contents/"
      try folder.write(
        """
        <xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
          <file original="App/L.strings" source-language="en" target-language="\(language)" datatype="plaintext">
            <body><trans-unit id="k"><source>k</source><target>x</target></trans-unit></body>
          </file>
        </xliff>
        """, to: contents + language + ".xliff")
      try folder.write("a", to: contents + "App/same.png")
      try folder.write(content, to: contents + "App/changed.png")
      try folder.write(language, to: contents + "App/both.png")
    }
    try folder.write("b", to: "back/de.xcloc/Localized Contents/App/one.png")
    let result = try dragoman(["import", "back", "--dry-run"], in: folder.path)
    #expect(!result.errors.contains("App/same.png"), "\(result)")
    for name in ["changed", "both"] {
      #expect(
        result.errors.contains(
          "App/\(name).png: warning: the bundles contain 2 different versions of this file, which were not imported"),
        "\(result)")
    }
    #expect(
      result.errors.contains(
        "App/one.png: warning: the bundle contains a new or changed version of this file, which was not imported"),
      "\(result)")
  }
}
