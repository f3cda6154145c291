/**
 * docs/model-lists.md: where pinned packages say something else of models than the catalogue. An
 * upgrade of one shows there as a difference of models and prices.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findProvider } from '@pydantic/genai-prices';
import { type ModelChangeKind, updateOf } from '../../src/core/models/changes.ts';
import { knownModels } from '../../src/core/models/known-models.ts';
import { genaiPrices } from '../../src/core/models/rows/listed.ts';
import { readModelList } from '../../src/core/models/sources/read-list.ts';
import { code, generatedNote, table } from './markdown.ts';

/** Vendors as the package calls them; those whose models the catalogue prices. */
const servers = [
  ...['openai', 'anthropic', 'google', 'x-ai', 'deepseek', 'mistral', 'moonshotai', 'cohere'],
  ...['perplexity', 'zai', 'minimax'],
];

/** Packages do not export all of their files. */
function packageFile(name: string, file: string): string {
  const root = createRequire(import.meta.url)
    .resolve(name)
    .split(`/node_modules/${name}/`)[0];
  return readFileSync(`${root}/node_modules/${name}/${file}`, 'utf8');
}
const versionOf = (name: string): string =>
  `${name} ${(JSON.parse(packageFile(name, 'package.json')) as { version: string }).version}`;

const fields = (said: Readonly<Record<string, unknown>>): string =>
  Object.entries(said)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');

/** What the list of prices says otherwise of one kind. */
function differences(kind: ModelChangeKind): readonly (readonly string[])[] {
  const day = genaiPrices.seen;
  const providers = servers.map((providerId) => findProvider({ providerId }));
  const list = readModelList(JSON.stringify(providers), day);
  if (list === undefined) throw new Error('the package has no list of prices');
  const origin = { source: genaiPrices.source, seen: day, isAuthority: false };
  return list.models
    .filter(({ name, server }) => {
      const { vendor = server } = knownModels.find(name).facts;
      return vendor === server;
    })
    .flatMap((found) => updateOf(found, knownModels, origin, day)?.changes ?? [])
    .filter((change) => change.kind === kind)
    .map(({ vendor, model, from, to }) =>
      kind === 'new'
        ? [vendor, code(model), fields({ ...(to['price'] ?? {}) })]
        : [vendor, code(model), fields(from), fields(to)],
    );
}

/** Names in a type of an SDK. */
function namesIn(text: string, type: string): readonly string[] {
  const line = new RegExp(`export type ${type} = ([^;]*);`).exec(text)?.[1] ?? '';
  return [...line.matchAll(/'([^']+)'/g)].map(([, name]) => name ?? '');
}

const sdks = [
  { name: 'openai', file: 'resources/shared.d.ts', type: 'ChatModel' },
  { name: '@anthropic-ai/sdk', file: 'resources/messages/messages.d.ts', type: 'Model' },
] as const;

/** Models that an SDK names and the catalogue has no row of. */
function unknownNames(): readonly (readonly string[])[] {
  return sdks.map(({ name, file, type }) => {
    const names = namesIn(packageFile(name, file), type);
    if (names.length === 0) throw new Error(`${name} has no ${type}`);
    const unknown = names.filter((model) => knownModels.find(model).row === undefined);
    return [versionOf(name), unknown.map(code).join(', ')];
  });
}

export function modelListsDocument(): string {
  const prices = differences('price');
  const news = differences('new');
  return [
    generatedNote,
    '# Lists of models, and the catalogue',
    '',
    `What ${versionOf('@pydantic/genai-prices')} and the SDKs of vendors say otherwise than [the catalogue](rules/models.md),`,
    'whose rows name the source that they follow. `npm run generate` writes it; after the upgrade of a package it shows which models and prices',
    'changed. A file of LiteLLM or models.dev is compared by `turnpike models sync FILE`.',
    '',
    '## Other prices',
    '',
    table(['Vendor', 'Model', 'Catalogue', 'List'], prices),
    '',
    '## Models without a row',
    '',
    table(['Vendor', 'Model', 'Price in the list'], news),
    '',
    '## Names in SDKs without a row',
    '',
    table(['Package', 'Models'], unknownNames()),
    '',
  ].join('\n');
}
