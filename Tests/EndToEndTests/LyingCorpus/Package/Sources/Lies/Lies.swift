import CLies

/// What the tests run, so that there is something to cover.
public func truth(_ number: Int) -> Int {
  number > 0 ? number : -number
}
