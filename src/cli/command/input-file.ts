/** The text of a file that an argument or a flag names. */
import { readFileSync } from 'node:fs';
import { namingFile } from '../../core/kernel/file-problems.ts';
import type { Context } from './command.ts';

/** `-` is standard input. What is wrong with the file names it, also where it is a folder. */
export async function readInputFile(
  { terminal }: Pick<Context, 'terminal'>,
  file: string,
): Promise<string> {
  return file === '-' ? terminal.readAll('-') : readNamedFile(file);
}

/** As {@link readInputFile}, where `-` is a name like any other. */
export const readNamedFile = (file: string): string =>
  namingFile(file, () => readFileSync(file, 'utf8'));
