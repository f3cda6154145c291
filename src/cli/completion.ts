/** Shell completion. The library itself prints to stdout, in the form that the completion scripts expect. */
import { RootCommand } from '@bomb.sh/tab';
import { type Language, localize } from './base/text.ts';
import { flagsOf } from './command/common-flags.ts';
import { loadAllCommands } from './topics.ts';

/** Prints completions for a partial command line; completion scripts call it as `turnpike complete -- WORDS`. */
export async function printCompletions(argv: readonly string[], language: Language): Promise<void> {
  const root = new RootCommand();
  for (const { topic, commands } of await loadAllCommands()) {
    root.command(topic.name, localize(language, topic.summary));
    for (const command of commands) {
      const node = root.command(command.name, localize(language, command.summary));
      for (const argument of command.arguments) {
        node.argument(argument.name, (complete) => {
          for (const choice of argument.choices ?? []) complete(choice, '');
        });
      }
      for (const flag of flagsOf(command)) {
        const summary = localize(language, flag.summary);
        if (flag.kind === 'switch') node.option(flag.name, summary);
        else
          node.option(flag.name, summary, (complete) => {
            for (const choice of flag.choices ?? []) complete(choice, '');
          });
      }
    }
  }
  root.parse([...argv]);
}
