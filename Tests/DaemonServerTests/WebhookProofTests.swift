// The members of decoded types have the names in the test vectors.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import HTTPTypes
import Localization
import TestSupport
import Testing

@testable import DaemonServer

@Suite struct WebhookProofTests {
  @Test("HMAC-SHA256 gives the results in RFC 4231")
  func vectors() {
    func mac(_ key: [UInt8], _ text: String) -> String { HMAC.sha256(key: key, Array(text.utf8)).hexadecimal }
    #expect(
      mac([UInt8](repeating: 0x0B, count: 20), "Hi There")
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    #expect(
      mac(Array("Jefe".utf8), "what do ya want for nothing?")
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      mac([UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First")
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }

  @Test("byte strings are equal only if all bytes are equal", arguments: [0, 1, 31, 32, 100])
  func comparison(_ count: Int) {
    let value = (0..<count).map { UInt8($0) }
    #expect(HMAC.areEqual(value, value))
    for index in value.indices {
      var other = value
      other[index] ^= 1
      #expect(!HMAC.areEqual(value, other))
    }
    #expect(!HMAC.areEqual(value, value + [0]))
  }

  @Test(
    "each forge's signature of the raw body is accepted, and refused if one byte of body, signature or secret differs")
  func bodySignatures() throws {
    for forge in SignedRequest.Forge.allCases where forge.signsBody {
      try refusesChanges(of: SignedRequest(Array(#"{"ref":"refs/heads/main"}"#.utf8), forge))
    }
  }

  private func refusesChanges(of request: SignedRequest) throws {
    let proof = try #require(WebhookProof(request.fields))
    let now = SignedRequest.now
    #expect(proof.holds(for: request.body, secret: request.secret, now: now))
    for index in Set([0, request.body.count / 2, request.body.count - 1]) {
      var body = request.body
      body[index] ^= 1
      #expect(!proof.holds(for: body, secret: request.secret, now: now))
    }
    #expect(!proof.holds(for: request.body + [0x0A], secret: request.secret, now: now))
    #expect(!proof.holds(for: request.body, secret: Secret(request.secret.reveal() + "x"), now: now))
    for field in request.fields where field.name != .contentType {
      for place in [0, field.value.count / 2, field.value.count - 1] {
        var text = Array(field.value)
        text[place] = text[place] == "1" ? "2" : "1"
        var fields = request.fields
        fields[field.name] = String(text)
        let changed = WebhookProof(fields)
        // A change of the unused last bits of a Base64 text does not change the signature.
        if changed == proof { continue }
        #expect(changed?.holds(for: request.body, secret: request.secret, now: now) ?? false == false, "\(field)")
      }
    }
  }

  @Test("a wrong token is refused, and a signing token is never accepted as a plain token")
  func tokens() throws {
    for forge in [SignedRequest.Forge.gitlabToken, .azure] {
      let request = SignedRequest(Array("{}".utf8), forge)
      let proof = try #require(WebhookProof(request.fields))
      #expect(proof.holds(for: request.body, secret: request.secret, now: 0))
      #expect(!proof.holds(for: request.body, secret: Secret("correct horse battery stapl"), now: 0))
    }
    let proof = try #require(WebhookProof([.init("X-Gitlab-Token")!: "whsec_AAAA"]))
    #expect(!proof.holds(for: [], secret: Secret("whsec_AAAA"), now: 0))
  }

  @Test(
    "GitLab's event id distinguishes requests with equal bodies and a token, and is ignored if there is a signature")
  func identities() throws {
    let body = Array(#"{"ref":"refs/heads/main"}"#.utf8)
    func identity(_ forge: SignedRequest.Forge, _ id: (String, String)...) throws -> [UInt8] {
      var fields = SignedRequest(body, forge).fields
      for (field, value) in id { fields[try name(field)] = value }
      return try #require(WebhookProof(fields)).identity(of: body)
    }
    for field in ["X-Gitlab-Event-UUID", "Idempotency-Key"] {
      #expect(try identity(.gitlabToken, (field, "1")) == identity(.gitlabToken, (field, "1")))
      #expect(try identity(.gitlabToken, (field, "1")) != identity(.gitlabToken, (field, "2")))
    }
    let key = ("Idempotency-Key", "1")
    #expect(
      try identity(.gitlabToken, ("X-Gitlab-Event-UUID", "1"), key)
        == identity(.gitlabToken, ("X-Gitlab-Event-UUID", "2"), key))
    let ids = ["X-GitHub-Delivery", "X-Gitea-Delivery", "X-Request-UUID", "X-Request-Id", "X-Gitlab-Event-UUID"]
    for forge in SignedRequest.Forge.allCases where forge != .gitlabToken {
      for field in ids { #expect(try identity(forge, (field, "1")) == identity(forge, (field, "2")), "\(forge)") }
    }
  }

  @Test("requests without a usable signature or token are not verified")
  func noProof() throws {
    #expect(WebhookProof([:]) == nil)
    let digits = String(repeating: "0", count: 64)
    // GitHub's old signature uses SHA-1.
    #expect(WebhookProof([try name("X-Hub-Signature"): "sha1=\(digits.prefix(40))"]) == nil)
    #expect(WebhookProof([try name("X-Hub-Signature-256"): digits]) == nil)
    #expect(WebhookProof([try name("X-Hub-Signature-256"): "sha256=\(digits.dropLast())"]) == nil)
    #expect(WebhookProof([try name("X-Hub-Signature-256"): "sha256=\(digits.dropLast())g"]) == nil)
    #expect(WebhookProof([try name("X-Gitea-Signature"): "sha256=\(digits)"]) == nil)
    #expect(WebhookProof([try name("webhook-signature"): "v1,AAAA"]) == nil)
    #expect(WebhookProof([.authorization: "Bearer abc"]) == nil)
    #expect(WebhookProof([.authorization: "Basic bm9jb2xvbg=="]) == nil)
  }

  private func name(_ text: String) throws -> HTTPField.Name { try #require(HTTPField.Name(text)) }

  private struct StandardVectors: Decodable {
    struct Vector: Decodable {
      var name: String
      var secret: String
      var headers: [String: String]
      var payload: String
      var now: Double
      var valid: Bool
    }
    var invalid_secrets: [String]
    var vectors: [Vector]
  }

  @Test(
    "the published vectors of Standard Webhooks are verified",
    .enabled(if: SharedFolder.specs.isThere, "\(SharedFolder.specs.notice)"))
  func standardVectors() throws {
    let file = try JSONDecoder().decode(
      StandardVectors.self, from: SharedFolder.specs.data("notify/standard-webhooks-vectors.json"))
    #expect(!file.vectors.isEmpty)
    for vector in file.vectors {
      var fields = HTTPFields()
      for (key, value) in vector.headers { fields[try name(key)] = value }
      let isValid =
        WebhookProof(fields)?.holds(for: Array(vector.payload.utf8), secret: Secret(vector.secret), now: vector.now)
        ?? false
      #expect(isValid == vector.valid, "\(vector.name)")
    }
    for secret in file.invalid_secrets {
      let proof = WebhookProof.standard(
        id: "a", timestamp: "1", signatures: [HMAC.sha256(key: [], Array("a.1.".utf8))])
      #expect(!proof.holds(for: [], secret: Secret(secret), now: 1))
    }
  }

  /// Returns whether an event has a member `ref` whose value is a tag.
  private func isPushOfTag(_ body: [UInt8]) -> Bool {
    let text = String(decoding: body, as: UTF8.self).filter { !$0.isWhitespace }
    return text.contains(#""ref":"refs/tags/"#)
  }

  @Test(
    "an event that only changes tags moves no branch",
    arguments: [
      (#"{"ref":"refs/tags/v1"}"#, false), (#"{"ref":"refs/heads/v1"}"#, true), (#"{"ref":"d0c5"}"#, true),
      (#"{"ref":"v1","ref_type":"tag"}"#, false), (#"{"ref":"v1","ref_type":"branch"}"#, true),
      (#"{"object_kind":"tag_push","ref":"refs/tags/v1"}"#, false),
      (#"{"push":{"changes":[{"old":null,"new":{"type":"tag","name":"v1"}}]}}"#, false),
      (#"{"push":{"changes":[{"old":{"type":"tag","name":"v1"},"new":null}]}}"#, false),
      (#"{"push":{"changes":[{"new":{"type":"tag"}},{"new":{"type":"branch"}}]}}"#, true),
      (#"{"push":{"changes":[]}}"#, true),
      (#"{"changes":[{"ref":{"id":"refs/tags/v1","type":"TAG"},"refId":"refs/tags/v1"}]}"#, false),
      (#"{"changes":[{"refId":"refs/tags/v1"},{"refId":"refs/heads/main"}]}"#, true),
      (#"{"eventType":"git.push","resource":{"refUpdates":[{"name":"refs/tags/v1"}]}}"#, false),
      (#"{"eventType":"git.push","resource":{"refUpdates":[{"name":"refs/heads/main"}]}}"#, true),
      (#"{"changes":{"title":{"from":"a"}},"pull_request":{}}"#, true),
    ])
  func tags(_ body: String, _ canMoveBranches: Bool) throws {
    #expect(try WebhookEvent(body: Array(body.utf8)).canMoveBranches == canMoveBranches)
  }

  @Test(
    "recorded events of forges are verified and read, and refused if one byte is changed",
    .enabled(if: SharedFolder.specs.isThere, "\(SharedFolder.specs.notice)"))
  func recordedEvents() throws {
    var count: [SignedRequest.Forge: (all: Int, moving: Int)] = [:]
    for path in SharedFolder.specs.paths(endingIn: ".json") {
      guard let forges = SignedRequest.Forge.forges(ofRecording: path) else { continue }
      let body = Array(try SharedFolder.specs.data(path))
      let event = try WebhookEvent(body: body)
      for forge in forges {
        count[forge, default: (0, 0)].all += 1
        count[forge, default: (0, 0)].moving += event.canMoveBranches ? 1 : 0
        let request = SignedRequest(body, forge)
        let proof = try #require(WebhookProof(request.fields))
        #expect(proof.holds(for: body, secret: request.secret, now: SignedRequest.now), "\(path)")
        var altered = body
        altered[body.count / 2] ^= 1
        let isAccepted = proof.holds(for: altered, secret: request.secret, now: SignedRequest.now)
        #expect(isAccepted == !forge.signsBody, "\(path)")
      }
      let isOfTag = path.contains("tag_") || path.contains("_tag") || isPushOfTag(body)
      if path.contains("/push") || isOfTag { #expect(event.canMoveBranches == !isOfTag, "\(path)") }
    }
    for forge in SignedRequest.Forge.allCases {
      let counted = try #require(count[forge], "\(forge) has recordings")
      #expect(counted.all > 5 && counted.moving > 0)
    }
  }
}
