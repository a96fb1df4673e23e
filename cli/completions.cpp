// Completions for shells: scripts made from the arguments and from the questions, so that they
// cannot know anything else.
#include "cli/completions.hpp"

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/question_help.hpp"
#include "core/base/text.hpp"

namespace crema::cli {

namespace {

using Words = std::vector<std::string>;

std::string joined(const Words& words, std::string_view between = " ") {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : between).append(word);
  return text;
}

Words command_names(const CLI::App& program) {
  Words names;
  for (const CLI::App* command : commands_of(program)) names.push_back(command->get_name());
  return names;
}

Words question_names() {
  Words names;
  for (const query::Question* question : query::all()) names.emplace_back(question->name);
  return names;
}

Words flags_of(const CLI::App& command) {
  Words flags;
  for (const Argument& argument : arguments_of(command)) {
    flags.push_back(argument.name);
    if (!argument.brief.empty()) flags.push_back(argument.brief);
  }
  return flags;
}

/// What may stand where a command's bundles stand, besides files.
Words words_of(const CLI::App& command) {
  if (command.get_name() == "ask") return question_names();
  if (command.get_name() != "completions") return {};
  const auto known = shells();
  return {known.begin(), known.end()};
}

/// In single quotes, for any of the three shells.
std::string in_quotes(std::string_view text, bool is_fish = false) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += is_fish ? "\\'" : "'\\''";
    else if (c == '\\' && is_fish) out += "\\\\";
    else out += c;
  }
  return out + "'";
}

// Bash breaks words at "=": the value of KEY=VALUE is completed by itself, as the word behind the
// "=".
std::string for_bash(const CLI::App& program) {
  std::string text = R"(# bash completion for crema, written by `crema completions bash`.
# For this shell: source <(crema completions bash)
# For good: crema completions bash > ~/.local/share/bash-completion/completions/crema

_crema_words() {
  local IFS=$'\n'
  COMPREPLY+=($(compgen -W "${1// /$'\n'}" -- "$word"))
}

_crema_files() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY+=($(compgen -f -- "$word"))
}

_crema_options() {
  case $1 in
)";
  for (const query::Question* question : query::all()) {
    const Words texts = option_texts(*question);
    if (!texts.empty())
      text += "    " + std::string(question->name) + ") echo " + in_quotes(joined(texts)) + " ;;\n";
  }
  text += R"(  esac
}

_crema() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= question= key= text i
  COMPREPLY=()
  if [[ $word == = ]]; then
    word= key=$before
  elif [[ $before == = ]]; then
    key=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ -z $command ]]; then
      case ${COMP_WORDS[i]} in
)";
  text += "        " + joined(command_names(program), "|") + ") command=${COMP_WORDS[i]} ;;\n";
  text += "      esac\n    else\n      case ${COMP_WORDS[i]} in\n";
  text += "        " + joined(question_names(), "|") + ") question=${COMP_WORDS[i]} ;;\n";
  text += R"(      esac
    fi
  done
  if [[ -n $key && $command == ask ]]; then
    for text in $(_crema_options "$question"); do
      [[ $text == "$key="?* ]] && _crema_words "${text#*=}"
    done
    return
  fi
  case $command:$before in
    ask:--option)
      for text in $(_crema_options "$question"); do
        [[ " ${COMPREPLY[*]} " == *" ${text%%=*}= "* ]] || _crema_words "${text%%=*}="
      done
      compopt -o nospace 2>/dev/null
      return ;;
)";
  for (const CLI::App* command : commands_of(program)) {
    for (const Argument& argument : arguments_of(*command)) {
      if (argument.placeholder.empty() || argument.name == "--option") continue;
      text += "    " + command->get_name() + ":" + argument.name;
      if (!argument.brief.empty()) text += "|" + command->get_name() + ":" + argument.brief;
      text += ") ";
      if (!argument.values.empty())
        text += "_crema_words " + in_quotes(joined(argument.values)) + "; ";
      else if (argument.is_path()) text += "_crema_files; ";
      text += "return ;;\n";
    }
  }
  text += "  esac\n  case $command in\n";
  text += "    '') _crema_words " +
          in_quotes(joined(command_names(program)) + " " + joined(flags_of(program))) + " ;;\n";
  for (const CLI::App* command : commands_of(program)) {
    text += "    " + command->get_name() + ")\n      if [[ $word == -?* ]]; then _crema_words " +
            in_quotes(joined(flags_of(*command))) + "; else ";
    const Words words = words_of(*command);
    if (!words.empty()) text += "_crema_words " + in_quotes(joined(words)) + "; ";
    if (command->get_name() != "completions") text += "_crema_files; ";
    text += "fi ;;\n";
  }
  return text + "  esac\n}\n\ncomplete -F _crema crema\n";
}

/// A text in a specification of _arguments: brackets and colons end its parts.
std::string zsh_part(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string for_zsh(const CLI::App& program) {
  std::string text = R"(#compdef crema
# zsh completion for crema, written by `crema completions zsh`.
# As a file called _crema in a folder of $fpath, or for this shell: source <(crema completions zsh)

_crema_option() {
  local -a texts
  local word
  for word in $words; do
    case $word in
)";
  for (const query::Question* question : query::all()) {
    const Words texts = option_texts(*question);
    if (!texts.empty())
      text += "      " + std::string(question->name) + ") texts=(" + joined(texts) + ") ;;\n";
  }
  text +=
      "    esac\n  done\n  compadd -S '' -- $texts\n}\n\n_crema_question() {\n  local -a "
      "questions=(\n";
  for (const query::Question* question : query::all())
    text += "    " + in_quotes(zsh_part(question->name) + ":" + zsh_part(question->about)) + "\n";
  text += "  )\n  _describe question questions\n  _files\n}\n\n";
  for (const CLI::App* command : commands_of(program)) {
    const std::string name = command->get_name();
    text += "_crema_" + name + "() {\n  _arguments -s";
    for (const Argument& argument : arguments_of(*command)) {
      const std::string spec = "[" + zsh_part(argument.about) + "]";
      std::string value;
      if (!argument.placeholder.empty()) {
        value = ":" +
                zsh_part(argument.values.empty() ? argument.placeholder : argument.name.substr(2)) +
                ":";
        if (argument.name == "--option") value += "_crema_option";
        else if (!argument.values.empty()) value += "(" + joined(argument.values) + ")";
        else if (argument.is_path()) value += "_files";
      }
      const std::string many = argument.repeatable ? "*" : "";
      text += " \\\n    " + in_quotes(many + argument.name + spec + value);
      if (!argument.brief.empty())
        text += " \\\n    " + in_quotes(many + argument.brief + spec + value);
    }
    const Words words = words_of(*command);
    if (name == "ask") text += " \\\n    '*:bundle or question:_crema_question'";
    else if (!words.empty()) text += " \\\n    " + in_quotes(":name:(" + joined(words) + ")");
    else if (!positionals_of(*command).empty()) text += " \\\n    '*:bundle:_files'";
    text += "\n}\n\n";
  }
  text += "_crema() {\n  local -a commands=(\n";
  for (const CLI::App* command : commands_of(program))
    text += "    " +
            in_quotes(zsh_part(command->get_name()) + ":" + zsh_part(command->get_description())) +
            "\n";
  text += R"(  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  (( $+functions[_crema_$command] )) && _crema_$command
}

if [[ $funcstack[1] == _crema ]]; then _crema "$@"; else compdef _crema crema; fi
)";
  return text;
}

std::string for_fish(const CLI::App& program) {
  std::string text = R"(# fish completion for crema, written by `crema completions fish`.
# For this shell: crema completions fish | source
# For good: crema completions fish > ~/.config/fish/completions/crema.fish

)";
  const auto line = [&](const std::string& condition, const std::string& rest,
                        std::string_view about) {
    text += "complete -c crema -n " + in_quotes(condition, true) + " " + rest;
    if (!about.empty()) text += " -d " + in_quotes(about, true);
    text += "\n";
  };
  for (const Argument& argument : arguments_of(program))
    line("__fish_use_subcommand", "-l " + argument.name.substr(2), argument.about);
  for (const CLI::App* command : commands_of(program)) {
    const std::string name = command->get_name();
    const std::string within = "__fish_seen_subcommand_from " + name;
    line("__fish_use_subcommand", "-f -a " + name, command->get_description());
    for (const Argument& argument : arguments_of(*command)) {
      std::string rest = "-l " + argument.name.substr(2);
      if (!argument.brief.empty()) rest += " -s " + argument.brief.substr(1);
      if (!argument.placeholder.empty()) rest += argument.is_path() ? " -r -F" : " -x";
      if (!argument.values.empty()) rest += " -a " + in_quotes(joined(argument.values), true);
      line(within, rest, argument.about);
    }
    if (name == "completions")
      line(within, "-f -a " + in_quotes(joined(words_of(*command)), true), "");
  }
  for (const query::Question* question : query::all()) {
    const std::string name(question->name);
    line("__fish_seen_subcommand_from ask", "-a " + name, question->about);
    const Words texts = option_texts(*question);
    if (!texts.empty())
      line("__fish_seen_subcommand_from ask; and contains -- " + name + " (commandline -opc)",
           "-l option -x -a " + in_quotes(joined(texts), true), "");
  }
  return text;
}

struct Shell {
  std::string_view name;
  std::string (*script)(const CLI::App& program);
};
constexpr Shell all_shells[] = {{"bash", for_bash}, {"zsh", for_zsh}, {"fish", for_fish}};

}  // namespace

std::vector<std::string_view> shells() {
  std::vector<std::string_view> names;
  for (const Shell& shell : all_shells) names.push_back(shell.name);
  return names;
}

std::string completions(const CLI::App& program, std::string_view name) {
  for (const Shell& shell : all_shells) {
    if (shell.name == name) return shell.script(program);
  }
  throw Refusal("no completions for " + not_among(visible(name), shells()));
}

Command add_completions(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("completions", "a script that teaches a shell what crema takes");
  const auto shell = std::make_shared<std::string>();
  add_positional(*command, "SHELL", *shell, "bash, zsh or fish");
  return {command, [&program, shell] {
            print(completions(program, *shell));
            return done;
          }};
}

}  // namespace crema::cli
