import LedgerStore
import Localization
import Pipeline
import Simulation
import TestSupport
import Testing

/// Returns that the format of their catalog cannot write.
@Suite(.timeLimit(.minutes(10))) struct UnwritableReturnTests {
  /// A catalog that a person edited: a device's fallback has plural forms, which Xcode does not compile.
  private static let catalog = """
    {
      "sourceLanguage" : "en",
      "strings" : {
        "Feed" : {

        },
        "Fly" : {
          "extractionState" : "manual",
          "localizations" : {
            "en" : {
              "variations" : {
                "device" : {
                  "mac" : { "stringUnit" : { "state" : "translated", "value" : "Click" } },
                  "other" : {
                    "variations" : {
                      "plural" : {
                        "one" : { "stringUnit" : { "state" : "translated", "value" : "%lld bird" } },
                        "other" : { "stringUnit" : { "state" : "translated", "value" : "%lld birds" } }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      },
      "version" : "1.0"
    }
    """

  @Test(
    "returns that cannot be written are held with the reason, and the rest of the catalog is delivered",
    arguments: [false, true])
  func held(isWhole: Bool) async throws {
    let pipeline = try TestPipeline()
    let context = pipeline.context(
      TestPipeline.definition {
        $0.deliver = DeliverSettings(mode: .push, when: isWhole ? .complete : .any)
      })
    var tree = TestPipeline.tree(["Feed"])
    tree[TestPipeline.catalog] = Array(Self.catalog.utf8)
    pipeline.commit(tree)
    _ = try await pipeline.findings(context, isThorough: true)
    #expect(pipeline.vendor.sentKeys.contains("Fly"))
    pipeline.vendor.give(
      pipeline.vendor.shipments.flatMap(\.files).flatMap(\.units).map { unit in
        var unit = unit
        if case .text(let source)? = unit.source { unit.target = ExchangeTarget(.text("\(source)!")) }
        return unit
      })
    var found: [String] = []
    for _ in 0..<2 {
      pipeline.clock.advance(by: 60)
      found += try await pipeline.findings(context, isThorough: true)
    }
    #expect(found.contains { $0.contains("deliver.when is complete") } == isWhole, "\(found)")
    let held = try await pipeline.store.heldUnits(of: TestPipeline.name)
    #expect(held.map(\.unit.key) == ["Fly"])
    #expect(held.first?.reason?.code == "notWritable")
    #expect(pipeline.german("Feed", on: "main") == (isWhole ? nil : "Feed!"))
  }
}
