import Localization
import Testing

@Suite struct TreePathTests {
  @Test(
    "the extension of a name follows its last dot, unless the dot is the first character",
    arguments: [
      ("a.strings", "strings"), ("App/en.lproj/L.strings", "strings"), ("en.lproj/L", ""), ("a.b.c", "c"),
      (".hidden", ""),
      ("a/.hidden", ""), ("a/.hidden.txt", "txt"), ("a.", ""), ("a", ""), ("", ""), ("ä.ö", "ö"),
      ("a.\u{301}x", "\u{301}x"),
    ])
  func ending(path: String, ending: String) {
    #expect(TreePath(trusted: path).ending.isExactly(ending))
  }

  @Test("a slash separates components whatever character follows, as in git and the kernel")
  func combiningMarks() {
    let mark = "\u{301}x"
    #expect(TreePath(checking: "../" + mark) == nil && TreePath(checking: "/" + mark) == nil)
    #expect(TreePath(checking: "a/../../" + mark) == nil)
    #expect(TreePath(checking: "a/./" + mark)?.text.isExactly("a/" + mark) == true)
    #expect(TreePath(trusted: "a/" + mark).components.count == 2)
    #expect(TreePath(trusted: "App/" + mark).relative(to: "App")?.text.isExactly(mark) == true)
    #expect(TreePath(trusted: "App").relative(to: "App") == .root)
  }
}
