import SwiftUI

struct BirdsView: View {
  var body: some View {
    Text("nest.title", bundle: .module)
    Text("nest.empty", bundle: .module)
    Text("feeder.title", tableName: "Feeder", bundle: .module)
    Text("feeder.empty", tableName: "Feeder", bundle: .module)
  }
}
