/**
 * Ids and names of the site for completion (docs/rules/command-line.md#completion). Whatever goes
 * wrong, nothing is offered: an unfinished line is no place for errors.
 */
import type { Client } from '../../core/contract/client.ts';
import { optionKeys } from '../../core/options/index.ts';
import { channelTypes } from '../../core/vocabulary/channel-types.ts';
import { type Flag, Values } from '../base/flags.ts';
import type { Language } from '../base/text.ts';
import type { Argument, Command } from '../command/command.ts';
import { connectionFlags } from '../command/common-flags.ts';
import { connect, loadCommandConfig } from '../connection/connect.ts';
import { profilePath, readProfiles } from '../connection/profiles.ts';
import type { Line } from './line.ts';

export interface Candidate {
  readonly value: string;
  /** Shown beside it. */
  readonly note: string;
}

/** What to offer, for what is typed of it. */
type Source = (client: Client, typed: string) => Promise<readonly Candidate[]>;

const candidate = (value: string | number, note = ''): Candidate => ({
  value: String(value),
  note,
});
const page = { p: 1, page_size: 100 };
const keyword = (typed: string) => ({ ...page, keyword: typed });

const users: Source = async (client, typed) =>
  (await client.user.search(keyword(typed))).items.map((user) => candidate(user.id, user.username));
/** Names and ids; a name of digits only would be taken for an id. */
const usersOrNames: Source = async (client, typed) =>
  (await client.user.search(keyword(typed))).items.flatMap(({ id, username, display_name }) => [
    ...(/^\d+$/.test(username) ? [] : [candidate(username, display_name)]),
    candidate(id, username),
  ]);
const channels: Source = async (client) =>
  (await client.channel.list({ page_size: 100 })).items.map((channel) =>
    candidate(channel.id, channel.name),
  );
const tags: Source = async (client) =>
  (await client.channel.list({ page_size: 100 })).items.flatMap(({ tag }) =>
    tag ? [candidate(tag)] : [],
  );
const tokens: Source = async (client) =>
  (await client.userTokens.list(page)).items.map((token) =>
    candidate(token.id, `${token.name} (${token.username ?? ''})`),
  );
const tokenNames: Source = async (client) =>
  (await client.userTokens.list(page)).items.map(({ name }) => candidate(name));
const codes: Source = async (client) =>
  (await client.redemption.search(page)).items.map((code) => candidate(code.id, code.name));
const orders: Source = async (client, typed) =>
  (await client.topUp.list({ page_size: 100, trade_no: typed })).records.map((order) =>
    candidate(order.trade_no, order.username ?? ''),
  );
const groups: Source = async (client) =>
  (await client.channel.groups()).map((group) => candidate(group));
const models: Source = async (client) =>
  (await client.channel.enabledModels()).map((model) => candidate(model));
const budgets: Source = async (client) =>
  (await client.budgets.list()).map(({ id, name }) => candidate(id, name));
const entries: Source = async (client) =>
  (await client.modelSquare.manage({ page_size: 100 })).items.map(({ model, manufacturer }) =>
    candidate(model, manufacturer),
  );
/** Machines with one gateway by name; a shell divides addresses at their colons. */
const gateways: Source = async (client) => {
  const found = await client.nodes.list();
  const isOnly = (name: string) => found.filter(({ host }) => host === name).length === 1;
  return found.flatMap(({ address, host, id }) => [
    ...(isOnly(host) ? [candidate(host, address)] : []),
    candidate(id.slice(0, 8), `${host} ${address}`),
  ]);
};
const drawings: Source = async (client) =>
  (await client.drawing.list({ page_size: 100 })).items.map((row) =>
    candidate(row.mj_id, row.status),
  );
const tasks: Source = async (client) =>
  (await client.task.list({ page_size: 100 })).items.map((row) =>
    candidate(row.task_id, row.status),
  );

/** By command and argument. */
const argumentSources: Readonly<Record<string, Source>> = {
  'users id': users,
  'channels id': channels,
  'channels tag': tags,
  'tokens id': tokens,
  'redemptions id': codes,
  'budgets id': budgets,
  'topups order': orders,
  'drawings id': drawings,
  'tasks id': tasks,
  'models model': entries,
  'nodes node': gateways,
};

/** By flag; placeholders tell ids from names. */
const flagSources: Readonly<Record<string, Source>> = {
  user: usersOrNames,
  actor: usersOrNames,
  'token NAME': tokenNames,
  channel: channels,
  tag: tags,
  group: groups,
  groups,
  'user-group': groups,
  model: models,
  models,
  'test-model': models,
};

const topicOf = ({ name }: Command) => name.split(' ')[0] ?? '';

/** Where the values of an argument come from; undefined: nobody knows them. */
export function sourceOfArgument(command: Command, { name }: Argument): Source | undefined {
  return argumentSources[`${topicOf(command)} ${name}`];
}

function sourceOf(command: Command, { place }: Line): Source | undefined {
  if (place.kind === 'argument') return place.argument && sourceOfArgument(command, place.argument);
  if (place.kind !== 'value') return undefined;
  const { name, placeholder } = place.flag;
  return (
    flagSources[`${name} ${placeholder}`] ??
    (name.startsWith('model') && topicOf(command) === 'models' ? undefined : flagSources[name])
  );
}

const newChannelTypes = channelTypes.filter((type) => !('imported' in type));

/** Values that take no question to a gateway. */
function ownValues(
  command: Command,
  { place }: Line,
  environment: NodeJS.ProcessEnv,
): readonly Candidate[] | undefined {
  const declared: Pick<Flag, 'choices'> | undefined =
    place.kind === 'value' ? place.flag : place.kind === 'argument' ? place.argument : undefined;
  if (place.kind === 'value' && place.flag.name === 'type' && topicOf(command) === 'channels')
    return newChannelTypes.map(({ slug, name }) => candidate(slug, name));
  if (declared?.choices !== undefined) return declared.choices.map((choice) => candidate(choice));
  const isProfile =
    place.kind === 'value'
      ? place.flag.name === 'profile'
      : topicOf(command) === 'profiles' && place.kind === 'argument';
  if (isProfile)
    return Object.entries(readProfiles(profilePath(environment))).map(([name, { server }]) =>
      candidate(name, server),
    );
  const isOption =
    place.kind === 'argument' && place.argument?.name === 'key' && topicOf(command) === 'options';
  return isOption ? optionKeys.map((key) => candidate(key)) : undefined;
}

/** ms that a shell waits for a gateway. */
const patience = 3000;

/** What fits the unfinished word. */
export async function findCandidates(
  command: Command,
  line: Line,
  environment: NodeJS.ProcessEnv,
  language: Language,
): Promise<readonly Candidate[]> {
  const own = ownValues(command, line, environment);
  if (own !== undefined) return own;
  const source = sourceOf(command, line);
  if (source === undefined) return [];
  const values = new Values(connectionFlags, line.values, environment);
  if (!(await isReady(values, environment))) return [];
  const { client, close } = await connect(values, environment, language, { timeoutMs: patience });
  try {
    return await source(client, line.typed);
  } finally {
    await close();
  }
}

/** A Tab neither makes a site nor migrates one. */
async function isReady(values: Values, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const isRemote = values.has('server') || values.has('profile');
  if (isRemote && values.typed('data-dir') === undefined) return true;
  const { config } = await loadCommandConfig(values, environment);
  const { pendingMigrations } = await import('../../core/maintenance/migrate-site.ts');
  const { pending, unknown } = await pendingMigrations(config);
  return pending.length === 0 && unknown.length === 0;
}
