import { Autocomplete, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import classes from './filter-bar.module.css';
import type { FilterOption, FilterTextProps } from './filter-bar.tsx';

/** How many suggestions are shown; typing narrows them. */
const mostSuggestions = 50;

const useNothing = (): readonly FilterOption[] => [];

export function FilterTextForm({
  label,
  value,
  hint,
  useOptions = useNothing,
  digitsOnly,
  onApply,
}: Omit<FilterTextProps, 'onChange'> & { onApply: (value: string) => void }) {
  const { t } = useTranslation();
  const options = useOptions();
  const [text, setText] = useState(value);
  const apply = (typed: string) => {
    const chosen = options.find((option) => option.label === typed);
    onApply(chosen?.value ?? (digitsOnly ? typed.replace(/\D/g, '') : typed.trim()));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply(text);
      }}
    >
      <Stack gap={12}>
        <Autocomplete
          label={label}
          description={hint}
          autoFocus
          value={text}
          data={[...new Set(options.map((option) => option.label))]}
          limit={mostSuggestions}
          // Inside the popover: a click on a suggestion is not a click beside it.
          comboboxProps={{ withinPortal: false }}
          onChange={setText}
          onOptionSubmit={apply}
        />
        <div className={classes.formFoot}>
          {value !== '' && (
            <Button size="xs" variant="default" onClick={() => onApply('')}>
              {t('common.clear')}
            </Button>
          )}
          <Button size="xs" type="submit">
            {t('common.confirm')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
