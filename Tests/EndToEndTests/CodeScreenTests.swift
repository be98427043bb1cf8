import Daemon
import Localization
import Testing
import Workspace

/// The quick scan before `check` parses a file. Files that the scan skips must have no findings.
struct CodeScreenTests {
  /// Code with patterns of each kind, and developer code. Each line is the content of a file.
  private static let lines = #"""
    let a = String(format: "%d messages were received", n)
    let a = NSString(format: "Sent %@ to the team", name)
    let a = String.localizedStringWithFormat("%d files are left", n)
    let a = Text(String(format: "%.2f", price))
    let a = Text("\(String(format: "%5.1f", price)) left")
    let a = n == 1 ? "1 file" : "\(n) files"
    let a = n < 2 ? "1 file" : "\(n) files"
    func f() { if n == 1 { show("1 file") } else { show("\(n) files") } }
    func f() { switch n { case 1: show("1 file") default: show("\(n) files") } }
    let a = Text("Sent by").bold() + Text("the team")
    let a = String(localized: "Sent by") + String(localized: "the team")
    let a = String(localized: "Edit").uppercased()
    let a = Text("Settings").frame(width: 40)
    func f() { label.text = "Nothing was found" }
    func f() { view.toolTip = "Shows the \(name) again" }
    func f() { label.text = #"Nothing was found"# }
    func f() { button.setTitle("Save", for: .normal) }
    func f() { button.setTitle(for: .normal, "Save all") }
    let a = UIAlertController(title: "Delete", message: nil, preferredStyle: .alert)
    let a = UIAlertAction(title: named(of: "x"), handler: { _ in }, title: "Cancel")
    let a = NSMenuItem(title: "Open", action: nil, keyEquivalent: "")
    let a = Text("Hello, " + name)
    let a = Text(greeting + ", nice to see you")
    func f() { formatter.dateFormat = "MM/dd/yyyy" }
    func f() { label.textAlignment = .left }
    func f() { label.textAlignment = NSTextAlignment.right }
    func f() { view.semanticContentAttribute = .forceRightToLeft }
    func f() { view.leftAnchor.constraint(equalTo: other.leftAnchor).isActive = true }
    let a = Image(systemName: "chevron.right")
    let a = view.environment(\.layoutDirection, .rightToLeft)
    #Preview { Text("Only here") }
    struct RowPreview: View { let a = Text("Only here") }; struct Row {}
    struct Rows: PreviewProvider { let a = Text("Only here") }
    struct All_Previews { let a = Text("Only here") }
    final class DevMenu { let a = Text("Only here") }
    enum DebugMenu { static let a = Text("Only here") }
    func showDEBUGMenu() { show("Only here") }
    let one = 1, debugText = "Only here"
    let samples = ["Only here"]
    func f() { if settings.isDebugging { show("Only here") } }
    func f() { if (isTestFlight) { show("Only here") } }
    """#.split(separator: "\n").map(String.init)

  private static let conditions = [
    "#if DEBUG\nlet a = Text(\"Only here\")\n#endif", "#if !DEBUG\n#else\nlet a = Text(\"Only here\")\n#endif",
    "#if os(iOS)\n#elseif ENABLE_LOGGING\nlet a = Text(\"Only here\")\n#endif",
    "#if canImport(UIKit) && DEBUG\nlet a = Text(\"Only here\")\n#endif",
  ]

  /// Returns the same code with other white space, and with comments between its words. Code with `#if` is returned only as it is.
  private static func layouts(_ code: String) -> [String] {
    let head = "import SwiftUI\n"
    guard !code.contains("#if") else { return [head + code] }
    var layouts = [head + code]
    for replacement in ["\n    ", " /* x */ ", "  // x\n  "] {
      var isLiteral = false
      let spread = code.map { character in
        if character == "\"" { isLiteral.toggle() }
        return character == " " && !isLiteral ? replacement : String(character)
      }
      layouts.append(head + spread.joined())
    }
    layouts.append(
      head + code.replacing("=", with: " = ").replacing(" =  = ", with: " == ").replacing("! = ", with: "!="))
    layouts.append((head + code).replacing("\n", with: "\r\n"))
    return layouts
  }

  /// Returns the positions at which literals can begin.
  private static func places(_ code: String) -> [ReviewedFile.Place] {
    var places: [ReviewedFile.Place] = []
    var (line, column) = (1, 1)
    for byte in code.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") {
        places.append(ReviewedFile.Place(line: line, column: column))
      }
      (line, column) = byte == UInt8(ascii: "\n") ? (line + 1, 1) : (line, column + 1)
    }
    return places
  }

  private static func review(_ code: String, isLocalized: Bool, isScreened: Bool) throws -> CodeReview {
    var file = ReviewedFile(path: "A.swift")
    if isLocalized {
      file.localized = Set(places(code))
      file.translated = file.localized
      file.lastLine = file.localized.map(\.line).max() ?? 0
    }
    if !isScreened {
      // These traits mean that the file may contain any pattern, so the scan skips nothing.
      var traits = CodeTraits()
      traits.kinds = Set(CodePattern.Kind.allCases)
      traits.developerLine = 0
      file.traits = traits
    }
    return try ProjectTools.standard().reviewer.review(
      [file], for: Set(CodePattern.Kind.allCases), of: InMemoryTree(texts: ["A.swift": code]), threads: 1)
  }

  @Test(
    "the quick scan skips only files that have no pattern and no string in developer code",
    arguments: lines + conditions)
  func omitsNothing(_ line: String) throws {
    var found = 0
    for code in Self.layouts(line) {
      for isLocalized in [true, false] {
        let whole = try Self.review(code, isLocalized: isLocalized, isScreened: false)
        let screened = try Self.review(code, isLocalized: isLocalized, isScreened: true)
        #expect(screened.patterns == whole.patterns, "\(code)")
        // Developer code matters only in files with localized strings.
        if isLocalized { #expect(screened.developerCode == whole.developerCode, "\(code)") }
        found += whole.patterns.count + whole.developerCode.count
      }
    }
    #expect(found > 0, "the example has neither a pattern nor developer code")
  }

  @Test("code without patterns is not parsed")
  func omitsPlainCode() {
    let code = """
      import UIKit
      // The debug menu has a preview.
      final class List: UIViewController {
        var count = 1
        func show(_ name: String) {
          DDLogDebug("Shown")
          label.text = NSLocalizedString("Name", comment: "")
          label.textAlignment = .natural
          title = other.title
          button.setTitle(NSLocalizedString("Save (all)", comment: ""), for: .normal)
          let alert = UIAlertController(title: String(localized: "Delete \\(name)?"), message: nil)
          let size = CGRect(x: a.left, y: 0, width: (a + b) * 2, height: 1)
          if name.isEmpty { label.isHidden = true }
          Text("\\(count) of all").padding(.leading, 2)
          log(String(format: "%d", count))
        }
      }
      """
    let traits = ProjectTools.standard().reviewer.traits(of: Array(code.utf8))
    #expect(traits.kinds.isSubset(of: [.formattedText]))
    #expect(traits.developerLine == nil)
  }

  @Test("the lines of developer code are counted with LF, CRLF and CR line endings")
  func linesOfDeveloperCode() {
    for end in ["\n", "\r\n", "\r"] {
      let code = ["import SwiftUI", "", "struct A {}", "#Preview { A() }"].joined(separator: end)
      #expect(ProjectTools.standard().reviewer.traits(of: Array(code.utf8)).developerLine == 4)
    }
  }
}
