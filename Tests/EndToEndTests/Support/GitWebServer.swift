import Glibc
import FoundationEssentials
import Processes
import Testing

/// Serves the bare repositories of a scratch folder by git's own backend, at an address of this machine's loopback.
///
/// What begins with `/open/` is for everybody, the rest for who has the login.
final class GitWebServer {
  /// Whether it can run on this machine.
  static let isThere: Bool = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return access("/usr/lib/git-core/git-http-backend", X_OK) == 0
      && path.split(separator: ":").contains { access("\($0)/python3", X_OK) == 0 }
  }()

  /// What it answers.
  enum Mode: String {
    case ok
    /// An error of the server.
    case fail
    /// A redirect to another address.
    case elsewhere
    /// Nothing, for as long as somebody listens.
    case hang
  }

  static let login = "x-access-token:fr1ed-tern"
  static let token = "fr1ed-tern"

  /// What stands before the path of a repository.
  let address: String
  private let scratch: ScratchFolder
  private let program: ListeningProgram

  /// Returns when the server listens.
  init(of scratch: ScratchFolder) throws {
    self.scratch = scratch
    try scratch.write(Self.program, to: "server.py")
    try scratch.write(Mode.ok.rawValue, to: "mode")
    let asked = scratch.file("asked")
    try check(mkfifo(asked, 0o600))
    program = try ListeningProgram(
      Command(
        "python3", [scratch.file("server.py"), scratch.path, Self.login],
        environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""], workingDirectory: scratch.path),
      until: "\n", name: "the web server")
    address = "http://127.0.0.1:\(program.said.filter(\.isNumber))"
  }

  func answer(_ mode: Mode) throws { try scratch.write(mode.rawValue, to: "mode") }

  /// The paths that were asked for.
  var requests: [String] { ((try? scratch.read("requests")) ?? "").split(separator: "\n").map(String.init) }

  private static let program = #"""
    import base64, http.server, os, subprocess, sys

    root = sys.argv[1]
    login = b"Basic " + base64.b64encode(sys.argv[2].encode())


    class Handler(http.server.BaseHTTPRequestHandler):
        def serve(self):
            with open(root + "/mode") as file:
                mode = file.read().strip()
            with open(root + "/requests", "a") as file:
                file.write(self.path + "\n")
            if mode == "hang":
                # A pipe that the test reads tells it that somebody waits.
                with open(root + "/asked", "w") as pipe:
                    pipe.write("x")
                self.rfile.read()
                return
            if mode == "fail":
                return self.send_error(500)
            if mode == "elsewhere":
                self.send_response(301)
                self.send_header("Location", "http://127.0.0.1:1/other")
                self.end_headers()
                return
            path, _, query = self.path.partition("?")
            if "/open/" not in path and self.headers.get("Authorization", "").encode() != login:
                self.send_response(401)
                self.send_header("WWW-Authenticate", "Basic realm=test")
                self.end_headers()
                return
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            environment = {
                "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": root, "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
                "QUERY_STRING": query, "REQUEST_METHOD": self.command, "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(len(body)), "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "HTTP_GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
            }
            out = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True).stdout
            head, _, rest = out.partition(b"\r\n\r\n")
            fields = [line.split(": ", 1) for line in head.decode().split("\r\n")]
            self.send_response(int(dict(fields).get("Status", "200").split()[0]))
            for name, value in fields:
                if name != "Status":
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(rest)

        do_GET = do_POST = serve

        def log_message(self, *words):
            pass


    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
    """#
}
