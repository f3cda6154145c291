import { type Loose, recordOf } from '../../src/core/canonical/kit/read-json.ts';

/** The objects in an output with one JSON value per line; other lines are skipped. */
export function jsonLines(stdout: string): readonly Loose[] {
  return stdout
    .split('\n')
    .map((line) => (line.startsWith('{') ? recordOf(JSON.parse(line)) : undefined))
    .filter((line) => line !== undefined);
}
