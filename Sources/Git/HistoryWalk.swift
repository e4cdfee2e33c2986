/// A walk from a commit to its ancestors, newest first, that reads no more of the history than it needs.
///
/// libgit2's own walk reads the whole history before it returns the first commit, and fails at the boundary of a
/// shallow clone. This one takes commits by date, then orders them so that every commit precedes its parents.
struct HistoryWalk<ID: Hashable> {
  /// The parts of a commit that a walk needs.
  struct Node {
    var date: Int64
    var parents: [ID]
  }

  /// Reads a commit; returns nil for one missing from the repository because its history is cut off there.
  typealias Reader = (ID) throws(GitError) -> Node?

  private var nodes: [ID: Node] = [:]
  /// Commits reachable from the base.
  private var hidden: Set<ID> = []
  private var taken: Set<ID> = []
  /// Commits in the queue that are not hidden.
  private var pending: Set<ID> = []
  /// Every queued commit, once for each time it was added to the queue.
  private var ids: [ID] = []
  private var queue = Heap<Entry>()
  private var oldest = Int64.max
  /// The number of hidden commits still to examine once all that remain are older than every taken one.
  private var patience = 64

  /// Returns up to `limit` commits that are reachable from `head` but not from `base`.
  static func commits(from base: ID?, to head: ID, limit: Int, read: Reader) throws(GitError) -> [ID] {
    var walk = HistoryWalk()
    if let base { try walk.add(base, hidden: true, read) }
    try walk.add(head, hidden: false, read)
    while walk.isOpen(limit: limit), let next = walk.queue.removeTop() {
      let id = walk.ids[next.number]
      walk.pending.remove(id)
      guard let node = walk.nodes[id] else { continue }
      let isHidden = walk.hidden.contains(id)
      if isHidden {
        walk.taken.remove(id)
      } else if walk.taken.insert(id).inserted {
        walk.oldest = min(walk.oldest, node.date)
      }
      for parent in node.parents { try walk.add(parent, hidden: isHidden, read) }
    }
    return Array(walk.ordered().prefix(max(0, limit)))
  }

  /// Returns whether more commits may follow, or a taken one may still turn out to be hidden because a clock was wrong.
  private mutating func isOpen(limit: Int) -> Bool {
    guard taken.count < limit, let top = queue.top else { return false }
    if !pending.isEmpty || top.date >= oldest { return true }
    patience -= 1
    return patience > 0
  }

  /// Queues a commit that is new or newly known to be hidden.
  private mutating func add(_ id: ID, hidden isHidden: Bool, _ read: Reader) throws(GitError) {
    if nodes[id] == nil {
      guard let node = try read(id) else { return }
      nodes[id] = node
    } else if !isHidden || hidden.contains(id) {
      return
    }
    if isHidden {
      hidden.insert(id)
      pending.remove(id)
    } else {
      pending.insert(id)
    }
    queue.insert(Entry(date: nodes[id]?.date ?? 0, number: ids.count))
    ids.append(id)
  }

  /// Returns the taken commits, children before parents and otherwise by date.
  private func ordered() -> [ID] {
    var children: [ID: Int] = [:]
    for id in taken {
      for parent in parents(id) { children[parent, default: 0] += 1 }
    }
    let numbers = Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
    var ready = Heap<Entry>()
    for id in taken where children[id] == nil {
      ready.insert(Entry(date: nodes[id]?.date ?? 0, number: numbers[id] ?? 0))
    }
    var order: [ID] = []
    while let next = ready.removeTop() {
      let id = ids[next.number]
      order.append(id)
      for parent in parents(id) {
        children[parent, default: 0] -= 1
        if children[parent] == 0 {
          ready.insert(Entry(date: nodes[parent]?.date ?? 0, number: numbers[parent] ?? 0))
        }
      }
    }
    return order
  }

  /// Returns the taken parents of a commit, each once.
  private func parents(_ id: ID) -> Set<ID> {
    Set(nodes[id]?.parents ?? []).intersection(taken)
  }

  private struct Entry: Comparable {
    var date: Int64
    var number: Int

    /// A newer entry is greater; among equal dates, the one encountered first.
    static func < (one: Entry, other: Entry) -> Bool {
      (one.date, other.number) < (other.date, one.number)
    }
  }
}

/// A priority queue that returns its greatest element first; see https://en.wikipedia.org/wiki/Binary_heap.
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
