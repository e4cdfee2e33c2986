import Model

extension GateResult {
  /// What it tells in words, without the lines and figures that pages make rows of.
  var told: GateResult {
    var told = self
    (told.lines, told.share, told.shareBefore) = (nil, nil, nil)
    return told
  }
}
