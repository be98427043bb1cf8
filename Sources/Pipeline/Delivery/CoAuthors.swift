import Localization

/// The translators of a commit as `Co-authored-by` trailers.
struct CoAuthors {
  /// The maximum number of trailers in a commit. If there are more translators, those with the most units are named.
  static let most = 20

  /// The trailers as lines of text, each with a newline.
  let text: String

  /// Creates the trailers; none unless the pipeline names translators. The author of the commit gets no trailer.
  /// - Parameter units: the units of the commit.
  init(of units: [ReturnedUnit], _ deliver: DeliverSettings) {
    guard deliver.namesTranslators else {
      text = ""
      return
    }
    var names: [String: (name: String, address: String, units: Int)] = [:]
    for unit in units {
      for person in Set(unit.translators.compactMap { Self.person($0, deliver) }) {
        let key = person.address.lowercased()
        // The same person may have several names. The choice must not depend on the order of the units.
        let known = names[key] ?? (person.name, person.address, 0)
        names[key] = (min(known.name, person.name), min(known.address, person.address), known.units + 1)
      }
    }
    names[deliver.authorEmail.lowercased()] = nil
    text = names.sorted { ($1.value.units, $0.key) < ($0.value.units, $1.key) }.prefix(Self.most)
      .map { "Co-authored-by: \($0.value.name) <\($0.value.address)>\n" }.joined()
  }

  private struct Person: Hashable {
    var name: String
    var address: String
  }

  /// Returns the name and address of a translator. `deliver.addresses` takes precedence over the vendor's data.
  /// - Returns: `nil` if no address is known.
  private static func person(_ translator: Translator, _ deliver: DeliverSettings) -> Person? {
    let keys = [translator.account, translator.address, translator.name].compactMap(\.self)
    let given = keys.lazy.compactMap { deliver.addresses[$0] }.first
    guard let address = given ?? translator.address else { return nil }
    return Person(name: translator.name, address: address)
  }
}

extension ReturnedUnit {
  /// The translators of the unit's forms; empty if the vendor does not name them.
  var translators: Set<Translator> { Set(units.compactMap { $0.target?.translator }) }
}
