/** What commands print with `--json` that work on the machine: on its database, service and files. */
import { z } from '../core/kernel/zod.ts';

const integer = z.number().int();
const text = z.string();
const profile = z.object({ name: text, server: text });
const backup = z.object({
  file: text,
  version: text,
  created_at: integer,
  engine: text,
  schema: text,
  tables: z.record(text, integer),
  with_keys: z.boolean(),
  with_files: z.boolean(),
});
const storedBackup = z.object({ name: text, bytes: integer, created_at: integer });
const backupCheck = z.object({
  name: text,
  checked_at: integer,
  rows: integer,
  drifts: integer,
  version: text,
});
const imported = z.object({
  family: text,
  engine: text,
  source: text,
  log_source: text.optional(),
  dry_run: z.boolean(),
  tables: z.array(
    z.object({
      table: text,
      read: integer,
      carried: integer,
      left_out: integer,
      already_there: integer,
      notes: z.array(z.object({ reason: text, count: integer, examples: z.array(text) })),
    }),
  ),
  left_out_tables: z.array(
    z.object({
      table: text,
      rows: integer,
      loss: z
        .enum(['passkeys', 'recovery_codes', 'subscriptions', 'user_rates', 'limits'])
        .optional(),
    }),
  ),
  logs_elsewhere: z.boolean(),
  proof: z.array(z.object({ table: text, figure: text, expected: text, found: text })),
  users_compared: integer,
});

export const machineShapes = {
  'import newapi': imported,
  'import oneapi': imported,
  'import onehub': imported,
  'import sub2api': imported,
  'import litellm': imported,
  backup: backup.extend({ bytes: integer, entries: integer, drifts: integer.nullable() }),
  'backups list': z.object({
    place: text,
    items: z.array(storedBackup),
    total: integer,
    check: backupCheck.nullable(),
  }),
  'backups run': storedBackup.extend({
    place: text,
    encrypted: z.boolean(),
    drifts: integer,
    removed: z.array(text),
  }),
  'backups check': backupCheck,
  restore: backup.extend({
    data_dir: text,
    migrated: z.array(text),
    files: integer,
    kept: z.array(text),
    drifts: integer,
  }),
  migrate: z.union([
    z.object({ executed: z.array(text), snapshot: text.nullable() }),
    z.object({ pending: z.array(text), unknown: z.array(text) }),
  ]),
  upgrade: z.union([
    z.object({
      version: text,
      executed: z.array(text),
      backup: text.nullable(),
      drifts: integer,
    }),
    z.object({ version: text, pending: z.array(text), unknown: z.array(text) }),
    z.object({ backup: text, created_at: integer, kept: z.array(text) }),
  ]),
  'rotate-crypto': z.object({ rotated: z.record(text, integer), kept_key: text.nullable() }),
  'reset-root-password': z.object({
    id: integer,
    username: text,
    second_factor: z.boolean(),
    turnstile: z.boolean(),
  }),
  'service install': z.union([z.object({ path: text, user: text }), z.object({ unit: text })]),
  'service status': z.object({
    path: text,
    state: text,
    detail: text,
    starts_with_system: z.boolean(),
    pid: integer,
    restarts: integer,
  }),
  'service uninstall': z.object({ path: text }),
  'profiles list': z.object({ items: z.array(profile), total: integer }),
  'profiles save': profile,
  'profiles login': profile,
  'profiles delete': z.object({ name: text }),
} as const satisfies Record<string, z.ZodType>;
