import Localization
import Testing

@Suite struct InterpolationTests {
  static let specifiers = Mechanism(
    "specifiers",
    #"""
    struct Bird { var name: String; var count: Int; var weight: Double; var tags: [String] }
    enum State { case found(Int, name: String) }
    func use(_ birds: [Bird], _ bird: Bird, _ small: Int32, _ big: UInt, _ ratio: Float, _ state: State, _ maybe: Int?) {
      let local = birds.count
      _ = Text("a \(bird.name)") // 🔑 a %@
      _ = Text("b \(bird.count)") // 🔑 b %lld
      _ = Text("c \(local) of \(birds.count + 1)") // 🔑 c %lld of %lld
      _ = Text("d \(bird.weight)") // 🔑 d %lf
      _ = Text("e \(small) \(big) \(ratio)") // 🔑 e %d %llu %f
      _ = Text("f \(bird.weight, specifier: "%.2f")") // 🔑 f %.2f
      _ = Text("g \(bird.weight, format: .percent)") // 🔑 g %@
      _ = Text("h \(Date.now, style: .date)") // 🔑 h %@
      _ = Text("50%") // 🔑 50%
      _ = Text("50% of \(local)") // 🔑 50%% of %lld
      _ = Text("\(bird.name)") // 🔑 %@
      _ = Text("i \(bird.tags.first ?? "none")") // 🔑 i %@
      if case .found(let number, let name) = state { _ = Text("j \(number) \(name)") } // 🔑 j %lld %@
      if let maybe { _ = Text("k \(maybe)") } // 🔑 k %lld
      for (index, bird) in birds.enumerated() { _ = Text("l \(index) \(bird.count)") } // 🔑 l %lld %lld
      birds.forEach { bird in _ = Text("m \(bird.weight)") } // 🔑 m %lf
      _ = ForEach(birds, id: \.name) { bird in Text("n \(bird.count)") } // 🔑 n %lld
      _ = ForEach(0..<3) { Text("o \($0)") } // 🔑 o %lld
      _ = Text("p \(Text("q"))") // 🔑 p %@ 🔑 q
      _ = Text("r \(bird.count == 1 ? "no" : "no")") // 🔑 r %@
      _ = Text("s \(Int(bird.weight))") // 🔑 s %lld
      _ = Text("t \(bird.weight.formatted())") // 🔑 t %@
    }
    """#)

  @Test("each argument gets the specifier of its type")
  func types() throws { try Self.specifiers.verify() }

  @Test(
    "the catalog decides the specifier that code leaves open if exactly one key matches",
    arguments: [
      (["x %lld y"], "x %lld y"), (["x %lld y", "x %@ y"], "x %@ y"), (["other"], "x %@ y"), (["x %1$@ y"], "x %1$@ y"),
    ])
  func oracle(_ keys: [String], _ expected: String) throws {
    let source = #"func f() { _ = Text("x \(somewhere.else()) y") }"#
    #expect(try ExtractionFixture.found(in: source, keys: keys) == ["1: " + expected])
  }

  @Test("an argument of unknown type next to an integer counts as an integer if the catalog does not decide")
  func arithmetic() throws {
    let source = #"func f() { _ = Text("x \(somewhere.else() + 1) y") }"#
    #expect(try ExtractionFixture.found(in: source) == ["1: x %lld y"])
    #expect(try ExtractionFixture.found(in: source, keys: ["x %d y"]) == ["1: x %d y"])
  }

  @Test("escapes, raw literals and multi-line literals are read as by the compiler")
  func literals() throws {
    let source = #####"""
      let a = Text("tab\t \u{1F600} \"q\" \\ \(1)")
      let b = Text(#"raw \n \#u{41}"#)
      let c = Text("""
        two
          lines \
        joined
        """)
      """#####
    #expect(
      try ExtractionFixture.found(in: source) == ["1: tab\t 😀 \"q\" \\ %lld", "2: raw \\n A", "3: two\n  lines joined"])
  }

  @Test("keys that differ only in Unicode form remain two keys")
  func forms() throws {
    let source = "let a = Text(\"e\u{301}\")\nlet b = Text(\"\u{E9}\")"
    let strings = try ExtractionFixture(["A.swift": source]).extract().strings
    #expect(strings.count == 2)
  }
}
