/**
 * What each command prints with `--json` (docs/rules/command-line.md#json-output). docs/cli.md has
 * it for readers, and the tests compare what commands print. A command that only makes one call has
 * the shape of that call.
 */

import { api } from '../core/contract/index.ts';
import { z } from '../core/kernel/zod.ts';
import type { Command } from './command/command.ts';
import { machineShapes } from './machine-shapes.ts';
import { namedShapes } from './named-shapes.ts';

const integer = z.number().int();
const text = z.string();
const listOf = (row: z.ZodType) => z.object({ items: z.array(row), total: integer });

const {
  User,
  Channel,
  ChannelKey,
  Token,
  RedemptionCode,
  Budget,
  TopUp,
  LogRow,
  Drawing,
  Task,
  Model,
  Job,
  Node,
  ChannelType,
  Margins,
  Loss,
  PricePreview,
  Usage,
  Route,
  Verification,
  Statement,
  Bulk,
} = namedShapes;

const named = z.object({ id: integer });
const roleAndStatus = api.user.manage.output;
const option = z.union([
  z.object({ key: text, value: text }),
  z.object({ key: text, configured: z.boolean() }),
]);
const probe = z.object({ id: integer, name: text, success: z.boolean(), message: text });
const tested = probe.extend({ time: z.number().optional() });
const balance = probe.extend({ balance: z.number().optional(), currency: text.optional() });
const downloaded = z.object({ file: text });
const promptSums = z.object({ requests: integer, prompt: integer, cached: integer });
/** A section of a configuration file, by name. */
const entries = z.record(text, z.unknown()).optional();
const price = {
  per_call: z.number().optional(),
  unit: z.enum(['call', 'image', 'second']).optional(),
  prompt: z.number().optional(),
  completion: z.number().optional(),
  cached: z.number().optional(),
  others: z.record(text, z.number()).optional(),
};
const step = z.union([
  z.object({
    step: z.literal('prompt_length'),
    above: integer,
    input: z.number(),
    output: z.number(),
    cache_read: z.number().optional(),
    cache_write: z.number().optional(),
  }),
  z.object({
    step: z.literal('tier'),
    name: text,
    factor: z.number().nullable(),
    cache_read: z.number().optional(),
    cache_write: z.number().optional(),
  }),
  z.object({
    step: z.literal('line'),
    kind: text,
    tool: text.optional(),
    model: text.optional(),
    count: z.number(),
    price: z.number(),
    per: z.enum(['million_tokens', 'call', 'second']),
    amount: z.number(),
  }),
  z.object({ step: z.literal('group_ratio'), group: text, ratio: z.number(), quota: z.number() }),
  z.object({ step: z.literal('rounding'), raw: z.number(), quota: integer }),
]);

/**
 * What the contract does not say: commands with a function of their own. null: the command has no
 * use for `--json`.
 */
const ownShapes: Readonly<Record<string, z.ZodType | null>> = {
  serve: z.object({
    url: text,
    data_dir: text,
    setup_code: text.nullable(),
    demo: z.object({ username: text, password: text, key: text }).optional(),
  }),
  setup: z.object({ username: text }),
  tui: null,
  'users list': listOf(User),
  'users export': downloaded,
  'users add': api.user.create.output,
  'users edit': User,
  'users enable': roleAndStatus,
  'users disable': roleAndStatus,
  'users promote': roleAndStatus,
  'users demote': roleAndStatus,
  'users sign-out': z.object({ id: integer, ended: integer }),
  'users delete': z.union([roleAndStatus, named]),
  'users reset-factors': named,
  'users access-token': z.object({ access_token: text }),
  'users quota': User,
  'users bulk': Bulk,
  'channels bulk': Bulk,
  'tokens bulk': Bulk,
  'channels list': listOf(Channel),
  'channels add': api.channel.create.output,
  'channels edit': z.union([Channel, z.object({ count: integer })]),
  'channels enable': Channel,
  'channels disable': Channel,
  'channels delete': named,
  'channels copy': api.channel.copy.output,
  'channels enable-tag': z.object({ tag: text }),
  'channels disable-tag': z.object({ tag: text }),
  'channels edit-tag': z.object({ tag: text }),
  'channels fix': z.object({ count: integer }),
  'channels delete-disabled': z.object({ count: integer }),
  'channels keys': listOf(ChannelKey),
  'channels margins': Margins,
  'channels losses': listOf(Loss),
  'channels test': z.union([listOf(tested), tested]),
  'channels balance': z.union([listOf(balance), balance]),
  'channels ends': listOf(
    z.object({
      id: integer,
      name: text,
      model: text,
      ends: text,
      successor: text,
      mapped: z.boolean(),
    }),
  ),
  'channels fetch-models': listOf(text),
  'channels types': listOf(ChannelType),
  'tokens add': z.object({ id: integer, key: text }),
  'tokens edit': Token,
  'tokens enable': Token,
  'tokens disable': Token,
  'budgets status': listOf(api.budgets.status.output.shape.items.element).extend({
    site_rate: api.budgets.siteRate.output,
  }),
  'budgets add': Budget,
  'budgets edit': Budget,
  'redemptions list': listOf(RedemptionCode),
  'redemptions batch': z.object({ items: z.array(z.object({ id: integer, key: text })) }),
  'redemptions edit': RedemptionCode,
  'redemptions enable': RedemptionCode,
  'redemptions disable': RedemptionCode,
  'redemptions redeem': z.object({ quota: integer }),
  'redemptions delete-invalid': z.object({ count: integer }),
  'topups list': listOf(TopUp),
  'prices sync': PricePreview,
  'topups receipt': api.topUp.receipt.output,
  'topups complete': TopUp,
  'topups refund': TopUp,
  'options list': listOf(option),
  'options get': option,
  'options set': option,
  'options reset': option,
  'options oidc': api.option.oidcDiscovery.output,
  'config export': z.object({
    turnpike: integer,
    options: entries,
    channels: entries,
    models: entries,
    budgets: entries,
  }),
  'config apply': z.object({
    changes: z.array(
      z.object({
        section: z.enum(['options', 'channels', 'models', 'budgets']),
        name: text,
        action: z.enum(['add', 'change', 'remove']),
        lines: z.array(z.object({ path: text, from: text.optional(), to: text.optional() })),
      }),
    ),
    problems: z.array(
      z.object({ path: text, line: integer.optional(), column: integer.optional(), message: text }),
    ),
    applied: z.boolean(),
    written: integer.optional(),
  }),
  'logs tail': LogRow,
  'logs usage': z.union([Usage, downloaded]),
  'logs tags': z.union([api.data.tags.output, downloaded]),
  'logs conversations': z.object({
    rows: integer,
    since: integer.nullable(),
    kept: promptSums,
    moved: promptSums,
    other: promptSums,
  }),
  'audit export': downloaded,
  'logs export': downloaded,
  'logs prune': z.object({ deleted: integer }),
  'logs archive': z.object({
    place: text,
    files: z.array(z.object({ name: text, rows: integer })),
    rows: integer,
    deleted: integer,
  }),
  'logs restore': z.object({
    place: text,
    files: z.array(z.object({ name: text, restored: integer, present: integer })),
    restored: integer,
    present: integer,
    expired: integer,
  }),
  'drawings list': listOf(Drawing),
  'drawings show': Drawing,
  'tasks list': listOf(Task),
  'tasks show': Task,
  'models list': listOf(Model),
  'models show': Model,
  'models add': Model,
  'models edit': Model,
  'models enable': Model,
  'models disable': Model,
  'models delete': z.object({ model: text }),
  'models export': listOf(api.modelSquare.add.input),
  'models sync': api.modelSync.run.output,
  'models import': z.object({
    added: z.array(text),
    updated: z.array(text),
    refused: z.array(z.object({ model: text, error: text })),
  }),
  'pricing list': listOf(z.object({ model: text, ...price })),
  'pricing diff': listOf(
    z.object({ model: text, price: text, site: z.number().nullable(), list: z.number() }),
  ),
  'pricing explain': z.object({
    model: text,
    group: text,
    quota: integer,
    steps: z.array(step),
    next_price: z
      .object({ from: text, model_ratio: z.number(), completion_ratio: z.number() })
      .optional(),
  }),
  'route explain': Route,
  'ledger verify': Verification.extend({
    sealed: api.ledger.checkSeals.output.extend({ checked: integer, broken: integer }).optional(),
  }),
  'ledger head': api.ledger.head.output,
  'ledger statement': z.union([Statement, downloaded]),
  'files usage': api.files.usage.output,
  'files clean': z.object({ deleted: integer }),
  doctor: api.doctor.examine.output,
  'doctor client': z.object({
    client: text,
    model: text,
    channel: integer.optional(),
    settings: z.array(z.object({ file: text.optional(), text })),
    results: z
      .array(
        z.object({
          id: text,
          title: text,
          state: z.enum(['ok', 'warning', 'failed', 'skipped']),
          status: integer,
          milliseconds: integer,
          quota: integer.optional(),
          request_id: text.optional(),
          error: text,
          mend: text,
        }),
      )
      .optional(),
    cost: integer.optional(),
  }),
  'jobs list': listOf(Job),
  nodes: listOf(Node),
  'nodes drain': z.array(Node),
  'nodes resume': z.array(Node),
  ...machineShapes,
  completion: null,
};

/**
 * The shape of `--json`; null where the command has no use for it, undefined where nobody declared
 * it.
 */
export function jsonShapeOf({
  name,
  calls,
}: Pick<Command, 'name' | 'calls'>): z.ZodType | null | undefined {
  if (calls === undefined) return ownShapes[name];
  const { output, shape } = calls;
  if (shape === 'list') return listOf((output as z.ZodArray<z.ZodType>).element);
  if (output instanceof z.ZodUndefined) return named;
  const rows: unknown = output instanceof z.ZodObject ? output.shape['items'] : undefined;
  return rows instanceof z.ZodArray ? listOf(rows.element as z.ZodType) : output;
}
