import FoundationEssentials
import Processes

/// The APIs of GitLab and Forgejo for commit statuses, written after their documentation, at an address of this
/// machine's loopback.
///
/// It keeps what it is told, and refuses who has no token. As GitLab it refuses a state that a commit has already; as
/// Forgejo it keeps it another time, and answers which status is the latest.
final class ForgeDouble {
  /// Where the API of GitLab begins.
  let address: String
  /// Where the API of Forgejo begins.
  let forgejo: String
  private let scratch: ScratchFolder
  private let program: ListeningProgram

  /// Returns when it listens.
  init(of scratch: ScratchFolder, token: String) throws {
    self.scratch = scratch
    try scratch.write(Self.program, to: "forge.py")
    try scratch.write("", to: "told")
    try scratch.write("", to: "questions")
    program = try ListeningProgram(
      Command(
        "python3", [scratch.file("forge.py"), scratch.path, token],
        environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""], workingDirectory: scratch.path),
      until: "\n", name: "the forge's API")
    let start = "http://127.0.0.1:\(program.said.filter(\.isNumber))/api"
    (address, forgejo) = ("\(start)/v4", "\(start)/v1")
  }

  /// Answers the next calls with these statuses before it takes others; 0 takes a call and hangs up.
  func answer(_ statuses: Int...) throws {
    try scratch.write(statuses.map { "\($0)\n" }.joined(), to: "answers")
  }

  /// What it took, each as the commit's number among those it heard of, the state and the description.
  func told() throws -> [String] { try scratch.read("told").split(separator: "\n").map(String.init) }

  /// What Forgejo was asked for, each as the path.
  func asked() throws -> [String] { try scratch.read("questions").split(separator: "\n").map(String.init) }

  private static let program = #"""
    import http.server, json, os, sys

    root, token = sys.argv[1:]
    states = {}
    # The latest status of each commit, as Forgejo lists it.
    latest = {}


    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self, status, words):
            self.send(status, {"message": words})

        def send(self, status, value):
            body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if status == 503:
                self.send_header("Retry-After", "1")
            self.end_headers()
            self.wfile.write(body)

        # https://codeberg.org/api/swagger#/repository/repoGetCombinedStatusByRef
        def do_GET(self):
            with open(root + "/questions", "a") as file:
                file.write(self.path + "\n")
            place, _, query = self.path.partition("?")
            parts = place.split("/")
            if self.headers.get("Authorization") != "token " + token:
                return self.answer(401, "token is required")
            if parts[1:7] != ["api", "v1", "repos", "team", "Tiny", "commits"] or parts[8:] != ["status"]:
                return self.answer(404, "Not Found")
            status = [latest[parts[7]]] if parts[7] in latest and "page=1" in query.split("&") else []
            self.send(200, {"sha": parts[7], "statuses": status, "total_count": len(status)})

        def do_POST(self):
            fields = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answers = []
            if os.path.exists(root + "/answers"):
                with open(root + "/answers") as file:
                    answers = file.read().split()
            first = int(answers.pop(0)) if answers else 201
            with open(root + "/answers", "w") as file:
                file.write("\n".join(answers))
            is_gitlab = self.path.startswith("/api/v4/")
            login = self.headers.get("PRIVATE-TOKEN") if is_gitlab else self.headers.get("Authorization")
            if login != (token if is_gitlab else "token " + token):
                return self.answer(401, "401 Unauthorized")
            folder = self.path.rsplit("/", 1)[0]
            if folder not in ("/api/v4/projects/team%2FTiny/statuses", "/api/v1/repos/team/Tiny/statuses"):
                return self.answer(404, "404 Project Not Found")
            if first >= 400:
                return self.answer(first, "No")
            commit = self.path.rsplit("/", 1)[1]
            state = fields["state"]
            if is_gitlab and states.get(commit) == state:
                return self.answer(400, "Cannot transition status via :run from :%s" % state)
            states[commit] = state
            name = fields["name" if is_gitlab else "context"]
            latest[commit] = {"status": state, "context": name, "description": fields["description"],
                              "target_url": fields.get("target_url", ""), "creator": {"login": "martlet"}}
            place = "%s %s" % (name, fields.get("target_url"))
            with open(root + "/told", "a") as file:
                number = list(states).index(commit)
                file.write("%d %s: %s (%s at %s)\n" % (number, state, fields["description"], place, fields.get("ref")))
            if first == 0:
                return self.connection.close()
            self.answer(201, "Created")

        def log_message(self, *words):
            pass


    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
    """#
}
