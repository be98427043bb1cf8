import Foundation
import HTTPTransport
import Localization
import Logging
import TranslationVendors

/// A benchmark of the number of units per second that the vendor `http` pushes and pulls, with the example server of its documentation page on
/// loopback. The benchmark runs in its own process, so that its memory can be measured.
struct VendorBenchmark {
  let server: String
  let units: Int
  let languages: Int

  /// Runs the benchmark in the child process.
  /// - Parameter arguments: the server, the number of units, and the number of languages.
  static func child(_ arguments: [String]) async throws {
    guard arguments.count == 3, let units = Int(arguments[1]), let languages = Int(arguments[2]) else {
      throw BenchmarkFailure("usage: vendors SERVER UNITS LANGUAGES")
    }
    try await VendorBenchmark(server: arguments[0], units: units, languages: languages).run()
  }

  private static let codes = ["de", "uk", "fr", "ja", "es", "it", "nl", "pl", "sv", "tr"]

  private static func source(_ number: Int) -> String { "Text number \(number) of a screen" }

  private func shipment(_ language: LocaleIdentifier) -> Shipment {
    let strings = (0..<units).map { number in
      ExchangeUnit(
        key: UnitKey("screen.\(number / 20).text.\(number)"), source: .text(Self.source(number)),
        note: number % 3 == 0 ? "Shown on screen \(number / 20)" : nil)
    }
    let file = ExchangeFile(
      original: "App/Localizable.xcstrings", sourceLanguage: "en", targetLanguage: language, units: strings)
    return Shipment(
      pipeline: "bench", round: "1", language: language, sourceLanguage: "en", files: [file], sourceContents: [:])
  }

  private func run() async throws {
    let environment = VendorEnvironment(
      pipeline: "bench", stateFolder: NSTemporaryDirectory(),
      transport: HTTPTransport(TransportSettings(usesEnvironmentProxy: false)), now: { Date() },
      sleep: { try await Task.sleep(for: $0) }, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
    let vendor = try InHouseKind.vendor(VendorSettings(options: ["url": .text(server)]), in: environment)
    let all = Self.codes.prefix(languages).map { LocaleIdentifier($0) }
    var memory: [Int] = []
    let pushed = try await seconds {
      for language in all {
        _ = try await vendor.push(shipment(language))
        memory.append(Self.kilobytes("VmRSS"))
      }
    }
    try await translate(all)
    let pulled = try await seconds {
      for language in all {
        let shipment = shipment(language)
        let receipt = ShipmentReceipt(reference: "1", units: units, wasThere: true)
        let found = try await vendor.pull(
          OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] })
        guard found.bundles.first?.files.first?.units.count == units else {
          throw BenchmarkFailure("\(language): not all units were returned")
        }
        memory.append(Self.kilobytes("VmRSS"))
      }
    }
    let count = Double(units * all.count)
    print(
      "vendor http, \(units) units x \(all.count) languages: \(Int(count / pushed)) units/s pushed,"
        + " \(Int(count / pulled)) units/s pulled (at least 20000 each), peak \(Self.kilobytes("VmHWM")) KiB (at most 153600)"
    )
    print(
      "  KiB in use after each language, pushed: \(memory.prefix(all.count).map(String.init).joined(separator: " ")); pulled:"
        + " \(memory.dropFirst(all.count).map(String.init).joined(separator: " "))")
  }

  /// Returns a value from /proc/self/status in kilobytes; 0 if it is missing.
  /// - Parameter name: the name of the line.
  private static func kilobytes(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return status.split(separator: "\n").first { $0.hasPrefix("\(name):") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  /// Enters a translation of every string, as translators would.
  private func translate(_ languages: [LocaleIdentifier]) async throws {
    let transport = HTTPTransport(TransportSettings(usesEnvironmentProxy: false))
    for language in languages {
      for start in stride(from: 0, to: units, by: 1000) {
        let entries = (start..<min(start + 1000, units)).map { number in
          """
          {"id": {"catalog": "App/Localizable.xcstrings", "name": "screen.\(number / 20).text.\(number)"}, \
          "source": {"text": "\(Self.source(number))"}, "target": {"text": "\(language) \(number)"}, "state": "translated"}
          """
        }
        let body = "{\"translations\": [\(entries.joined(separator: ","))]}"
        let request = HTTPRequest(
          "PUT", try HTTPURL(server).appending(["translations", language.rawValue, "missing"]),
          headers: [("Content-Type", "application/json")], body: .bytes(Array(body.utf8)))
        guard try await transport.send(request).head.isSuccess else { throw BenchmarkFailure("the server refused") }
      }
    }
  }

  private func seconds(_ body: () async throws -> Void) async throws -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start).seconds
  }
}
