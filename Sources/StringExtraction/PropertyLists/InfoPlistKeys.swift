/// The keys of an Info.plist that Xcode localizes in InfoPlist tables (xcode-formats.md G).
enum InfoPlistKeys {
  /// Xcode's name for each key, which is the comment of the entry.
  ///
  /// Xcode ignores other keys, including a custom `…UsageDescription` such as `NSUserNotificationsUsageDescription`.
  static let names: [String: String] = [
    "CFBundleName": "Bundle name",
    "CFBundleDisplayName": "Bundle display name",
    "CFBundleSpokenName": "Accessibility Bundle Name",
    "CFBundleGetInfoString": "Get Info string",
    "NSHumanReadableCopyright": "Copyright (human-readable)",
    "NSHumanReadableDescription": "Human readable description",
    "NFCReaderUsageDescription": privacy("NFC Scan"),
    "NSAccessoryTrackingUsageDescription": privacy("Accessory Tracking"),
    "NSAppleEventsUsageDescription": privacy("AppleEvents Sending"),
    "NSAppleMusicUsageDescription": privacy("Media Library"),
    "NSAudioCaptureUsageDescription": privacy("Audio Capture"),
    "NSBluetoothAlwaysUsageDescription": privacy("Bluetooth Always"),
    "NSBluetoothPeripheralUsageDescription": privacy("Bluetooth Peripheral"),
    "NSCalendarsFullAccessUsageDescription": privacy("Calendars Full Access"),
    "NSCalendarsUsageDescription": privacy("Calendars"),
    "NSCalendarsWriteOnlyAccessUsageDescription": privacy("Calendars Write Only"),
    "NSCameraUsageDescription": privacy("Camera"),
    "NSContactsUsageDescription": privacy("Contacts"),
    "NSDesktopFolderUsageDescription": privacy("Desktop Folder"),
    "NSDocumentsFolderUsageDescription": privacy("Documents Folder"),
    "NSDownloadsFolderUsageDescription": privacy("Downloads Folder"),
    "NSFaceIDUsageDescription": privacy("Face ID"),
    "NSFallDetectionUsageDescription": privacy("Fall Detection"),
    // “Provide” is Xcode's spelling.
    "NSFileProviderDomainUsageDescription": privacy("Access to a File Provide Domain"),
    "NSFileProviderPresenceUsageDescription": privacy("File Provider Presence"),
    "NSFocusStatusUsageDescription": privacy("Focus Status"),
    "NSGKFriendListUsageDescription": privacy("GameKit Friend List"),
    "NSHandsTrackingUsageDescription": privacy("Hands Tracking"),
    "NSHealthClinicalHealthRecordsShareUsageDescription": privacy("Health Records"),
    "NSHealthShareUsageDescription": privacy("Health Share"),
    "NSHealthUpdateUsageDescription": privacy("Health Update"),
    "NSHomeKitUsageDescription": privacy("HomeKit"),
    "NSIdentityUsageDescription": privacy("Identity"),
    "NSLocalNetworkUsageDescription": privacy("Local Network"),
    "NSLocationAlwaysAndWhenInUseUsageDescription": privacy("Location Always and When In Use"),
    "NSLocationAlwaysUsageDescription": privacy("Location Always"),
    "NSLocationUsageDescription": privacy("Location"),
    "NSLocationWhenInUseUsageDescription": privacy("Location When In Use"),
    "NSMainCameraUsageDescription": privacy("Main Camera"),
    "NSMicrophoneUsageDescription": privacy("Microphone"),
    "NSMotionUsageDescription": privacy("Motion"),
    "NSNearbyInteractionAllowOnceUsageDescription": privacy("Nearby Interaction Allow Once"),
    "NSNearbyInteractionUsageDescription": privacy("Nearby Interaction"),
    "NSNetworkVolumesUsageDescription": privacy("Network Volumes"),
    "NSPhotoLibraryAddUsageDescription": privacy("Photo Library Additions"),
    "NSPhotoLibraryUsageDescription": privacy("Photo Library"),
    "NSRemindersFullAccessUsageDescription": privacy("Reminders Full Access"),
    "NSRemindersUsageDescription": privacy("Reminders"),
    "NSRemovableVolumesUsageDescription": privacy("Removable Volumes"),
    "NSSensorKitPrivacyPolicyURL": "Privacy - SensorKit Privacy Policy URL",
    "NSSensorKitUsageDescription": privacy("SensorKit"),
    "NSSiriUsageDescription": privacy("Siri"),
    "NSSpeechRecognitionUsageDescription": privacy("Speech Recognition"),
    "NSSystemAdministrationUsageDescription": privacy("System Administration"),
    "NSSystemExtensionUsageDescription": privacy("System Extension"),
    "NSUserTrackingUsageDescription": privacy("Tracking"),
    "NSVideoSubscriberAccountUsageDescription": privacy("TV Provider"),
    "NSWorldSensingUsageDescription": privacy("World-Sensing"),
    "OSBundleUsageDescription": privacy("Driver Extension"),
  ]

  /// The end of the keys whose texts the system shows when it requests a permission.
  static let usageDescription = "UsageDescription"

  private static func privacy(_ name: String) -> String { "Privacy - \(name) Usage Description" }

  /// The lists of dictionaries that contain texts, and the dictionary keys of these texts. In the catalog, the texts are the keys, without comment
  /// and value. The names of document types (`CFBundleTypeName`) are missing here, because no catalog that Xcode filled contains them.
  static let texts: [(list: String, keys: [String])] = [
    ("UTExportedTypeDeclarations", ["UTTypeDescription"]),
    ("UTImportedTypeDeclarations", ["UTTypeDescription"]),
    ("UIApplicationShortcutItems", quickActions),
    ("INAlternativeAppNames", ["INAlternativeAppName", "INAlternativeAppNamePronunciationHint"]),
  ]

  /// The texts of quick actions on the home screen.
  static let quickActions = ["UIApplicationShortcutItemTitle", "UIApplicationShortcutItemSubtitle"]

  /// Returns whether a table contains texts of an Info.plist. Such a table is named `InfoPlist` or `<prefix>-InfoPlist`.
  static func isTable(_ table: String) -> Bool { table == "InfoPlist" || table.hasSuffix("-InfoPlist") }
}
