import Localization
import StringExtraction
import SwiftLinking
import Testing

/// A C-family file and the expected strings, each as `line: table: key = value // comment`. Missing parts are omitted.
struct CFamilyCase: Sendable, CustomTestStringConvertible {
  var name: String
  var source: String
  var expected: [String]
  var testDescription: String { name }

  init(_ name: String, _ source: String, _ expected: [String]) {
    self.name = name
    self.source = source
    self.expected = expected
  }
}

@Suite("Objective-C and C")
struct ObjectiveCTests {
  static func strings(
    _ files: [String: String], macros: [String] = [], targetMacros: [String] = []
  ) throws -> [String] {
    var fixture = ExtractionFixture(files)
    fixture.options.macros = macros
    fixture.project.targets[0].macros = targetMacros
    return try fixture.extract().strings.flatMap { string in
      string.sites.map { site in
        "\(site.line): \(string.table == "Localizable" ? "" : string.table + ": ")\(string.key.text)"
          + (string.value.map { " = " + $0 } ?? "") + (string.comment.map { " // " + $0 } ?? "")
      }
    }.sorted()
  }

  static func diagnostics(_ source: String, macros: [String] = []) throws -> [String] {
    var fixture = ExtractionFixture(["A.m": source])
    fixture.options.macros = macros
    return try fixture.extract().diagnostics.map(\.description)
  }

  @Test(
    "the macros of the SDK are read with their tables, values and comments",
    arguments: [
      CFamilyCase("plain", #"x = NSLocalizedString(@"Quit", @"Menu item");"#, ["1: Quit // Menu item"]),
      CFamilyCase(
        "no comment", #"f(NSLocalizedString(@"A", nil), NSLocalizedString(@"B", @""), NSLocalizedString(@"C", NULL))"#,
        ["1: A", "1: B", "1: C"]),
      CFamilyCase("C string", #"CFCopyLocalizedString("Open", "Button");"#, ["1: Open // Button"]),
      CFamilyCase("CFSTR", #"CFCopyLocalizedString(CFSTR("Open"), CFSTR("Button"));"#, ["1: Open // Button"]),
      CFamilyCase("table", #"NSLocalizedStringFromTable(@"Wren", @"Birds", @"Small")"#, ["1: Birds: Wren // Small"]),
      CFamilyCase("no table", #"NSLocalizedStringFromTable(@"Wren", nil, @"Small")"#, ["1: Wren // Small"]),
      CFamilyCase(
        "table in bundle",
        #"NSLocalizedStringFromTableInBundle(@"Wren", @"Birds", [NSBundle bundleForClass:[self class]], nil)"#,
        ["1: Birds: Wren"]),
      CFamilyCase(
        "default value",
        #"NSLocalizedStringWithDefaultValue(@"wren.name", nil, NSBundle.mainBundle, @"Wren", @"A bird")"#,
        ["1: wren.name = Wren // A bird"]),
      CFamilyCase(
        "CF default value",
        #"CFCopyLocalizedStringWithDefaultValue(CFSTR("k"), CFSTR("Birds"), b, CFSTR("v"), CFSTR("c"))"#,
        ["1: Birds: k = v // c"]),
      CFamilyCase("attributed", #"NSLocalizedAttributedString(@"**Bold**", @"Emphasis")"#, ["1: **Bold** // Emphasis"]),
      CFamilyCase(
        "nested", #"[a t:[NSString stringWithFormat:NSLocalizedString(@"%@ of %d", @"c"), f(x, (y)), 2]];"#,
        ["1: %@ of %d // c"]),
      CFamilyCase(
        "spaces and comments between", "NSLocalizedString ( /* key */ @\"A\" // trailing\n , @\"B\" );", ["1: A // B"]),
      CFamilyCase("a comment that is no literal", #"NSLocalizedString(@"A", kComment)"#, ["1: A"]),
      CFamilyCase("a key of format specifiers stays", #"NSLocalizedString(@"%1$@ · 50%", nil)"#, ["1: %1$@ · 50%"]),
      CFamilyCase("not the bundle's method", #"[b localizedStringForKey:@"A" value:nil table:nil]"#, []),
      CFamilyCase(
        "no other function", #"NSLog(@"A"); MyLocalizedString(@"B", nil); NSLocalizedStringly(@"C", nil);"#, []),
      CFamilyCase(
        "a key that is no literal",
        #"NSLocalizedString(key, @"c"); NSLocalizedString(a ? @"x" : @"y", nil); NSLocalizedString(@"a" b, nil)"#, []),
    ])
  func sdkMacros(_ given: CFamilyCase) throws {
    #expect(try Self.strings(["A.m": given.source]) == given.expected)
  }

  @Test(
    "literals are read as by the compiler",
    arguments: [
      CFamilyCase(
        "adjacent", "NSLocalizedString(@\"one \" @\"two \"\n  \"three\", @\"c\" @\"d\")", ["1: one two three // cd"]),
      CFamilyCase(
        "escapes", #"NSLocalizedString(@"a\tb\\\"c\"\n\x41\101\u00e9\U0001F600\?\'", nil)"#, ["1: a\tb\\\"c\"\nAAé😀?'"]),
      CFamilyCase("bytes of UTF-8", #"NSLocalizedString(@"\xe2\x80\xa6\342\200\246", nil)"#, ["1: ……"]),
      CFamilyCase("short \\U", #"NSLocalizedString(@"\U2026 ok", nil)"#, ["1: … ok"]),
      CFamilyCase("surrogates", #"NSLocalizedString(@"\uD83D\uDE00", nil)"#, ["1: 😀"]),
      CFamilyCase("line continuation", "NSLocalizedString(@\"one \\\ntwo\", nil)", ["1: one two"]),
      CFamilyCase("prefixes", #"F(u8"a", L"b"); CFCopyLocalizedString(u8"c", nil)"#, ["1: c"]),
      CFamilyCase("raw", "CFCopyLocalizedString(R\"x(a \"b\" \\n)x\", nil)", ["1: a \"b\" \\n"]),
      CFamilyCase("quotes in character constants", "c = '\"'; d = '\\''; NSLocalizedString(@\"A\", nil)", ["1: A"]),
      CFamilyCase("digit separators", "int i = 1'000'000; NSLocalizedString(@\"A\", nil)", ["1: A"]),
      CFamilyCase(
        "Unicode form is kept", "NSLocalizedString(@\"e\u{301}\", nil); NSLocalizedString(@\"\u{e9}\", nil)",
        ["1: e\u{301}", "1: \u{e9}"]),
    ])
  func literals(_ given: CFamilyCase) throws {
    #expect(try Self.strings(["A.mm": given.source]) == given.expected)
  }

  @Test(
    "all code that the preprocessor may keep is read",
    arguments: [
      CFamilyCase("line comment", "// NSLocalizedString(@\"A\", nil)\n// x \\\nNSLocalizedString(@\"B\", nil)\n", []),
      CFamilyCase("block comment", "/* NSLocalizedString(@\"A\", nil) */ NSLocalizedString(@\"B\", nil)", ["1: B"]),
      CFamilyCase(
        "#if 0",
        "#if 0\nNSLocalizedString(@\"A\", nil);\n#if X\n#else\nNSLocalizedString(@\"B\", nil);\n#endif\n#else\nNSLocalizedString(@\"C\", nil);\n#endif\n",
        ["8: C"]),
      CFamilyCase(
        "#elif after #if 0",
        "#if 0 // old\nNSLocalizedString(@\"A\", nil);\n#elif 1\nNSLocalizedString(@\"B\", nil);\n#endif", ["4: B"]),
      CFamilyCase(
        "all other branches",
        "#if DEBUG\nNSLocalizedString(@\"A\", nil);\n#elif X\nNSLocalizedString(@\"B\", nil);\n#else\nNSLocalizedString(@\"C\", nil);\n#endif",
        ["2: A", "4: B", "6: C"]),
      CFamilyCase(
        "prose in #if 0", "#if 0\nDon't use \"this\n/* nor this */\n#endif\nNSLocalizedString(@\"A\", nil);", ["5: A"]),
      CFamilyCase(
        "a comment in #if 0 hides its end",
        "#if 0\n/*\n#endif\n*/\nNSLocalizedString(@\"A\", nil);\n#endif\nNSLocalizedString(@\"B\", nil);", ["7: B"]),
      CFamilyCase(
        "prose in directives", "#error don't\n#pragma mark - it's \"here\nNSLocalizedString(@\"A\", nil)", ["3: A"]),
      CFamilyCase(
        "body of a macro",
        "#define TITLE NSLocalizedString(@\"A\", @\"c\")\n#define LONG do { \\\n  f(NSLocalizedString(@\"B\", nil)); \\\n} while (0)",
        ["1: A // c", "3: B"]),
      CFamilyCase("a wrapper is not looked into", "#define L(x) NSLocalizedString(x, nil)\nL(@\"A\");", []),
      CFamilyCase(
        "a macro that names the table", "NSLocalizedStringFromTable(@\"A\", TABLE, nil)\n#define TABLE @\"Birds\"\n",
        ["1: Birds: A"]),
      CFamilyCase(
        "branches within a call",
        "f(a,\n#if X\n  g(\n#else\n  h(\n#endif\n  NSLocalizedString(@\"A\", nil)));\nNSLocalizedString(@\"B\", nil);",
        ["7: A", "8: B"]),
    ])
  func preprocessor(_ given: CFamilyCase) throws {
    #expect(try Self.strings(["A.m": given.source]) == given.expected)
  }

  @Test("each of four variants of an additional macro is recognized by the macro's base name")
  func furtherMacros() throws {
    let source = #"""
      SULocalizedString(@"A", @"c");
      SULocalizedStringFromTable(@"B", @"Birds", @"c");
      SULocalizedStringFromTableInBundle(@"C", @"Birds", bundle, @"c");
      SULocalizedStringWithDefaultValue(@"D", nil, bundle, @"v", @"c");
      """#
    let all = ["1: A // c", "2: Birds: B // c", "3: Birds: C // c", "4: D = v // c"]
    #expect(try Self.strings(["A.m": source]) == [])
    #expect(try Self.strings(["A.m": source], macros: ["SULocalizedString"]) == all)
    #expect(try Self.strings(["A.m": source], targetMacros: ["SULocalizedString"]) == all)
    #expect(try Self.strings(["A.m": source], macros: ["SULocalizedStringFromTableInBundle"]) == [all[2]])
  }

  @Test("macro names in the settings apply to Swift too")
  func swiftMacros() throws {
    let source = #"""
      func Localized(_ key: String, tableName: String? = nil, value: String? = nil, comment: String) -> String { key }
      func other(_ key: String) -> String { key }
      let a = Localized("A", comment: "c"), b = Localized("B", value: "v", comment: ""), c = other("C")
      """#
    #expect(try Self.strings(["A.swift": source]) == [])
    #expect(try Self.strings(["A.swift": source], targetMacros: ["Localized"]) == ["3: A // c", "3: B = v"])
  }

  @Test("a table's name is read from a macro in another file of the target, unless files define it differently")
  func tableConstants() throws {
    let use = "NSLocalizedStringFromTable(@\"A\", TABLE, nil)"
    #expect(try Self.strings(["A.m": use, "T.h": "#define TABLE (@\"Birds\")"]) == ["1: Birds: A"])
    #expect(try Self.strings(["A.m": use, "T.h": "#define TABLE CFSTR(\"Birds\")"]) == ["1: Birds: A"])
    #expect(try Self.strings(["A.m": use, "S.h": "#define TABLE @\"Birds\"", "T.h": "#define TABLE @\"B\""]) == [])
  }

  @Test("strings in comments are extracted if the target's settings say so")
  func codeComments() throws {
    let source =
      "// don't: NSLocalizedString(@\"A\", @\"c\")\n#if 0\nNSLocalizedString(@\"B\", nil) // NSLocalizedString(@\"C\", nil)\n#endif\n"
    var fixture = ExtractionFixture(["A.m": source])
    fixture.project.targets[0].configurations = [
      BuildConfiguration(
        name: "Debug",
        settings: [
          "LOCALIZED_STRING_CODE_COMMENTS": BuildSetting(
            value: "YES", path: "App.xcodeproj/project.pbxproj", line: 1, column: 1)
        ])
    ]
    #expect(try fixture.extract().strings.map(\.key.text) == ["A", "B", "C"])
  }

  @Test("the explanation of a literal names the macro that decides whether the literal is a key")
  func why() throws {
    let source = """
      NSLocalizedString(@"A", nil); NSLog(@"A"); // NSLocalizedString(@"A", nil)
      NSLocalizedStringFromTable(@"A", table(), nil); NSLocalizedStringFromTable(@"A", @"Birds", nil);
      """
    let fixture = ExtractionFixture(["A.m": source])
    let told = try SourceStringExtractor().explain(
      "A", in: fixture.project, from: fixture.tree, options: fixture.options, cache: nil)
    #expect(
      told.map { "\($0.path):\($0.explanation.line):\($0.explanation.column) \($0.explanation.isTaken)" } == [
        "A.m:1:19 true", "A.m:1:37 false", "A.m:2:28 false", "A.m:2:76 true", "A.m:1:65 false",
      ])
    #expect(told.map(\.explanation.context).contains("NSLog"))
  }

  @Test("every string has its origin, location and macro")
  func sites() throws {
    let fixture = ExtractionFixture(["A.m": "\n  x = NSLocalizedString(@\"A\", nil);"])
    let string = try #require(try fixture.extract().strings.first)
    #expect(string.origin == .objectiveC)
    #expect(!string.hasInterpolation)
    #expect(string.catalog == "Localizable.xcstrings")
    #expect(string.sites == [ExtractionSite(path: "A.m", line: 2, column: 25, api: "NSLocalizedString")])
  }

  @Test("a catalog with keys from Objective-C is complete if all sources were read")
  func completeness() throws {
    #expect(try ExtractionFixture(["A.m": "NSLocalizedString(@\"A\", nil)"]).extract().incompleteCatalogs.isEmpty)
    let open = try ExtractionFixture(["A.m": "NSLocalizedString(@\"A\", nil) /* "]).extract()
    #expect(open.incompleteCatalogs.keys.sorted() == ["Birds.xcstrings", "Localizable.xcstrings"])
    let table = try ExtractionFixture(["A.m": "NSLocalizedStringFromTable(@\"A\", table(), nil)"]).extract()
    #expect(!table.incompleteCatalogs.isEmpty)
  }
}
