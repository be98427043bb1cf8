import SwiftUI

struct BirdsView: View {
  var body: some View {
    Text("nest.title", bundle: .module)
    Text("feeder.title", tableName: "Feeder", bundle: .module)
  }
}
