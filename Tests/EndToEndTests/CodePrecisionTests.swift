import Daemon
import Localization
import Testing
import Workspace

/// False positives in code of public projects. For each kind of false positive there is an example that the rule must ignore and an example that the
/// rule must report.
struct CodePrecisionTests: AdviceExamples {
  /// Returns the lines that a rule reports by default, without `--rule`, in a project with one translation of “Nest”, or with no translation if
  /// `language` is `nil`.
  private static func lines(_ code: String, _ rule: String, translatedInto language: String?) throws -> [Int] {
    let entry = language.map { ["Nest": AdviceTests.texts([$0: AdviceTests.unit("x")])] } ?? [:]
    let advice = try AdviceTests.advice(
      [
        "Package.swift": AdviceTests.manifest, "Sources/Kit/Kit.swift": code,
        "Sources/Kit/Resources/Localizable.xcstrings": AdviceTests.catalog(entry),
      ], rules: nil)
    return advice.findings.filter { $0.rule == rule }.compactMap(\.line)
  }

  @Test("by default, direction-fixed reports only in projects with a right-to-left language")
  func languagesFromRightToLeft() throws {
    let code = "import SwiftUI\nlet a = Image(systemName: \"chevron.right\")\n"
    #expect(try Self.lines(code, "direction-fixed", translatedInto: "de").isEmpty)
    #expect(try Self.lines(code, "direction-fixed", translatedInto: "ar") == [2])
    #expect(try Self.lines(code, "direction-fixed") == [2])
  }

  @Test(
    "by default, text-not-localizable reports only in files with a translated text, and format-not-localized is off")
  func translatedFiles() throws {
    let code = """
      import UIKit
      func f(label: UILabel, n: Int) -> String {
        label.text = "Nothing found"
        return String(format: "%d new messages", n)
      }

      """
    let beside = code + "let title = String(localized: \"Nest\", bundle: .module)\n"
    #expect(try Self.lines(code, "text-not-localizable", translatedInto: "de").isEmpty)
    #expect(try Self.lines(beside, "text-not-localizable", translatedInto: nil).isEmpty)
    #expect(try Self.lines(beside, "text-not-localizable", translatedInto: "de") == [3])
    #expect(try Self.lines(beside, "format-not-localized", translatedInto: "de").isEmpty)
    #expect(try Self.lines(code, "text-not-localizable") == [3])
    #expect(try Self.lines(code, "format-not-localized") == [4])
  }

  @Test("direction-fixed ignores views that fill their parent, and an explicit left-to-right direction")
  func filling() throws {
    let code = """
      import UIKit
      func f(a: UIView, b: UIView) {
        a.leftAnchor.constraint(equalTo: b.leftAnchor).isActive = true
        a.rightAnchor.constraint(equalTo: b.rightAnchor).isActive = true
        NSLayoutConstraint.activate([
          b.rightAnchor.constraint(equalTo: a.rightAnchor, constant: 8), b.leftAnchor.constraint(equalTo: a.leftAnchor),
        ])
      }
      func g(a: UIView, b: UIView) {
        a.leftAnchor.constraint(equalTo: b.leftAnchor, constant: 20).isActive = true
      }
      func h(a: UIView, b: UIView, isFlat: Bool) {
        NSLayoutConstraint.activate([a.leftAnchor.constraint(equalTo: b.leftAnchor)])
        if isFlat { a.rightAnchor.constraint(equalTo: b.rightAnchor).isActive = true }
      }
      let c = Text("a").environment(\\.layoutDirection, .leftToRight)
      let d = Text("a").environment(\\.layoutDirection, .rightToLeft)
      """
    #expect(try Self.lines(code, "direction-fixed") == [10, 17])
    let drawing = """
      import AppKit
      func f(style: NSMutableParagraphStyle, text: NSString) {
        style.alignment = .right
        text.draw(in: NSRect(x: 0, y: 0, width: 90, height: 20))
      }
      """
    #expect(try Self.lines(drawing, "direction-fixed").isEmpty)
  }

  @Test("date-by-hand ignores a choice between 12 and 24 hours, and times for programs")
  func clocks() throws {
    let chosen = """
      import Foundation
      func f(a: DateFormatter, is24: Bool) {
        if is24 { a.dateFormat = "HH:mm" } else { a.dateFormat = "h:mm a" }
        a.dateFormat = "HH:mm:ss"
        a.dateFormat = "d. MMMM"
      }
      """
    #expect(try Self.lines(chosen, "date-by-hand") == [5])
    let fixed = "import Foundation\nfunc f(a: DateFormatter) { a.dateFormat = \"h:mm a\" }\n"
    #expect(try Self.lines(fixed, "date-by-hand") == [2])
  }

  @Test("text-not-localizable ignores samples and hidden titles, and width-fixed ignores words of three letters")
  func samples() throws {
    let code = """
      import UIKit
      func previewItem(item: Item) { item.title = "The best item of all" }
      func f(item: Item) { item.text = "The best item of all" }
      func g(window: Window) {
        window.title = "The best window"
        window.titleVisibility = .hidden
      }
      """
    #expect(try Self.lines(code, "text-not-localizable") == [3])
    let views = """
      import SwiftUI
      let a = Text("Pro").frame(width: 80)
      let b = Text("Settings").frame(width: 80)
      """
    #expect(try Self.lines(views, "width-fixed") == [3])
  }

  @Test("plural-by-hand ignores headings without a number")
  func headings() throws {
    let code = """
      import SwiftUI
      struct V: View {
        var n: Int
        var body: some View {
          Text(n > 1 ? "Comments" : "Comment")
          Text(n > 1 ? "Open all in new windows" : "Open in new window")
          Text(n == 1 ? "1 comment" : "\\(n) comments")
        }
      }
      """
    #expect(try Self.lines(code, "plural-by-hand") == [7])
  }

  @Test(
    "text-not-localizable ignores user agents and debug commands, and format-not-localized ignores code and lists of errors"
  )
  func identifiers() throws {
    let code = """
      import UIKit
      func f(field: UITextField, menu: Menu, a: Double, errors: inout [String]) {
        field.text = "Birds/3.0 Nest/1.1"
        menu.add(UIAction(title: "Debug: low memory"))
        menu.add(UIAction(title: "Empty the nest"))
        errors.append(String(format: "The size %f is too small", a))
        field.text = String(format: "Color(red: %.3f, green: %.3f)", a, a)
        field.text = String(format: "The size is %f now", a)
      }
      """
    #expect(try Self.lines(code, "text-not-localizable") == [5])
    #expect(try Self.lines(code, "format-not-localized") == [8])
  }

  @Test("date-by-hand ignores formats of file names and image metadata, and width-fixed ignores words that fit")
  func fileNames() throws {
    let dates = """
      import Foundation
      func f(a: DateFormatter) {
        a.dateFormat = "y-MM-dd HH.mm.ss"
        a.dateFormat = "yyyy:MM:dd"
        a.dateFormat = "dd.MM.yyyy"
      }
      """
    #expect(try Self.lines(dates, "date-by-hand") == [5])
    let views = """
      import SwiftUI
      let a = Text("Delete").frame(width: 135)
      let b = Text("Cancel").frame(width: 80)
      let c = Text("Add to the list").frame(width: 135)
      """
    #expect(try Self.lines(views, "width-fixed") == [4])
  }

  @Test("bundle-missing ignores values with escaped spaces, inflection attributes, and host names")
  func valuesWithoutWords() throws {
    let code = """
      import SwiftUI
      struct V: View {
        var a: Int
        var body: some View {
          Text("\\(a)\\u{00A0}\\(a)")
          Text("^[\\(a) \\(a)](inflect: true)")
          Text("birds.example.org")
          Text("\\(a)\\u{00A0}birds")
          Text("Loading...")
        }
      }
      """
    #expect(try Self.lines(code, "bundle-missing") == [8, 9])
  }

  @Test(
    "by default, bundle-missing reports texts with a translation, and phrases next to a translated text"
  )
  func likelyBundles() throws {
    let code = """
      import SwiftUI
      struct V: View {
        var body: some View {
          Text("Nest")
          Text("Robin")
          Text("The nests of the robin")
        }
      }

      """
    #expect(try Self.lines(code, "bundle-missing", translatedInto: "de") == [4])
    #expect(try Self.lines(code, "bundle-missing", translatedInto: nil).isEmpty)
    #expect(try Self.lines(code, "bundle-missing") == [4, 5, 6])
    let beside = code + "let title = String(localized: \"Nest\", bundle: .module)\n"
    #expect(try Self.lines(beside, "bundle-missing", translatedInto: "de") == [4, 6])
  }
}

/// Code that only developers see, similar code that users see, and rules that are off by default.
extension CodePrecisionTests {
  @Test(
    "rules ignore developer code: debug builds, debug types and functions, and previews",
    arguments: [
      "#if DEBUG\n#\n#endif", "#if ENABLE_LOGGING\n#\n#endif", "#if ENABLE_TESTING && os(iOS)\n#\n#endif",
      "#if canImport(UIKit) && DEBUG\n#\n#endif", "#if DEBUG || INTERNAL\n#\n#endif",
      "#if targetEnvironment(simulator)\n#\n#endif", "#if !DEBUG\nlet z = 1\n#else\n#\n#endif",
      "struct DebugMenu {\n#\n}", "final class NestDebugController {\n#\n}", "enum Nest_Previews {\n#\n}",
      "struct Row {}\nstruct RowPreview {\n#\n}", "func showDebugMenu() {\n#\n}", "var debugMenu: Int {\n#\n}",
      "func h(a: A) {\nif a.isDebugEnabled {\n#\n}\n}", "#Preview {\n#\n}",
      "func h(a: A) {\nif a.isInTestFlight() {\n#\n}\n}", "func h(a: A) {\nif a.contains(.debug) {\n#\n}\n}",
      "func h(a: A) {\nif a.notifications.shows_debug_menu {\n#\n}\n}", "func h() {\nif Debug.isEnabled {\n#\n}\n}",
      "struct UndebuggedNestsDebugMenu {\n#\n}", "func show_debug_menu() {\n#\n}", "enum NSDEBUGMenu {\n#\n}",
    ])
  func developerCode(_ place: String) throws {
    try Self.expect(place, isLeftOut: true)
  }

  @Test(
    "code that users see is not ignored as developer code",
    arguments: [
      "#if os(iOS)\n#\n#endif", "#if !DEBUG\n#\n#endif", "#if DEBUG\nlet z = 1\n#else\n#\n#endif",
      "#if DEBUG || os(iOS)\n#\n#endif", "#if canImport(UIKit) || DEBUG\n#\n#endif", "#if CONTEST\n#\n#endif",
      "struct LinkPreview {\n#\n}", "struct Undebugged {\n#\n}", "func h(a: A) {\nif !a.isDebugEnabled {\n#\n}\n}",
      "func h(a: A) {\nif a.isDebugEnabled || a.isOn {\n#\n}\n}", "func h() {\nif isNotDebug {\n#\n}\n}",
      "func h(a: A) {\nif a.nonDebug {\n#\n}\n}", "func h(a: A) {\nif a.debugDescription.isEmpty {\n#\n}\n}",
      "func h(a: A) {\nif a.hidesDebugMenu {\n#\n}\n}", "func h(a: A) {\nif a.isTestFlightDisabled {\n#\n}\n}",
      "func h(a: A) {\nif a.isUndebugged {\n#\n}\n}", "func h(a: A) {\nif a.isNot(.debug) {\n#\n}\n}",
    ])
  func userCode(_ place: String) throws {
    try Self.expect(place, isLeftOut: false)
  }

  /// Checks two rules on code in which a function with a text and a date format replaces `#`: one rule is about texts, one about code.
  private static func expect(_ place: String, isLeftOut: Bool) throws {
    let code =
      "import SwiftUI\n"
      + place.replacing(
        "\n#\n",
        with:
          "\nfunc f(d: DateFormatter) { d.dateFormat = \"MM/dd\"; _ = String(localized: \"Book\", bundle: .module) }\n")
      + "\n"
    #expect(try lines(code, "date-by-hand").isEmpty == isLeftOut, "\(place)")
    // Strings are extracted as for a debug build, so the text of user code under `#if !DEBUG` is not extracted and not checked. The guard skips all
    // user code whose conditions name DEBUG.
    guard isLeftOut || !place.contains("DEBUG") else { return }
    #expect(try lines(code, "comment-missing").isEmpty == isLeftOut, "\(place)")
  }

  @Test("opt-in rules report only if --rule names them")
  func optIn() throws {
    let optIn = AdviceRule.all.filter(\.isOptIn).map(\.id)
    #expect(
      Set(optIn) == [
        "argument-unexplained", "comment-echo", "format-not-localized", "key-in-two-contexts", "width-fixed",
      ])
    let code = """
      import SwiftUI
      let a = String(localized: "Open", bundle: .module, comment: "Open")
      let b = Text("Settings of the nest", bundle: .module).frame(width: 80)
      """
    let found = try ["comment-echo", "width-fixed"].map { try Self.lines(code, $0) }
    #expect(found == [[2], [3]])
    for rule in optIn { #expect(try Self.lines(code, rule, translatedInto: "de").isEmpty) }
  }
}
