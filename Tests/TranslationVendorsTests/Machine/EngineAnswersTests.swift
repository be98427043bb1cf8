import Foundation
import TestSupport
import Testing

@testable import TranslationVendors

/// The file in which an engine's answers and recorded shipments are kept.
struct EngineAnswersTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the answers as a new process reads them.
  private func restarted() -> EngineAnswers { EngineAnswers(folder: folder.path, vendor: "v") }

  @Test("a forgotten shipment stays forgotten after a restart, and the file is emptied with the last one")
  func forgotten() throws {
    let source = EngineAnswers.Source("Bird", catalog: "L.xcstrings", context: "a")
    let answers = restarted()
    #expect(try !answers.note("first") && !answers.note("second"))
    try answers.keep("Vogel", for: source, in: "de")
    try answers.forget("first", texts: [(source, "Vogel")])
    #expect(try restarted().holds("first") == false)
    #expect(try restarted().holds("second"))
    #expect(try restarted().text(for: source, in: "de") == "Vogel")
    try restarted().forget("second")
    #expect(try restarted().holds("second") == false)
    #expect(try restarted().text(for: source, in: "de") == nil)
    // The same shipment can be sent again.
    #expect(try restarted().note("first") == false)
    #expect(try restarted().holds("first"))
  }
}
