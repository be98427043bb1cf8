import Foundation
import Localization
import TestSupport
import Testing

@Suite("Forms of a translation")
struct TranslationLeavesTests {
  @Test("every form is found under its path, and setting a form changes only that form")
  func properties() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      let translation = RandomCatalog.translation(using: &generator)
      #expect(translation.leaves.map(\.path) == translation.leaves.map(\.path).sorted())
      for (path, leaf) in translation.leaves {
        #expect(translation[path] == leaf)
        var same = translation
        let fits = same.set(leaf, at: path)
        #expect(fits)
        #expect(same == translation)
        let isLast = translation.leaves.count { !$0.path.isInSubstitution } == 1
        guard path.isInSubstitution || !isLast else { continue }
        var removed = translation
        let found = removed.remove(at: path)
        #expect(found)
        #expect(removed[path] == nil)
      }
    }
  }

  @Test("a translation is unchanged after it is encoded and decoded")
  func coding() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<200 {
      let translation = RandomCatalog.translation(using: &generator)
      let data = try JSONEncoder().encode(translation)
      #expect(try JSONDecoder().decode(Translation.self, from: data) == translation)
    }
  }

  @Test("a form whose path contradicts the variations is rejected without a change")
  func misfits() {
    let form = VariedLeaf(.text("x"), state: .new)
    var plain = Translation("a")
    let fits = plain.set(form, at: [.plural(.one)])
    #expect(!fits)
    #expect(plain == Translation("a"))
    var plural = plurals(["one": "a", "other": "b"])
    let others = [
      plural.set(form, at: .root), plural.set(form, at: [.device(.other)]),
      plural.set(form, at: [.plural(.one), .device(.other)]),
    ]
    #expect(others == [false, false, false])
    #expect(plural == plurals(["one": "a", "other": "b"]))
    plural.set(form, at: [.plural(.few)])
    #expect(plural[[.plural(.few)]] == form)
  }
}
