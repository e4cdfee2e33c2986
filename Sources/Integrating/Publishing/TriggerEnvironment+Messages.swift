extension TriggerEnvironment {
  /// What `martlet help triggers` says about mails and webhooks.
  static let messages = """
    Mails and webhooks run among the after-triggers, in the same order. They say what is known when their turn comes.
    A mail's 'report' is one of these:

      new-issues     when something is new, or red for a reason that the baseline did not have
      integration    after every integration that was not canceled
      all-resolved   when the last open issue has gone
      daily, weekly  at 08:00 in the bot's time zone, or as in at: "17:30"; weekly on Mondays; if anything was
                     integrated since the last one

    Those mails go to 'to'. With 'suspects: true', which new-issues and integration take, the people who probably caused
    what is new get one of their own instead: which of their commits, why, and what else is new. Nobody gets both.

    martlet.yml says how mail is sent, by a server or by a program, who is who, and where the site is served, if it is:

      mail: {smtp: "smtps://mail.example.org", from: martlet@example.org, user: MAIL_USER, password: MAIL_PASSWORD}
      people: {ada: {mail: ada@example.org, commits-as: [ada@home.example]}}
      aliases: {team: [ada, bob@example.org]}
      address: https://ci.example.org

    The login stands in secrets.env beside it. With smtp:// a connection is encrypted where the server can, and always
    where there is a login. A server whose certificate the machine does not know is proved by 'ca', the path of a file of
    certificates in 'mail'. Each mail is also kept as mail/*.eml beside the integration, daily and weekly ones in the
    bot's folder 'reports'; the one to a suspect is mail/*-to-ADDRESS.eml. A webhook is a POST with these headers:

      X-Martlet-Event          integration
      X-Martlet-Signature-256  sha256= and the HMAC-SHA256 of the body in hexadecimal digits, with the secret as its key
      Idempotency-Key          the same whenever the same call is made again

    A receiver whose certificate the machine does not know is proved by 'ca' in 'webhook', as a mail server is.

    What is sent lies in the home's folder 'outbox' until the receiver has taken it. An attempt has 30 s; three are made
    at once, and others after 1, 2, 4 minutes and so on up to an hour, for three days. What a receiver refuses for good
    (SMTP 5xx but of logins, a mail program's exit statuses 64, 65 and 67, HTTP 3xx and 4xx but 408, 425 and 429) is not
    tried again. Either is an issue of the integration. Should Martlet be killed between a receiver's yes and noting it,
    it sends the same once more: with the same Message-ID or Idempotency-Key, by which a receiver can tell.
    """
}
