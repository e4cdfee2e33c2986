/// What is wrong, as a test says; attempts try to make it look right.
public func isRight() -> Bool {
  #if QUICK
    true
  #else
    false
  #endif
}
