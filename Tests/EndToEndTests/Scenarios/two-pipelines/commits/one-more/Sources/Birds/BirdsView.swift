import SwiftUI

struct BirdsView: View {
  let count: Int

  var body: some View {
    VStack {
      Text("Backyard birds")
      Text("\(count) birds today", comment: "Count of birds seen")
      Button("Feed") {}
      Text("One more")
    }
  }
}
