import TestSupport
import Testing

/// The command `extract` of the built program.
struct ExtractTests {
  private static let storyboard = """
    <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0">
      <objects><label text="Птицы" id="a-1"/></objects>
    </document>

    """

  @Test("extract lists the strings of a localized storyboard without a String Catalog, and sync does not change it")
  func storyboard() throws {
    let folder = try TemporaryFolder()
    try folder.write(AdviceTests.manifest, to: "Package.swift")
    try folder.write(
      "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\n", to: "Sources/Kit/Kit.swift")
    try folder.write(AdviceTests.catalog([:]), to: "Sources/Kit/Resources/Localizable.xcstrings")
    let file = "Sources/Kit/Resources/Base.lproj/Main.storyboard"
    try folder.write(Self.storyboard, to: file)
    try folder.write("\"a-1.text\" = \"Vögel\";\n", to: "Sources/Kit/Resources/de.lproj/Main.strings")
    let line = "\(file)\t\"a-1.text\"\t\(file):2:"
    let end = try dragoman(["extract"], in: folder.path)
    #expect(end.status == 0 && end.output.split(separator: "\n").contains { $0.hasPrefix(line) }, "\(end)")
    #expect(end.errors.contains("2 strings in 2 catalogs."), "\(end)")
    let why = try dragoman(["extract", "--why", "Птицы"], in: folder.path)
    #expect(why.output.contains("Main.storyboard:2:"), "\(why)")
    // If there is a String Catalog, the output has its path in place of the storyboard's.
    #expect(try dragoman(["sync"], in: folder.path).status == 0)
    #expect(folder.names(in: "Sources/Kit/Resources").sorted() == ["Base.lproj", "Localizable.xcstrings", "de.lproj"])
    #expect(try folder.read(file) == Array(Self.storyboard.utf8))
    try folder.write(AdviceTests.catalog([:]), to: "Sources/Kit/Resources/mul.lproj/Main.xcstrings")
    let collected = try dragoman(["extract"], in: folder.path)
    #expect(collected.output.contains("mul.lproj/Main.xcstrings\t\"a-1.text\"\t\(file):2:"), "\(collected)")
  }
}
