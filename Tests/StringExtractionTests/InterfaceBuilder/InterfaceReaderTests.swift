import Localization
import Testing

@testable import StringExtraction

@Suite struct InterfaceReaderTests {
  /// An object of an interface file and the strings that it gives.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var type = "Cocoa.XIB"
    var source: String
    /// The strings, each as `key = value`.
    var strings: [String]
    var testDescription: String { name }
  }

  static func document(_ objects: String, type: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <document type="com.apple.InterfaceBuilder3.\(type)" version="3.0" propertyAccessControl="none">
        <objects>
            \(objects)
        </objects>
    </document>

    """
  }

  static func extraction(of source: String, at path: String = "Base.lproj/Main.xib") throws -> Extraction {
    try extraction(of: Array(source.utf8), at: path)
  }

  static func extraction(of source: [UInt8], at path: String = "Base.lproj/Main.xib") throws -> Extraction {
    var fixture = ExtractionFixture(bytes: [TreePath(trusted: path): source])
    fixture.project.catalogs = [
      ProjectCatalog(
        path: "mul.lproj/Main.xcstrings", table: "Main", sourceLanguage: "en", targets: [TargetID(rawValue: ".")])
    ]
    return try fixture.extract()
  }

  static let cases = [
    Case(
      name: "menus, windows, boxes and controllers have titles",
      source: """
        <window title="A &amp; B" id="w1" customClass="Mine"/><menu title="M" id="m1"><items>
        <menuItem title="I" toolTip="T" id="i1"/><menuItem isSeparatorItem="YES" id="i2"/><menuItem title="" id="i3"/></items></menu>
        <box title="X" id="b1"/><viewController title="V" id="v1"/><tabViewController title="W" id="v2"/>
        """,
      strings: [
        "b1.title = X", "i1.ibShadowedToolTip = T", "i1.title = I", "m1.title = M", "v1.title = V", "v2.title = W",
        "w1.title = A & B",
      ]),
    Case(
      name: "cells have titles and placeholders, a pop-up button's none",
      source: """
        <textField toolTip="tip" id="f"><textFieldCell key="cell" title="T" placeholderString="P" id="c"/></textField>
        <button id="b"><buttonCell key="cell" title="T" alternateTitle="A" id="bc"/></button>
        <popUpButton toolTip="tip" id="p"><popUpButtonCell key="cell" title="no" id="pc"/></popUpButton>
        <comboBoxCell title="C" id="cc"><objectValues><string>one</string><string>two</string></objectValues></comboBoxCell>
        """,
      strings: [
        "b", "bc.alternateTitle = A", "bc.title = T", "c.placeholderString = P", "c.title = T",
        "cc.ibShadowedObjectValues[0] = one", "cc.ibShadowedObjectValues[1] = two", "cc.title = C",
        "f.ibShadowedToolTip = tip", "p.ibShadowedToolTip = tip",
      ].filter { $0 != "b" }),
    Case(
      name: "tables, tabs, toolbars and segments have their own properties",
      source: """
        <tableColumn headerToolTip="H" id="tc"><tableHeaderCell key="headerCell" title="Head"/></tableColumn>
        <tabViewItem label="L" id="ti"/><toolbarItem label="L" paletteLabel="P" toolTip="T" title="no" id="to"/>
        <segmentedCell id="sc"><segments><segment label="one" toolTip="first"/><segment/><segment label="three"/></segments></segmentedCell>
        <button id="b"><accessibility description="D" help="H"/></button>
        """,
      strings: [
        "b.ibExternalAccessibilityDescription = D", "b.ibExternalAccessibilityHelp = H", "sc.ibShadowedLabels[0] = one",
        "sc.ibShadowedLabels[2] = three", "sc.ibShadowedToolTips[0] = first", "tc.headerCell.title = Head",
        "tc.headerToolTip = H", "ti.label = L", "to.label = L", "to.paletteLabel = P", "to.toolTip = T",
      ]),
    Case(
      name: "placeholders of bindings",
      source: """
        <binding destination="x" name="value" keyPath="y" id="k"><dictionary key="options">
        <string key="NSNullPlaceholder">None</string><string key="NSNoSelectionPlaceholder">no selection</string>
        <string key="NSMultipleValuesPlaceholder">many</string><string key="NSNotApplicablePlaceholder">n/a</string>
        <string key="NSDisplayName">name</string><string key="NSDisplayPattern">%{value1}@</string>
        <string key="NSValueTransformerName">no</string><bool key="NSRaisesForNotApplicableKeys" value="NO"/></dictionary></binding>
        """,
      strings: [
        "k.ibShadowedDisplayName = name", "k.ibShadowedDisplayPattern = %{value1}@",
        "k.ibShadowedIsNilPlaceholder = None",
        "k.ibShadowedMultipleValuesPlaceholder = many", "k.ibShadowedNoSelectionPlaceholder = no selection",
        "k.ibShadowedNotApplicablePlaceholder = n/a",
      ]),
    Case(
      name: "what a new object holds is no one's text",
      source: """
        <tableColumn id="c"><textFieldCell key="dataCell" title="Text Cell" id="d"/></tableColumn><box title="Box" id="b"/>
        <textFieldCell title="Table View Cell" id="e"/><window title="Window" id="w"/>
        <menu title="OtherViews" id="n"/><menu title="MainMenu" id="o"/><menuItem title="Item2" id="q"/><menuItem title="Item 2" id="r"/>
        <menuItem title="Window" id="m"/><textFieldCell title="Label" id="l"/><buttonCell title="Check" id="k"/>
        """,
      strings: ["k.title = Check", "l.title = Label", "m.title = Window", "r.title = Item 2"]),
    Case(
      name: "texts in elements of their own, base 64 among them; white space stays",
      source: """
        <menuItem id="a"><string key="title" base64-UTF8="YES">
        CUxlZnQ
        </string></menuItem>
        <textFieldCell id="b"><mutableString key="title">two
        lines </mutableString></textFieldCell><menuItem title="a&#10;b" id="c"/>
        """,
      strings: ["a.title = \tLeft", "b.title = two\nlines ", "c.title = a\nb"]),
    Case(
      name: "labels, fields, buttons, bars and sections of iOS", type: "CocoaTouch.Storyboard.XIB",
      source: """
        <label text="L" id="a"/><textView text="V" id="b"/><textField text="T" placeholder="P" id="c"/>
        <button id="d"><state key="normal" title="N"/><state key="highlighted" title="H"/><state key="disabled"/>
        <buttonConfiguration key="configuration" style="filled" title="C" subtitle="S"/></button>
        <navigationItem title="T" prompt="P" id="e"/><barButtonItem title="B" id="f"/><tabBarItem title="B" id="g"/>
        <searchBar text="T" placeholder="P" prompt="Q" id="h"><scopeButtonTitles><string>All</string></scopeButtonTitles></searchBar>
        <tableViewSection headerTitle="H" footerTitle="F" id="i"/><navigationController title="N" id="j"/>
        <segmentedControl id="k"><segments><segment title="One"/><segment title=""/><segment title="Three"/></segments></segmentedControl>
        <switch id="l"><accessibility key="accessibilityConfiguration" label="L" hint="H"/></switch>
        <label id="m"><attributedString key="attributedText"><fragments><fragment content="no"/></fragments></attributedString></label>
        """,
      strings: [
        "a.text = L", "b.text = V", "c.placeholder = P", "c.text = T", "d.configuration.subtitle = S",
        "d.configuration.title = C", "d.highlightedTitle = H", "d.normalTitle = N", "e.prompt = P", "e.title = T",
        "f.title = B", "g.title = B", "h.placeholder = P", "h.prompt = Q", "h.scopeButtonTitles[0] = All", "h.text = T",
        "i.footerTitle = F", "i.headerTitle = H", "j.title = N", "k.segmentTitles[0] = One",
        "k.segmentTitles[2] = Three",
        "l.accessibilityHint = H", "l.accessibilityLabel = L",
      ]),
    Case(
      name: "runtime attributes that are marked as localized", type: "CocoaTouch.Storyboard.XIB",
      source: """
        <barButtonItem id="a"><userDefinedRuntimeAttributes>
        <userDefinedRuntimeAttribute type="string" keyPath="x" value="no"/>
        <userDefinedRuntimeAttribute type="string" keyPath="y" value="yes" localized="YES"/></userDefinedRuntimeAttributes></barButtonItem>
        """,
      strings: ["a.ibExternalUserDefinedRuntimeAttributesLocalizableStrings[0] = yes"]),
    Case(
      name: "labels, buttons and controllers of watchOS", type: "WatchKit.Storyboard",
      source: """
        <controller title="C" id="a"><items><label text="L" id="b"/><button title="B" id="c"><accessibility label="A"/></button></items>
        <menu key="menu" id="d"><items><menuItem title="M" id="e"/></items></menu></controller>
        """,
      strings: ["a.title = C", "b.text = L", "c.accessibilityLabel = A", "c.title = B", "e.title = M"]),
  ]

  @Test("exactly the texts that Interface Builder localizes are found", arguments: cases)
  func texts(_ given: Case) throws {
    let extraction = try Self.extraction(of: Self.document(given.source, type: given.type))
    #expect(extraction.strings.map { "\($0.key.text) = \($0.value ?? "-")" }.sorted() == given.strings.sorted())
    #expect(extraction.strings.allSatisfy { $0.catalog == "mul.lproj/Main.xcstrings" && $0.table == "Main" })
    #expect(extraction.strings.allSatisfy { $0.origin == .interfaceBuilder })
    #expect(extraction.diagnostics.isEmpty && extraction.incompleteCatalogs.isEmpty)
  }

  @Test("a comment contains the class, the property, the text, the id, and the developer's note for translators")
  func comments() throws {
    let source = #"""
      <customView toolTip="a &quot;b&quot; \c&#10;d&#9;e" id="a1"/>
      <segmentedCell id="s1"><segments><segment label="One"/></segments></segmentedCell>
      <textField id="f1"><textFieldCell key="cell" title="T" id="c1"/>
      <attributedString key="userComments"><fragment content="for "/><fragment><string key="content">"you"</string></fragment></attributedString></textField>
      <menu title="M" id="m1"><items><menuItem title="I" id="i1"><attributedString key="userComments"><fragment content="own"/></attributedString>
      <menu key="submenu" title="S" id="m2"/></menuItem></items></menu>
      <binding id="k1"><dictionary key="options"><string key="NSNullPlaceholder">None</string></dictionary></binding>
      """#
    let strings = try Self.extraction(of: Self.document(source, type: "Cocoa.XIB")).strings
    #expect(
      strings.map(\.comment) == [
        #"Class = "NSView"; ibShadowedToolTip = "a \"b\" \\c\nd\te"; ObjectID = "a1";"#,
        #"Class = "NSTextFieldCell"; title = "T"; ObjectID = "c1"; Note = "for \"you\"";"#,
        #"Class = "NSMenuItem"; title = "I"; ObjectID = "i1"; Note = "own";"#,
        #"Class = "CocoaBindingsConnection"; ibShadowedIsNilPlaceholder = "None"; ObjectID = "k1";"#,
        #"Class = "NSMenu"; title = "M"; ObjectID = "m1";"#,
        #"Class = "NSMenu"; title = "S"; ObjectID = "m2"; Note = "own";"#,
        #"Class = "NSSegmentedCell"; s1.ibShadowedLabels[0] = "One"; ObjectID = "s1";"#,
      ])
    #expect(strings.first?.sites == [ExtractionSite(path: "Base.lproj/Main.xib", line: 4, column: 9, api: "NSView")])
  }

  @Test("strings are added to the catalog in mul.lproj next to Base.lproj; without this catalog there are none")
  func catalogs() throws {
    let source = Self.document(#"<menu title="M" id="m1"/>"#, type: "Cocoa.XIB")
    #expect(try Self.extraction(of: source, at: "Main.xib").strings.count == 1)
    #expect(try Self.extraction(of: source, at: "en.lproj/Main.xib").strings.count == 1)
    #expect(try Self.extraction(of: source, at: "Base.lproj/Other.xib").strings.isEmpty)
    #expect(try Self.extraction(of: source, at: "Other/Base.lproj/Main.xib").strings.isEmpty)
  }

  @Test("a catalog in mul.lproj without a known interface file is incomplete")
  func orphan() throws {
    let extraction = try Self.extraction(of: "", at: "Base.lproj/Other.xib")
    #expect(extraction.incompleteCatalogs["mul.lproj/Main.xcstrings"]?.count == 1)
  }

  @Test("an unreadable file is reported with the location, and no key is removed from its catalog")
  func unreadable() throws {
    let good = Self.document(#"<menu title="M" id="m1"/>"#, type: "Cocoa.XIB")
    let entity = good.replacing("<document", with: "<!DOCTYPE d [<!ENTITY a \"b\">]><document", maxReplacements: 1)
    let bad: [[UInt8]] = [
      [], Array("<archive/>".utf8), Array(good.replacing("3.Cocoa", with: "").replacing("com.apple", with: "x").utf8),
      Array(good.replacing("</objects>", with: "").utf8), Array(entity.utf8),
      [0xFF, 0xFE] + Array(good.utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] },
      Array(good.utf8) + [0xC3],
      Array((String(repeating: "<a>", count: 5_000) + String(repeating: "</a>", count: 5_000)).utf8),
      Array(
        good.replacing(#"title="M""#, with: "").replacing(
          "/>", with: #"><string key="title" base64-UTF8="YES">?</string></menu>"#
        ).utf8),
    ]
    for bytes in bad {
      let extraction = try Self.extraction(of: bytes)
      #expect(extraction.strings.isEmpty)
      #expect(extraction.incompleteCatalogs["mul.lproj/Main.xcstrings"]?.isEmpty == false)
      #expect(
        extraction.diagnostics.allSatisfy { $0.line != nil && $0.column != nil } && !extraction.diagnostics.isEmpty)
    }
  }

  @Test("a file truncated or changed at any byte gives an error or strings, without a crash")
  func mutations() throws {
    let whole = Array(
      Self.document(Self.cases.prefix(6).map(\.source).joined(), type: "Cocoa.XIB").utf8.prefix(4_000))
    let catalog: TreePath = "mul.lproj/Main.xcstrings"
    func read(_ bytes: [UInt8]) -> NonSwiftReading { InterfaceReader.read(bytes, at: "Main.xib", into: catalog) }
    let full = read(whole).strings.count
    for length in whole.indices.dropLast(2) where length % 5 == 0 {
      #expect(!read(Array(whole.prefix(length))).gaps.isEmpty)
    }
    var state: UInt64 = 42
    for _ in 0..<3_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var bytes = whole
      bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 25)
      #expect(read(bytes).strings.count <= full + 2)
    }
  }
}
