import Localization
import Testing

@Suite struct TreePathTests {
  @Test(
    "the ending is what follows the last dot of the name, a leading one aside",
    arguments: [
      ("a.strings", "strings"), ("App/en.lproj/L.strings", "strings"), ("en.lproj/L", ""), ("a.b.c", "c"),
      (".hidden", ""),
      ("a/.hidden", ""), ("a/.hidden.txt", "txt"), ("a.", ""), ("a", ""), ("", ""), ("ä.ö", "ö"),
      ("a.\u{301}x", "\u{301}x"),
    ])
  func ending(path: String, ending: String) {
    #expect(TreePath(trusted: path).ending.isExactly(ending))
  }
}
