import Foundation
import HTTPTransport
import Localization
import Testing

@Suite struct SecretMaskTests {
  @Test("every form of a secret is replaced; short secrets are not")
  func forms() {
    let mask = SecretMask([Secret("ann:p&ssw0rd"), nil, Secret("abc")])
    let base64 = Data("ann:p&ssw0rd".utf8).base64EncodedString()
    #expect(
      mask.text("ann:p&ssw0rd, p&ssw0rd, p%26ssw0rd, \(base64), ann, abc")
        == "REDACTED, REDACTED, REDACTED, REDACTED, ann, abc")
  }

  @Test("parts of a complete secret are not replaced")
  func whole() {
    let mask = SecretMask([], whole: [Secret("x-access-token:t0ken"), Secret("t0ken")])
    let base64 = Data("x-access-token:t0ken".utf8).base64EncodedString()
    #expect(mask.text("x-access-token t0ken Basic \(base64)") == "x-access-token REDACTED Basic REDACTED")
  }
}
