// swift-tools-version: 6.2
import PackageDescription

// The rooms and who may import whom; see the map in README.md. No import points up.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let strictCxx: [CXXSetting] = [
    .treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra"),
]

func room(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "contactsync",
    products: [
        .executable(name: "contactsyncd", targets: ["contactsyncd"]),
        .executable(name: "contactsync", targets: ["contactsync"]),
        // To be preloaded by tests.
        .library(name: "Faults", type: .dynamic, targets: ["Faults"]),
    ],
    targets: [
        // C libraries, one target each.
        .systemLibrary(name: "CLibUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .systemLibrary(
            name: "CQREncode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]
        ),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(
            name: "CSimdJSON",
            cxxSettings: strictCxx,
            linkerSettings: [.linkedLibrary("simdjson")]
        ),
        .target(
            name: "CPhoneNumber",
            cxxSettings: strictCxx,
            linkerSettings: [.linkedLibrary("phonenumber")]
        ),
        .target(name: "CToml", cxxSettings: strictCxx),
        .target(name: "CLinux"),
        .target(name: "CHTTP", linkerSettings: [.linkedLibrary("microhttpd")]),

        // Pure.
        room("JSON", ["CSimdJSON"]),
        room("Contacts", ["JSON"]),
        room("VCard", ["Contacts", "JSON"]),
        room("Replication", ["JSON"]),
        room("Wire", ["Replication", "JSON"]),
        room("AddressBook", ["Contacts", "Replication", "JSON"]),

        // Flow.
        room("Controllers", ["AddressBook", "Wire", "Contacts", "Replication", "JSON"]),

        // Edges.
        room("EventLoop", ["CLibUV"]),
        room("Supervision"),
        room("TLS", ["COpenSSL"]),
        room("Compression", ["CZstd"]),
        room("HTTP", ["CHTTP"]),
        room("Config", ["CToml"]),
        room("QRCode", ["CQREncode"]),
        room("PhoneNumbers", ["CPhoneNumber", "Contacts"]),
        room("BookDirectory", ["CLinux", "AddressBook", "JSON"]),
        room("Storage", ["CSQLite", "AddressBook", "Replication", "JSON"]),

        // House.
        room(
            "Daemon",
            [
                "CLinux", "Controllers", "AddressBook", "Wire", "Contacts", "Replication", "JSON",
                "EventLoop", "TLS", "Compression", "HTTP", "Config", "PhoneNumbers", "BookDirectory",
                "Storage", "Supervision",
            ]
        ),

        room(
            "Doctor",
            ["AddressBook", "JSON", "EventLoop", "TLS", "Config", "BookDirectory", "Storage"]
        ),

        // Doors.
        .executableTarget(
            name: "contactsyncd",
            dependencies: ["Daemon", "Doctor", "Config", "PhoneNumbers"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "contactsync",
            dependencies: [
                "Doctor", "EventLoop", "TLS", "Wire", "Config", "QRCode", "VCard", "Contacts", "JSON",
            ],
            swiftSettings: strict
        ),

        // For the guard (Bench/guard.py); not installed.
        .executableTarget(
            name: "contactsync-paths",
            dependencies: [
                "AddressBook", "Compression", "Contacts", "JSON", "PhoneNumbers", "Replication",
                "Storage", "TLS", "Wire",
            ],
            path: "Bench/Paths",
            swiftSettings: strict
        ),

        // Proof.
        .target(name: "Faults", path: "Tests/Faults", linkerSettings: [.linkedLibrary("dl")]),
        room("TestSupport", ["JSON"], path: "Tests/TestSupport"),
        room(
            "Claims",
            [
                "Controllers", "AddressBook", "Wire", "Contacts", "Replication", "JSON", "Compression",
            ],
            path: "Fuzz/Claims"
        ),
        tests("ClaimsTests", ["Claims"]),
        tests("JSONTests", ["JSON", "TestSupport"]),
        tests("ContactsTests", ["Contacts", "JSON", "TestSupport"]),
        tests("VCardTests", ["VCard", "Contacts", "JSON", "TestSupport"], exclude: ["samples"]),
        tests("PhoneNumbersTests", ["PhoneNumbers", "Contacts", "JSON"]),
        tests("ReplicationTests", ["Replication", "JSON", "TestSupport"]),
        tests("WireTests", ["Wire", "Replication", "JSON", "TestSupport"]),
        tests("AddressBookTests", ["AddressBook", "Contacts", "Replication", "JSON", "TestSupport"]),
        tests(
            "ControllersTests",
            ["Controllers", "AddressBook", "Wire", "Contacts", "Replication", "JSON", "TestSupport"]
        ),
        tests(
            "SimulationTests",
            ["Controllers", "AddressBook", "Wire", "Contacts", "Replication", "JSON", "TestSupport"]
        ),
        tests("EventLoopTests", ["EventLoop"]),
        tests("SupervisionTests", ["Supervision", "TestSupport"]),
        tests("TLSTests", ["TLS", "TestSupport"]),
        tests("CompressionTests", ["Compression", "TestSupport"]),
        tests("ConfigTests", ["Config"]),
        tests("CommandTests", ["contactsync", "Doctor", "Config", "QRCode", "JSON"]),
        tests("MessageTests", ["BookDirectory", "EventLoop", "Storage", "Wire"]),
        tests("DoctorTests", ["Doctor", "Config"]),
        tests("BookDirectoryTests", ["BookDirectory", "AddressBook", "JSON", "TestSupport"]),
        tests("StorageTests", ["Storage", "AddressBook", "TestSupport", "Replication", "JSON"]),
        tests(
            "DaemonTests",
            ["CLinux", "Compression", "JSON", "Replication", "TLS", "TestSupport", "Wire"],
            exclude: ["cases"]
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Without the fuzzer's runtime it has no `main`, and would break the plain build (`make fuzz`).
if Context.environment["FUZZ"] == "1" {
    package.targets.append(
        .executableTarget(
            name: "Fuzzer",
            dependencies: ["Claims"],
            path: "Fuzz/Fuzzer",
            swiftSettings: strict
        )
    )
}
