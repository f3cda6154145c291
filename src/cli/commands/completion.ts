/**
 * `turnpike completion SHELL`: prints a script to source; it calls `turnpike complete` for
 * completions.
 */
import { bashCompletion } from '../command/bash-completion.ts';
import { type Command, command } from '../command/command.ts';
import { zshCompletion } from '../command/zsh-completion.ts';

const ownScripts: Readonly<Record<string, string>> = { bash: bashCompletion, zsh: zshCompletion };

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const completionCommands: readonly Command[] = [
  command({
    name: 'completion',
    summary: {
      en: 'Print a completion script to source in your shell',
      zh: '输出补全脚本，在 shell 中 source 即可',
    },
    details: {
      en: 'bash: source <(turnpike completion bash)    zsh: source <(turnpike completion zsh)    fish: turnpike completion fish | source\nbash needs no other package; zsh runs compinit if it did not run before.',
      zh: 'bash：source <(turnpike completion bash)    zsh：source <(turnpike completion zsh)    fish：turnpike completion fish | source\nbash 不需要其他软件包；zsh 尚未运行 compinit 时会自动运行。',
    },
    local: true,
    arguments: [
      {
        name: 'shell',
        kind: 'text',
        choices: shells,
        summary: { en: 'bash, zsh, fish or powershell', zh: 'bash、zsh、fish 或 powershell' },
      },
    ],
    async run(context) {
      const { shell = '' } = context.arguments;
      const own = ownScripts[shell];
      if (own !== undefined) {
        context.output.line(own.trimEnd());
        return {};
      }
      const { script } = await import('@bomb.sh/tab');
      script(shell, 'turnpike', 'turnpike'); // prints by itself
      return {};
    },
  }),
];
