import Pipeline
import Testing

struct CommitTrailersTests {
  @Test("the trailers of our commits are read back unchanged")
  func roundTrip() {
    let trailers = CommitTrailers(rounds: ["birds/3", "birds/4"], source: CommitID(rawValue: "abc"), units: 12)
    #expect(CommitTrailers(message: "Translate\n\n\(trailers.text)") == trailers)
    let without = CommitTrailers(rounds: [], source: CommitID(rawValue: "abc"), units: 1)
    #expect(CommitTrailers(message: "Bring\n\n\(without.text)\n") == without)
  }

  @Test(
    "a commit that only mentions Dragoman in its message is not treated as ours",
    arguments: ["", "Fix", "L10n-Source: a\nL10n-Units: 1\n\nA body that quotes trailers", "x\n\nL10n-Source: a\n"])
  func foreign(message: String) {
    #expect(CommitTrailers(message: message) == nil)
  }
}
