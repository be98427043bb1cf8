import SwiftUI

struct FeederView: View {
  var body: some View { Text("feeder.title", tableName: "Feeder", bundle: .module) }
}
