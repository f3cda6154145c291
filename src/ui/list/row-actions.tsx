/** What can be done with a row, or with the selected ones, as data. */
import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis, type LucideIcon } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { confirmDanger, type DangerQuestion } from '../components/confirm-danger.tsx';
import { useTranslation } from '../i18n/index.ts';
import { BulkAction } from './bulk-bar.tsx';
import classes from './row-actions.module.css';
import { TextAction } from './text-action.tsx';

/** The "⋯" of a row; destructive actions live here. */
function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          size={28}
          aria-label={t('common.more.of', { name })}
          style={{ color: 'var(--tp-ink2)' }}
        >
          <Ellipsis size={16} strokeWidth={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown miw={150}>{children}</Menu.Dropdown>
    </Menu>
  );
}

type Question = Pick<DangerQuestion, 'title' | 'text' | 'confirm' | 'mild'>;

export interface RowAction<Row> {
  readonly key: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly onAct: (row: Row) => void;
  /** A word in the row instead of an entry of its menu. Two at most. */
  readonly prominent?: boolean;
  readonly danger?: boolean;
  /** Asked first. */
  readonly confirm?: (row: Row) => Question;
  /** Rows that offer it; all unless given. */
  readonly when?: (row: Row) => boolean;
  readonly busy?: (row: Row) => boolean;
}

export interface BatchAction<Row> {
  readonly key: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly onAct: (rows: readonly Row[]) => void;
  readonly danger?: boolean;
  readonly confirm?: (rows: readonly Row[]) => Question;
  readonly busy?: boolean;
}

interface RowActionsProps<Row> {
  readonly row: Row;
  readonly name: string;
  readonly actions: readonly RowAction<Row>[];
}

function run(question: Question | undefined, act: () => void): void {
  if (question === undefined) act();
  else confirmDanger({ ...question, onConfirm: act });
}

const offered = <Row,>(actions: readonly RowAction<Row>[], row: Row) =>
  actions.filter(({ when }) => when?.(row) ?? true);

/** The last cell of a row: its words, and a menu with everything else. */
export function RowActions<Row>({ row, name, actions }: RowActionsProps<Row>) {
  const all = offered(actions, row);
  return (
    <span className={classes.actions}>
      {all
        .filter((action) => action.prominent)
        .map((action) => (
          <TextAction
            key={action.key}
            label={action.label}
            of={name}
            busy={action.busy?.(row) ?? false}
            onClick={() => run(action.confirm?.(row), () => action.onAct(row))}
          />
        ))}
      <RowActionMenu row={row} name={name} actions={all.filter((action) => !action.prominent)} />
    </span>
  );
}

/** Everything in one menu, as cards have it. */
export function RowActionMenu<Row>({ row, name, actions }: RowActionsProps<Row>) {
  const all = offered(actions, row);
  if (all.length === 0) return null;
  return (
    <RowMenu name={name}>
      {all.map((action, index) => {
        const Icon = action.icon;
        return (
          <Fragment key={action.key}>
            {action.danger && index > 0 && <Menu.Divider />}
            <Menu.Item
              leftSection={<Icon size={14} />}
              {...(action.danger ? { c: 'var(--tp-red-text)' } : {})}
              disabled={action.busy?.(row) ?? false}
              onClick={() => run(action.confirm?.(row), () => action.onAct(row))}
            >
              {action.label}
            </Menu.Item>
          </Fragment>
        );
      })}
    </RowMenu>
  );
}

export function BatchActions<Row>({
  rows,
  actions,
}: {
  rows: readonly Row[];
  actions: readonly BatchAction<Row>[];
}) {
  return actions.map(({ key, label, icon: Icon, onAct, confirm, danger = false, busy = false }) => (
    <BulkAction
      key={key}
      icon={<Icon size={16} />}
      label={label}
      danger={danger}
      busy={busy}
      onClick={() => run(confirm?.(rows), () => onAct(rows))}
    />
  ));
}
