/// A queue that gives its greatest element first; see https://en.wikipedia.org/wiki/Binary_heap.
struct Heap<Element: Comparable> {
  private var elements: [Element] = []

  var top: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0, elements[(child - 1) / 2] < elements[child] {
      elements.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeTop() -> Element? {
    guard let top = elements.first, let last = elements.popLast() else { return nil }
    guard !elements.isEmpty else { return top }
    elements[0] = last
    var parent = 0
    while let child = [2 * parent + 1, 2 * parent + 2].filter({ $0 < elements.count }).max(by: {
      elements[$0] < elements[$1]
    }), elements[parent] < elements[child] {
      elements.swapAt(parent, child)
      parent = child
    }
    return top
  }
}
