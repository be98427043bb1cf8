import Foundation
import Localization
import TestSupport
import Testing
import TranslationVendors

@Suite struct FolderClaimTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func vendor(_ installation: String, _ pipeline: String, formerly: [String] = []) -> FolderVendor {
    FolderVendor(
      storage: DirectoryStorage(root: folder.path), settle: .zero,
      owner: FolderOwner(installation: installation, pipeline: pipeline, formerly: formerly))
  }

  private func refusal(_ vendor: FolderVendor) async throws -> String {
    var words: [String] = []
    for attempt in [
      { _ = try await vendor.pull() }, { _ = try await vendor.push(VendorConformance.shipment()) },
    ] as [() async throws -> Void] {
      do { try await attempt() } catch let error as VendorError {
        #expect(error.kind == .claimed && error.disposition == .askPerson)
        words.append("\(error)")
      }
    }
    try #require(words.count == 2)
    return words[0]
  }

  @Test("a second installation is refused, reads no bundles, and gets a message with the next step")
  func secondInstallation() async throws {
    _ = try await vendor("11111111aa", "birds").pull()
    try folder.write("x", to: "translated/a.xliff")
    let words = try await refusal(vendor("22222222bb", "birds"))
    #expect(words.contains("11111111") && words.contains("delete \(folder.path)/.dragoman-claim.json"))
    #expect(folder.names(in: "translated") == ["a.xliff"] && folder.names(in: "to-translate").isEmpty)
    // The first installation continues even after it was killed, because its identity is stored.
    #expect(try await vendor("11111111aa", "birds").pull().bundles.count == 1)
    try FileManager.default.removeItem(atPath: folder.file(".dragoman-claim.json"))
    #expect(try await vendor("22222222bb", "birds").pull().bundles.count == 1)
    _ = try await refusal(vendor("11111111aa", "birds"))
  }

  @Test("a second pipeline of one installation is refused, but a renamed pipeline takes over the folder")
  func secondPipeline() async throws {
    _ = try await vendor("1", "birds").pull()
    let words = try await refusal(vendor("1", "cats"))
    #expect(words.contains("the pipeline birds uses this folder") && words.contains("formerly: birds"))
    #expect(try await vendor("1", "cats", formerly: ["birds"]).pull().bundles.isEmpty)
    _ = try await refusal(vendor("1", "birds"))
  }

  @Test("an empty folder with outstanding work is refused, because its disk may not be mounted")
  func unmounted() async throws {
    func vendor(_ hasWorkOut: Bool) -> FolderVendor {
      FolderVendor(
        storage: DirectoryStorage(root: folder.path), settle: .zero,
        owner: FolderOwner(installation: "1", pipeline: "birds"), hasWorkOut: { hasWorkOut })
    }
    let kept = vendor(true)
    #expect(try await refusal(kept).contains("Is the disk mounted?"))
    #expect(folder.names(in: "") == [])
    _ = try await vendor(false).push(VendorConformance.shipment())
    _ = try await kept.pull()
    // The contents of the folder disappear while the daemon runs, as if its disk were no longer mounted.
    for name in folder.names(in: "") { try FileManager.default.removeItem(atPath: folder.file(name)) }
    #expect(try await refusal(kept).contains("create \(folder.path)/to-translate"))
    try FileManager.default.createDirectory(atPath: folder.file("to-translate"), withIntermediateDirectories: true)
    #expect(try await kept.pull().bundles.isEmpty)
  }

  @Test("a damaged claim blocks the folder and is not overwritten")
  func damaged() async throws {
    try folder.write("{", to: ".dragoman-claim.json")
    #expect(try await refusal(vendor("1", "birds")).contains("damaged"))
  }

  @Test("a bundle with another pipeline's name is not read, but one with a former name is")
  func otherBundles() async throws {
    let vendor = vendor("1", "birds", formerly: ["fowl"])
    _ = try await vendor.pull()
    for name in ["cats-3-pt-BR.xcloc.zip", "birds-2-7-de.xcloc.zip", "fowl-1-de.xcloc.zip", "birds-7-de-2.xcloc.zip"] {
      try folder.write("x", to: "translated/\(name)")
    }
    let found = try await vendor.pull()
    #expect(
      found.bundles.map(\.reference) == ["translated/birds-7-de-2.xcloc.zip", "translated/fowl-1-de.xcloc.zip"])
    #expect(
      found.diagnostics.map(\.path) == ["translated/birds-2-7-de.xcloc.zip", "translated/cats-3-pt-BR.xcloc.zip"])
    #expect(found.diagnostics[1].message.contains("another pipeline, cats"))
    #expect(found.diagnostics[1].hint?.contains("begins with birds-") == true)
    // The bundles are reported once, and stay in the list of open findings.
    let again = try await vendor.pull()
    #expect(again.diagnostics.isEmpty && again.lasting == found.lasting && found.lasting == found.diagnostics)
    try FileManager.default.removeItem(atPath: folder.file("translated/cats-3-pt-BR.xcloc.zip"))
    #expect(try await vendor.pull().lasting.map(\.path) == ["translated/birds-2-7-de.xcloc.zip"])
  }
}
