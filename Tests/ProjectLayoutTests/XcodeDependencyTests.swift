import Localization
import ProjectLayout
import Testing

@Suite struct XcodeDependencyTests {
  private func product(_ id: String, _ name: String) -> String {
    "\(id) = { isa = XCSwiftPackageProductDependency; productName = \(name); };"
  }

  private func package(_ folder: String) -> [String: String] {
    [
      "\(folder)/Package.swift": manifest(
        "products: [.library(name: \"KitLib\", targets: [\"Kit\"])], targets: [.target(name: \"Kit\")]"),
      "\(folder)/Sources/Kit/K.swift": "",
    ]
  }

  @Test("a package's product includes its targets, and the first matching package is used")
  func packages() throws {
    let objects =
      product("P", "KitLib") + "LP = { isa = XCLocalSwiftPackageReference; relativePath = \"../Two\"; };"
      + target("T", "App", more: "packageProductDependencies = (P);")
    let referred = pbxproj(objects, targets: "T", project: "packageReferences = (LP);")
    let dragged = pbxproj(
      objects + file("D", "../Two", type: "folder"), children: "D", targets: "T")
    let unnamed = pbxproj(objects, targets: "T")
    for (text, expected) in [(referred, "Two:Kit"), (dragged, "Two:Kit"), (unnamed, "App/One:Kit")] {
      let project = try layout(
        package("App/One").merging(package("Two")) { $1 }.merging(["App/App.xcodeproj/project.pbxproj": text]) { $1 })
      #expect(project["App/App.xcodeproj:App"]?.dependencies.map(\.rawValue) == [expected])
    }
    let workspace = try layout(
      package("App/One").merging(package("Two")) { $1 }.merging([
        "App/App.xcodeproj/project.pbxproj": unnamed,
        "All.xcworkspace/contents.xcworkspacedata": """
        <?xml version="1.0" encoding="UTF-8"?>
        <Workspace version="1.0"><Group location="container:App" name="x"><FileRef location="group:App.xcodeproj"/></Group>
        <FileRef location="group:Two"/></Workspace>
        """,
      ]) { $1 })
    #expect(workspace["App/App.xcodeproj:App"]?.dependencies.map(\.rawValue) == ["Two:Kit"])
  }

  @Test("frameworks are visible to targets that link them or depend on them; extensions are visible to no target")
  func targets() throws {
    let project = try layout([
      "App.xcodeproj/project.pbxproj": pbxproj(
        file("FP", "Core.framework", tree: "BUILT_PRODUCTS_DIR")
          + file("SUB", "Lib/Lib.xcodeproj", type: "wrapper.pb-project")
            + """
            PROXY = { isa = PBXContainerItemProxy; containerPortal = SUB; remoteInfo = Lib; };
            OUTER = { isa = PBXContainerItemProxy; containerPortal = ROOT; };
            D1 = { isa = PBXTargetDependency; target = T2; }; D2 = { isa = PBXTargetDependency; targetProxy = PROXY; };
            D3 = { isa = PBXTargetDependency; target = T3; }; D4 = { isa = PBXTargetDependency; targetProxy = OUTER; };
            D5 = { isa = PBXTargetDependency; target = GONE; };
            """
          + target(
            "T1", "App", frameworks: ["FP"], more: "dependencies = (D1, D2, D3, D4, D5);")
          + target("T2", "Widget", type: "app-extension") + target("T3", "Base", type: "library.static")
          + target("T4", "Core", type: "framework", more: "productReference = FP;"),
        children: "FP, SUB", targets: "T1, T2, T3, T4"),
      "Lib/Lib.xcodeproj/project.pbxproj": pbxproj(
        target("T", "Lib", type: "framework"), targets: "T"),
      "Other/Other.xcodeproj/project.pbxproj": pbxproj(
        file("FP", "Core.framework", tree: "BUILT_PRODUCTS_DIR")
          + target("T", "Core", type: "framework", more: "productReference = FP;"), children: "FP", targets: "T"),
    ])
    #expect(
      project["App.xcodeproj:App"]?.dependencies.map(\.rawValue)
        == ["App.xcodeproj:Core", "Lib/Lib.xcodeproj:Lib", "App.xcodeproj:Base"])
  }
}
