/** Cards on phones: one per row with hairlines between, no boxes (docs/rules/console.md#tables). */
import type { ReactNode } from 'react';
import { Whole } from '../components/whole.tsx';
import classes from './card-list.module.css';

interface CardListProps<T> {
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
  readonly label: string;
  readonly render: (row: T) => ReactNode;
  readonly isSelected?: ((row: T) => boolean) | undefined;
}

export function CardList<T>({ rows, keyOf, label, render, isSelected }: CardListProps<T>) {
  return (
    <ul className={classes.list} aria-label={label}>
      {rows.map((row) => (
        <li
          key={keyOf(row)}
          className={classes.card}
          data-selected={isSelected?.(row) || undefined}
        >
          {render(row)}
        </li>
      ))}
    </ul>
  );
}

interface RowCardProps {
  /** Takes the place of the logo while rows are selected. */
  readonly check?: ReactNode;
  readonly logo?: ReactNode;
  readonly name: string;
  readonly second: ReactNode;
  readonly status: ReactNode;
  readonly figures: readonly { readonly label: string; readonly value: ReactNode }[];
  readonly menu: ReactNode;
  readonly dimmed?: boolean;
}

/** Check box or logo, and name, status right, three labelled figures, "⋯". */
export function RowCard({
  check,
  logo = check,
  name,
  second,
  status,
  figures,
  menu,
  dimmed = false,
}: RowCardProps) {
  return (
    <article
      className={`${classes['thing']} ${dimmed ? classes['dimmed'] : ''}`}
      data-bare={logo === undefined || undefined}
    >
      {logo !== undefined && (
        <div className={classes.logo}>
          {check ? (
            // biome-ignore lint/a11y/noLabelWithoutControl: the check box comes from outside
            <label className={classes.check}>{check}</label>
          ) : (
            logo
          )}
        </div>
      )}
      <div className={classes.names}>
        <div className={classes.name}>{name}</div>
        <div className={classes.second}>{second}</div>
      </div>
      <div className={classes.status}>{status}</div>
      <dl className={classes.figures}>
        {figures.map((figure) => (
          <div key={figure.label}>
            <dt>{figure.label}</dt>
            <dd>
              <Whole text={figure.value} />
            </dd>
          </div>
        ))}
      </dl>
      <div className={classes.menu}>{menu}</div>
    </article>
  );
}
