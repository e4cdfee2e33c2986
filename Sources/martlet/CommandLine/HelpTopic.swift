/// Texts of help topics that belong to no other part of the program.
enum HelpTopic {
  /// How to run the service that watches for a whole machine, and how its users read it.
  static let service = """
    The machine's service watches and serves as the user martlet. Its bots are in /etc/martlet/bots, its home is
    /var/lib/martlet. In a checkout of Martlet:

      sudo script/install --systemd
      sudo systemctl enable --now martlet martlet-serve

    A service of your own, for your own repositories and bots:

      script/install --user-service
      systemctl --user enable --now martlet martlet-serve
      loginctl enable-linger

    The home of the machine's service is closed to others. Commands reach it as its user:

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

  /// The toolchains and build systems that were tested.
  static let toolchains = """
    SwiftPM has two build systems: native, its default before Swift 6.4, and Swift Build, its default from 6.4 on. Martlet
    names one of them whenever it runs SwiftPM: the one of 'build-system' in a bot's file or of 'martlet run
    --build-system', or else the toolchain's default. Each builds in a scratch folder of its own.

      toolchain    native                           swiftbuild
      before 6.0   refused                          refused
      6.0 to 6.2   meant to work, not tried         refused
      6.3          tried with 6.3.1, the default    tried with 6.3.1
      6.4          meant to work, not tried         meant to work, not tried; the default
      newer        as 6.4                           as 6.4

    Martlet relies on what a newer toolchain says of itself: its version, the folder of its products, its package model.
    It asks for these before the first build in a workspace. Without an answer nothing is built: the integration ends
    with internal-error, says what was asked and answered, and judges nothing. The same happens, after the build, if the
    program that runs the tests is not where Swift 6.3.1 puts it. 6.3.1 is known to work.

    With Swift Build
    - each test target has a program of its own; the report joins their results;
    - lines of C and C++ count in the coverage, which native counts in Swift only: do not compare their figures;
    - an error in a declaration keeps the rest of its module from being compiled, so one build reports fewer errors;
    - the argument --disable-index-store is refused, because XCTest would find no tests.
    """
}
