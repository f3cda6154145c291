/**
 * Filters as 32 px buttons "label value ⌄"; a set one shows its value in ink
 * (docs/rules/console.md#filters).
 */

import { Menu, Popover } from '@mantine/core';
import { Check, ChevronDown, RefreshCw } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { latePart } from '../client/late-part.ts';
import { IconButton } from '../components/icon-button.tsx';
import { useTranslation } from '../i18n/index.ts';
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
          <RefreshCw
            size={16}
            strokeWidth={1.75}
            className={refreshing ? classes.spin : undefined}
          />
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
export function FilterMenu({
  label,
  value,
  options,
  onChange,
  always = false,
  empty = '',
}: FilterMenuProps) {
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
            rightSection={
              option.value === value ? <Check size={14} color="var(--tp-accent-text)" /> : undefined
            }
          >
            {option.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export interface FilterTextProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly useOptions?: (() => readonly FilterOption[]) | undefined;
  readonly onChange: (value: string) => void;
  readonly digitsOnly: boolean;
}

// Suggestions need a combobox, which a list does without until a filter is opened.
const FilterTextForm = latePart(async () => ({
  default: (await import('./filter-text-form.tsx')).FilterTextForm,
}));

/** Typing a value, or choosing one that is suggested; Enter applies it. */
export function FilterText({ onChange, ...props }: FilterTextProps) {
  return (
    <FilterPopover label={props.label} value={props.value}>
      {(close) => (
        <Suspense fallback={null}>
          <FilterTextForm
            {...props}
            onApply={(next) => {
              onChange(next);
              close();
            }}
          />
        </Suspense>
      )}
    </FilterPopover>
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
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-start"
      width={width}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.filter}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <FilterFace label={label} value={value} />
        </button>
      </Popover.Target>
      <Popover.Dropdown>{children(() => setOpen(false))}</Popover.Dropdown>
    </Popover>
  );
}
