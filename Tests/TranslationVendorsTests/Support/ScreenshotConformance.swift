import Localization
import TestSupport
import Testing
import TranslationVendors

/// Tests of screenshots at a platform that accepts them: each screenshot exists once with all strings that it shows, even after errors.
struct ScreenshotConformance: Sendable {
  let scene: @Sendable () throws -> PlatformConformance.Scene

  private static let catalog: TreePath = "App/Localizable.xcstrings"

  private static func shipment(_ pictures: [(name: String, content: UInt8, keys: [UnitKey])]) -> Shipment {
    var shipment = PlatformConformance.shipment(language: "uk")
    shipment.screenshots = pictures.map { picture in
      Screenshot(
        name: picture.name, format: .png, bytes: [0x89, 0x50, 0x4E, 0x47, picture.content],
        units: Set(picture.keys.map { UnitID(catalog: catalog, key: $0) }))
    }
    return shipment
  }

  private static let pictures: [(String, UInt8, [UnitKey])] = [
    ("start.png", 1, ["Bird", "%lld birds"]), ("other.png", 2, ["Bird"]), ("gone.png", 3, ["Missing"]),
  ]

  func check() async throws {
    let scene = try scene()
    guard let screenshots = scene.screenshots else { return }
    _ = try await scene.make().push(Self.shipment(Self.pictures))
    let there = screenshots()
    #expect(there.count == 2, "a picture without strings of the shipment is not sent")
    let start = try #require(there.first { $0.key.hasPrefix("start-") && $0.key.hasSuffix(".png") })
    #expect(start.value.count == 2 && start.value.contains { $0.hasSuffix("Bird") })
    let requests = scene.bench.requests
    #expect(try await scene.make().push(Self.shipment(Self.pictures)).wasThere)
    #expect(screenshots() == there && scene.bench.requests > requests)
    // The same picture now shows another string, and a changed picture counts as a new picture.
    _ = try await scene.make().push(
      Self.shipment([("start.png", 1, ["%lld of %@"]), ("other.png", 4, ["Bird"])]))
    #expect(screenshots().count == 3 && screenshots()[start.key]?.count == 3)
    try await addsToKept()
    try await survivesFaults()
  }

  /// Checks that new pictures of existing strings are sent once, without a shipment.
  private func addsToKept() async throws {
    let scene = try scene()
    _ = try await scene.make().push(Self.shipment([]))
    let content = scene.content()
    let shipment = Self.shipment(Self.pictures)
    let vendor = try scene.make()
    #expect(vendor.takesScreenshots)
    #expect(try await vendor.attach(shipment.screenshots, to: shipment.files).isEmpty)
    let there = try #require(scene.screenshots?())
    #expect(there.count == 2 && scene.content() == content)
    // Screenshots that are recorded as sent cause no requests, even after a restart.
    let requests = scene.bench.requests
    #expect(try await scene.make().attach(shipment.screenshots, to: shipment.files).isEmpty)
    #expect(scene.bench.requests == requests && scene.screenshots?() == there)
    let more = Self.shipment(Self.pictures + [("more.png", 5, ["Bird"])])
    #expect(try await scene.make().attach(more.screenshots, to: more.files).isEmpty)
    #expect(scene.screenshots?().count == 3)
    // A picture does not add strings that a person deleted at the vendor.
    let empty = try self.scene()
    #expect(try await empty.make().attach(shipment.screenshots, to: shipment.files).isEmpty)
    #expect(empty.screenshots?().isEmpty == true && empty.content().isEmpty)
  }

  private func survivesFaults() async throws {
    let reference = try scene()
    _ = try await reference.make().push(Self.shipment(Self.pictures))
    let expected = reference.screenshots?()
    for fault in VendorBench.Fault.quick {
      for request in 0..<reference.bench.requests {
        let scene = try scene()
        scene.bench.fail(fault, at: request)
        for _ in 0..<4 {
          do {
            _ = try await scene.make().push(Self.shipment(Self.pictures))
            break
          } catch {}
        }
        #expect(scene.screenshots?() == expected, "\(fault) at request \(request)")
      }
    }
  }
}
