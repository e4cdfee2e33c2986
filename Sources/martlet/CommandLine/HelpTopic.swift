import Model
import Rendering

/// Texts of help topics that belong to no other part of the program.
enum HelpTopic {
  /// The conditions on coverage, what they are judged by, and how lines are left out.
  static var coverage: String {
    """
    A gate is a condition on the coverage: if it is not met, the integration is red. A bot's file lists them, as in
    coverage: {gates: [{patch: 80}, ratchet]}; 'martlet run' takes them one by one, as in --gate patch=80 --gate ratchet.

    \(HelpText.table(CoverageGate.Form.allCases.map { ($0.rawValue, $0.meaning) }))

    Changed lines are those that differ from the commit that the gate compares with. A line of which only a part ran
    counts as run; no-lost-coverage also looks at the parts.

    A bot's gates compare with the branch's last integration that has complete coverage, or else with that of the
    nearest ancestor. Those of 'martlet run' compare with the nearest ancestor's; without one, no-lost-coverage and
    ratchet compare with the branch's last.

    A failed gate keeps comparing with the same integration until it passes or its issue is silenced. If that integration
    was removed, the gate fails; if its commit is gone, it fails once, then starts over. A gate that cannot be judged
    fails, unless there is nothing to compare with.

    Lines that you left out, with 'exclude', --coverage-exclude or a comment, cannot fail a gate, but the report names
    them. Files that only the package's .martlet.yml leaves out still count for gates. Lines on which two integrations of
    one commit differ run by chance; they count as neither lost nor gained. 'martlet rerun BOT/N' integrates a commit
    again.

    These comments leave lines out:

      // coverage:ignore        its own line
      // coverage:ignore-start  all lines through '// coverage:ignore-end', or to the end of the file
      // coverage:ignore-file   on a line of its own: the whole file

    To leave out a function, put -start on its first line and -end on its last. A reason may follow after a space. The
    report lists what was left out, and markers without effect.
    """
  }

  /// How to run the service that watches for a whole machine, and how its users read it.
  static let service = """
    The system service runs as the user martlet. Its bots are in /etc/martlet/bots, its home is /var/lib/martlet. To
    install and start it, in a checkout of Martlet:

      sudo script/install --systemd
      sudo systemctl enable --now martlet martlet-serve

    To run a user service instead, for your own repositories and bots:

      script/install --user-service
      systemctl --user enable --now martlet martlet-serve
      loginctl enable-linger

    Other users cannot read the system service's home. Run commands as its user:

      sudo -u martlet martlet status --home /var/lib/martlet
      sudo -u martlet env MARTLET_CONFIG=/etc/martlet martlet check

    With these lines in /etc/sudoers.d/martlet (for the Debian package, with /usr/bin), members of the group
    'developers' may run the reading commands:

      %developers ALL=(martlet) NOPASSWD: /usr/local/bin/martlet status *, /usr/local/bin/martlet show *, \\
        /usr/local/bin/martlet issues *, /usr/local/bin/martlet log *

    Without sudo, members of the group martlet read the pages and the API through its socket, with a token that
    'sudo -u martlet martlet tokens new --home /var/lib/martlet' prints:

      curl --unix-socket /run/martlet/serve.sock -H "Authorization: Bearer TOKEN" http://localhost/api/v1/bots
    """

  /// How nginx stands in front of the server.
  static let nginx = """
    To show the pages to other machines, put nginx in front of the Unix socket of 'martlet serve'. This is a server with
    TLS and passwords from 'htpasswd':

      server {
        listen 443 ssl http2;
        server_name ci.example.org;
        ssl_certificate /etc/nginx/martlet.crt;
        ssl_certificate_key /etc/nginx/martlet.key;
        auth_basic "Martlet";
        auth_basic_user_file /etc/nginx/martlet.passwords;
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header Connection "";
        proxy_set_header Authorization "";
        proxy_set_header X-Martlet-User $remote_user;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_read_timeout 1h;
        location / {
          proxy_pass http://unix:/run/martlet/serve.sock:;
        }
        location /hooks/ {
          auth_basic off;
          proxy_set_header Host $http_host;
          proxy_set_header Connection "";
          proxy_set_header Authorization "";
          proxy_set_header X-Martlet-User "";
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          proxy_set_header X-Forwarded-Proto $scheme;
          proxy_pass http://unix:/run/martlet/serve.sock:;
        }
      }

    Start the server with:

      martlet serve --listen unix:/run/martlet/serve.sock --trust-header X-Martlet-User

    Nobody logs in at /hooks/, so no user is named there. A location with its own 'proxy_set_header' inherits none, so
    the others are repeated.

    If another program knows the users, replace the two lines of 'auth_basic' with 'auth_request'. Take the name from its
    answer, such as auth_request_set $user $upstream_http_x_user, and pass on $user in place of $remote_user.
    """

  /// The toolchains and build systems that were tested.
  static let toolchains = """
    SwiftPM has two build systems: native, its default before Swift 6.4, and Swift Build, its default from 6.4 on. Martlet
    names one of them whenever it runs SwiftPM: the one of 'build-system' in a bot's file or of 'martlet run
    --build-system', or else the toolchain's default. Each builds in a scratch folder of its own.

      toolchain    native                           swiftbuild
      before 6.0   refused                          refused
      6.0 to 6.2   meant to work, not tested        refused
      6.3          tested with 6.3.1, the default   tested with 6.3.1
      6.4          meant to work, not tested        meant to work, not tested; the default
      newer        as 6.4                           as 6.4

    Before the first build in a workspace, Martlet asks a toolchain newer than 6.3 for its version, its product folder
    and its package model. If it cannot use an answer, it builds nothing, and the integration ends with internal-error
    and says why. It ends the same way if, after the build, the test program is not where Swift 6.3.1 puts it.

    With Swift Build:
    - each test target has a program of its own; the report joins their results;
    - lines of C and C++ count in the coverage, while native counts only Swift: do not compare the figures of the two;
    - an error in a declaration keeps the rest of its module from being compiled, so one build reports fewer errors;
    - the argument --disable-index-store is refused, because XCTest would find no tests.
    """
}
