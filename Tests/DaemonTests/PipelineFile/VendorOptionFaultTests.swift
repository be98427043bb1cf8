import Testing

/// Options of a vendor that contradict each other, or that only the vendor's code can check.
@Suite struct VendorOptionFaultTests {
  @Test(
    "faults that only the vendor's code can find are reported with the location of the option",
    arguments: [
      ("{ vendor: pseudo, styles: [accented, loud] }", "4:31 vendors[0].styles: unknown style loud"),
      ("{ vendor: pseudo, styles: [] }", "4:31 vendors[0].styles: the list is empty"),
      ("{ vendor: llm, model: m, limit: 2 }", "4:37 vendors[0].limit: a limit needs the price of tokens"),
      (
        "{ vendor: llm, model: m, format: tool }",
        "4:38 vendors[0].format: `api: openai` does not support `format: tool`"
      ),
      ("{ vendor: llm, model: m, temperature: 9 }", "4:43 vendors[0].temperature: 9 is not a number from 0 to 2"),
      ("{ vendor: llm, model: m, timeout: 0s }", "4:39 vendors[0].timeout: a model needs at least 1s"),
      ("{ vendor: llm, model: m, style: house/style.md }", "4:37 vendors[0].style: “house/style.md” looks like a path"),
      ("{ vendor: folder, path: drop, known_hosts: /etc/k }", "4:48 vendors[0].known_hosts: `known_hosts` is only for"),
      ("{ vendor: azure, credentials: none }", "4:35 vendors[0].credentials: the vendor azure needs credentials"),
    ])
  func faults(_ vendor: String, _ fault: String) {
    let found = places("pipeline: a\nrepository: { url: a }\nvendors:\n  - \(vendor)\n")
    #expect(found.count == 1 && found.first?.hasPrefix(fault) == true, "\(found)")
  }

  @Test("the check of a pipeline file does not open other files, because they may be on another machine")
  func files() {
    let vendor = "{ vendor: llm, model: m, style: 'file: /nowhere/style.md', glossary_file: /nowhere/terms.csv }"
    #expect(places("pipeline: a\nrepository: { url: a }\nvendors:\n  - \(vendor)\n") == [])
  }
}
