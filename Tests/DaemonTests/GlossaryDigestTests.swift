import Foundation
import TestSupport
import Testing

@testable import Daemon

@Suite("Glossary digest")
struct GlossaryDigestTests {
  @Test("the digest changes with the content of the file, and stays the same while the file cannot be used")
  func changes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/terms.csv"
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) }
    let digest = GlossaryDigest(path: path)
    #expect(digest.read() == nil)
    try write("en,de\nBird,Vogel\n")
    let first = try #require(digest.read())
    #expect(digest.read() == first)
    try write("en,de\nBird,Spatz\n")
    let second = try #require(digest.read())
    #expect(second != first)
    try FileManager.default.removeItem(atPath: path)
    #expect(digest.read() == second)
    try write("no glossary")
    #expect(digest.read() == second)
    try write("en,de\nBird,Vogel\n")
    #expect(digest.read() == first)
    #expect(GlossaryDigest(path: path).read() == first)
  }
}
