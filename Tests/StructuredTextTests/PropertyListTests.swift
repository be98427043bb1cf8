import Foundation
import StructuredText
import Testing

@Suite struct PropertyListTests {
  /// Returns a description of a value that Foundation read, in the same form as the description of a `PropertyListValue` below.
  static func described(_ value: Any) -> String {
    switch value {
    case let text as String: "s:" + text
    case let data as Data: "d:" + data.map { String($0, radix: 16) }.joined(separator: ",")
    case let date as Date: "t:\(date.timeIntervalSinceReferenceDate)"
    case is Bool where "\(type(of: value))".contains("Bool"): "b:\(value)"
    case let number as NSNumber: "n:\(number.doubleValue)"
    case let list as [Any]: "[" + list.map(described).joined(separator: " ") + "]"
    case let members as [String: Any]:
      "{" + members.sorted { $0.key < $1.key }.map { "\($0.key)=" + described($0.value) }.joined(separator: " ") + "}"
    default: "?\(type(of: value))"
    }
  }

  static func foundation(_ bytes: [UInt8]) throws -> Any {
    unsafe try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
  }

  static func described(_ value: PropertyListValue) -> String {
    switch value.content {
    case .string(let text): "s:" + text
    case .data(let bytes): "d:" + bytes.map { String($0, radix: 16) }.joined(separator: ",")
    case .date(let seconds): "t:\(seconds)"
    case .boolean(let flag): "b:\(flag)"
    case .real(let number): "n:\(number)"
    case .integer(let number): "n:\(Double(number))"
    case .array(let list): "[" + list.map(described).joined(separator: " ") + "]"
    case .dictionary(let members):
      "{"
        + Dictionary(members.map { ($0.key, $0.value) }) { $1 }.sorted { $0.key < $1.key }
        .map { "\($0.key)=" + described($0.value) }.joined(separator: " ") + "}"
    }
  }

  static func xml(_ body: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      \(body)
      </plist>

      """.utf8)
  }

  static let bodies = [
    "<dict/>", "<array></array>", "<string>a &amp; b &lt;&#233;&#x1F600; <![CDATA[<x>]]></string>",
    "<string> \n kept </string>",
    "<dict><key>k</key><string/><key>é</key><array><true/><false/></array><key></key><dict/></dict>",
    "<array><integer>0</integer><integer>-12</integer><integer>+3</integer><integer>9223372036854775807</integer></array>",
    "<array><real>1.5</real><real>-1e3</real><real>0</real></array>",
    "<array><date>2001-01-01T00:00:00Z</date><date>2026-11-21T07:05:09Z</date><date>1970-02-28T23:59:59Z</date></array>",
    "<array><data>AQIDBA==</data><data>\n\tAQID\n\t</data><data></data></array>",
    "<!-- c --><dict><!-- c --><key>a</key><!-- c --><string>b</string></dict>",
    // XML 1.0 does not allow most of these characters, but ko.lproj/Localizable.stringsdict of damus-io/damus contains U+0008.
    "<string>\u{1} \u{8} \u{B}\u{C}\u{1F} \u{7F} <![CDATA[\u{8}]]></string>",
    "<string>&#1;&#8;&#x0B;&#12;&#x1f;</string>", "<string>\u{FFFF}&#xFFFE;</string>",
    "<dict><!-- \u{1} --><key>\u{8}</key><string a=\"\u{2}\">b</string></dict>",
  ]

  @Test("XML property lists are read as by Foundation", arguments: bodies)
  func xmlOracle(body: String) throws {
    let bytes = Self.xml(body)
    let theirs = try Self.foundation(bytes)
    #expect(Self.described(try PropertyListValue.parse(bytes)) == Self.described(theirs))
  }

  @Test("binary lists that Foundation wrote are read unchanged", arguments: bodies)
  func binaryOracle(body: String) throws {
    let value = try Self.foundation(Self.xml(body))
    let bytes = Array(try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
    #expect(Self.described(try PropertyListValue.parse(bytes)) == Self.described(value))
  }

  @Test("binary lists with every size of count and reference are read as Foundation wrote them")
  func large() throws {
    let list: [String: Any] = [
      "list": (0..<70_000).map { "é\($0)" }, "bytes": Data(repeating: 7, count: 300),
      "long": String(repeating: "x", count: 70_000),
      "numbers": [1, 255, 256, 65_535, 65_536, 1 << 33, -1],
    ]
    let bytes = Array(try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
    #expect(Self.described(try PropertyListValue.parse(bytes)) == Self.described(list))
  }

  @Test("an old-style list is read by the same function, and its values have positions")
  func others() throws {
    let old = try PropertyListValue.parse(Array("// c\n{ a = b; c = <0a>; }".utf8))
    #expect(Self.described(old) == "{a=s:b c=d:a}")
    #expect(Self.described(try PropertyListValue.parse(Array("<0fbd>".utf8))) == "d:f,bd")
    #expect(Self.described(try PropertyListValue.parse(Array("<dict><key>a</key><true/></dict>".utf8))) == "{a=b:true}")
    let value = try PropertyListValue.parse(Self.xml("<dict>\n  <key>a</key><string>b</string></dict>"))
    #expect(value["a"]?.position.line == 5 && value["a"]?.position.column == 15)
    #expect(value.dictionary?.first?.position.column == 3)
  }

  @Test("lists that are incomplete, invalid or too large are refused with the location")
  func faults() throws {
    let bad: [(String, Int)] = [
      ("<dict><string>a</string></dict>", 4), ("<dict><key>a</key></dict>", 4),
      ("<dict><key>a</key><key>b</key></dict>", 4),
      ("<dict>x</dict>", 4), ("<string>a<true/></string>", 4), ("<integer>1.5</integer>", 4),
      ("<integer></integer>", 4),
      ("<real>a</real>", 4), ("<data>?</data>", 4), ("<date>yesterday</date>", 4), ("<set/>", 4),
      ("<true/>\n<true/>", 5), ("", 3),
      ("<string>&other;</string>", 4), ("<dict>", 5),
      (String(repeating: "<array>", count: 300) + String(repeating: "</array>", count: 300), 4),
    ]
    for (body, line) in bad {
      let error = #expect(throws: SyntaxError.self, "\(body.prefix(40))") {
        try PropertyListValue.parse(Self.xml(body))
      }
      #expect(error?.faults.first?.position.line == line, "\(body.prefix(40))")
    }
    let entities = "<!DOCTYPE plist [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]><plist><string>&c;</string></plist>"
    for bytes in [
      [], Array(entities.utf8), [0xFF, 0xFE, 0x3C, 0], Array("<plist><string>".utf8) + [0xFF], Array("bplist00".utf8),
    ] {
      #expect(throws: SyntaxError.self) { try PropertyListValue.parse(bytes) }
    }
    let outer = Array("<!DOCTYPE plist SYSTEM \"file:///etc/passwd\"><plist><string>a</string></plist>".utf8)
    #expect(Self.described(try PropertyListValue.parse(outer)) == "s:a")
  }

  /// Returns a binary list of small objects, with offsets and references of one byte.
  static func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
      + [0, 0, 0, 0, 0, 0, 0, top] + [0, 0, 0, 0, 0, 0, 0, table]
  }

  @Test(
    "binary lists that contain themselves, reference data outside the file, or would expand to a huge size are refused")
  func binaryFaults() throws {
    #expect(Self.described(try PropertyListValue.parse(Self.binary([[0xA1, 1], [0x09]]))) == "[b:true]")
    #expect(Self.described(try PropertyListValue.parse(Self.binary([[0x80, 7]]))) == "{CF$UID=n:7.0}")
    let bomb = (0..<60).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] as [UInt8] } + [[0x09]]
    let bad: [[UInt8]] = [
      Self.binary([[0xA1, 0]]), Self.binary([[0xA1, 1], [0xA1, 0]]), Self.binary([[0xA1, 9]]),
      Self.binary([[0x5F, 0x10, 200]]),
      Self.binary([[0x5F, 0x13, 0x7F, 255, 255, 255, 255, 255, 255, 255]]), Self.binary([[0xD1, 1, 1], [0x09]]),
      Self.binary([[0x00]]),
      Self.binary([[0x52, 0xFF, 0x41]]), Self.binary([[0x61, 0xD8, 0x00]]), Self.binary([[0x13, 1]]),
      Self.binary([[0x09]], top: 4),
      Self.binary(bomb), Self.binary([[0x09]]).dropLast(1),
    ]
    for bytes in bad { #expect(throws: SyntaxError.self, "\(bytes)") { try PropertyListValue.parse(bytes) } }
  }

  @Test("the depth of an object in a binary list counts even if the object was already read at a higher level")
  func binaryHeight() throws {
    // Each inner array contains the object before it, and the first object is `true`. The outermost array lists these objects in that order.
    func nested(_ count: UInt8) -> [UInt8] {
      let top = [0xA0 | count] + (1...count)
      return Self.binary([top, [0x09]] + (1..<count).map { [0xA1, $0] })
    }
    let limits = PropertyListLimits(depth: 8)
    #expect(try PropertyListValue.binary(nested(7), limits: limits).array?.count == 7)
    #expect(throws: SyntaxError.self) { try PropertyListValue.binary(nested(8), limits: limits) }
  }

  @Test("a property list that is truncated at any byte or has changed bytes is read or refused without a crash")
  func mutations() throws {
    let body = Self.bodies.joined().replacing("<!-- c -->", with: "")
    let xml = Self.xml("<array>\(body)</array>")
    let value = try Self.foundation(xml)
    let binary = Array(try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
    for bytes in [xml, binary] {
      for length in 6..<bytes.count - 10 {
        #expect(throws: SyntaxError.self) { try PropertyListValue.parse(Array(bytes.prefix(length))) }
      }
      var random = SeededGenerator(5)
      for _ in 0..<5_000 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        _ = try? PropertyListValue.parse(changed)
      }
    }
  }
}
