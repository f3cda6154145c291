/** Completion words; the library prints to stdout itself, in the form the shells' scripts expect. */
import { RootCommand } from '@bomb.sh/tab';
import { type Language, say } from './base/text.ts';
import { flagsOf } from './command/common-flags.ts';
import { loadAllCommands } from './topics.ts';

/** Prints what can stand at the end of the words typed so far; called by the shells as `turnpike complete -- WORDS`. */
export async function printCompletions(words: readonly string[], language: Language): Promise<void> {
  const root = new RootCommand();
  for (const { topic, commands } of await loadAllCommands()) {
    root.command(topic.name, say(language, topic.summary));
    for (const command of commands) {
      const node = root.command(command.name, say(language, command.summary));
      for (const argument of command.arguments) {
        node.argument(argument.name, (complete) => {
          for (const choice of argument.choices ?? []) complete(choice, '');
        });
      }
      for (const flag of flagsOf(command)) {
        const summary = say(language, flag.summary);
        if (flag.kind === 'switch') node.option(flag.name, summary);
        else
          node.option(flag.name, summary, (complete) => {
            for (const choice of flag.choices ?? []) complete(choice, '');
          });
      }
    }
  }
  root.parse([...words]);
}
