/**
 * Checks options by the registry's schemas. Loaded when a field is edited: it needs zod and the
 * messages of both languages.
 */
import type { PriceBelowCostEntity } from '../../core/contract/losses.ts';
import { isMessageKey, translate as translateShared } from '../../core/i18n/translate.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { type OptionKey, readOptionInput } from '../../core/options/index.ts';
import { priceWords } from '../../core/pricing/all-prices.ts';
import { priceOptionKeys } from '../../core/pricing/tables.ts';
import { client } from '../client/api.ts';
import { confirmDanger } from '../components/confirm-danger.tsx';
import { currentLanguage } from '../i18n/index.ts';

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

/** Saves them all. False: prices below their cost are among them, and nobody agreed. */
export async function saveOptions(
  texts: Readonly<Partial<Record<OptionKey, string>>>,
): Promise<boolean> {
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
      ...{ model, price, cost, channel },
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
