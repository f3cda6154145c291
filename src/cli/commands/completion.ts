/** `turnpike completion SHELL`: prints a script to source; it calls `turnpike complete` for completions. */
import { type Command, command } from '../command/command.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const completionCommands: readonly Command[] = [
  command({
    name: 'completion',
    summary: { en: 'Print a completion script to source in your shell', zh: '输出补全脚本，在 shell 中 source 即可' },
    details: {
      en: 'bash: source <(turnpike completion bash)    zsh: source <(turnpike completion zsh)    fish: turnpike completion fish | source',
      zh: 'bash：source <(turnpike completion bash)    zsh：source <(turnpike completion zsh)    fish：turnpike completion fish | source',
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
      const { script } = await import('@bomb.sh/tab');
      script(context.arguments.shell ?? '', 'turnpike', 'turnpike'); // prints by itself
      return {};
    },
  }),
];
