/**
 * What commands print with `--json` is what is declared: nothing is missing, nothing more is there.
 */
import { expect } from 'vitest';
import { z } from 'zod';
import { fileArgument } from '../../src/cli/command/download.ts';
import { jsonShapeOf } from '../../src/cli/json-shapes.ts';
import { topics } from '../../src/cli/topics.ts';

/** The command that a command line names; undefined for none, such as `serve` without its name. */
async function findCommand(argv: readonly string[]) {
  const [first, second] = argv.filter((word) => !word.startsWith('-'));
  const topic = topics.find(({ name, alias }) => name === first || alias === first);
  const commands = (await topic?.load()) ?? [];
  return (
    commands.find(({ name }) => name === `${topic?.name} ${second}`) ??
    commands.find(({ name }) => name === topic?.name)
  );
}

/**
 * Compares the output with the declared shape of its command. Lines of JSON (`logs tail`) are
 * compared one by one.
 */
export async function expectDeclaredJson(argv: readonly string[], printed: string): Promise<void> {
  const command = await findCommand(argv);
  if (command === undefined) return;
  // An export that goes to stdout is the file itself.
  if (
    command.arguments?.includes(fileArgument) &&
    !argv.slice(2).some((word) => word !== '-' && !word.startsWith('-'))
  )
    return;
  const shape = jsonShapeOf(command);
  if (shape === null) return;
  if (shape === undefined)
    throw new Error(`the JSON of ${command.name} is not declared in src/cli/json-shapes.ts`);
  const isLines = command.name === 'logs tail' || argv.includes('--watch');
  const values = isLines ? printed.trim().split('\n') : [printed];
  for (const value of values) expectShape(shape, JSON.parse(value), command.name);
}

function expectShape(shape: z.ZodType, value: unknown, name: string): void {
  const parsed = shape.safeParse(value);
  if (!parsed.success)
    throw new Error(`the JSON of ${name} is not as declared: ${z.prettifyError(parsed.error)}`);
  // Parsing leaves out what is not declared.
  expect(parsed.data, name).toEqual(value);
}
