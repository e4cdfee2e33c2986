/// Honest commits change this.
public let honest = 1
