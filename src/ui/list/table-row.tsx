/** A row of a list's table and what it opens. */
import { Checkbox } from '@mantine/core';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';
import type { ListColumn, RowState } from './columns.ts';
import classes from './data-table.module.css';
import type { RowSelection } from './use-row-selection.ts';

interface TableRowProps<T> {
  readonly row: T;
  readonly index: number;
  readonly columns: readonly ListColumn<T>[];
  /** The row that Tab leads to. */
  readonly current: boolean;
  readonly state: RowState;
  readonly selection: RowSelection<T> | undefined;
  /** Undefined: a click does nothing. */
  readonly onClick: ((event: MouseEvent) => void) | undefined;
  readonly onFocus: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  /** What stands below the open row; undefined: closed. */
  readonly details: ReactNode | undefined;
}

export function TableRow<T>({
  row,
  index,
  columns,
  current,
  state,
  selection,
  details,
  ...props
}: TableRowProps<T>) {
  const { t } = useTranslation();
  const { onClick, onFocus, onKeyDown } = props;
  const isSelected = selection?.has(row) ?? false;
  return (
    <>
      <tr
        className={classes[state ?? 'row']}
        data-row={index}
        data-selected={isSelected || undefined}
        data-clickable={onClick !== undefined || undefined}
        tabIndex={current ? 0 : -1}
        onClick={(event) => {
          if (!isControl(event.target)) onClick?.(event);
        }}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
      >
        {selection !== undefined && (
          <td className={classes.check}>
            {selection.canSelect(row) && (
              <Checkbox
                size="xs"
                aria-label={t('common.select', { name: selection.nameOf(row) })}
                checked={isSelected}
                onChange={({ nativeEvent }) =>
                  selection.toggle(row, nativeEvent instanceof PointerEvent && nativeEvent.shiftKey)
                }
              />
            )}
          </td>
        )}
        {columns.map(({ key, numeric, render }) => (
          <td key={key} data-numeric={numeric || undefined}>
            {render(row)}
          </td>
        ))}
      </tr>
      {details !== undefined && (
        <tr>
          <td
            className={classes.details}
            colSpan={columns.length + (selection === undefined ? 0 : 1)}
          >
            <div className={classes.expansion}>{details}</div>
          </td>
        </tr>
      )}
    </>
  );
}

/** Clicks on a row's own buttons, links and fields are theirs, and so is selecting text. */
function isControl(target: EventTarget): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('a, button, input, textarea, [role="dialog"], [role="menu"]') !== null)
    return true;
  return window.getSelection()?.type === 'Range';
}
