import Integrating
import Keeping
import Model
import Serving

extension WatcherDoor {
  /// Creates a door to the watcher of a home, through its control socket.
  convenience init(to home: Home) {
    let client = ControlClient(WatchHome(home.folder.path))
    self.init { order in
      do throws(KeepingError) {
        let answer = try client.ask(order)
        let queued = (answer.items ?? []).map {
          QueuedAnswer(bot: $0.bot, number: $0.number, ref: $0.ref, commit: $0.commit)
        }
        return .taken(message: answer.message, queued)
      } catch {
        switch error.kind {
        case .request: return .refused(error.description)
        case .unknownBot: return .unknownBot
        case .absent: return .absent
        case .service: return .failed(error.description)
        }
      }
    }
  }
}
