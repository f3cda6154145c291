/** Names of models on Bedrock (docs/rules/providers.md#bedrock-models). */
import { modelOfSnapshot } from '../../models/snapshot.ts';
import { canThink, isLegacyClaude, takesAdaptive } from '../anthropic/model-rules.ts';

type Prefix = 'us' | 'eu' | 'apac';

interface BedrockModel {
  readonly id: string;
  /** Geographies that have a cross-region profile of it. */
  readonly prefixes: readonly Prefix[];
}

const everywhere: readonly Prefix[] = ['us', 'eu', 'apac'];

const table: Readonly<Record<string, BedrockModel>> = {
  'claude-instant-1.2': { id: 'anthropic.claude-instant-v1', prefixes: [] },
  'claude-2.0': { id: 'anthropic.claude-v2', prefixes: [] },
  'claude-2.1': { id: 'anthropic.claude-v2:1', prefixes: [] },
  'claude-3-sonnet-20240229': {
    id: 'anthropic.claude-3-sonnet-20240229-v1:0',
    prefixes: everywhere,
  },
  'claude-3-opus-20240229': { id: 'anthropic.claude-3-opus-20240229-v1:0', prefixes: ['us'] },
  'claude-3-haiku-20240307': { id: 'anthropic.claude-3-haiku-20240307-v1:0', prefixes: everywhere },
  'claude-3-5-sonnet-20240620': {
    id: 'anthropic.claude-3-5-sonnet-20240620-v1:0',
    prefixes: everywhere,
  },
  'claude-3-5-sonnet-20241022': {
    id: 'anthropic.claude-3-5-sonnet-20241022-v2:0',
    prefixes: ['us', 'apac'],
  },
  'claude-3-5-haiku-20241022': { id: 'anthropic.claude-3-5-haiku-20241022-v1:0', prefixes: ['us'] },
  'claude-3-7-sonnet-20250219': {
    id: 'anthropic.claude-3-7-sonnet-20250219-v1:0',
    prefixes: everywhere,
  },
  'claude-sonnet-4-20250514': {
    id: 'anthropic.claude-sonnet-4-20250514-v1:0',
    prefixes: everywhere,
  },
  'claude-opus-4-20250514': { id: 'anthropic.claude-opus-4-20250514-v1:0', prefixes: ['us'] },
  'claude-opus-4-1-20250805': { id: 'anthropic.claude-opus-4-1-20250805-v1:0', prefixes: ['us'] },
  'claude-sonnet-4-5-20250929': {
    id: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
    prefixes: everywhere,
  },
  'claude-haiku-4-5-20251001': {
    id: 'anthropic.claude-haiku-4-5-20251001-v1:0',
    prefixes: everywhere,
  },
  'claude-opus-4-5-20251101': {
    id: 'anthropic.claude-opus-4-5-20251101-v1:0',
    prefixes: everywhere,
  },
  'claude-sonnet-4-6': { id: 'anthropic.claude-sonnet-4-6', prefixes: everywhere },
  'claude-opus-4-6': { id: 'anthropic.claude-opus-4-6-v1', prefixes: everywhere },
  'nova-micro-v1:0': { id: 'amazon.nova-micro-v1:0', prefixes: everywhere },
  'nova-lite-v1:0': { id: 'amazon.nova-lite-v1:0', prefixes: everywhere },
  'nova-pro-v1:0': { id: 'amazon.nova-pro-v1:0', prefixes: everywhere },
};

/** Offered in the channel editor besides the catalogue's models: the table, and thinking by name. */
export const bedrockModels: readonly string[] = [
  ...Object.keys(table)
    .filter((name) => !isLegacyClaude(name))
    .flatMap((name) =>
      canThink(name) && !takesAdaptive(name) ? [name, `${name}-thinking`] : [name],
    ),
  ...['max', 'high', 'medium', 'low'].map((effort) => `claude-opus-4-6-${effort}`),
  'amazon.titan-embed-text-v2:0',
];

/** Bedrock knows models of before Claude 4.6 by their dates only. */
const datedName = new Map(
  Object.keys(table).map((name) => [modelOfSnapshot(name) ?? name, name] as const),
);

const prefixByGeography: Readonly<Record<string, Prefix>> = { us: 'us', eu: 'eu', ap: 'apac' };

/**
 * Names younger than the table follow the pattern of its newest ones: `-v1:0` where there is a
 * date.
 */
function patterned(name: string): BedrockModel {
  return { id: `anthropic.${name}${/-\d{8}$/.test(name) ? '-v1:0' : ''}`, prefixes: everywhere };
}

/**
 * The id of a model in a region. Ids of Bedrock's own, with or without a prefix, and ARNs are taken
 * as they are.
 */
export function bedrockId(name: string, region: string): string {
  const model =
    table[datedName.get(name) ?? name] ??
    (name.startsWith('claude-') ? patterned(name) : undefined);
  if (model === undefined) return name;
  const prefix = prefixByGeography[region.split('-')[0] ?? ''];
  return prefix !== undefined && model.prefixes.includes(prefix)
    ? `${prefix}.${model.id}`
    : model.id;
}

/** The id without a geography, as token counting requires. */
export function baseId(id: string): string {
  return id.replace(/^(?:us|eu|apac|jp|au|global)\./, '');
}

/** Claude is called in its own format, everything else by Converse. */
export function isClaude(name: string): boolean {
  return name.startsWith('claude-') || name.includes('anthropic.');
}

/**
 * The name from which Claude's generation can be read: without a profile's path, Bedrock's oldest
 * names as Anthropic's.
 */
export function generationName(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return last
    .replace(/anthropic\.claude-instant-v1/, 'claude-instant-1.2')
    .replace(/anthropic\.claude-v2/, 'claude-2.0');
}
