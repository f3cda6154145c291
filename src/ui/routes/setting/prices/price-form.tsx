/** The dialog that sets the price of one model or of several. */
import { Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { toText } from '../../../../core/kernel/decimal.ts';
import type { PriceDetailsEntry } from '../../../../core/pricing/details.ts';
import type { ModelPrice } from '../../../../core/pricing/find-price.ts';
import { openDialog } from '../../../components/dialogs.ts';
import { useMoney } from '../../../hooks/use-money.ts';
import { type TextKey, useTranslation } from '../../../i18n/index.ts';
import { ListHint } from './list-hint.tsx';
import {
  converted,
  type DraftProblems,
  defaultPrices,
  draftOf,
  editOf,
  noTexts,
  type PriceDraft,
  problemsOf,
  readNumber,
  type TokenKind,
  tokenKindNames,
  withEntry,
} from './price-draft.ts';
import { PriceSteps } from './price-steps.tsx';
import type { PriceEdit, PriceValues } from './price-tables.ts';
import classes from './prices.module.css';
import {
  type BasePrices,
  entryOf,
  type StepDraft,
  type StepProblems,
  stepDraftOf,
  stepProblems,
} from './step-draft.ts';
import { useCosts } from './use-costs.ts';

interface PriceFormProps {
  /** The model; '' asks for its name. */
  readonly name: string;
  readonly values: PriceValues;
  /** Names that a new model may not have. */
  readonly taken: ReadonlySet<string>;
  /** Several models: what is left empty stays as it is. */
  readonly batch: boolean;
  /** What is charged now, for the hints of empty fields. */
  readonly current?: ModelPrice | undefined;
  /**
   * The model's own entry of ModelPriceDetails, and all that holds for it. Absent: steps and tiers
   * cannot be edited here.
   */
  readonly details?:
    | { readonly own: PriceDetailsEntry | undefined; readonly now: PriceDetailsEntry }
    | undefined;
  /** `entry`: with other steps or tiers; undefined: they stay. */
  readonly onSave: (name: string, edit: PriceEdit, entry?: PriceDetailsEntry) => void;
  readonly onClose: () => void;
}

export function openPriceForm(title: string, props: Omit<PriceFormProps, 'onClose'>): void {
  openDialog({
    title,
    role: 'dialog',
    size: 560,
    withCloseButton: true,
    content: (close) => <PriceForm {...props} onClose={close} />,
  });
}

const ratioLabels: Readonly<Record<TokenKind, TextKey>> = {
  input: 'prices.ratio.input',
  output: 'prices.ratio.output',
  cached: 'prices.ratio.cached',
  cacheWrite: 'prices.ratio.cacheWrite',
  image: 'prices.ratio.image',
  audioIn: 'prices.ratio.audioIn',
  audioOut: 'prices.ratio.audioOut',
};
const priceLabels: Readonly<Record<TokenKind, TextKey>> = {
  input: 'prices.price.input',
  output: 'prices.price.output',
  cached: 'prices.price.cached',
  cacheWrite: 'prices.price.cacheWrite',
  image: 'prices.price.image',
  audioIn: 'prices.price.audioIn',
  audioOut: 'prices.price.audioOut',
};

/** The ratios that apply where the tables say nothing. */
function placeholders(
  draft: PriceDraft,
  price: ModelPrice | undefined,
  quotaPerUnit: number,
): PriceDraft['texts'] {
  if (price?.kind !== 'ratio') return noTexts;
  const input = draft.entry === 'ratio' ? '' : draft.texts.input;
  const ratios = {
    ...noTexts,
    output: toText(price.completionRatio),
    cached: toText(price.cacheRatio),
    cacheWrite: toText(price.cacheWriteRatio),
    image: toText(price.imageRatio),
    ...(price.audioRatio === undefined ? {} : { audioIn: toText(price.audioRatio) }),
    audioOut: toText(price.audioCompletionRatio),
  };
  return draft.entry === 'ratio' ? ratios : defaultPrices(ratios, input, quotaPerUnit);
}

/** What the model itself costs, as typed and else as it is without the field. */
function soldPrices(draft: PriceDraft, defaults: PriceDraft['texts'], unit: number) {
  const texts = { ...draft.texts };
  for (const kind of tokenKindNames) if (texts[kind].trim() === '') texts[kind] = defaults[kind];
  return draft.entry === 'price' ? texts : converted({ ...draft, texts }, unit);
}

function basePrices(prices: PriceDraft['texts']): BasePrices {
  const { input, output, cached, cacheWrite } = prices;
  const named = { input, output, cacheRead: cached, cacheWrite };
  return Object.fromEntries(
    Object.entries(named).flatMap(([kind, text]) => {
      const price = readNumber(text);
      return price === undefined ? [] : [[kind, price]];
    }),
  );
}

function PriceForm(props: PriceFormProps) {
  const { name, values, taken, batch, current, details, onSave, onClose } = props;
  const { t } = useTranslation();
  const { quotaPerUnit } = useMoney();
  const [draft, setDraft] = useState<PriceDraft>(() => draftOf(name, values));
  const [problems, setProblems] = useState<DraftProblems>({});
  const [opened] = useState<StepDraft>(() => stepDraftOf(details?.now ?? {}));
  const [steps, setSteps] = useState(opened);
  const [stepsWrong, setStepsWrong] = useState<StepProblems>({});
  const asksName = name === '' && !batch;
  const rules = { taken: asksName ? taken : undefined, batch, quotaPerUnit };
  const change = (part: Partial<PriceDraft>) => {
    setDraft({ ...draft, ...part });
    setProblems({});
  };
  const place = useRef<HTMLFormElement>(null);
  const isRefused = Object.keys(problems).length + Object.keys(stepsWrong).length > 0;
  useEffect(() => {
    if (isRefused) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [isRefused]);
  const defaults = placeholders(draft, current, quotaPerUnit);
  const sold = soldPrices(draft, defaults, quotaPerUnit);
  const base = basePrices(sold);
  const hasSteps = details !== undefined && !batch && draft.billing === 'token';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A dialog's events reach the form around it, too.
    event.stopPropagation();
    const found = problemsOf(draft, rules);
    setProblems(found);
    const wrong = hasSteps ? stepProblems(steps, base) : {};
    setStepsWrong(wrong);
    if (Object.keys(found).length + Object.keys(wrong).length > 0) return;
    const edit = editOf(draft, rules);
    const entry = hasSteps ? entryOf(steps, opened, details?.own, base) : undefined;
    onSave(draft.name.trim(), edit, entry);
    onClose();
  };
  const problem = (field: keyof DraftProblems) => {
    const key = problems[field];
    return key === undefined ? undefined : t(key);
  };
  const other = converted(draft, quotaPerUnit);
  const model = batch ? '' : draft.name.trim();
  const costs = useCosts(model, draft.billing);
  const equals = (kind: TokenKind) => {
    if (other[kind] === '') return undefined;
    return draft.entry === 'ratio'
      ? t('prices.equals.price', { price: `$${other[kind]}` })
      : t('prices.equals.ratio', { ratio: other[kind] });
  };
  const hint = (kind: TokenKind) => (
    <>
      {equals(kind)} <ListHint model={model} kind={kind} sold={sold[kind]} cost={costs[kind]} />
    </>
  );
  return (
    <form ref={place} onSubmit={submit} noValidate className={classes.form}>
      {asksName && (
        <TextInput
          data-autofocus
          label={t('prices.model')}
          value={draft.name}
          error={problem('name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      )}
      <SegmentedControl
        fullWidth
        aria-label={t('prices.billing')}
        value={draft.billing}
        onChange={(billing) => change({ billing: billing === 'request' ? 'request' : 'token' })}
        data={[
          { value: 'token', label: t('prices.billing.token') },
          { value: 'request', label: t('prices.billing.request') },
        ]}
      />
      {draft.billing === 'request' ? (
        <TextInput
          inputMode="decimal"
          label={t('prices.perRequest')}
          description={
            <>
              {t('prices.perRequest.hint')}{' '}
              <ListHint model={model} kind="call" sold={draft.perRequest} cost={costs.call} />
            </>
          }
          leftSection="$"
          value={draft.perRequest}
          error={problem('perRequest')}
          onChange={(event) => change({ perRequest: event.currentTarget.value })}
        />
      ) : (
        <>
          <SegmentedControl
            size="xs"
            aria-label={t('prices.entry')}
            value={draft.entry}
            onChange={(entry) => {
              setDraft(withEntry(draft, entry === 'price' ? 'price' : 'ratio', quotaPerUnit));
              setProblems({});
            }}
            data={[
              { value: 'ratio', label: t('prices.entry.ratio') },
              { value: 'price', label: t('prices.entry.price') },
            ]}
          />
          <div className={classes.fields}>
            {tokenKindNames.map((kind) => (
              <TextInput
                key={kind}
                inputMode="decimal"
                label={t((draft.entry === 'ratio' ? ratioLabels : priceLabels)[kind])}
                description={problem(kind) === undefined ? hint(kind) : undefined}
                placeholder={
                  batch
                    ? t('prices.unchanged')
                    : defaults[kind] !== ''
                      ? t('prices.default', { value: defaults[kind] })
                      : ''
                }
                leftSection={draft.entry === 'price' ? '$' : undefined}
                value={draft.texts[kind]}
                error={problem(kind)}
                onChange={(event) =>
                  change({ texts: { ...draft.texts, [kind]: event.currentTarget.value } })
                }
              />
            ))}
          </div>
          <p className={classes.dim}>{t(batch ? 'prices.form.hint.batch' : 'prices.form.hint')}</p>
          {hasSteps && (
            <PriceSteps
              draft={steps}
              base={base}
              problems={stepsWrong}
              onChange={(next) => {
                setSteps(next);
                setStepsWrong({});
              }}
            />
          )}
        </>
      )}
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit">{t('prices.apply')}</Button>
      </Group>
    </form>
  );
}
