import Foundation
import Localization
import TestSupport
import Testing
import Workspace

/// `check --fix`, which must not write code that the compiler would refuse.
@Suite("check --fix") struct AdviceFixTests {
  /// Returns the lines that a rule reports and the lines that `--fix` repairs.
  private func lines(_ code: String, _ rule: String) throws -> (found: [Int], repaired: [Int]) {
    let advice = try CodeAdviceTests.advice(code, rule: rule)
    let fixes = try AdviceFixes(of: advice.findings, in: InMemoryTree(texts: ["Sources/Kit/Kit.swift": code]))
    return (advice.findings.compactMap(\.line), fixes.repaired.compactMap(\.line))
  }

  @Test(
    "a text in code that is inlined into other modules is reported but not fixed, because Bundle.module is internal")
  func copied() throws {
    let code = """
      import SwiftUI
      public struct Banner: View {
        public init(title: String = String(localized: "Nothing found")) {}
        init(text: String = String(localized: "Nothing here")) {}
        public func show() -> Text { Text("Nothing shown") }
        public enum Kind { case titled(String = String(localized: "Nothing titled")) }
      }
      @inlinable public func message() -> String { String(localized: "Nothing said") }
      @inlinable var body: Text { Text("Nothing drawn") }
      @frozen public struct Frozen {
        var title = String(localized: "Nothing frozen")
        func text() -> Text { Text("Nothing thawed") }
      }
      public extension Banner {
        func hide(_ note: String = String(localized: "Nothing hidden")) {}
      }
      @usableFromInline func log(_ note: String = String(localized: "Nothing logged")) {}
      """
    let lines = try lines(code, "bundle-missing")
    #expect(lines.found == [3, 4, 5, 6, 8, 9, 11, 12, 15, 17])
    // Line 4 is in a public type; `--fix` does not check whether the initializer itself is public.
    #expect(lines.repaired == [5, 12])
  }

  @Test("a text with an explicit type is reported but not fixed, and the project's own initializers are ignored")
  func otherInitializers() throws {
    let code = """
      import SwiftUI
      let a = Text("Nothing found" as LocalizedStringResource)
      let b = String(localized: "Nothing here" as String.LocalizationValue)
      let c = Text("Nothing large", size: 12)
      let d = Text("Nothing closed") { 1 }
      let e = String(localized: "Nothing local", locale: .current)
      """
    let lines = try lines(code, "bundle-missing")
    #expect(lines.found == [2, 3, 6] && lines.repaired == [6])
  }

  @Test("a text is fixed only if every branch around it is a literal")
  func branches() throws {
    let code = """
      import SwiftUI
      func f(a: Bool, n: Int, r: LocalizedStringResource, k: LocalizedStringKey?) -> [Any] {
        [
          Text(a ? "Nothing found" : "Nothing here"),
          Text(n == 1 ? "Nothing one" : (n > 5 ? "Nothing five" : "Nothing else")),
          Text(a ? r : "Nothing ruled"),
          Text(a ? "Nothing resolved" : r),
          Text(k ?? "Nothing known"),
          Text(a ? "Nothing kept" : k ?? "Nothing keyed"),
          Text(a ? ("Nothing cast" as LocalizedStringResource) : "Nothing converted"),
          String(localized: a ? "Nothing local" : "Nothing spelled"),
        ]
      }
      """
    #expect(Set(try lines(code, "bundle-missing").repaired) == [4, 5, 11])
  }

  @Test(
    "a text is not fixed if the project itself declares the called function, in any file",
    arguments: [
      ("struct Text: View { init(_ key: LocalizedStringKey) {} }", [3, 4]),
      ("func NSLocalizedString(_ key: String, comment: String) -> String { key }", [2, 4]),
      ("extension String { init?(localized key: String) { self = key } }", [2, 3]),
      ("extension StringProtocol { init(localized key: String) {} }", [2, 3]),
    ])
  func ownDeclarations(_ declaration: String, repaired: [Int]) throws {
    let code = """
      import SwiftUI
      let a = Text("Nothing found")
      let b = NSLocalizedString("Nothing here", comment: "")
      let c = String(localized: "Nothing local")
      """
    var files = Self.files(code)
    files["Sources/Kit/Own.swift"] = "import SwiftUI\n\(declaration)\n"
    #expect(try Self.repaired(files) == repaired)
  }

  @Test(
    "a text is not fixed in a file that a target of an Xcode project compiles too, where Bundle.module does not exist")
  func xcode() throws {
    var files = Self.files("import SwiftUI\nlet a = Text(\"Nothing found\")\n")
    #expect(try Self.repaired(files) == [2])
    files["Kit.xcodeproj/project.pbxproj"] = """
      // !$*UTF8*$!
      {
        archiveVersion = 1; objectVersion = 56; rootObject = 0A;
        objects = {
          0A = {isa = PBXProject; buildConfigurationList = 0B; developmentRegion = en; knownRegions = (en, Base);
            mainGroup = 0C; targets = (0D); };
          0B = {isa = XCConfigurationList; buildConfigurations = (); };
          0C = {isa = PBXGroup; children = (0E); sourceTree = "<group>"; };
          0D = {isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.framework";
            buildConfigurationList = 0B; buildPhases = (0F); };
          0E = {isa = PBXFileReference; path = Sources/Kit/Kit.swift; lastKnownFileType = sourcecode.swift;
            sourceTree = "<group>"; };
          0F = {isa = PBXSourcesBuildPhase; files = (10); };
          10 = {isa = PBXBuildFile; fileRef = 0E; };
        };
      }
      """
    #expect(try Self.repaired(files).isEmpty)
  }

  private static func files(_ code: String) -> [String: String] {
    [
      "Package.swift": AdviceTests.manifest, "Sources/Kit/Kit.swift": code,
      "Sources/Kit/Resources/Localizable.xcstrings": AdviceTests.catalog([:]),
    ]
  }

  /// Returns the lines in which `--fix` repairs findings of bundle-missing.
  private static func repaired(_ files: [String: String]) throws -> [Int] {
    let findings = try AdviceTests.advice(files, rules: ["bundle-missing"]).findings
    return try AdviceFixes(of: findings, in: InMemoryTree(texts: files)).repaired.compactMap(\.line)
  }

  @Test("--fix changes left to natural on UIKit views, and a property of the project itself is not reported")
  func alignments() throws {
    let code = """
      import UIKit
      final class Cell: UITableViewCell {
        @IBOutlet var title: UILabel!
        let field = UITextField()
        func f(cell: UITableViewCell, column: Column) {
          title.textAlignment = .left
          self.field.textAlignment = .left
          cell.textLabel?.textAlignment = .left
          column.textAlignment = .left
        }
      }
      """
    let lines = try lines(code, "direction-fixed")
    #expect(lines.found == [6, 7, 8, 9] && lines.repaired == [6, 7, 8])
    let own = """
      enum Side { case left, right }
      struct Column { var textAlignment = Side.right }
      func f(column: inout Column) { column.textAlignment = .left }
      """
    #expect(try self.lines(own, "direction-fixed").found.isEmpty)
  }

  @Test(
    "left is reported but not changed to natural if the code may need left itself",
    arguments: [
      "if a { label.textAlignment = .left } else { self.label.textAlignment = .right }",
      "label.textAlignment = .left; label.textAlignment = a ? .center : .right",
      "label.textAlignment = .left; if label.textAlignment == .left { show() }",
      "label.textAlignment = .left; switch label.textAlignment { case .left: show() default: break }",
      "label.semanticContentAttribute = .forceLeftToRight; label.textAlignment = .left",
      "label.textAlignment = .left } }; class Other { let label = OwnLabel(); func g() {",
      "titleLabel.textAlignment = .left } }; class Other { let titleLabel = OwnLabel(); func g() {",
    ])
  func neededLeft(_ statements: String) throws {
    let code = "import UIKit\nclass V { let label = UILabel(); func f(a: Bool) {\n\(statements)\n} }\n"
    let lines = try lines(code, "direction-fixed")
    #expect(lines.found.contains(3) && lines.repaired.isEmpty)
  }

  @Test(
    "left is changed to natural if another view is aligned to the right, or the name is that of a label in two types")
  func otherViews() throws {
    let code = """
      import UIKit
      class A { let label = UILabel(); let other = UILabel(); func f() {
        label.textAlignment = .left
        other.textAlignment = .right
      } }
      class B { var label: UILabel!; func f() { label.textAlignment = .center } }
      """
    let lines = try lines(code, "direction-fixed")
    #expect(lines.found == [3, 4] && lines.repaired == [3])
  }

  @Test("bundle-missing ignores code that no package build compiles, because Bundle.module does not exist there")
  func otherBuilds() throws {
    let code = """
      import Foundation
      #if SWIFT_PACKAGE
      let a = String(localized: "Nothing one")
      #else
      let b = String(localized: "Nothing two")
      #endif
      #if !SWIFT_PACKAGE && DEBUG_MENU || COCOAPODS
      let c = String(localized: "Nothing three")
      #elseif os(iOS)
      func d() -> String { String(localized: "Nothing four") }
      #endif
      #if os(macOS) && (SWIFT_PACKAGE || COCOAPODS)
      #if COCOAPODS
      let e = String(localized: "Nothing five")
      #else
      let f = String(localized: "Nothing six")
      #endif
      #else
      let g = String(localized: "Nothing seven")
      #endif
      #if OTHER || SWIFT_PACKAGE
      let h = String(localized: "Nothing eight")
      #elseif os(macOS)
      let i = String(localized: "Nothing nine")
      #endif
      """
    let lines = try lines(code, "bundle-missing")
    #expect(lines.found == [3, 10, 16, 19, 22] && lines.repaired == lines.found, "\(lines)")
  }
}
