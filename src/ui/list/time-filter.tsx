import { Button, Stack, TextInput } from '@mantine/core';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { clockTime, dateText, dayText } from '../hooks/use-time-text.ts';
import { useTranslation } from '../i18n/index.ts';
import { FilterPopover } from './filter-bar.tsx';
import classes from './time-filter.module.css';
import { checkRange, type Preset, presetRange, presets, type TimeRange } from './time-range.ts';

interface TimeFilterProps {
  readonly preset: Preset;
  readonly custom: TimeRange | undefined;
  readonly onPreset: (preset: Preset) => void;
  readonly onCustom: (range: TimeRange) => void;
  readonly label: string;
}

const minuteText = (seconds: number) => `${dayText(seconds)} ${clockTime(seconds).slice(0, 5)}`;
/** The value of a datetime-local field, local time. */
const fieldText = (seconds: number) => `${dateText(seconds)}T${clockTime(seconds).slice(0, 5)}`;

export function TimeFilter({ preset, custom, onPreset, onCustom, label }: TimeFilterProps) {
  const { t } = useTranslation();
  const value =
    custom === undefined
      ? t(`common.filter.time.${preset}`)
      : t('common.filter.time.range', { from: minuteText(custom.start), to: minuteText(custom.end) });
  return (
    <FilterPopover label={label} value={value} width={280}>
      {(close) => (
        <>
          <div className={classes.presets}>
            {presets.map((name) => (
              <button
                key={name}
                type="button"
                className={classes.preset}
                onClick={() => {
                  onPreset(name);
                  close();
                }}
              >
                {t(`common.filter.time.${name}`)}
                {custom === undefined && name === preset && <Check size={14} color="var(--tp-accent-text)" />}
              </button>
            ))}
          </div>
          <CustomRange
            initial={custom ?? presetRange(preset, Math.floor(Date.now() / 1000))}
            onApply={(range) => {
              onCustom(range);
              close();
            }}
          />
        </>
      )}
    </FilterPopover>
  );
}

function CustomRange({ initial, onApply }: { initial: TimeRange; onApply: (range: TimeRange) => void }) {
  const { t } = useTranslation();
  const [from, setFrom] = useState(fieldText(initial.start));
  const [to, setTo] = useState(fieldText(initial.end));
  const range = { start: Math.floor(new Date(from).getTime() / 1000), end: Math.floor(new Date(to).getTime() / 1000) };
  const problem = checkRange(range);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) onApply(range);
      }}
    >
      <Stack gap={8} className={classes.custom}>
        <TextInput
          type="datetime-local"
          label={t('common.filter.time.from')}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={t('common.filter.time.to')}
          value={to}
          error={problem && t(`common.filter.time.${problem}`)}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" style={{ alignSelf: 'flex-end' }}>
          {t('common.filter.time.apply')}
        </Button>
      </Stack>
    </form>
  );
}
