import type { Commit } from '../audit/commit.ts';
import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import {
  checkOptionChange,
  defaultOptions,
  isOptionKey,
  isSecretOption,
  type OptionKey,
  type OptionValue,
  type OptionValues,
  optionKeys,
  parseOption,
  readOptionInput,
  writeOption,
} from '../options/index.ts';
import type { OptionRepository } from '../storage/storage.ts';
import { isRoot } from '../vocabulary/roles.ts';
import { checkKey } from './key-options.ts';
import { type ListedOption, withoutCredentials } from './listed-options.ts';

/** An option as a client sends it; see {@link readOptionInput}. */
export interface SentOption {
  readonly key: string;
  readonly value: string | number | boolean;
  /** What the client saw and made the value of, as {@link OptionStore.list} has it. */
  readonly seen?: string | undefined;
}

/** An option to reset, with what the client saw. */
export interface SeenOption {
  readonly key: string;
  readonly seen: string;
}

/** Options to set, and keys to reset to their defaults. */
export interface OptionChange {
  readonly set: readonly SentOption[];
  readonly reset: readonly (string | SeenOption)[];
  /** Somebody agreed to prices below their cost (docs/rules/losses.md#saving). */
  readonly belowCost?: boolean;
}

type Agreed = Pick<OptionChange, 'belowCost'>;

/**
 * Every stored option with its effective value, in memory
 * (docs/rules/options.md#checked-before-stored).
 */
export interface OptionStore {
  get<K extends OptionKey>(key: K): OptionValue<K>;
  /** All values. The object is replaced on every change and never modified. */
  values(): OptionValues;
  /**
   * Values by key as the API writes them, without secrets, and for readers below root without the
   * credentials within other values. `withFlags` adds the secrets that have a value, but not the
   * value, and the defaults of what was changed.
   */
  list(reader: Actor, withFlags: boolean): readonly ListedOption[];
  /**
   * Checks, stores and announces a value. Throws AppError option_unknown, option_invalid,
   * option_needs, option_in_use, price_below_cost, and where the value is not the one that was seen
   * config_changed_meanwhile, without storing anything.
   */
  set(actor: Actor, key: string, sent: string | number | boolean, agreed?: Agreed): Promise<void>;
  /** Sets several options, checked together: all or none. */
  setMany(actor: Actor, sent: readonly SentOption[], agreed?: Agreed): Promise<void>;
  /** Sets and resets options, checked together: all or none. */
  change(actor: Actor, change: OptionChange): Promise<void>;
  /** What {@link OptionStore.change} would refuse: every option, not only the first. */
  refusals(change: OptionChange): readonly AppError[];
  /** Resets an option to its default. */
  reset(actor: Actor, key: string, agreed?: Agreed): Promise<void>;
  /**
   * Loads all options: at start, and after a change. Rejects where they cannot be read, or change
   * each time that they are.
   */
  refresh(): Promise<void>;
}

export interface OptionStoreDeps {
  readonly repository: Pick<OptionRepository, 'list'>;
  readonly commit: Commit;
  readonly logger: Logger;
  /** Called with the values after each change, and when they are loaded. */
  readonly follow?: (values: OptionValues) => void;
  /** Why values should not be saved unless somebody agrees. */
  readonly guard?: (before: OptionValues, after: OptionValues) => AppError | undefined;
}

const presets = defaultOptions();

/** How often options are read that change meanwhile. */
const mostReadings = 5;

/** The longest value that an audit entry includes, in characters. */
const auditedLength = 200;
/** Characters before the first difference that it includes. */
const contextLength = 40;

/** What the audit log says of a secret: that it changed. */
const unkept = { changes: { value: {} } } as const;

export function createOptionStore({
  repository,
  commit,
  logger,
  follow = () => undefined,
  guard = () => undefined,
}: OptionStoreDeps): OptionStore {
  let values = defaultOptions();
  let turn: Promise<unknown> = Promise.resolve();

  /** Runs changes one at a time, so that no other option changes between check and storage. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };

  const read = async (): Promise<OptionValues> => {
    const next: Record<string, unknown> = { ...defaultOptions() };
    for (const { key, value, unreadable } of await repository.list()) {
      if (!isOptionKey(key)) continue; // kept by an import for a later release
      try {
        if (unreadable) throw new AppError('key_unreadable');
        next[key] = parseOption(key, value);
      } catch (error) {
        logger.error(
          { key, error: String(error) },
          'a stored option cannot be read; its default is used',
        );
      }
    }
    return next as OptionValues;
  };
  const listOption = (key: OptionKey, withFlags: boolean): ListedOption | undefined => {
    const value = writeOption(key, values[key]);
    const preset = writeOption(key, presets[key]);
    // A secret switch counts as configured while it is on: its default is false.
    if (isSecretOption(key))
      return withFlags && value !== preset ? { key, value: '', configured: true } : undefined;
    return withFlags && value !== preset ? { key, value, default: preset } : { key, value };
  };
  /** Undefined where the value stays. Whether that of a secret does is nobody's to read. */
  const describe = (key: OptionKey, before: OptionValues, after: OptionValues) => {
    if (isSecretOption(key)) return unkept;
    const [from, to] = [writeOption(key, before[key]), writeOption(key, after[key])];
    return from === to ? undefined : differing(from, to);
  };

  const check = (sent: OptionChange): ExaminedChange => {
    const examined = examine(sent, values);
    if (examined.refusals.length > 0 || sent.belowCost === true) return examined;
    const objection = guard(values, examined.after);
    return objection === undefined ? examined : { ...examined, refusals: [objection] };
  };

  const change = (actor: Actor, sent: OptionChange) =>
    inTurn(async () => {
      const { after, changed, set, reset, refusals } = check(sent);
      if (refusals[0] !== undefined) throw refusals[0];
      if (set.length + reset.length === 0) return;
      const before = values;
      await commit(async (inside, notes) => {
        await inside.options.setMany(
          set.map((key) => ({
            key,
            value: writeOption(key, after[key]),
            hidden: isSecretOption(key),
          })),
          reset,
        );
        const record = (action: 'option.set' | 'option.reset', key: OptionKey) => {
          const detail = describe(key, before, after);
          if (detail !== undefined) notes.record(actor, action, key, detail);
        };
        for (const key of set) record('option.set', key);
        for (const key of reset) record('option.reset', key);
        notes.after('options in memory', () => {
          values = { ...values, ...changed };
          follow(values);
        });
        notes.changed('options');
      });
    });

  return {
    get: (key) => values[key],
    values: () => values,
    list: (reader, withFlags) => {
      const listed = optionKeys.flatMap((key) => listOption(key, withFlags) ?? []);
      return isRoot(reader.role) ? listed : listed.map(withoutCredentials);
    },
    set: (actor, key, value, agreed) =>
      change(actor, { ...agreed, set: [{ key, value }], reset: [] }),
    setMany: (actor, set, agreed) => change(actor, { ...agreed, set, reset: [] }),
    change,
    refusals: (sent) => check(sent).refusals,
    reset: (actor, name, agreed) => change(actor, { ...agreed, set: [], reset: [name] }),
    // Not in turn: the process that announced the change waits for this one, which may be
    // announcing a change itself.
    refresh: async () => {
      for (let tries = 0; tries < mostReadings; tries++) {
        const before = values;
        const stored = await read();
        // What was changed here meanwhile may be missing in what was read.
        if (values !== before) continue;
        values = stored;
        follow(values);
        return;
      }
      throw new Error('the options changed each time that they were read');
    },
  };
}

/** Two values as the audit log has them: of long ones, the part from where they differ. */
function differing(from: string, to: string): { readonly from: string; readonly to: string } {
  const end = Math.min(from.length, to.length);
  let same = 0;
  while (same < end && from[same] === to[same]) same += 1;
  const start = same < auditedLength / 2 ? 0 : same - contextLength;
  const part = (value: string) =>
    `${start === 0 ? '' : '…'}${value.slice(start, start + auditedLength)}`;
  return { from: part(from), to: part(to) };
}

interface ExaminedChange {
  /** All values as they will be. */
  readonly after: OptionValues;
  /** Those of them that were sent. */
  readonly changed: Partial<OptionValues>;
  readonly set: readonly OptionKey[];
  readonly reset: readonly OptionKey[];
  readonly refusals: readonly AppError[];
}

/** Reads what was sent and checks each option against all values as they will be. */
function examine({ set, reset }: OptionChange, values: OptionValues): ExaminedChange {
  const refusals: AppError[] = [];
  const changed: Record<string, unknown> = {};
  const keysToSet: OptionKey[] = [];
  for (const { key, value, seen } of set) {
    try {
      const input = readOptionInput(key, value);
      if (input.change === 'keep') continue;
      if (seen !== undefined && seen !== writeOption(input.key, values[input.key]))
        throw new AppError('config_changed_meanwhile', { key });
      changed[input.key] = input.value;
      keysToSet.push(input.key);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusals.push(error);
    }
  }
  const keysToReset: OptionKey[] = [];
  for (const sent of reset) {
    const { key, seen = undefined } = typeof sent === 'string' ? { key: sent } : sent;
    if (!isOptionKey(key)) refusals.push(new AppError('option_unknown', { key }));
    else if (seen !== undefined && seen !== writeOption(key, values[key]))
      refusals.push(new AppError('config_changed_meanwhile', { key }));
    else keysToReset.push(key);
  }
  for (const key of keysToReset) changed[key] = presets[key];
  const after = { ...values, ...changed } as OptionValues;
  for (const key of [...keysToSet, ...keysToReset]) {
    const refusal = checkOptionChange(key, after[key], after) ?? checkKey(key, after[key]);
    if (refusal !== undefined) refusals.push(refusal);
  }
  return {
    after,
    changed: changed as Partial<OptionValues>,
    set: keysToSet,
    reset: keysToReset,
    refusals,
  };
}
