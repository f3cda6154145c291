/**
 * The table of a list: full width of the sheet, sticky head, one hairline per row; rows by keyboard
 * (↑↓ move, Enter opens, Space selects). docs/rules/console.md#tables.
 */
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ColumnSorting, Expansion, ListColumn, RowState, Selection } from './columns.ts';
import classes from './data-table.module.css';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import type { ColumnChoice, Density } from './use-columns.ts';
import { useRowSelection } from './use-row-selection.ts';

/**
 * Which sides of a box hold more than is in sight: `left`, `right`, both or none, for the shadows
 * of columns that stay.
 */
function useHiddenSides(box: RefObject<HTMLElement | null>): string | undefined {
  const [sides, setSides] = useState<string>();
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => {
      const end = element.scrollWidth - element.clientWidth;
      const names = [element.scrollLeft > 0 && 'left', element.scrollLeft < end - 1 && 'right'];
      setSides(names.filter(Boolean).join(' ') || undefined);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [box]);
  return sides;
}

interface ListTableProps<T> {
  readonly rows: readonly T[];
  readonly columns: readonly ListColumn<T>[];
  readonly choices: readonly ColumnChoice[];
  readonly density: Density;
  /** Comfortable row height: 48 for two-line cells, 42 for logs. */
  readonly rowHeight: 48 | 42;
  readonly keyOf: (row: T) => string | number;
  readonly label: string;
  readonly selection?: Selection<T> | undefined;
  readonly expansion?: Expansion<T> | undefined;
  readonly sorting?: ColumnSorting | undefined;
  readonly rowState?: ((row: T) => RowState) | undefined;
  /** Enter on a row that does not expand. */
  readonly onOpen?: ((row: T) => void) | undefined;
}

export function ListTable<T>(props: ListTableProps<T>) {
  const {
    rows,
    columns,
    choices,
    density,
    rowHeight,
    keyOf,
    label,
    expansion,
    sorting,
    rowState,
    onOpen,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const sides = useHiddenSides(box);
  const selection = useRowSelection(rows, keyOf, props.selection);
  const [active, setActive] = useState(0);
  const current = Math.min(active, Math.max(0, rows.length - 1));
  const shown = useMemo(
    () =>
      choices
        .filter((choice) => choice.shown)
        .flatMap((choice) => columns.filter((column) => column.key === choice.key)),
    [choices, columns],
  );

  const rowAt = (index: number) =>
    box.current?.querySelector<HTMLElement>(`tr[data-row="${index}"]`);
  const focusRow = (index: number) => {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    setActive(target);
    rowAt(target)?.focus();
  };
  /**
   * The focus is in a row, or was in one that is gone: an element that is removed loses it unheard.
   */
  const isInside = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when other rows are shown
  useEffect(() => {
    if (isInside.current && document.activeElement === document.body)
      rowAt(current)?.focus({ preventScroll: true });
  }, [rows]);
  const canExpand = (row: T) => expansion !== undefined && expansion.expandable?.(row) !== false;
  const pressKey = (event: KeyboardEvent<HTMLElement>, row: T, index: number) => {
    if (event.target !== event.currentTarget) {
      // Escape inside a row's widgets leads back to the row.
      if (event.key === 'Escape') event.currentTarget.focus();
      return;
    }
    const steps: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: rows.length - 1,
    };
    const step = steps[event.key];
    if (step !== undefined) focusRow(step);
    else if (event.key === 'Enter')
      canExpand(row) ? expansion?.onToggle(row, event.shiftKey) : onOpen?.(row);
    else if (event.key === ' ')
      selection === undefined
        ? expansion?.onToggle(row, event.shiftKey)
        : selection.toggle(row, event.shiftKey);
    else if (event.key === 'Escape' && expansion?.open.includes(keyOf(row)))
      expansion.onToggle(row, true);
    else return;
    event.preventDefault();
  };

  return (
    <div
      className={classes.root}
      data-density={density}
      data-rows={rowHeight}
      data-selectable={selection && (shown[1]?.fixed && !shown[0]?.fixed ? 3 : 2)}
      data-more={sides}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only hears where the focus is */}
      <div
        ref={box}
        className={classes.scroll}
        data-list-scroll
        onFocus={() => {
          isInside.current = true;
        }}
        onBlur={({ target }) => {
          isInside.current = !target.isConnected;
        }}
      >
        <table className={classes.table} aria-label={label}>
          <TableHead columns={shown} selection={selection} sorting={sorting} />
          <tbody>
            {rows.map((row, index) => (
              <TableRow
                key={keyOf(row)}
                row={row}
                index={index}
                columns={shown}
                current={index === current}
                state={rowState?.(row)}
                selection={selection}
                onClick={
                  canExpand(row) ? (event) => expansion?.onToggle(row, event.shiftKey) : undefined
                }
                onFocus={() => setActive(index)}
                onKeyDown={(event) => pressKey(event, row, index)}
                details={expansion?.open.includes(keyOf(row)) ? expansion.content(row) : undefined}
              />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
