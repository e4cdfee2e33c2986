/// Shell completions, made from the declarations of the commands.
enum Completions {
  static func script(for shell: String, commands: [any Subcommand]) -> String {
    switch shell {
    case "bash": bash(commands)
    case "zsh": zsh(commands)
    default: fish(commands)
    }
  }

  private static func bash(_ commands: [any Subcommand]) -> String {
    let cases = commands.map { command in
      let choices = command.options.filter { !$0.choices.isEmpty }.map { option in
        "      \(option.name)) COMPREPLY=($(compgen -W '\(option.choices.joined(separator: " "))' -- \"$word\")); return ;;\n"
      }.joined()
      return """
            \(command.name))
              case "$before" in
        \(choices)      esac
              words='\(command.options.map(\.name).joined(separator: " "))' ;;
        """
    }.joined(separator: "\n")
    return """
      # bash completion for martlet
      _martlet() {
        local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=''
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W '\(commands.map(\.name).joined(separator: " ")) --version --help' -- "$word")); return
        fi
        case "${COMP_WORDS[1]}" in
      \(cases)
        esac
        case "$word" in
          -*) COMPREPLY=($(compgen -W "$words --help" -- "$word")) ;;
          *) COMPREPLY=($(compgen -f -- "$word")) ;;
        esac
      }
      complete -o filenames -F _martlet martlet
      """
  }

  private static func zsh(_ commands: [any Subcommand]) -> String {
    let list = commands.map { "    '\($0.name):\(quoted($0.summary, for: "zsh"))'" }.joined(separator: "\n")
    let cases = commands.map { command in
      let options = command.options.map { option in
        let mark = option.isRepeatable ? "*" : ""
        let values = option.choices.isEmpty ? "_files" : "(\(option.choices.joined(separator: " ")))"
        let value = option.value.map { ":\($0):\(values)" } ?? ""
        return "      '\(mark)\(option.name)[\(quoted(option.summary, for: "zsh"))]\(value)'"
      }
      return
        "    \(command.name)) _arguments \\\n\((options + ["      '*:path:_files'"]).joined(separator: " \\\n")) ;;"
    }.joined(separator: "\n")
    return """
      #compdef martlet
      local -a commands
      commands=(
      \(list)
      )
      if (( CURRENT == 2 )); then
        _describe command commands
      else
        local command="${words[2]}"
        shift words; (( CURRENT-- ))
        case "$command" in
      \(cases)
        esac
      fi
      """
  }

  private static func fish(_ commands: [any Subcommand]) -> String {
    var lines = ["# fish completion for martlet"]
    for command in commands {
      lines.append(
        "complete -c martlet -n __fish_use_subcommand -f -a \(command.name) -d '\(quoted(command.summary, for: "fish"))'"
      )
      for option in command.options {
        let value =
          option.value == nil
          ? "" : option.choices.isEmpty ? " -r" : " -x -a '\(option.choices.joined(separator: " "))'"
        lines.append(
          "complete -c martlet -n '__fish_seen_subcommand_from \(command.name)' -l \(option.name.drop { $0 == "-" })\(value) -d '\(quoted(option.summary, for: "fish"))'"
        )
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Texts stand in single quotes and, for zsh, in brackets and between colons.
  private static func quoted(_ text: String, for shell: String) -> String {
    text.map { character in
      switch character {
      case "'": "’"
      case "[" where shell == "zsh": "("
      case "]" where shell == "zsh": ")"
      case ":" where shell == "zsh": "\\:"
      default: String(character)
      }
    }.joined()
  }
}
