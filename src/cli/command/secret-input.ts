/** Secrets come by standard input, by the environment, or from a hidden prompt; never from the process list. */

import { environmentName } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { UsageError } from '../base/usage-error.ts';
import type { Context } from './command.ts';

/** `--NAME-stdin`, else TURNPIKE_NAME; undefined where neither is given. */
export async function givenSecret(context: Context, name: string): Promise<string | undefined> {
  if (context.values.on(`${name}-stdin`)) return context.terminal.readAll(`${name}-stdin`);
  return context.environment[environmentName(name)] || undefined;
}

/** What is given, else a hidden prompt; without a terminal a UsageError that says what to give. */
export async function readSecret(context: Context, name: string, question: Text): Promise<string> {
  const given = await givenSecret(context, name);
  if (given !== undefined) return given;
  const variable = environmentName(name);
  if (context.terminal.interactive) return context.terminal.ask(question, true);
  throw new UsageError(
    { en: 'Give --{name}-stdin or {variable}', zh: '请给出 --{name}-stdin 或 {variable}' },
    { name, variable },
  );
}
