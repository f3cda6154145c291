/**
 * Secrets are read from standard input, the environment or a hidden prompt, so that they do not
 * appear in the process list.
 */

import { environmentName } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { UsageError } from '../base/usage-error.ts';
import type { Context } from './command.ts';

/** The secret from `--NAME-stdin` or TURNPIKE_NAME; undefined if neither is given. */
export async function givenSecret(context: Context, name: string): Promise<string | undefined> {
  if (context.values.on(`${name}-stdin`)) return context.terminal.readAll(`--${name}-stdin`);
  return context.environment[environmentName(name)] || undefined;
}

/** The given secret, else from a hidden prompt. Throws UsageError without a terminal. */
export async function readSecret(context: Context, name: string, question: Text): Promise<string> {
  const given = await givenSecret(context, name);
  if (given !== undefined) return given;
  const variable = environmentName(name);
  if (context.terminal.interactive) return context.terminal.ask(question, true);
  throw new UsageError(
    { en: 'Use --{name}-stdin or {variable}', zh: '请使用 --{name}-stdin 或 {variable}' },
    { name, variable },
  );
}
