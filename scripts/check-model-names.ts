/**
 * Finds names of models in src outside of the catalogue (docs/rules/models.md#names-elsewhere):
 * words in texts and patterns that the catalogue's rules or rows know, such as `gpt-5.6-sol`; words
 * without a digit where they are a name of the catalogue, or beginnings of names that are looked for
 * (a pattern, `startsWith('gpt-image')`). Run by `npm run check`; prints every one, and every exception that is no longer needed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { knownModels } from '../src/core/models/known-models.ts';

/** Files that may name models, and why. `*` is one folder. */
const exceptions: Readonly<Record<string, string>> = {
  'src/core/providers/*/models.ts': 'names that a vendor serves besides those of the catalogue',
  'src/core/providers/*/prices.ts': 'prices of models that the catalogue does not price',
  'src/core/providers/ollama/index.ts': 'names of open models at Ollama, which has none of its own',
  'src/core/providers/baidu/address.ts': 'addresses that the vendor gives single models',
  'src/core/providers/cloudflare/transcription.ts': 'a model with a body of its own',
  'src/core/providers/aws/claude-body.ts': 'names of beta features',
  'src/core/providers/azure/fields.ts': 'an example for readers',
  'src/core/providers/gemini/options.ts': 'the default of an option of New API',
  'src/core/vocabulary/channel-types.ts': 'the name of a channel type',
  'src/core/vocabulary/video-models.ts': 'sizes and lengths that the models of a platform take',
  'src/core/relay/formats/openai-images/index.ts': 'what the API takes where no model is named',
  'src/core/relay/formats/openai-moderations/index.ts':
    'what the API takes where no model is named',
  'src/core/relay/formats/openai-speech/index.ts': 'what the API takes where no model is named',
  'src/core/relay/formats/openai-transcriptions/index.ts':
    'what the API takes where no model is named',
  'src/ui/components/provider-logo-names.ts': 'logos by the beginnings of names',
  'src/core/relay/channel-test/tester.ts': 'what is tested where a channel lists no model',
  'src/cli/examples.ts': 'examples for readers',
  'src/demo/site/channels.ts': 'what the channels of the demo site sell',
  'src/demo/site/people.ts': 'what its people use',
  'src/demo/site/history.ts': 'a request that is refused there',
  'src/demo/upstream/calls.ts': 'the list of models of its upstream',
  'src/cli/commands/doctor/clients/claude-code.ts': 'a header of the client',
  'src/ui/routes/channel/channel-examples.ts': 'an example for readers',
};

const words = /(?<![\w.@-])[A-Za-z][\w.@-]*\d[\w.@-]*/g;
/** Names without a digit have a hyphen. */
const plainWords = /(?<![\w.@-])[A-Za-z][A-Za-z_]*(?:-[A-Za-z_]+)+/g;
/** Looks for a beginning or a part of a name. */
const looksFor = /\.(?:startsWith|endsWith|includes)\(\s*$/;
/** Comments, so that they are passed over, and behind them texts, templates and patterns. */
const literals =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/(?![*/\s])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g;

/** Names of models in the texts and patterns of a source file, with the line of each. */
export function modelNamesIn(source: string): readonly { name: string; line: number }[] {
  return [...source.matchAll(literals)]
    .filter(({ 0: literal }) => !/^\/[*/]/.test(literal))
    .flatMap(({ 0: literal, index }) => {
      const before = source.slice(0, index);
      const isSearch = literal.startsWith('/') || looksFor.test(before);
      const named = [...literal.matchAll(words)].map(([word]) => word).filter(isModelName);
      const plain = [...literal.matchAll(plainWords)]
        .map(([word]) => word)
        .filter((word) => (isSearch ? isModelName(word) : isRow(word)));
      return [...named, ...plain.filter((word) => !named.some((name) => name.includes(word)))].map(
        (name) => ({ name, line: before.split('\n').length }),
      );
    });
}

function isRow(word: string): boolean {
  return knownModels.find(word.toLowerCase()).row !== undefined;
}

function isModelName(word: string): boolean {
  const { row, family } = knownModels.find(word.toLowerCase());
  return row !== undefined || family !== undefined;
}

function exceptionFor(file: string): string | undefined {
  const paths = [file, file.replace(/^(src\/core\/providers\/)[^/]+/, '$1*')];
  return paths.find((path) => Object.hasOwn(exceptions, path));
}

function check(): readonly string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file).replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('src/core/models/'));
  const used = new Set<string>();
  const problems = files.flatMap((file) => {
    const names = modelNamesIn(readFileSync(file, 'utf8'));
    const exception = exceptionFor(file);
    if (exception === undefined)
      return names.map(({ name, line }) => `${file}:${line}: ${name} belongs into src/core/models`);
    if (names.length > 0) used.add(exception);
    return [];
  });
  const unused = Object.keys(exceptions).filter((path) => !used.has(path));
  return [...problems, ...unused.map((path) => `${path} names no model: the exception can go`)];
}

if (import.meta.main) {
  const problems = check();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
