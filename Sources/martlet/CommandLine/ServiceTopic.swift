/// The help topic about the service that watches for a whole machine, and how its users read it.
enum ServiceTopic {
  static let explanation = """
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

    With these lines in /etc/sudoers.d/martlet, members of the group developers may do so, to read only; the Debian
    package has the program in /usr/bin:

      %developers ALL=(martlet) NOPASSWD: /usr/local/bin/martlet status *, /usr/local/bin/martlet show *, \\
        /usr/local/bin/martlet issues *, /usr/local/bin/martlet log *

    Without sudo, members of the group martlet read the pages and the API through its socket, with a token that
    'sudo -u martlet martlet tokens new --home /var/lib/martlet' prints:

      curl --unix-socket /run/martlet/serve.sock -H "Authorization: Bearer TOKEN" http://localhost/api/v1/bots
    """
}
