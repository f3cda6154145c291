import { Button, Stack, TextInput } from '@mantine/core';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { fieldOfTime } from '../form/date-field.ts';
import { clockTime, dayText } from '../hooks/use-time-text.ts';
import { useTranslation } from '../i18n/index.ts';
import { FilterPopover } from './filter-bar.tsx';
import classes from './time-filter.module.css';
import {
  checkRange,
  type Preset,
  presetRange,
  type TimeRange,
  type TimeSpans,
} from './time-range.ts';

interface TimeFilterProps {
  readonly spans: TimeSpans;
  readonly preset: Preset;
  readonly custom: TimeRange | undefined;
  readonly onPreset: (preset: Preset) => void;
  readonly onCustom: (range: TimeRange) => void;
  readonly label: string;
}

/** Thirty days to the second and thirty whole days have one name. */
const presetText = (preset: Preset) =>
  `common.filter.time.${preset === 'thirtyDays' ? 'month' : preset}` as const;
const minuteText = (seconds: number) => `${dayText(seconds)} ${clockTime(seconds).slice(0, 5)}`;

export function TimeFilter({ spans, preset, custom, onPreset, onCustom, label }: TimeFilterProps) {
  const { t } = useTranslation();
  const value =
    custom === undefined
      ? t(presetText(preset))
      : t('common.filter.time.range', {
          from: minuteText(custom.start),
          to: minuteText(custom.end),
        });
  return (
    <FilterPopover label={label} value={value} width={280}>
      {(close) => (
        <>
          <div className={classes.presets}>
            {spans.presets.map((name) => (
              <button
                key={name}
                type="button"
                className={classes.preset}
                onClick={() => {
                  onPreset(name);
                  close();
                }}
              >
                {t(presetText(name))}
                {custom === undefined && name === preset && (
                  <Check size={14} color="var(--tp-accent-text)" />
                )}
              </button>
            ))}
          </div>
          <CustomRange
            spans={spans}
            initial={custom ?? initialRange(preset, spans)}
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

/** What the fields begin with; everything is no span, so today stands for it. */
function initialRange(preset: Preset, { longest }: TimeSpans): TimeRange {
  const now = Math.floor(Date.now() / 1000);
  const { start, end } = presetRange(preset === 'all' ? 'today' : preset, now);
  // Late in the evening, the hour from now is one too many.
  return { start, end: Math.min(end, start + longest) };
}

interface CustomRangeProps {
  readonly spans: TimeSpans;
  readonly initial: TimeRange;
  readonly onApply: (range: TimeRange) => void;
}

function CustomRange({ spans, initial, onApply }: CustomRangeProps) {
  const { t } = useTranslation();
  const [from, setFrom] = useState(fieldOfTime(initial.start));
  const [to, setTo] = useState(fieldOfTime(initial.end));
  const range = {
    start: Math.floor(new Date(from).getTime() / 1000),
    end: Math.floor(new Date(to).getTime() / 1000),
  };
  const problem = checkRange(range, spans);
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
          step={1}
          label={t('common.filter.time.from')}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          step={1}
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
