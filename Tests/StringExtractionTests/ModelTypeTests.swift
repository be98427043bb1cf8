import Testing

/// Types that come from models, property wrappers, result builders and opaque types. The specifiers of interpolations show these types.
@Suite struct ModelTypeTests {
  static let mechanisms: [Mechanism] = [
    Mechanism(
      "SwiftData, Observation and Combine",
      #"""
      import SwiftData
      import SwiftUI
      @Model final class Item { var count: Int; var ratio: Double = 0; var name: String; @Relationship(deleteRule: .cascade) var parts: [Part] = []; @Attribute(.unique) var small: Int16; var maybe: Int?; @Transient var temp: Float = 0; init() {} }
      @Model class Part { var size: UInt32 = 0; var owner: Item? }
      @Observable final class Store { var total = 0; var share = 0.5; private(set) var level: Int32 = 1; @ObservationIgnored var hidden: UInt = 0; var items: [Item] = []; var current: Item?; static let shared = Store() }
      final class Old: ObservableObject { @Published var n = 3; @Published var d: Double = 0; @Published var list: [Item] = []; @Published var selected: Item? }
      struct V: View {
        @Query(sort: \Item.name) var items: [Item]
        @Query var parts: [Part]
        @Environment(Store.self) private var store
        @Bindable var item: Item
        @State private var own = Store()
        @StateObject var old = Old()
        @EnvironmentObject var shared: Old
        var body: some View {
          Text("a \(items.count) \(item.ratio) \(item.small) \(item.maybe ?? 0) \(item.temp)") // 🔑 a %lld %lf %d %lld %f
          Text("b \(item.parts[0].size) \(item.parts.first?.size ?? 0)") // 🔑 b %u %u
          Text("c \(store.total) \(store.share) \(store.level) \(store.hidden) \(store.items.first?.count ?? 0)") // 🔑 c %lld %lf %d %llu %lld
          Text("d \(own.total) \(old.n) \(shared.list.count) \(old.selected?.ratio ?? 0) \(Store.shared.total)") // 🔑 d %lld %lld %lld %lf %lld
          ForEach(items) { i in Text("e \(i.count)"); ForEach(i.parts) { p in Text("f \(p.size) \(p.owner?.count ?? 0)") } } // 🔑 e %lld 🔑 f %u %lld
          ForEach($own.items) { $i in Text("g \(i.count)") } // 🔑 g %lld
          if let current = store.current { Text("h \(current.count)") } // 🔑 h %lld
          switch item.maybe { case .some(let x): Text("i \(x)"); case nil: EmptyView() } // 🔑 i %lld
        }
      }
      """#),
    Mechanism(
      "a key path where a function is expected, and what a closure makes of the literal that it begins with",
      #"""
      import SwiftUI
      struct Part { var size: UInt32; var ratio: Double; var next: [Part] }
      func f(parts: [Part]) {
        _ = Text("a \(parts.map(\.ratio).reduce(0, +)) \(parts.map(\.size).max() ?? 0)") // 🔑 a %lf %u
        _ = Text("b \(parts.flatMap(\.next).first?.size ?? 0) \(parts.first.map(\.ratio) ?? 0)") // 🔑 b %u %lf
        _ = Text("c \(parts.reduce(0) { $0 + $1.size }) \(parts.reduce(0) { $0 + $1.ratio }) \(parts.reduce(0) { $0 + $1.next.count })") // 🔑 c %u %lf %lld
        _ = Text("d \(parts.reduce(0) { sum, _ in sum + 1 }) \(parts.reduce(0.5) { max($0, $1.ratio) })") // 🔑 d %lld %lf
        let total = parts.map(\.ratio).reduce(0, +)
        _ = Text("e \(total)") // 🔑 e %lf
      }
      """#),
    Mechanism(
      "property wrappers and result builders of the project, and opaque types",
      #"""
      import SwiftUI
      @propertyWrapper struct Clamped<T: Comparable> { var wrappedValue: T; var projectedValue: Self { self }; var text: LocalizedStringKey { "a" }; init(wrappedValue: T, _ range: ClosedRange<T>) { self.wrappedValue = wrappedValue } } // 🔑 a
      @propertyWrapper struct Titled { var wrappedValue: String; init(_ title: LocalizedStringKey) { wrappedValue = "no" } }
      @resultBuilder struct KeyBuilder { static func buildExpression(_ key: LocalizedStringKey) -> LocalizedStringKey { key }; static func buildBlock(_ parts: LocalizedStringKey...) -> [LocalizedStringKey] { parts } }
      func build(@KeyBuilder _ keys: () -> [LocalizedStringKey]) -> some View { EmptyView() }
      protocol Counting { var n: Int32 { get } }
      struct C: Counting { var n: Int32 = 1 }
      protocol HasValue<Value> { associatedtype Value; var value: Value { get } }
      struct H: HasValue { var value = 1.0 }
      struct V: View {
        @Clamped(0...5) var level = 3
        @Titled("b") var title: String // 🔑 b
        @ScaledMetric var width: CGFloat = 3
        func counted() -> some Counting { C() }
        func any() -> any Counting { C() }
        var holder: some HasValue<Double> { H() }
        func list(_ sizes: some Collection<UInt32>, _ any: any Sequence<Double>) { for s in sizes { _ = Text("i \(s) \(sizes.first ?? 0)") }; _ = Text("j \(any.reduce(0, +))") } // 🔑 i %u %u 🔑 j %lf
        var body: some View {
          Text("c \(level) \($level.wrappedValue) \(width)") // 🔑 c %lld %lld %lf
          Text("d \(counted().n) \(any().n) \(holder.value)") // 🔑 d %d %d %lf
          Text($level.text)
          build { "e"; for i in 0..<3 { "f \(i)" }; if level > 1 { "g" } else { "h" } } // 🔑 e 🔑 f %lld 🔑 g 🔑 h
        }
      }
      """#),
  ]

  @Test(
    "exactly the keys marked with 🔑 are extracted if types come from models, wrappers and result builders",
    arguments: mechanisms)
  func keys(_ mechanism: Mechanism) throws { try mechanism.verify() }
}
