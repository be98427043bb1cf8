import Foundation
import FoundationXML
import StructuredText
import Testing

@Suite struct XMLOracleTests {
  @Test(
    "elements, attributes and texts equal those that FoundationXML finds",
    arguments: [
      "<a><b c='d &amp; &quot;e&quot;'>f<g/>h</b>\n <i>&#233;&gt;</i></a>",
      "<r xmlns:x='u'><x:y z='1'>t</x:y><![CDATA[a<b]]></r>", "<?xml version=\"1.0\"?><a>\r\n<b/></a>",
    ])
  func oracle(text: String) throws {
    let document = try StructuredText.XMLDocument.parse(Array(text.utf8))
    var ours: [String] = []
    func walk(_ node: StructuredText.XMLNode) {
      ours.append("<\(document.localName(of: node))")
      ours += document.attributes(of: node).filter { !document.name(of: $0).hasPrefix("xmlns") }.map {
        "\(document.name(of: $0))=\(document.value(of: $0))"
      }.sorted()
      for child in document.elements(of: node) { walk(child) }
      ours.append(">")
    }
    walk(document.root)
    let recorder = EventRecorder()
    let parser = FoundationXML.XMLParser(data: Data(text.utf8))
    parser.shouldProcessNamespaces = true
    parser.delegate = recorder
    #expect(parser.parse())
    #expect(ours == recorder.events)
    #expect(document.text(of: document.root) == recorder.text)
  }
}

private final class EventRecorder: NSObject, XMLParserDelegate {
  var events: [String] = []
  var text = ""

  func parser(
    _ parser: FoundationXML.XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    events.append("<\(name)")
    events += attributes.filter { !$0.key.hasPrefix("xmlns") }.map { "\($0.key)=\($0.value)" }.sorted()
  }

  func parser(
    _ parser: FoundationXML.XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { events.append(">") }
  func parser(_ parser: FoundationXML.XMLParser, foundCharacters string: String) { text += string }
  func parser(_ parser: FoundationXML.XMLParser, foundCDATA block: Data) {
    text += String(decoding: block, as: UTF8.self)
  }
}
