import Pipeline
import Testing

@testable import Daemon

@Suite struct StoredFileFaultsTests {
  private func file(_ name: String, _ languages: String, version: Int64 = 1) -> StoredPipelineFile {
    StoredPipelineFile(
      name: name, path: "\(name).yaml",
      text: """
        pipeline: \(name)
        repository: { url: "https://git.example.com/\(name).git" }
        languages: \(languages)
        vendors: [ { vendor: pseudo } ]
        """, version: version)
  }

  @Test("faulty files in a database are found again after each change, and not only at the first call")
  func changes() async throws {
    let faults = StoredFileFaults()
    let (good, bad) = (file("birds", "[de]"), file("fish", "[de"))
    for _ in 0..<2 {
      let faulty = try await faults.faulty(among: [good, bad])
      #expect(faulty.map(\.path) == ["fish.yaml in the database"])
      #expect(faulty.first?.diagnostics.isEmpty == false)
    }
    #expect(try await faults.faulty(among: [good, file("fish", "[de]", version: 2)]).isEmpty)
    #expect(try await faults.faulty(among: [bad]).count == 1)
    #expect(try await faults.faulty(among: []).isEmpty)
  }
}
