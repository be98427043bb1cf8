import Localization
import StringExtraction
import SwiftLinking
import Testing

/// Rules about other modules and Core Data models.
extension FurtherRuleTests {
  @Test("4: a type of another module is used if the file imports the module and the type fits the call")
  func modules() throws {
    let files = [
      "App/A.swift": #"""
      import SwiftUI
      let a = Link("a", destination: url)
      let b = Badge("no")
      """#,
      "App/B.swift": #"""
      import SwiftUI
      import Kit
      let c = Link("c", destination: url)
      let d = Link("no")
      let e = Section("no") {}
      """#,
      "App/C.swift": #"""
      import SwiftUI
      let f = Section("f") {}
      """#,
      "Kit/K.swift": #"""
      public struct Link { public init(_ rel: String) {} }
      public struct Badge { public init(_ text: String) {} }
      public struct Section { public init(_ title: String, _ body: () -> Void) {} }
      """#,
    ]
    var fixture = ExtractionFixture(files)
    let entries = fixture.project.targets[0].swiftSources
    let kit = ProjectTarget(
      id: TargetID(rawValue: "Kit"), name: "Kit", kind: .folder, folder: "Kit",
      swiftSources: entries.filter { $0.path.text.hasPrefix("Kit") }, resourceFolder: "Kit", feedsCatalogs: false)
    fixture.project.targets[0].swiftSources = entries.filter { $0.path.text.hasPrefix("App") }
    fixture.project.targets[0].dependencies = [kit.id]
    fixture.project.targets.append(kit)
    #expect(try fixture.extract().strings.map(\.key.text) == ["a", "c", "f"])
  }

  @Test("12: attributes of a Core Data model have types, and an invalid model makes the catalogs incomplete")
  func dataModel() throws {
    let path = TreePath(trusted: "App/Store.xcdatamodeld/Store.xcdatamodel/contents")
    let source = #"""
      import SwiftUI
      struct V: View {
        @ObservedObject var item: Item
        var body: some View {
          Text("small \(item.small)")
          Text("large \(item.large)")
          Text("boxed \(item.boxed)")
          Text("ratio \(item.ratio)")
          Text("name \(item.name ?? "")")
          Text("parent \(item.parent?.small ?? 0)")
          Text("extra \(item.extra)")
        }
      }
      class Hand: NSManagedObject {}
      """#
    let model = #"""
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel">
        <entity name="Thing" representedClassName="Item" codeGenerationType="class">
          <attribute name="small" attributeType="Integer 16" usesScalarValueType="YES"/>
          <attribute name="large" attributeType="Integer 64" usesScalarValueType="YES"/>
          <attribute name="boxed" attributeType="Integer 64"/>
          <attribute name="ratio" attributeType="Float" usesScalarValueType="YES"/>
          <attribute name="name" attributeType="String"/>
          <attribute name="a b; let c = &quot;no&quot;" attributeType="String"/>
          <relationship name="parent" destinationEntity="Thing" maxCount="1"/>
        </entity>
        <entity name="Hand" representedClassName=".Hand">
          <attribute name="no" attributeType="Integer 16"/>
        </entity>
        <entity name="Part" representedClassName="App.Item" codeGenerationType="category">
          <attribute name="extra" attributeType="Integer 32" usesScalarValueType="YES"/>
        </entity>
      </model>
      """#
    func extract(_ model: String) throws -> Extraction {
      var fixture = ExtractionFixture(bytes: ["App/A.swift": Array(source.utf8), path: Array(model.utf8)])
      fixture.project.targets[0].swiftSources = [
        TreeEntry(path: "App/A.swift", kind: .file, blob: nil), TreeEntry(path: path, kind: .file, blob: nil),
      ]
      fixture.project.targets[0].otherSources = []
      return try fixture.extract()
    }
    let extraction = try extract(model)
    #expect(
      extraction.strings.map(\.key.text)
        == ["boxed %@", "extra %d", "large %lld", "name %@", "parent %d", "ratio %f", "small %d"])
    #expect(extraction.diagnostics.isEmpty)
    let broken = try extract("<model>")
    #expect(broken.diagnostics.map(\.path) == [path.text])
    #expect(broken.incompleteCatalogs.count == 2)
  }
}
