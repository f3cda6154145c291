/**
 * What each client is to do: the prompt, a tool that prints a file, and how its answer is reported.
 */
import { readFileSync } from 'node:fs';

const {
  CLIENT_URL: url,
  CLIENT_KEY: key,
  CLIENT_MODEL: model,
  CLIENT_WIRE: wire,
  CLIENT_STREAM: stream,
} = process.env;

export const target = { url, key, model, wire, streamed: stream === 'yes' };
export const prompt = process.argv[2];
export const instructions = 'You read files.';
export const toolName = 'print_file';
export const toolDescription = 'Prints a file.';
export const parameters = {
  type: 'object',
  properties: { path: { type: 'string', description: 'Its name' } },
  required: ['path'],
  additionalProperties: false,
};
export const printFile = ({ path }) => readFileSync(path, 'utf8');

/** Repeats `turn` until it returns no calls; `turn` gets the results of the calls before. */
export async function converse(turn) {
  const used = [];
  let results = [];
  for (let round = 0; round < 8; round++) {
    const { text, calls, tokens } = await turn(results);
    used.push(tokens);
    if (calls.length === 0) return report(text, used);
    results = calls.map((call) => ({ ...call, output: printFile(call.input) }));
  }
  throw new Error('the conversation does not end');
}

/** `used`: prompt (with cached), cached and output tokens, of each answer or in all. */
export function report(text, used) {
  const sum = (name) => used.reduce((all, tokens) => all + (tokens[name] ?? 0), 0);
  const shown = { prompt: sum('prompt'), cached: sum('cached'), output: sum('output') };
  process.stdout.write(JSON.stringify({ text, shown }));
}
