/** The value after `name` on the command line. */
export function argument(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

export const hasFlag = (name: string): boolean => process.argv.includes(name);

/** The values after `name`, separated by commas. */
export const listArgument = (name: string): readonly string[] | undefined =>
  argument(name)?.split(',');
