import FoundationEssentials
import Processes

/// A forge's API for commit statuses, written after its documentation, at an address of this machine's loopback.
///
/// It keeps what it is told, and refuses who has no token. As GitLab's, it refuses a state that a commit has already.
final class ForgeDouble {
  /// Where the API begins.
  let address: String
  private let scratch: ScratchFolder
  private let program: ListeningProgram

  /// Returns when it listens.
  init(of scratch: ScratchFolder, token: String) throws {
    self.scratch = scratch
    try scratch.write(Self.program, to: "forge.py")
    try scratch.write("", to: "told")
    program = try ListeningProgram(
      Command(
        "python3", [scratch.file("forge.py"), scratch.path, token],
        environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""], workingDirectory: scratch.path),
      until: "\n", name: "the forge's API")
    address = "http://127.0.0.1:\(program.said.filter(\.isNumber))/api/v4"
  }

  /// Answers the next calls with these statuses before it takes others; 0 takes a call and hangs up.
  func answer(_ statuses: Int...) throws {
    try scratch.write(statuses.map { "\($0)\n" }.joined(), to: "answers")
  }

  /// What it took, each as the commit's number among those it heard of, the state and the description.
  func told() throws -> [String] { try scratch.read("told").split(separator: "\n").map(String.init) }

  private static let program = #"""
    import http.server, json, os, sys

    root, token = sys.argv[1:]
    states = {}


    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self, status, words):
            body = json.dumps({"message": words}).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            fields = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answers = []
            if os.path.exists(root + "/answers"):
                with open(root + "/answers") as file:
                    answers = file.read().split()
            first = int(answers.pop(0)) if answers else 201
            with open(root + "/answers", "w") as file:
                file.write("\n".join(answers))
            if self.headers.get("PRIVATE-TOKEN") != token:
                return self.answer(401, "401 Unauthorized")
            if not self.path.startswith("/api/v4/projects/team%2FTiny/statuses/"):
                return self.answer(404, "404 Project Not Found")
            if first >= 400:
                return self.answer(first, "No")
            commit = self.path.rsplit("/", 1)[1]
            state = fields["state"]
            if states.get(commit) == state:
                return self.answer(400, "Cannot transition status via :run from :%s" % state)
            states[commit] = state
            place = "%s %s" % (fields["name"], fields.get("target_url"))
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
