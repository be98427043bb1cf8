import StructuredText
import Testing

@Suite struct XMLDocumentTests {
  @Test(
    "a syntax error is reported with its line and column",
    arguments: [
      ("", 1, 1, "empty"), ("x", 1, 1, "text before the first element"),
      ("<a>", 1, 4, "ends within <a>, opened at 1:1"),
      ("<a>\n</b>", 2, 1, "expected '</a>' for the tag at 1:1"), ("<a/><b/>", 1, 5, "second root element"),
      ("<a/>x", 1, 5, "after the end"),
      ("<a b=1/>", 1, 6, "in quotes"), ("<a b='1' b='2'/>", 1, 10, "duplicate"),
      ("<a b='<'/>", 1, 7, "'<' is not allowed"),
      ("<a>&nbsp;</a>", 1, 4, "'&nbsp;'"),
      ("<a>a & b</a>", 1, 6, "'&' without"), ("<a>&#0;</a>", 1, 4, "XML does not allow"),
      ("<a>&#8;</a>", 1, 4, "XML does not allow"), ("<a b='&#xFFFF;'/>", 1, 7, "XML does not allow"),
      ("<a b='\u{8}'/>", 1, 7, "0x08"),
      ("<a>\u{1}</a>", 1, 4, "control character 0x01"), ("<a>]]></a>", 1, 4, "CDATA"),
      ("<a><!-- a -- b --></a>", 1, 11, "'--'"), ("<x:a/>", 1, 2, "prefix"), ("<a x:b=''/>", 1, 4, "prefix"),
      ("</a>", 1, 1, "no opening tag"), ("<a b=''c=''/>", 1, 8, "space"),
      ("<a><?xml version='1.0'?></a>", 1, 4, "declaration"),
      ("<?xml version='1.0' encoding='latin1'?><a/>", 1, 1, "encoding 'latin1'"),
      ("<a>\n<<<<<<< HEAD\n<b/>\n>>>>>>> x\n</a>", 2, 1, "conflict markers"),
      // An editor has indented the markers with the file.
      ("<a>\n  <<<<<<< HEAD\n  <b/>\n\t>>>>>>> x\n</a>", 2, 3, "conflict markers of an unfinished merge, lines 2 to 4"),
    ])
  func faults(text: String, line: Int, column: Int, message: String) throws {
    let error = try #require(throws: SyntaxError.self) { try XMLDocument.parse(Array(text.utf8)) }
    let fault = try #require(error.faults.first)
    #expect([fault.position.line, fault.position.column] == [line, column], "\(fault)")
    #expect(fault.message.contains(message), "\(fault)")
  }

  @Test(
    "an entity bomb is refused at its document type, whether or not a document type is allowed",
    arguments: [false, true])
  func entityBomb(allows: Bool) throws {
    let text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n <!ENTITY lol \"lol\">\n <!ENTITY lol2 \"&lol;&lol;\">\n]>\n<lolz>&lol2;</lolz>"
    let error = try #require(throws: SyntaxError.self) {
      try XMLDocument.parse(Array(text.utf8), options: XMLOptions(allowsDocumentType: allows))
    }
    #expect(error.faults.first?.kind == .forbidden)
    #expect(error.faults.first?.position.line == 2)
  }

  @Test("a document type that only names a file is accepted if the caller allows it, and the file is not read")
  func documentType() throws {
    let text =
      "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"file:///nowhere[x]\"><plist><string>a</string></plist>"
    let document = try XMLDocument.parse(Array(text.utf8), options: XMLOptions(allowsDocumentType: true))
    #expect(document.hasDocumentType)
    #expect(document.text(of: document.root) == "a")
    #expect(throws: SyntaxError.self) { try XMLDocument.parse(Array(text.utf8)) }
  }

  @Test("names are resolved against their namespaces, inside and outside their scope")
  func namespaces() throws {
    let text = "<a xmlns='u:1' xmlns:p='u:2'><p:b/><c xmlns=''/><d xmlns:p='u:3'><p:e/></d><p:f/></a>"
    let document = try XMLDocument.parse(Array(text.utf8))
    let children = document.elements(of: document.root)
    #expect(document.namespace(of: document.root) == "u:1")
    #expect(children.map { document.namespace(of: $0) } == ["u:2", nil, "u:1", "u:2"])
    #expect(children.map { document.localName(of: $0) } == ["b", "c", "d", "f"])
    #expect(document.namespace(of: try #require(document.elements(of: children[2]).first)) == "u:3")
    #expect(document.isElement(children[0], "b"))
    #expect(document.isPrefixed(children[0]))
  }

  @Test("texts and attributes are decoded, and comments and processing instructions are omitted from texts")
  func content() throws {
    let text = "<a n='x&#10;&lt;\ty'>1 &amp; &#x1F600;<!-- c --><b>é</b><![CDATA[<&>]]><?i d?>\r\n</a>"
    let document = try XMLDocument.parse(Array(text.utf8))
    #expect(document.text(of: document.root) == "1 & 😀é<&>\n")
    #expect(document.attribute("n", of: document.root) == "x\n< y")
    #expect(
      document.children(of: document.root).map { document.kind(of: $0) } == [
        .text, .comment, .element, .characterData, .instruction, .text,
      ])
    let comment = try #require(document.children(of: document.root).first { document.kind(of: $0) == .comment })
    #expect(document.comment(comment) == " c ")
  }

  @Test("a special character is found at any position in a text or a value")
  func alignment() throws {
    let marks = [("&amp;", "&"), ("\r", "\n"), ("\n", "\n"), ("]", "]"), ("é", "é"), ("&#9;", "\t"), ("'", "'")]
    for before in 0..<20 {
      for after in [0, 1, 7, 8, 9] {
        let (left, right) = (String(repeating: "x", count: before), String(repeating: "y", count: after))
        for (mark, meaning) in marks {
          let document = try XMLDocument.parse(Array("<a b=\"\(left)\(mark)\(right)\">\(left)\(mark)\(right)</a>".utf8))
          #expect(document.text(of: document.root) == left + meaning + right)
          #expect(document.attribute("b", of: document.root) == left + (meaning == "\n" ? " " : meaning) + right)
        }
        for (text, column) in [("<a>\(left)\u{1}\(right)</a>", 4), ("<a b='\(left)\u{1}\(right)'/>", 7)] {
          let error = try #require(throws: SyntaxError.self) { try XMLDocument.parse(Array(text.utf8)) }
          #expect(error.faults.first?.position.column == before + column)
        }
      }
    }
  }

  @Test("a file with too many nodes or attributes is refused")
  func nodes() throws {
    for text in ["<a><b/><b/><b/></a>", "<a a='' b='' c=''><b/></a>"] {
      let error = try #require(throws: SyntaxError.self) {
        try XMLDocument.parse(Array(text.utf8), options: XMLOptions(nodes: 3))
      }
      #expect(error.faults.map(\.kind) == [.tooLarge])
    }
  }

  @Test("every truncated file is an error without a crash")
  func truncation() throws {
    let bytes = Array(
      "<?xml version='1.0' encoding='UTF-8'?><!-- x --><a xmlns:p='u' p:b='&lt;é'>&#233;<p:c/><![CDATA[x]]><?p i?><b>t</b></a>"
        .utf8)
    for count in 0..<bytes.count {
      #expect(throws: SyntaxError.self) { try XMLDocument.parse(Array(bytes[..<count])) }
    }
    _ = try XMLDocument.parse(bytes)
  }

  @Test(
    "a file that is nested too deeply or has too many attributes or namespaces is refused in linear time")
  func bombs() throws {
    let deep = Array(String(repeating: "<a>", count: 500_000).utf8)
    let wide = Array(("<a " + (0..<100_000).map { "b\($0)='' " }.joined() + "/>").utf8)
    let names = Array(("<a>" + (0..<50_000).map { "<b xmlns='u:\($0)'/>" }.joined() + "</a>").utf8)
    #expect(try #require(throws: SyntaxError.self) { try XMLDocument.parse(deep) }.faults.first?.kind == .tooDeep)
    #expect(try #require(throws: SyntaxError.self) { try XMLDocument.parse(wide) }.faults.first?.kind == .tooLarge)
    #expect(try #require(throws: SyntaxError.self) { try XMLDocument.parse(names) }.faults.first?.kind == .tooLarge)
  }
}
