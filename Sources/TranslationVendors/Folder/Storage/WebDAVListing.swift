internal import Foundation
internal import HTTPTransport
internal import Localization
internal import StructuredText

/// A parser of responses to PROPFIND (RFC 4918). Elements are identified by their local names, because prefixes differ between servers.
enum WebDAVListing {
  static let request = """
    <?xml version="1.0" encoding="utf-8"?>
    <propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/><getetag/></prop></propfind>
    """

  /// The maximum size of a response, in bytes. An entry takes about 450 bytes in a response of Apache, so a response of this size has more than
  /// `DropListing.limit` entries.
  static let sizeLimit = 128 << 20
  /// The maximum number of elements and texts in a response. In a response of Apache, an entry has 24 elements and texts. Each of them takes 36 bytes
  /// of memory.
  private static let nodeLimit = 1 << 23

  static func parse(_ response: HTTPResponse, of url: HTTPURL, folder: TreePath) throws -> DropListing {
    let document = try document(of: response, url)
    guard let own = components(of: url.path.split(separator: "/")) else {
      throw fault(url, "the folder's path is not UTF-8")
    }
    var entries: [DropEntry] = []
    var unreadable: [String] = []
    for item in document.elements(of: document.root) where document.isElement(item, "response") {
      guard let href = document.firstElement("href", of: item).map({ document.text(of: $0) }),
        let place = try? url.resolving(href.trimmingCharacters(in: .whitespacesAndNewlines))
      else { continue }
      let parts = place.path.split(separator: "/")
      // Skips the folder itself, and any entry that is not directly in the folder.
      guard parts.count == own.count + 1, components(of: parts.dropLast()) == own, let last = parts.last else {
        continue
      }
      guard entries.count + unreadable.count < DropListing.limit else {
        throw tooLarge(url, "it has more than \(DropListing.limit) entries")
      }
      guard let name = HTTPURL.decode(last), isName(name) else {
        unreadable.append(String(last))
        continue
      }
      entries.append(entry(item, in: document, path: folder.appending(name)))
    }
    let now = response.head.header("Date").flatMap(HTTPDate.seconds).map {
      Date(timeIntervalSince1970: TimeInterval($0))
    }
    return DropListing(
      entries: entries.sorted { $0.path < $1.path }, now: now, unreadableNames: unreadable.sorted())
  }

  /// Returns the entry in the response to a request about a single entry (`Depth: 0`); `nil` if the response contains no entry.
  static func parseEntry(_ response: HTTPResponse, path: TreePath) throws -> DropEntry? {
    let document = try document(of: response, response.head.url)
    return document.elements(of: document.root).first { document.isElement($0, "response") }.map {
      entry($0, in: document, path: path)
    }
  }

  private static func fault(_ url: HTTPURL, _ detail: String) -> VendorError {
    VendorError(kind: .protocolFault, operation: "list \(url.withoutQuery)", detail: detail)
  }

  static func tooLarge(_ url: HTTPURL, _ detail: String) -> VendorError {
    VendorError(kind: .tooLarge, operation: "list \(url.withoutQuery)", detail: detail)
  }

  private static func document(of response: HTTPResponse, _ url: HTTPURL) throws -> XMLDocument {
    let document: XMLDocument
    let options = XMLOptions(depth: 32, size: sizeLimit, nodes: nodeLimit)
    do { document = try XMLDocument.parse(response.body, options: options) } catch {
      if error.faults.first?.kind == .tooLarge { throw tooLarge(url, "the server's listing is too large: \(error)") }
      throw fault(url, "the server's response is not XML: \(error)")
    }
    guard document.isElement(document.root, "multistatus") else {
      throw fault(url, "the server's response is not a WebDAV multistatus")
    }
    return document
  }

  private static func entry(_ item: XMLNode, in document: XMLDocument, path: TreePath) -> DropEntry {
    var isFolder = false
    var size = ""
    var modified = ""
    var tag = ""
    for status in document.elements(of: item) where document.isElement(status, "propstat") {
      guard let properties = document.firstElement("prop", of: status) else { continue }
      for property in document.elements(of: properties) {
        switch document.localName(of: property) {
        case "resourcetype": isFolder = isFolder || document.firstElement("collection", of: property) != nil
        case "getcontentlength": size = document.text(of: property)
        case "getlastmodified": modified = document.text(of: property)
        // The prefix `W/` of a weak tag is removed, because Apache adds this prefix only during the first second after a change.
        case "getetag":
          let text = document.text(of: property)
          tag = text.hasPrefix("W/") ? String(text.dropFirst(2)) : text
        default: break
        }
      }
    }
    return DropEntry(
      path: path, kind: isFolder ? .folder : .file,
      modified: HTTPDate.seconds(modified).map { Date(timeIntervalSince1970: TimeInterval($0)) },
      tag: "\(size) \(modified) \(tag)")
  }

  /// Decodes the components of a path. Each component is decoded separately, because an encoded slash is part of a name. The result is `nil` if a
  /// component is not UTF-8.
  private static func components(of parts: some Sequence<Substring>) -> [String]? {
    var components: [String] = []
    for part in parts {
      guard let name = HTTPURL.decode(part) else { return nil }
      components.append(name)
    }
    return components
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 }
  }
}
