import Daemon
import Localization
import Testing
import Workspace

/// The rules of `check` about code, each with code that it must report and code that it must ignore.
struct CodeAdviceTests: AdviceExamples {
  static func advice(_ code: String, rule: String, suppressing: Bool = false) throws -> Advice {
    let files = [
      "Package.swift": AdviceTests.manifest, "Sources/Kit/Kit.swift": code,
      "Sources/Kit/Resources/Localizable.xcstrings": AdviceTests.catalog([:]),
    ]
    var snapshot = try ProjectSnapshot(InMemoryTree(texts: files), for: .comparison, with: .standard())
    try snapshot.extract(ExtractionOptions())
    return try Advice(on: snapshot, rules: AdviceRule.all.filter { $0.id == rule })
  }

  @Test("plural-by-hand reports a choice between singular and plural in an expression, an if and a switch")
  func pluralByHand() throws {
    let lines = try Self.lines(
      """
      import SwiftUI
      struct V: View {
        var n: Int
        var body: some View {
          Text(n == 1 ? "1 file" : "\\(n) files")
          Text("\\(n) bird\\(n != 1 ? "s" : "")")
          if n == 1 { Text("1 page") } else { Text("\\(n) pages") }
          switch n {
          case 0: Text("nothing")
          case 1: Text("one entry")
          default: Text("\\(n) entries")
          }
          Text(n > 1 ? "Choose several" : "Cancel")
          Text(n == 0 ? "No photos" : "\\(n) photos")
          if n == 1 { Text("Only you") } else { Text("Everyone") }
          switch n {
          case 1: Text("Sync to the cloud failed")
          default: Text("Sync to the cloud done")
          }
          switch n {
          case 0: Text("First button click")
          case 1: Text("Second button click")
          case 2: Text("Third button click")
          default: Text("Click of button \\(n)")
          }
          if n == 1 { Text("Everything selected") } else { Text("nothing selected") }
        }
      }
      """, "plural-by-hand")
    #expect(lines == [5, 6, 7, 10])
  }

  @Test("sentence-joined reports localized texts joined with +, but not complete sentences or separate lines")
  func sentenceJoined() throws {
    let lines = try Self.lines(
      """
      import SwiftUI
      struct V: View {
        var name: String
        var body: some View {
          Text("Deleted").bold() + Text(" ") + Text("yesterday")
          Text("Read the manual.") + Text("Then go on.")
          Text("Title") + Text("\\n") + Text("Subtitle")
          Text("Name") + Text(name)
        }
        let a = String(localized: "Sent") + " " + String(localized: "by the team")
      }
      """, "sentence-joined")
    #expect(lines == [5, 10])
  }

  @Test(
    "format-not-localized reports sentences in String(format:), but not log messages, errors, queries and localized formats"
  )
  func formatNotLocalized() throws {
    let lines = try Self.lines(
      """
      import UIKit
      func f(n: Int, url: String) throws -> String {
        let a = String(format: "%d messages received", n)
        print(String(format: "%d messages received", n))
        let b = String(format: NSLocalizedString("%d new messages", comment: ""), n)
        let c = String(format: "SELECT a FROM b WHERE c = %d", n)
        let d = String(format: "%02d:%02d", n, n)
        let e = String(format: "https://example.org/%@ and more", url)
        if n > 3 { throw Fault(String(format: "cannot read %d files", n)) }
        return String.localizedStringWithFormat("You have %d items", n)
      }
      """, "format-not-localized")
    #expect(lines == [3, 10])
    // A file without a user interface contains log messages and texts of protocols.
    let core = "import Foundation\nlet a = String(format: \"Pod reported %d pulses\", 3)\n"
    #expect(try Self.lines(core, "format-not-localized").isEmpty)
  }

  @Test("text-not-localizable reports texts of controls, but not names, code or previews")
  func textNotLocalizable() throws {
    let lines = try Self.lines(
      """
      import SwiftUI
      func f(label: UILabel, button: UIButton, name: String) {
        label.text = "Nothing found"
        label.text = name
        label.text = NSLocalizedString("Nothing here", comment: "")
        label.text = "—"
        button.setTitle("Save", for: .normal)
        button.setTitle("settings.title", for: .normal)
        let alert = UIAlertController(title: "Error", message: "Try it again later", preferredStyle: .alert)
        let view = Text("Hello, " + name)
        #if DEBUG
          label.text = "Only for us"
        #endif
      }
      #Preview { Text("Hello, " + "you") }
      """, "text-not-localizable")
    #expect(lines == [3, 7, 9, 9, 10])
  }

  @Test("bundle-missing reports texts of a package without a bundle, and --fix adds the argument at the right position")
  func bundleMissing() throws {
    let code = """
      import SwiftUI
      struct V: View {
        var n: Int
        var body: some View {
          Text("Save")
          Text("Kept", bundle: .module)
          Text("Save now", comment: "Button")
          Button("Do it") {}
          Text(n == 1 ? "One way" : "Many ways")
          Text(verbatim: "as it is")
        }
        let a = String(localized: "Loaded", comment: "State")
        let b = NSLocalizedString("Ready", comment: "State")
        let c = String(localized: "Done", bundle: .module)
      }
      """
    let advice = try Self.advice(code, rule: "bundle-missing")
    #expect(advice.findings.compactMap(\.line) == [5, 7, 8, 9, 9, 12, 13])
    let fixes = try AdviceFixes(of: advice.findings, in: InMemoryTree(texts: ["Sources/Kit/Kit.swift": code]))
    #expect(fixes.repaired.compactMap(\.line) == [5, 7, 9, 9, 12, 13])
    let fixed = try EditedTree(InMemoryTree(texts: [:]), edits: fixes.edits).read("Sources/Kit/Kit.swift")
    let text = String(decoding: fixed, as: UTF8.self)
    for line in [
      #"Text("Save", bundle: .module)"#, #"Text("Save now", bundle: .module, comment: "Button")"#,
      #"Text(n == 1 ? "One way" : "Many ways", bundle: .module)"#,
      #"String(localized: "Loaded", bundle: .module, comment: "State")"#,
      #"NSLocalizedString("Ready", bundle: .module, comment: "State")"#,
    ] {
      #expect(text.contains(line))
    }
  }

  @Test("the key of a multi-line literal does not depend on the line endings of the file")
  func lineEnds() throws {
    let code = "import SwiftUI\nlet text = Text(\"\"\"\n  First line\n  second line\n  \"\"\")\n"
    let messages = try [code, code.replacing("\n", with: "\r\n")].map { code in
      try Self.advice(code, rule: "bundle-missing").findings.map(\.fingerprint)
    }
    #expect(messages[0].count == 1 && messages[0] == messages[1])
  }

  @Test("direction-fixed reports left and right, and --fix changes left to natural")
  func directionFixed() throws {
    let code = """
      import UIKit
      func f(label: UILabel, other: UILabel, view: UIView) {
        label.textAlignment = .left
        label.textAlignment = .natural
        view.leftAnchor.constraint(equalTo: label.leftAnchor).isActive = true
        view.leadingAnchor.constraint(equalTo: label.leadingAnchor).isActive = true
        view.isHidden = true
        other.textAlignment = .right
      }
      let a = Image(systemName: "chevron.right")
      let b = Image(systemName: "chevron.forward")
      let c = Text("a").environment(\\.layoutDirection, .leftToRight)
      """
    let advice = try Self.advice(code, rule: "direction-fixed")
    #expect(advice.findings.compactMap(\.line) == [3, 5, 8, 10])
    let fixes = try AdviceFixes(of: advice.findings, in: InMemoryTree(texts: ["Sources/Kit/Kit.swift": code]))
    #expect(fixes.repaired.compactMap(\.line) == [3])
    let fixed = try EditedTree(InMemoryTree(texts: [:]), edits: fixes.edits).read("Sources/Kit/Kit.swift")
    #expect(String(decoding: fixed, as: UTF8.self) == code.replacing("= .left\n", with: "= .natural\n"))
  }

  @Test("date-by-hand reports date formats for people, but not formats that programs exchange")
  func dateByHand() throws {
    let formats = [
      ("MM/dd/yyyy", true), ("d. MMMM yyyy", true), ("h:mm a", true), ("EEEE, MMM d", true), ("yyyy-MM-dd", false),
      ("yyyy-MM-dd'T'HH:mm:ssZ", false), ("yyyyMMdd", false), ("yyyy", false), ("MMMM", false),
    ]
    for (format, isReported) in formats {
      let code = "import Foundation\\nfunc f(a: DateFormatter) { a.dateFormat = \"\(format)\" }\n"
        .replacing("\\n", with: "\n")
      #expect(try Self.lines(code, "date-by-hand") == (isReported ? [2] : []), "\(format)")
    }
    let reading = """
      import Foundation
      func f(a: DateFormatter) { a.dateFormat = "MM/dd/yyyy"; a.date(from: "01/02/2026") }
      """
    #expect(try Self.lines(reading, "date-by-hand").isEmpty)
  }

  @Test("number-by-hand reports fractions in the user interface, but not those for programs")
  func numberByHand() throws {
    let lines = try Self.lines(
      """
      import SwiftUI
      struct V: View {
        var x: Double
        var body: some View {
          Text(String(format: "%.2f", x))
          Text("Price: \\(String(format: "%.1f", x))")
          Text("Time: \\(String(format: "%02d", Int(x)))")
          Text(String(format: "%.4f, %.4f", x, x))
        }
        var json: String { "{\\"x\\": \\(String(format: "%.2f", x))}" }
      }
      """, "number-by-hand")
    #expect(lines == [5, 6])
  }

  @Test("key-in-two-contexts reports a key with two comments that have no word in common")
  func keyInTwoContexts() throws {
    let findings = try Self.advice(
      """
      import Foundation
      let a = String(localized: "Open", bundle: .module, comment: "Verb: opens a file")
      let b = String(localized: "Open", bundle: .module, comment: "State of the door")
      let c = String(localized: "Close", bundle: .module, comment: "Button that closes the window")
      let d = String(localized: "Close", bundle: .module, comment: "Closes the window")
      let e = String(localized: "Done", bundle: .module, comment: "Button of the sheet")
      let f = String(localized: "Done", bundle: .module, comment: "Ends editing")
      let g = String(localized: "Link", bundle: .module, comment: "Link")
      let h = String(localized: "Link", bundle: .module, comment: "Joins two cells")
      let i = String(localized: "Low water level", bundle: .module, comment: "Title of an alarm")
      let j = String(localized: "Low water level", bundle: .module, comment: "Format of a description")
      """, rule: "key-in-two-contexts"
    ).findings
    #expect(findings.map(\.key.text) == ["Open"])
  }

  @Test(
    "width-fixed reports localized texts in views of fixed width; case-by-hand reports case changes without a locale")
  func widthAndCase() throws {
    let code = """
      import SwiftUI
      struct V: View {
        var name: String
        var body: some View {
          Text("Settings").bold().frame(width: 80)
          Text("Settings").frame(minWidth: 80)
          Text(name).frame(width: 80)
          Text("Settings").frame(height: 80)
          Button("Save") {}.frame(width: 90)
          Text("The settings of all windows").frame(width: 280)
        }
        let a = String(localized: "Edit").uppercased()
        let b = String(localized: "Edit").uppercased(with: .current)
        let c = NSLocalizedString("Edit", comment: "Verb").lowercased()
        let d = "code".uppercased()
        let e = String(localized: "Edit").lowercased().hasPrefix("e")
      }
      """
    #expect(try Self.lines(code, "width-fixed") == [5])
    #expect(try Self.lines(code, "case-by-hand") == [12, 14])
  }

  @Test("a comment on the line suppresses a finding about code")
  func suppression() throws {
    let advice = try Self.advice(
      """
      import Foundation
      func f(a: DateFormatter) {
        a.dateFormat = "MM/dd/yyyy" // dragoman:ignore date-by-hand: a form of the tax office
      }
      """, rule: "date-by-hand")
    #expect(advice.findings.isEmpty)
    #expect(advice.suppressed == 1)
  }

  @Test("hostile code makes the review neither crash nor hang")
  func hostile() throws {
    let nested = String(repeating: "(", count: 150) + "\"a b\"" + String(repeating: ")", count: 150)
    let joined = Array(repeating: "Text(\"a b\")", count: 3000).joined(separator: " + ")
    for code in [
      nested, joined, "Text(\(nested))", "x.dateFormat = \"" + String(repeating: "%", count: 100_000) + "\"",
    ] {
      for rule in AdviceRule.all where rule.kind != nil {
        _ = try Self.advice("import SwiftUI\nlet a = \(code)\n", rule: rule.id)
      }
    }
  }
}
