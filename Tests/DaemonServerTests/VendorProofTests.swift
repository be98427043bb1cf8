import Foundation
import HTTPTypes
import Localization
import TestSupport
import Testing
import TranslationVendors

@testable import DaemonServer

/// Signatures and tokens of vendors' webhooks, made as the vendors' documentation and source code describe.
@Suite struct VendorProofTests {
  /// A webhook request that is signed as a vendor signs its requests.
  struct Sample: Sendable, CustomTestStringConvertible {
    var vendor: String
    /// Whether the proof covers the body.
    var signsBody = true
    /// Whether the proof covers the time.
    var signsTime = true
    var fields: @Sendable (_ body: [UInt8], _ time: Int, _ secret: String) -> [String: String]
    var testDescription: String { vendor }
  }

  private static let secret = "correct horse battery staple"
  private static let now = 1_770_000_000
  private static let body = Array(#"{"event":"translation.updated","project":{"id":"7"}}"#.utf8)

  private static func mac(_ secret: String, _ text: String, _ body: [UInt8]) -> [UInt8] {
    HMAC.sha256(key: Array(secret.utf8), Array(text.utf8), body)
  }

  static let samples: [Sample] = [
    Sample(vendor: "crowdin", signsBody: false, signsTime: false) { _, _, secret in ["X-Dragoman-Secret": secret] },
    Sample(vendor: "lokalise", signsBody: false, signsTime: false) { _, _, secret in ["X-Secret": secret] },
    Sample(vendor: "phrase", signsTime: false) { body, _, secret in
      ["X-PhraseApp-Signature": Data(mac(secret, "", body)).base64EncodedString()]
    },
    Sample(vendor: "phrase", signsTime: false) { body, _, secret in
      ["X-PhraseApp-Signature": mac(secret, "", body).hexadecimal]
    },
    Sample(vendor: "smartling") { body, time, secret in
      [
        "Event-Id": "e1", "Event-Timestamp": "\(time)",
        "Event-Signature": mac(secret, "e1.\(time).", body).hexadecimal,
      ]
    },
    Sample(vendor: "localazy") { body, time, secret in
      ["X-Localazy-Timestamp": "\(time)", "X-Localazy-HMAC": mac(secret, "\(time)-", body).hexadecimal]
    },
    Sample(vendor: "tolgee") { body, time, secret in
      let signature = mac(secret, "\(time)000.", body).hexadecimal
      return ["Tolgee-Signature": #"{"timestamp":\#(time)000,"signature":"\#(signature)"}"#]
    },
    Sample(vendor: "transifex") { body, time, secret in
      let (url, date) = ("https://l10n.example.com/hooks/birds/transifex", httpDate(time))
      let lines = "POST\n\(url)\n\(date)\n\(ContentDigest.md5(of: body).hexadecimal)"
      return [
        "X-TX-Url": url, "Date": date, "X-TX-Signature-V2": Data(mac(secret, lines, [])).base64EncodedString(),
      ]
    },
    Sample(vendor: "weblate") { body, time, secret in
      let key = Data(base64Encoded: secret).map(Array.init) ?? []
      let signature = HMAC.sha256(key: key, Array("m1.\(time).".utf8), body)
      return [
        "webhook-id": "m1", "webhook-timestamp": "\(time)",
        "webhook-signature": "v1,\(Data(signature).base64EncodedString())",
      ]
    },
  ]

  private static func httpDate(_ seconds: Int) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
  }

  private func secret(of sample: Sample) -> String {
    sample.vendor == "weblate" ? Data(Self.secret.utf8).base64EncodedString() : Self.secret
  }

  private func proof(
    _ sample: Sample, at time: Int = now, changed: (inout [String: String]) -> Void = { _ in }
  ) throws -> VendorProof? {
    let webhook = try #require(VendorRegistry.kind(named: sample.vendor)?.webhook)
    var made = sample.fields(Self.body, time, self.secret(of: sample))
    changed(&made)
    var fields = HTTPFields()
    for (name, value) in made { fields[try #require(HTTPField.Name(name))] = value }
    return VendorProof(fields, of: webhook)
  }

  private func holds(
    _ sample: Sample, body: [UInt8] = body, secret: String? = nil, now: Int = now,
    changed: (inout [String: String]) -> Void = { _ in }
  ) throws -> Bool {
    guard let proof = try proof(sample, changed: changed) else { return false }
    return proof.holds(for: body, secret: Secret(secret ?? self.secret(of: sample)), now: Double(now))
  }

  @Test("a repeated request is recognized even if the header with its signature is spelled differently")
  func respelled() throws {
    let sample = try #require(Self.samples.first { $0.vendor == "tolgee" })
    let signature = Self.mac(Self.secret, "\(Self.now)000.", Self.body).hexadecimal.uppercased()
    let respelled = try #require(
      try proof(sample) {
        $0["Tolgee-Signature"] = #"{ "signature" : "\#(signature)", "x": 1, "timestamp" : \#(Self.now)000 }"#
      })
    #expect(respelled.holds(for: Self.body, secret: Secret(Self.secret), now: Double(Self.now)))
    let identity = try #require(respelled.identity(of: Self.body))
    #expect(try proof(sample)?.identity(of: Self.body) == identity)
    #expect(try proof(sample, at: Self.now + 1)?.identity(of: Self.body) != identity)
    #expect(respelled.identity(of: Self.body + [0x20]) != identity)
  }

  @Test("a vendor's signature is accepted, and refused for a different body, secret or time", arguments: samples)
  func proofs(_ sample: Sample) throws {
    #expect(try holds(sample))
    #expect(try holds(sample, now: Self.now + 299))
    #expect(try holds(sample, body: Self.body + [0x20]) == !sample.signsBody)
    #expect(try holds(sample, now: Self.now + 901) == !sample.signsTime)
    #expect(try holds(sample, now: Self.now - 901) == !sample.signsTime)
    let other = sample.vendor == "weblate" ? Data("another".utf8).base64EncodedString() : "another"
    #expect(try !holds(sample, secret: other))
    #expect(try !holds(sample, secret: ""))
    for name in sample.fields(Self.body, Self.now, secret(of: sample)).keys {
      #expect(try !holds(sample) { $0[name] = nil })
      #expect(try !holds(sample) { $0[name] = "" })
      #expect(try !holds(sample) { $0[name]?.append("0") })
    }
  }

  @Test("signatures made by the tests equal those of Python's hmac and hashlib")
  func lines() throws {
    let sample = try #require(Self.samples.first { $0.vendor == "transifex" })
    let fields = sample.fields(Self.body, Self.now, Self.secret)
    #expect(fields["Date"] == "Mon, 02 Feb 2026 02:40:00 GMT")
    #expect(fields["X-TX-Signature-V2"] == "dAnHWJRfmTgv5Bc+C98sQhds+jsABvMx9y2ljMF5yVo=")
  }

  @Test("every kind of vendor with a webhook has an option for its secret, and the capability for webhooks")
  func options() {
    for kind in VendorRegistry.kinds {
      #expect((kind.webhook != nil) == kind.options.contains(.webhook), "\(kind.name)")
      // The capability does not imply a webhook: a drop folder reports changes without one.
      if kind.webhook != nil { #expect(kind.capabilities.webhooks, "\(kind.name)") }
    }
  }
}
