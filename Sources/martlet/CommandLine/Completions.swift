/// Shell completions, generated from the declarations of the commands.
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
      let values = command.options.filter { $0.value != nil }
      let choices = values.map { "        \($0.name)) _martlet_offer \(marks($0.completions)); return ;;\n" }.joined()
      let operands = command.completions.enumerated().map { position, kinds in
        "        \(position == command.completions.count - 1 ? "*" : "\(position)")) kinds='\(marks(kinds))' ;;\n"
      }.joined()
      return """
            \(command.name))
              valued=' \(values.map(\.name).joined(separator: " ")) '
              words='\(command.options.map(\.name).joined(separator: " "))'
              case "$before" in
        \(choices)      esac
              _martlet_position
              case "$position" in
        \(operands)      esac ;;
        """
    }.joined(separator: "\n")
    return """
      # bash completion for martlet
      _martlet_offer() {
        local kind list='' files=''
        for kind; do
          case "$kind" in
            @files) files=1 ;;
            @*) list+=" $("${COMP_WORDS[0]}" complete "${kind#@}" -- "$before" 2>/dev/null)" ;;
            *) list+=" $kind" ;;
          esac
        done
        COMPREPLY+=($(compgen -W "$list" -- "$word"))
        # Files are meant only where nothing else begins so.
        if [ -n "$files" ] && [ "${#COMPREPLY[@]}" -eq 0 ]; then COMPREPLY=($(compgen -f -- "$word")); fi
      }
      _martlet_position() {
        local index
        position=0
        for ((index = 2; index < COMP_CWORD; index++)); do
          case "${COMP_WORDS[index]}" in
            -*) case "$valued" in *" ${COMP_WORDS[index]} "*) ((index++)) ;; esac ;;
            *) ((position++)) ;;
          esac
        done
      }
      _martlet() {
        local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words='' valued='' position=0 kinds=''
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          _martlet_offer \(commands.map(\.name).joined(separator: " ")) --version --help; return
        fi
        case "${COMP_WORDS[1]}" in
      \(cases)
        esac
        case "$word" in
          -*) _martlet_offer $words --help ;;
          *) _martlet_offer $kinds ;;
        esac
      }
      complete -o filenames -F _martlet martlet
      """
  }

  private static func marks(_ completions: [Completion]) -> String {
    completions.map(\.mark).joined(separator: " ")
  }

  private static func zsh(_ commands: [any Subcommand]) -> String {
    let list = commands.map { "    '\($0.name):\(quoted($0.summary, for: "zsh"))'" }.joined(separator: "\n")
    let cases = commands.map { command in
      let options = command.options.map { option in
        let mark = option.isRepeatable ? "*" : ""
        let value = option.value.map { ":\($0): _martlet_offer \(marks(option.completions))" } ?? ""
        return "      '\(mark)\(option.name)[\(quoted(option.summary, for: "zsh"))]\(value)'"
      }
      let operands = command.completions.enumerated().map { position, kinds in
        let place = position == command.completions.count - 1 ? "*" : "\(position + 1)"
        return "      '\(place):operand: _martlet_offer \(marks(kinds))'"
      }
      return "    \(command.name)) _arguments \\\n\((options + operands).joined(separator: " \\\n")) ;;"
    }.joined(separator: "\n")
    return """
      #compdef martlet
      _martlet_offer() {
        local kind files= found=
        for kind; do
          case "$kind" in
            @files) files=1 ;;
            @*) compadd -- ${(f)"$(martlet complete "${kind#@}" -- "${words[CURRENT-1]}" 2>/dev/null)"} && found=1 ;;
            -*) ;;
            *) compadd -- "$kind" && found=1 ;;
          esac
        done
        # Files are meant only where nothing else begins so.
        if [[ -n $files && -z $found ]]; then _files; fi
      }
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
      let here = "complete -c martlet -n '__fish_seen_subcommand_from \(command.name)'"
      let operands = command.completions.flatMap(\.self)
      let words = fishWords(operands)
      lines.append("\(here)\(operands.contains(.files) && words.isEmpty ? "" : " -f")\(words)")
      if operands.contains(.files), !words.isEmpty {
        // Beside other words, files are meant only where a path begins.
        let path = "string match -qr \"^[./~]\" -- (commandline -ct)"
        lines.append("complete -c martlet -n '__fish_seen_subcommand_from \(command.name); and \(path)' -F")
      }
      for option in command.options {
        let kinds = option.completions
        let value =
          option.value == nil ? "" : kinds.contains(.files) ? " -r" : " -x\(fishWords(kinds))"
        lines.append(
          "\(here) -l \(option.name.drop { $0 == "-" })\(value) -d '\(quoted(option.summary, for: "fish"))'")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the words to choose from, as an argument of fish's `complete`.
  private static func fishWords(_ completions: [Completion]) -> String {
    let words = completions.filter { $0 != .files }.map { completion in
      guard completion.mark.hasPrefix("@") else { return completion.mark }
      let before = completion == .steps ? " -- (commandline -opc)[-1]" : ""
      return "(martlet complete \(completion.mark.dropFirst())\(before) 2>/dev/null)"
    }
    return words.isEmpty ? "" : " -a '\(words.joined(separator: " "))'"
  }

  /// Quotes a text for use in single quotes and, for zsh, in brackets and between colons.
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
