/**
 * docs/model-lists.md: where pinned packages and LiteLLM's dated list say something else of models
 * than the catalogue. A newer one shows there as a difference of models and prices.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProvider } from '@pydantic/genai-prices';
import { isPast } from '../../src/core/models/catalogue.ts';
import { type ModelChange, updateOf } from '../../src/core/models/changes.ts';
import { knownModels } from '../../src/core/models/known-models.ts';
import { genaiPrices, litellm } from '../../src/core/models/rows/listed.ts';
import type { ModelRow } from '../../src/core/models/schema.ts';
import type { FoundModel } from '../../src/core/models/sources/found-model.ts';
import { readModelList } from '../../src/core/models/sources/read-list.ts';
import { code, generatedNote, table } from './markdown.ts';
import { namesInSdks, versionOf } from './sdk-names.ts';

/** Vendors as the package calls them; those whose models the catalogue prices. */
const servers = [
  'openai',
  'anthropic',
  'google',
  'x-ai',
  'deepseek',
  'mistral',
  'moonshotai',
  'cohere',
  'perplexity',
  'zai',
  'minimax',
];

interface List {
  readonly title: string;
  readonly models: readonly FoundModel[];
  readonly changes: readonly ModelChange[];
}

const fields = (said: Readonly<Record<string, unknown>>): string =>
  Object.entries(said)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');

/** The models of a list that are their server's own, and how the catalogue differs. */
function readList(
  title: string,
  text: string,
  { source, seen }: typeof litellm | typeof genaiPrices,
): List {
  const list = readModelList(text, seen);
  if (list === undefined) throw new Error(`${title} is no list of models`);
  const models = list.models.filter(({ name, server }) => {
    const { vendor = server } = knownModels.find(name).facts;
    return vendor === server;
  });
  const origin = { source, seen, isAuthority: false };
  // The page is the same on every day.
  knownModels.followClock({ now: () => Date.parse(seen) });
  const changes = models.flatMap(
    (found) => updateOf(found, knownModels, origin, seen)?.changes ?? [],
  );
  return { title, models, changes };
}

function readLists(): readonly List[] {
  const providers = servers.map((providerId) => findProvider({ providerId }));
  const { version, models } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'litellm.json'), 'utf8'),
  ) as { version: string; models: unknown };
  return [
    readList(versionOf('@pydantic/genai-prices'), JSON.stringify(providers), genaiPrices),
    readList(`LiteLLM ${version}`, JSON.stringify(models), litellm),
  ];
}

/** A row for each model of which a list says something that is meant, with a cell for each list. */
function compared(
  lists: readonly List[],
  isMeant: (change: ModelChange) => boolean,
  what: (change: ModelChange) => string,
): readonly { readonly change: ModelChange; readonly cells: readonly string[] }[] {
  const firsts = new Map<string, ModelChange>();
  for (const { changes } of lists)
    for (const change of changes.filter(isMeant))
      firsts.set(change.model, firsts.get(change.model) ?? change);
  return [...firsts.values()].map((change) => ({
    change,
    cells: lists.map(({ models, changes }) => {
      const said = changes.find((one) => one.model === change.model && isMeant(one));
      if (said !== undefined) return what(said);
      return models.some(({ name, price }) => name === change.model && price) ? 'same' : '';
    }),
  }));
}

/** The row's own source, which is why it says what it says. */
function sourceOf(model: string): string {
  const { source = '', seen = '' } = knownModels.find(model).row ?? {};
  return `[${new URL(source).host}](${source}), ${seen}`;
}

/** Models that are sold and that neither a list nor an SDK names: they may be misspelt or over. */
function unlisted(lists: readonly List[]): readonly ModelRow[] {
  const names = [
    ...lists.flatMap(({ models }) => models),
    ...namesInSdks().flatMap((sdk) => sdk.names),
  ]
    .map((entry) => (typeof entry === 'string' ? entry : entry.name))
    .map((name) => knownModels.find(name).row?.name);
  const named = new Set(names);
  const vendors = new Set(lists.flatMap(({ models }) => models.map(({ server }) => server)));
  return knownModels
    .rows()
    .filter(
      ({ name, vendor = '', ends }) =>
        vendors.has(vendor) && !named.has(name) && !isPast(ends, litellm.seen),
    );
}

function unknownNames(): readonly (readonly string[])[] {
  return namesInSdks().map(({ title, names }) => {
    const rows = names.map((name) => [name, knownModels.find(name).row] as const);
    const unknown = rows.filter(([, row]) => row === undefined);
    const ended = rows.filter(([, row]) => isPast(row?.ends, litellm.seen));
    return [title, ...[unknown, ended].map((some) => some.map(([name]) => code(name)).join(', '))];
  });
}

export function modelListsDocument(): string {
  const lists = readLists();
  const titles = lists.map(({ title }) => title);
  const known = (change: ModelChange) => change.kind === 'price' || change.kind === 'end';
  const prices = compared(lists, known, ({ to }) => fields(to)).map(({ change, cells }) => [
    change.vendor,
    code(change.model),
    fields(change.from),
    sourceOf(change.model),
    ...cells,
  ]);
  const isNew = ({ kind, model }: ModelChange) => kind === 'new' && !tuned.test(model);
  const news = compared(lists, isNew, ({ to }) => fields({ ...(to['price'] ?? {}) }) || 'no price');
  const unlistedRows = unlisted(lists).map(({ vendor = '', name }) => [
    vendor,
    code(name),
    sourceOf(name),
  ]);
  return [
    generatedNote,
    '# Lists of models, and the catalogue',
    '',
    `What ${titles[0]}, ${titles[1]} of ${litellm.seen} and the SDKs of vendors say otherwise than [the catalogue](rules/models.md).`,
    'Where they differ, the source of the row is the reason. `npm run generate` writes this page; after the upgrade of a package, or with a newer list of',
    'LiteLLM (`scripts/trim-litellm.ts`), it shows which models and prices changed. Other files are compared by `turnpike models sync FILE`.',
    '',
    '## Other prices and ends',
    '',
    table(['Vendor', 'Model', 'Catalogue', 'Source of the row', ...titles], prices),
    '',
    '## Models without a row',
    '',
    table(
      ['Vendor', 'Model', ...titles],
      news.map(({ change, cells }) => [change.vendor, code(change.model), ...cells]),
    ),
    '',
    '## Names in SDKs',
    '',
    table(['Package', 'Without a row', 'Ended here'], unknownNames()),
    '',
    '## Without a public price',
    '',
    `Looked for in both lists and in public documentation. Until a list has it, \`turnpike models sync\` brings none, and nobody sells them by accident.`,
    '',
    table(
      ['Model', 'Named by', 'Looked for'],
      unpriced.map(([model, ...said]) => [code(model), ...said]),
    ),
    '',
    '## Rows that no list has',
    '',
    unlistedRows.length === 0
      ? 'None.'
      : table(['Vendor', 'Model', 'Source of the row'], unlistedRows),
    '',
  ].join('\n');
}

/** New names that have no row, because nobody says in public what they cost. */
const unpriced = [
  ['claude-fable-5-2', '@anthropic-ai/sdk 1.7.0, 2026-11-09', '2026-11-29'],
  ['claude-mythos-5-2', '@anthropic-ai/sdk 1.7.0, 2026-11-09', '2026-11-29'],
] as const;

/** A customer's own model. */
const tuned = /^ft:|\.ft-/;
