import CatalogFormats
import Localization
import Testing

@Suite struct XLIFFReprintTests {
  private static let namespace = "urn:oasis:names:tc:xliff:document:1.2"

  private static func document(_ units: String, declaration: String = "version=\"1.0\" encoding=\"UTF-8\"") -> String {
    """
    <?xml \(declaration)?>
    <xliff xmlns="\(namespace)" version="1.2">
      <file original="a.strings" source-language="en" target-language="de" datatype="plaintext">
        <body>
    \(units)
        </body>
      </file>
    </xliff>

    """
  }

  private static func unit(_ parts: String, attributes: String = "id=\"k\" xml:space=\"preserve\"") -> String {
    document("      <trans-unit \(attributes)>\n\(parts)\n      </trans-unit>")
  }

  private static func reprint(_ text: String) throws -> String {
    String(decoding: try Reprint.reprint(Array(text.utf8), at: "a.xliff"), as: UTF8.self)
  }

  @Test(
    "reprinting keeps elements and attributes that Xcode never writes",
    arguments: [
      unit("        <source>a <g id=\"1\">b<x id=\"2\"/></g> <ph id=\"3\">%@</ph></source>\n        <note/>"),
      unit("        <source>a</source>\n        <target>one<mrk mtype=\"seg\" mid=\"0\"> two </mrk></target>"),
      unit(
        "        <source>a</source>\n        <note/>", attributes: "id=\"k\" xml:space=\"preserve\" approved=\"no\""),
      unit("        <source>a</source>\n        <!-- seen -->\n        <target>b</target>\n        <note/>"),
      unit(
        "        <source>a<!-- c -->b</source>\n        <note>one</note>\n        <note from=\"x\" priority=\"2\">two</note>"
      ),
      unit(
        "        <source>a</source>\n        <note/>\n        <alt-trans match-quality=\"80\">\n          <target>c</target>\n        </alt-trans>"
      ),
      unit(
        "        <source>a</source>\n        <context-group purpose=\"location\">\n          <context context-type=\"sourcefile\"> a.m </context>\n        </context-group>"
      ),
      unit("        <source> </source>\n        <target state=\"new\"/>\n        <note> \n</note>"),
      unit(
        "        <source>a</source>\n        <note/>", attributes: "id=\"k\" translate=\"no\" xml:space=\"preserve\""),
      document(
        "      <group id=\"g\">\n        <trans-unit id=\"k\">\n          <source>a</source>\n        </trans-unit>\n      </group>"
      ),
      document("      <trans-unit id=\"k\"/>", declaration: "version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\""),
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- by hand -->\n<?tool x?>\n<xliff xmlns:a=\"urn:a\" a:b=\"c\"/>\n<!-- end -->\n",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<x:xliff xmlns:x=\"\(namespace)\">\n  <x:file original=\"a\"/>\n</x:xliff>",
    ])
  func kept(text: String) throws { #expect(try Self.reprint(text) == text) }

  @Test("layout, quotes, entities and the order of attributes and elements are changed to Xcode's")
  func laidOut() throws {
    let text = """
      <?xml version='1.0'?><xliff version="1.2"
         xmlns="\(Self.namespace)" ><file datatype="plaintext" target-language="de" source-language="en" original="a"><header></header><body>
      <trans-unit xml:space="preserve" x="1" id="k&#39;&#x22;"><note></note><!-- t --><target>b&#13;</target><source><![CDATA[<a>]]></source></trans-unit>
      <trans-unit id="p"><source><mrk mid="0" mtype="x-set">a</mrk><mrk mid="1" mtype="x-set"/></source></trans-unit></body></file></xliff>
      """
    let expected = """
      <?xml version="1.0" encoding="UTF-8"?>
      <xliff xmlns="\(Self.namespace)" version="1.2">
        <file original="a" datatype="plaintext" source-language="en" target-language="de">
          <header/>
          <body>
            <trans-unit id="k'&quot;" xml:space="preserve" x="1">
              <source>&lt;a&gt;</source>
              <!-- t -->
              <target>b&#13;</target>
              <note/>
            </trans-unit>
            <trans-unit id="p">
              <source>
                <mrk mtype="x-set" mid="0">a</mrk>
                <mrk mtype="x-set" mid="1"/>
              </source>
            </trans-unit>
          </body>
        </file>
      </xliff>
      """
    #expect(try Self.reprint(text) == expected)
    #expect(try Self.reprint(expected) == expected)
  }

  @Test(
    "every document except XLIFF 1.2 is refused with the location",
    arguments: ["<plist/>", "<xliff version=\"2.0\"/>", "<xliff>"])
  func refused(text: String) throws {
    let fault = try #require(throws: InputFault.self) { try Self.reprint(text) }
    #expect(fault.diagnostics.first?.line == 1)
  }
}
