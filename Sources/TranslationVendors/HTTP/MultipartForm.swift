internal import Localization

/// A form with fields and files, encoded as `multipart/form-data`. The boundary is a digest of the content, so the same form has the same bytes.
package struct MultipartForm: Sendable {
  private var parts: [(head: String, body: [UInt8])] = []

  package init() {}

  package mutating func add(_ name: String, _ value: String) {
    parts.append(("Content-Disposition: form-data; name=\"\(Self.quoted(name))\"", Array(value.utf8)))
  }

  package mutating func add(
    _ name: String, file: String, _ content: [UInt8], mediaType: String = "application/octet-stream"
  ) {
    let disposition = "form-data; name=\"\(Self.quoted(name))\"; filename=\"\(Self.quoted(file))\""
    parts.append(("Content-Disposition: \(disposition)\r\nContent-Type: \(mediaType)", content))
  }

  /// Returns the value of the header `Content-Type`, and the body.
  package func encoded() -> (contentType: String, body: [UInt8]) {
    var digest = ContentDigest()
    for part in parts {
      digest.update(text: part.head)
      digest.update(part.body)
    }
    let boundary = "dragoman-\(digest.finishHexadecimal())"
    var body: [UInt8] = []
    for part in parts {
      body += Array("--\(boundary)\r\n\(part.head)\r\n\r\n".utf8) + part.body + [13, 10]
    }
    return ("multipart/form-data; boundary=\(boundary)", body + Array("--\(boundary)--\r\n".utf8))
  }

  /// Returns a name, escaped as in HTML forms.
  private static func quoted(_ name: String) -> String {
    name.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }
}
