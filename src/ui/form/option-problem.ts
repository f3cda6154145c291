/**
 * Checks options by the registry's schemas. Loaded when a field is edited: it needs zod and the
 * messages of both languages.
 */
import type { PriceBelowCostEntity } from '../../core/contract/losses.ts';
import { isMessageKey, translate as translateShared } from '../../core/i18n/translate.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { isSecretOption } from '../../core/options/facts.ts';
import { type OptionKey, readOptionInput } from '../../core/options/index.ts';
import { priceWords } from '../../core/pricing/all-prices.ts';
import { priceOptionKeys } from '../../core/pricing/tables.ts';
import { client } from '../client/api.ts';
import { confirmDanger } from '../components/confirm-danger.tsx';
import { currentLanguage } from '../i18n/index.ts';
import { readOptions, type StoredOptions } from '../queries/use-options.ts';
import { clearSecret, formText } from './option-fields.ts';

/** Why the server would refuse this text, in the reader's language; undefined: it would not. */
function optionProblem(key: OptionKey, text: string): string | undefined {
  try {
    readOptionInput(key, text);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { reason } = error.params;
    const language = currentLanguage();
    if (typeof reason !== 'string' || !isMessageKey(reason))
      return translateShared(language, `error.${error.code}`, error.params);
    const rule = translateShared(language, reason, error.params);
    return rule.charAt(0).toUpperCase() + rule.slice(1);
  }
}

/** Why the server would refuse texts, by option; those that it would take are left out. */
export function optionProblems(
  texts: Readonly<Partial<Record<OptionKey, string>>>,
): Readonly<Partial<Record<OptionKey, string>>> {
  const problems = (Object.entries(texts) as [OptionKey, string][]).map(
    ([key, text]) => [key, optionProblem(key, text)] as const,
  );
  return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined));
}

const priceKeys: readonly string[] = [...priceOptionKeys, 'QuotaPerUnit'];
/** Prices that the question names. */
const named = 5;

/**
 * Prices below their cost are asked about before options are saved (docs/rules/losses.md#saving):
 * whether somebody agreed to some, which the call then says. Undefined: the answer was no. What the
 * server refuses it refuses again when they are saved.
 */
export async function agreedBelowCost(
  texts: Readonly<Partial<Record<OptionKey, string>>>,
): Promise<boolean | undefined> {
  const values = Object.entries(texts).map(([key, value]) => ({ key, value }));
  if (!values.some(({ key }) => priceKeys.includes(key))) return false;
  return agreeBelowCost(await client.losses.belowCost({ values }).catch(() => []));
}

/**
 * Whether these options may be saved: others have not changed them since somebody began to type, or
 * may be overwritten (docs/rules/console.md#overwriting). Switches are not among them: they have two
 * states and are saved at once, so that nobody loses another one.
 */
async function mayOverwrite(
  texts: Readonly<Partial<Record<OptionKey, string>>>,
  began: Partial<Record<OptionKey, StoredOptions>>,
): Promise<boolean> {
  const now = await readOptions();
  // Of a secret it is known whether there is one.
  const state = (key: OptionKey, options: StoredOptions) =>
    isSecretOption(key) ? String(options.stored.has(key)) : (options.texts.get(key) ?? '');
  const overwritten = (Object.entries(texts) as [OptionKey, string][]).filter(([key, text]) => {
    const before = began[key];
    if (before === undefined || state(key, before) === state(key, now)) return false;
    if (isSecretOption(key)) return text !== clearSecret || now.stored.has(key);
    return formText(key, text) !== formText(key, state(key, now));
  });
  if (overwritten.length === 0) return true;
  const { askOverwrite, OverwrittenFields } = await import('./overwritten.tsx');
  const fields = overwritten.map(([key, text]) => ({
    label: translateShared(currentLanguage(), `option.${key}.label`),
    values: isSecretOption(key) ? undefined : ([formText(key, state(key, now)), text] as const),
  }));
  if (await askOverwrite(fields.length, OverwrittenFields({ fields }))) return true;
  // The reader knows it now, and the form shows it.
  for (const [key] of overwritten) began[key] = now;
  return false;
}

/**
 * Saves them all; `began`: what was stored when each was first typed over. False: others' changes
 * would be overwritten or prices are below their cost, and nobody agreed.
 */
export async function saveOptions(
  texts: Readonly<Partial<Record<OptionKey, string>>>,
  began: Partial<Record<OptionKey, StoredOptions>>,
): Promise<boolean> {
  if (!(await mayOverwrite(texts, began))) return false;
  const below_cost = await agreedBelowCost(texts);
  if (below_cost === undefined) return false;
  const values = Object.entries(texts).map(([key, value]) => ({ key, value }));
  await client.option.setMany({ values, ...(below_cost && { below_cost }) });
  return true;
}

/** The same for prices that are known to be below their cost. */
export async function agreeBelowCost(
  added: readonly PriceBelowCostEntity[],
): Promise<boolean | undefined> {
  if (added.length === 0) return false;
  const words = (key: 'title' | 'text' | 'confirm', params = {}) =>
    translateShared(currentLanguage(), `price.below_cost.${key}`, params);
  const list = added.slice(0, named).map(({ model, kind, price, cost, channel }) =>
    translateShared(currentLanguage(), 'price.below_cost.line', {
      model,
      price,
      cost,
      channel,
      kind: priceWords(kind, currentLanguage()),
    }),
  );
  return new Promise<boolean | undefined>((resolve) => {
    confirmDanger({
      title: words('title', { count: added.length }),
      text: words('text', { list: list.join('; ') }),
      confirm: words('confirm'),
      onConfirm: () => resolve(true),
      onCancel: () => resolve(undefined),
    });
  });
}
