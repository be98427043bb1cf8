import SwiftUI

struct Row<Item: Identifiable>: View where Item.ID == Int {
  let title: LocalizedStringKey
  @State private var count = 3
  var items: [Item]
  init(_ title: LocalizedStringKey, items: [Item] = []) { self.title = title; self.items = items }
  var body: some View {
    VStack {
      Text("Hello, \(count) \(items.count > 2 ? "many" : #"few \#(1)"#)")
      if let first = items.first, case .some(let x) = Optional(first.id) {
        Label("n: \(x, specifier: "%02d")", systemImage: "x")
      }
      ForEach(items) { item in Button("Go \(item.id)") { print("no") } }
      switch count {
      case 0:
        Text(
          """
          none
            at all \
          here
          """);
      case 1...: Text("a" as LocalizedStringKey);
      default: EmptyView()
      }
    }.navigationTitle(title).alert("Sure?", isPresented: .constant(true)) {
      Button(role: .cancel) {
      } label: {
        Text("No")
      }
    }
  }
}
#if DEBUG && os(iOS)
  enum Kind: LocalizedStringKey, CaseIterable { case one = "One"; case two }
#else
  extension Row { static func make() -> Self { .init("Made") } }
#endif
#Preview("p") { Row("x", items: []) }
