import BotFiles
import Glibc
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
        let answer = try client.ask(ControlRequest(order))
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

extension ControlRequest {
  /// Creates a request to the watcher that was made through the server.
  fileprivate init(_ order: WatcherOrder) {
    let verb: ControlRequest.Verb =
      switch order.verb {
      case .integrate: .integrate
      case .rerun: .rerun
      case .cancel: .cancel
      case .pin: .pin
      case .unpin: .unpin
      case .notify: .notify
      }
    self.init(verb, repository: order.repository, bot: order.bot, number: order.number, commit: order.commit)
  }
}
