/** Steps and tiers of one model's price, as rows of fields. */
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { type TextKey, useTranslation } from '../../../i18n/index.ts';
import classes from './prices.module.css';
import {
  addStep,
  addTier,
  type BasePrices,
  type StepDraft,
  type StepKind,
  type StepProblems,
  type StepRow,
  shownPrice,
  stepKinds,
  type TierRow,
  usualPrice,
} from './step-draft.ts';

const labels: Readonly<Record<StepKind, TextKey>> = {
  input: 'prices.steps.input',
  output: 'prices.steps.output',
  cacheRead: 'prices.steps.cacheRead',
  cacheWrite: 'prices.steps.cacheWrite',
};

interface PriceStepsProps {
  readonly draft: StepDraft;
  readonly base: BasePrices;
  readonly problems: StepProblems;
  readonly onChange: (draft: StepDraft) => void;
}

export function PriceSteps({ draft, base, problems, onChange }: PriceStepsProps) {
  const { t } = useTranslation();
  const { steps, tiers } = draft;
  const setStep = (row: StepRow) =>
    onChange({ steps: steps.map((one) => (one.key === row.key ? row : one)), tiers });
  const setTier = (row: TierRow) =>
    onChange({ steps, tiers: tiers.map((one) => (one.key === row.key ? row : one)) });
  const problem = (field: string) => {
    const key = problems[field];
    return key === undefined ? undefined : t(key);
  };
  return (
    <>
      <fieldset className={classes.steps}>
        <legend>{t('prices.steps')}</legend>
        <p className={classes.dim}>{t('prices.steps.hint')}</p>
        {steps.map((row) => (
          <div key={row.key} className={classes.step}>
            <TextInput
              size="xs"
              inputMode="numeric"
              label={t('prices.steps.above')}
              value={row.above}
              error={problem(`above ${row.key}`)}
              onChange={(event) => setStep({ ...row, above: event.currentTarget.value })}
            />
            {stepKinds.map((kind) => (
              <TextInput
                key={kind}
                size="xs"
                inputMode="decimal"
                leftSection="$"
                label={t(labels[kind])}
                value={shownPrice(row, kind, base)}
                placeholder={usualPrice(row, kind, base)}
                error={problem(`${kind} ${row.key}`)}
                onChange={(event) => {
                  const text = event.currentTarget.value;
                  setStep({ ...row, cells: { ...row.cells, [kind]: { text } } });
                }}
              />
            ))}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('prices.steps.remove', { tokens: row.above })}
              onClick={() => onChange({ steps: steps.filter((one) => one !== row), tiers })}
            >
              <X size={14} />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="default"
          size="xs"
          leftSection={<Plus size={14} />}
          onClick={() => onChange(addStep(draft))}
        >
          {t('prices.steps.add')}
        </Button>
      </fieldset>
      <fieldset className={classes.steps}>
        <legend>{t('prices.tiers')}</legend>
        <p className={classes.dim}>{t('prices.tiers.hint')}</p>
        {tiers.map((row) => (
          <div key={row.key} className={classes.tier}>
            <TextInput
              size="xs"
              label={t('prices.tiers.name')}
              value={row.name}
              error={problem(`name ${row.key}`)}
              onChange={(event) => setTier({ ...row, name: event.currentTarget.value })}
            />
            <TextInput
              size="xs"
              inputMode="decimal"
              leftSection="×"
              label={t('prices.tiers.factor')}
              value={row.factor}
              error={problem(`factor ${row.key}`)}
              onChange={(event) => setTier({ ...row, factor: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('prices.tiers.remove', { name: row.name })}
              onClick={() => onChange({ steps, tiers: tiers.filter((one) => one !== row) })}
            >
              <X size={14} />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="default"
          size="xs"
          leftSection={<Plus size={14} />}
          onClick={() => onChange(addTier(draft))}
        >
          {t('prices.tiers.add')}
        </Button>
      </fieldset>
    </>
  );
}
