import Localization
import Testing

struct TermCheckTests {
  private let check = TermCheck([
    "de": [
      .init(source: "Bird", targets: ["Vogel", "Vögel"]), .init(source: "Bird feeder", targets: ["Futterhaus"]),
      .init(source: "iOS", targets: ["iOS"]),
    ],
    "de-AT": [.init(source: "Bird feeder", targets: ["Futterhäuschen"])],
  ])

  @Test("a term is found as words of its own, ignoring case, the longest first")
  func found() {
    #expect(check.terms(in: "Add a bird", for: "de").map(\.source) == ["Bird"])
    #expect(check.terms(in: "Birds and birdhouses, blackbird", for: "de").isEmpty)
    #expect(check.terms(in: "A bird feeder", for: "de").map(\.source) == ["Bird feeder"])
    #expect(check.terms(in: "A bird on a bird feeder", for: "de").map(\.source) == ["Bird feeder", "Bird"])
    #expect(check.terms(in: "(bird)", for: "de").map(\.source) == ["Bird"])
    #expect(check.terms(in: "bird", for: "fr").isEmpty && check.terms(in: "", for: "de").isEmpty)
  }

  @Test("a translation without any translation of a term is at fault")
  func fault() {
    #expect(check.fault(of: "Ein Vogel", for: "A bird", in: "de") == nil)
    #expect(check.fault(of: "Die VÖGEL", for: "The bird", in: "de") == nil)
    #expect(check.fault(of: "Ein Spatz", for: "A bird", in: "de") == "“Bird” is “Vogel”")
    #expect(check.fault(of: "Ein Spatz", for: "A sparrow", in: "de") == nil)
    #expect(check.fault(of: "Für ios", for: "For iOS", in: "de") == nil)
  }

  @Test("the terms of a region go before those of its main language")
  func regions() {
    #expect(check.fault(of: "Futterhaus", for: "Bird feeder", in: "de-AT") == "“Bird feeder” is “Futterhäuschen”")
    #expect(check.fault(of: "Ein Spatz", for: "A bird", in: "de-AT") == "“Bird” is “Vogel”")
    #expect(TermCheck().isEmpty && !check.isEmpty)
  }
}
