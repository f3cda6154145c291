/** Filters as 32 px buttons "label value ⌄"; a set one shows its value in ink (docs/rules/console.md#filters). */
import { Button, Menu, Popover, Stack, TextInput } from '@mantine/core';
import { Check, ChevronDown, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../components/icon-button.tsx';
import classes from './filter-bar.module.css';

interface FilterBarProps {
  readonly children: ReactNode;
  /** Columns, density. The refresh button follows. */
  readonly end?: ReactNode;
  readonly onClear?: (() => void) | undefined;
  readonly onRefresh: () => void;
  readonly refreshing: boolean;
}

export function FilterBar({ children, end, onClear, onRefresh, refreshing }: FilterBarProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.bar}>
      {children}
      {onClear !== undefined && (
        <button type="button" className={classes.clear} onClick={onClear}>
          {t('common.clearAll')}
        </button>
      )}
      <div className={classes.end}>
        {end}
        <IconButton label={t('common.refresh')} onClick={onRefresh}>
          <RefreshCw size={16} strokeWidth={1.75} className={refreshing ? classes.spin : undefined} />
        </IconButton>
      </div>
    </div>
  );
}

interface FilterButtonProps {
  readonly label: string;
  readonly value?: string | undefined;
}

function FilterFace({ label, value }: FilterButtonProps) {
  return (
    <>
      {label !== '' && <span className={classes.label}>{label}</span>}
      {value !== undefined && value !== '' && <span className={classes.value}>{value}</span>}
      <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
    </>
  );
}

export interface FilterOption {
  readonly value: string;
  readonly label: string;
}

interface FilterMenuProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly FilterOption[];
  readonly onChange: (value: string) => void;
  /** The option's words stand beside the label even when it is the default one. */
  readonly always?: boolean;
  /** The value that means "not filtered". */
  readonly empty?: string;
}

/** Choosing one of a few. */
export function FilterMenu({ label, value, options, onChange, always = false, empty = '' }: FilterMenuProps) {
  const current = options.find((option) => option.value === value);
  const shown = value !== empty || always ? (current?.label ?? value) : undefined;
  return (
    <Menu position="bottom-start" shadow={undefined}>
      <Menu.Target>
        <button type="button" className={classes.filter}>
          <FilterFace label={label} value={shown} />
        </button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {options.map((option) => (
          <Menu.Item
            key={option.value}
            onClick={() => onChange(option.value)}
            rightSection={option.value === value ? <Check size={14} color="var(--tp-accent-text)" /> : undefined}
          >
            {option.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface FilterTextProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly onChange: (value: string) => void;
  readonly digitsOnly?: boolean;
}

/** Typing a value; Enter applies it. */
export function FilterText({ label, value, hint, onChange, digitsOnly = false }: FilterTextProps) {
  return (
    <FilterPopover label={label} value={value}>
      {(close) => (
        <FilterTextForm
          {...{ label, value, hint, digitsOnly }}
          onApply={(next) => {
            onChange(next);
            close();
          }}
        />
      )}
    </FilterPopover>
  );
}

function FilterTextForm({
  label,
  value,
  hint,
  digitsOnly,
  onApply,
}: Omit<FilterTextProps, 'onChange'> & { onApply: (value: string) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onApply(text.trim());
      }}
    >
      <Stack gap={12}>
        <TextInput
          label={label}
          description={hint}
          data-autofocus
          value={text}
          inputMode={digitsOnly ? 'numeric' : 'text'}
          onChange={(event) => setText(digitsOnly ? event.currentTarget.value.replace(/\D/g, '') : event.currentTarget.value)}
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

/** Any small form behind a filter button. */
export function FilterPopover({
  label,
  value,
  children,
  width = 260,
}: FilterButtonProps & { children: (close: () => void) => ReactNode; width?: number }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" width={width} trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={classes.filter} aria-expanded={open} onClick={() => setOpen(!open)}>
          <FilterFace label={label} value={value} />
        </button>
      </Popover.Target>
      <Popover.Dropdown>{children(() => setOpen(false))}</Popover.Dropdown>
    </Popover>
  );
}
