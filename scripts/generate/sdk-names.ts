/** Names of models in the types of vendors' SDKs and of the AI SDK's packages. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** `types`: which of them name models. The AI SDK has a package for each vendor. */
const sdks = [
  {
    name: 'openai',
    files: [
      'shared',
      'images',
      'embeddings',
      'videos',
      'moderations',
      'audio/audio',
      'audio/speech',
    ].map((file) => `resources/${file}.d.ts`),
    types: /^\w+Model$/,
  },
  { name: '@anthropic-ai/sdk', files: ['resources/messages/messages.d.ts'], types: /^Model$/ },
  { name: '@google/genai', files: ['dist/genai.d.ts'], types: /^Model_2$/ },
  ...['openai', 'xai', 'mistral', 'deepseek'].map((vendor) => ({
    name: `@ai-sdk/${vendor}`,
    files: ['dist/index.d.ts'],
    types: /^\w+ModelId$/,
  })),
];

/** Packages do not export all of their files. */
function packageFile(name: string, file: string): string {
  const root = createRequire(import.meta.url)
    .resolve(name)
    .split(`/node_modules/${name}/`)[0];
  return readFileSync(`${root}/node_modules/${name}/${file}`, 'utf8');
}

/** `openai 7.55.0` */
export function versionOf(name: string): string {
  const { version } = JSON.parse(packageFile(name, 'package.json')) as { version: string };
  return `${name} ${version}`;
}

/** The texts among the members of these types. */
function namesIn(text: string, types: RegExp): readonly string[] {
  return [...text.matchAll(/\btype (\w+) = ([^;]*);/g)]
    .filter(([, type = '']) => types.test(type))
    .flatMap(([, , members = '']) => [...members.matchAll(/['"]([^'"]+)['"]/g)])
    .map(([, name = '']) => name);
}

export interface NamedModels {
  readonly title: string;
  readonly names: readonly string[];
}

/** Each package with the names in it, each once. */
export function namesInSdks(): readonly NamedModels[] {
  return sdks.map(({ name, files, types }) => {
    const found = files.map((file) => namesIn(packageFile(name, file), types));
    if (found.some((names) => names.length === 0)) throw new Error(`${name} names no models`);
    return { title: versionOf(name), names: [...new Set(found.flat())] };
  });
}
