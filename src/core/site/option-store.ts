import type { Audit } from '../audit/audit-log.ts';
import type { Changes } from '../cluster/changes.ts';
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

export interface ListedOption {
  readonly key: string;
  readonly value: string;
  /** Only of secret ones: something is stored. */
  readonly configured?: boolean;
}

/** An option as a client sends it; see {@link readOptionInput}. */
export interface SentOption {
  readonly key: string;
  readonly value: string | number | boolean;
}

/** Every stored option with its effective value, in memory (docs/rules/options.md#checked-before-stored). */
export interface OptionStore {
  get<K extends OptionKey>(key: K): OptionValue<K>;
  /** A new object after every change, the same one until then. */
  values(): OptionValues;
  /** Wire texts by key, without secret ones; `withFlags` adds those secrets that have a value, their value left out. */
  list(withFlags: boolean): readonly ListedOption[];
  /** Checks, stores, swaps in memory, announces. Throws AppError option_unknown, option_invalid, option_needs; nothing is stored then. */
  set(actor: Actor, key: string, sent: string | number | boolean): Promise<void>;
  /** The same for several, checked beside each other: all of them or none. */
  setMany(actor: Actor, sent: readonly SentOption[]): Promise<void>;
  /** Back to the default. */
  reset(actor: Actor, key: string): Promise<void>;
  /** Reads everything again: at start, and where another node changed something. */
  reload(): Promise<void>;
}

export interface OptionStoreDeps {
  readonly repository: OptionRepository;
  readonly changes: Changes;
  readonly audit: Audit;
  readonly logger: Logger;
}

/** Longest value that an audit entry repeats, in characters. */
const auditedLength = 200;

export function createOptionStore({ repository, changes, audit, logger }: OptionStoreDeps): OptionStore {
  let values = defaultOptions();
  let turn: Promise<unknown> = Promise.resolve();

  /** One change at a time: a check against the other options must still hold when the value is stored. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  };

  const swap = async (next: Partial<OptionValues>): Promise<void> => {
    values = { ...values, ...next };
    await changes.announce('options');
  };
  const describe = (key: OptionKey, from: OptionValues): string =>
    isSecretOption(key) ? '' : writeOption(key, from[key]).slice(0, auditedLength);

  const setMany = (actor: Actor, sent: readonly SentOption[]) =>
    inTurn(async () => {
      const inputs = sent.map(({ key, value }) => readOptionInput(key, value)).filter((input) => input.change === 'set');
      if (inputs.length === 0) return;
      const changed: Partial<OptionValues> = Object.fromEntries(inputs.map(({ key, value }) => [key, value]));
      const before = values;
      const after = { ...values, ...changed };
      for (const { key, value } of inputs) {
        const refusal = checkOptionChange(key, value, after);
        if (refusal !== undefined) throw refusal;
      }
      await repository.setMany(
        inputs.map(({ key, value }) => ({ key, value: writeOption(key, value), hidden: isSecretOption(key) })),
      );
      await swap(changed);
      for (const { key } of inputs) {
        const detail = isSecretOption(key) ? {} : { from: describe(key, before), to: describe(key, values) };
        await audit.record(actor, 'option.set', key, detail);
      }
    });

  return {
    get: (key) => values[key],
    values: () => values,
    list: (withFlags) =>
      optionKeys.flatMap((key): ListedOption[] => {
        if (!isSecretOption(key)) return [{ key, value: writeOption(key, values[key]) }];
        return withFlags && values[key] !== '' ? [{ key, value: '', configured: true }] : [];
      }),
    set: (actor, key, value) => setMany(actor, [{ key, value }]),
    setMany,
    reset: (actor, name) =>
      inTurn(async () => {
        if (!isOptionKey(name)) throw new AppError('option_unknown', { key: name });
        await repository.delete(name);
        await swap({ [name]: defaultOptions()[name] });
        await audit.record(actor, 'option.reset', name);
      }),
    reload: () =>
      inTurn(async () => {
        const next: Record<string, unknown> = { ...defaultOptions() };
        for (const { key, value } of await repository.list()) {
          if (!isOptionKey(key)) continue; // kept by an import for a later release
          try {
            next[key] = parseOption(key, value);
          } catch (error) {
            logger.error({ key, error: String(error) }, 'a stored option cannot be read; its default is used');
          }
        }
        values = next as OptionValues;
        await changes.announce('options');
      }),
  };
}
