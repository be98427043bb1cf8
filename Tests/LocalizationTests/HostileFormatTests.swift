import Localization
import Testing

@Suite("Dangerous format specifiers")
struct HostileFormatTests {
  private func verdicts(_ source: String, _ target: String, _ choices: ImportChoices = ImportChoices()) -> [Verdict] {
    let key = UnitKey(source)
    let unit = ExchangeUnit(
      key: key, path: .root, source: .text(source), target: ExchangeTarget(.text(target), state: "translated"))
    let file = ExchangeFile(
      original: "App/Localizable.xcstrings", sourceLanguage: "en", targetLanguage: "de", units: [unit])
    let catalogs: [TreePath: Catalog] = ["App/Localizable.xcstrings": catalog([key: CatalogEntry()])]
    return [ImportPolicy.asXcode, .unattended].flatMap { policy in
      ImportReview(catalogs: catalogs, policy: policy, choices: choices).review([file]).outcomes.map(\.verdict)
    }
  }

  @Test(
    "a huge width or precision is held for every type of specifier",
    arguments: [
      ("%d", "%999999999d"), ("%@", "%1$999999999999999999@"), ("%f", "%.9999f"), ("%d", "%1$-01000d"),
      ("plain", "%9999d"),
    ])
  func widths(source: String, target: String) {
    for verdict in verdicts(source, target) {
      guard case .held(.placeholdersUnsafe(let reason)) = verdict else {
        Issue.record("\(target) is \(verdict)")
        continue
      }
      #expect(reason.contains("width or precision") || source == "plain")
    }
  }

  @Test(
    "a normal width is accepted, and a huge width if the source text has the same one",
    arguments: [("%d", "%010d"), ("%f", "%.2f"), ("%@", "%-30@"), ("%9999d", "%9999d"), ("%d", "%000000000005d")])
  func ordinary(source: String, target: String) {
    #expect(verdicts(source, target).allSatisfy { $0 == .taken || $0 == .unchanged })
  }

  @Test(
    "specifiers that read from or write to an address are held if the source text has no arguments",
    arguments: ["%n%n%s", "%n", "a %s", "a %S", "%1$n"])
  func addresses(target: String) {
    #expect(verdicts("plain", target).allSatisfy { if case .held(.placeholdersUnsafe) = $0 { true } else { false } })
  }

  @Test(
    "a person may accept a text that omits an argument, but not a text that reads a missing or wrongly typed argument",
    arguments: [
      ("%lld birds", "Vögel", true), ("%lld birds", "%d Vögel", true), ("%2$@ of %1$lld", "%1$lld", true),
      ("%lld birds", "%@ Vögel", false), ("%lld birds", "%lld %lld Vögel", false), ("%lld of %@", "%f von %@", false),
      ("%@ sings", "%lld singt", false), ("%lld birds", "%n Vögel", false),
    ])
  func chosen(source: String, target: String, isTaken: Bool) {
    let choices = ImportChoices(take: [.reason("placeholdersDiffer")])
    for verdict in verdicts(source, target, choices) {
      #expect((verdict == .taken) == isTaken, "\(verdict)")
      // The reason is the same without the choice, so a person sees it before deciding.
      guard case .held(let reason) = verdict else { continue }
      #expect(reason.code == "placeholdersUnsafe" && reason.sentence.contains("could crash the app"))
      #expect(verdicts(source, target).contains(verdict) && !ImportChoices.overrulable.contains(reason.code))
    }
  }
}
