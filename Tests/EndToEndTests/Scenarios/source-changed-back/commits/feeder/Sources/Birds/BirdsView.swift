import SwiftUI

struct BirdsView: View {
  let count: Int

  var body: some View {
    VStack {
      Text("Backyard birds")
      Text(String(localized: "feeder.title", defaultValue: "Feeder"))
      Button("Feed") {}
    }
  }
}
