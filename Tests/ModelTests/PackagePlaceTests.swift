import Model
import Testing

@Suite("Where a package lies in its repository")
struct PackagePlaceTests {
  @Test(
    "A path of the package is found in the repository, and back",
    arguments: [
      (".", "Sources/A.swift", "Sources/A.swift"), ("", "Packages/Core/C.swift", "Packages/Core/C.swift"),
      ("App", "Sources/A.swift", "App/Sources/A.swift"), ("App", "../Core/C.swift", "Core/C.swift"),
      ("App", "../C.swift", "C.swift"), ("App", "../Apps/C.swift", "Apps/C.swift"),
      ("a/b/c", "../../d/e.swift", "a/d/e.swift"), ("a/b", "../b2/e.swift", "a/b2/e.swift"),
      ("./a//b/", "e.swift", "a/b/e.swift"),
    ])
  func both(folder: String, own: String, inRepository: String) {
    let place = PackagePlace(folder)
    #expect(place.inRepository(own) == inRepository)
    #expect(place.fromPackage(inRepository) == own)
  }

  @Test("What leads out of the repository stays as it is")
  func outside() {
    #expect(PackagePlace("App").inRepository("../../C.swift") == "../../C.swift")
    #expect(PackagePlace("App").inRepository("/usr/C.h") == "/usr/C.h")
  }
}
