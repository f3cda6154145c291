import { useMemo } from 'react';
import type { TaskEntity } from '../../../core/contract/task-logs.ts';
import { taskOrder, taskResults } from '../../../core/contract/task-results.ts';
import { drawingFilters, taskFilters } from '../../../core/entities/task-filters.ts';
import type { DrawingView, TaskView } from '../../../core/tasks/task-view.ts';
import { useIsAdmin } from '../../client/session.ts';
import { ValueTag } from '../../components/tag.tsx';
import { type Translate, useTranslation } from '../../i18n/index.ts';
import type { ScreenColumn } from '../../list/columns.ts';
import { labelOf } from '../../list/declared-filters.ts';
import { ImagePreview } from './preview.tsx';
import { ResultKinds } from './result-kinds.tsx';
import {
  ActionTag,
  ChannelCell,
  Charge,
  Duration,
  dash,
  LineText,
  Progress,
  TimeCell,
  UnknownName,
  UserCell,
  WorkId,
  WorkStatus,
} from './work-cells.tsx';
import { keyOf } from './work-key.ts';
import { codeWord, platformWord } from './work-words.ts';

type Toggle<Row> = (row: Row, keep: boolean) => void;
type Columns<Row> = readonly ScreenColumn<Row>[];

/** The columns of both lists, around their own ones: what it is, and what it was ordered with. */
function columnsAround<Row extends TaskView>(
  {
    t,
    admin,
    open,
    onToggle,
  }: { t: Translate; admin: boolean; open: readonly unknown[]; onToggle: Toggle<Row> },
  own: { readonly kind: Columns<Row>; readonly code: Columns<Row>; readonly result: Columns<Row> },
): Columns<Row> {
  const user: ScreenColumn<Row> = {
    key: 'user',
    label: labelOf(drawingFilters.user),
    render: (row) => <UserCell row={row} />,
  };
  const channel: ScreenColumn<Row> = {
    key: 'channel',
    label: labelOf(drawingFilters.channel),
    render: (row) => <ChannelCell row={row} />,
  };
  return [
    {
      key: 'submitted',
      label: labelOf(drawingFilters.time),
      fixed: true,
      width: 164,
      render: (row) => (
        <TimeCell
          row={row}
          open={open.includes(keyOf(row))}
          onToggle={(keep) => onToggle(row, keep)}
        />
      ),
    },
    ...(admin ? [user, channel] : []),
    ...own.kind,
    { key: 'id', label: labelOf(drawingFilters.id), render: (row) => <WorkId row={row} /> },
    ...own.code,
    {
      key: 'status',
      label: labelOf(drawingFilters.status),
      render: (row) => <WorkStatus row={row} />,
    },
    {
      key: 'progress',
      label: t('taskLog.column.progress'),
      width: 84,
      render: (row) => <Progress row={row} />,
    },
    {
      key: 'duration',
      label: t('taskLog.column.duration'),
      render: (row) => <Duration row={row} />,
    },
    ...own.result,
    {
      key: 'reason',
      label: t('taskLog.column.reason'),
      hidden: true,
      render: (row) => <LineText text={row.entity.fail_reason} />,
    },
    {
      key: 'cost',
      label: t('taskLog.column.cost'),
      numeric: true,
      fixed: true,
      render: (row) => <Charge row={row} />,
    },
  ];
}

const actionColumn = <Row extends TaskView>(): ScreenColumn<Row> => ({
  key: 'action',
  label: labelOf(drawingFilters.action),
  render: ({ entity }) => <ActionTag action={entity.action} />,
});

export function useDrawingColumns(
  open: readonly unknown[],
  onToggle: Toggle<DrawingView>,
): Columns<DrawingView> {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  return useMemo(() => {
    const code: ScreenColumn<DrawingView> = {
      key: 'code',
      label: t('taskLog.column.code'),
      render: ({ entity }) => {
        const { label, tone } = codeWord(entity.code);
        return <ValueTag tone={tone}>{t(label)}</ValueTag>;
      },
    };
    return columnsAround(
      { t, admin, open, onToggle },
      {
        kind: [actionColumn()],
        code: admin ? [code] : [],
        result: [
          {
            key: 'image',
            label: t('taskLog.column.image'),
            render: ({ entity, publicId }) =>
              entity.image_url === '' ? (
                dash
              ) : (
                <ImagePreview address={entity.image_url} name={entity.prompt || publicId} />
              ),
          },
          {
            key: 'prompt',
            label: t('taskLog.column.prompt'),
            render: ({ entity }) => <LineText text={entity.prompt} />,
          },
          {
            key: 'promptEn',
            label: t('taskLog.column.promptEn'),
            hidden: true,
            render: ({ entity }) => <LineText text={entity.prompt_en} />,
          },
        ],
      },
    );
  }, [t, admin, open, onToggle]);
}

export function useTaskColumns(
  open: readonly unknown[],
  onToggle: Toggle<TaskView<TaskEntity>>,
): Columns<TaskView<TaskEntity>> {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  return useMemo(() => {
    const platform: ScreenColumn<TaskView<TaskEntity>> = {
      key: 'platform',
      label: labelOf(taskFilters.platform),
      render: ({ entity }) => {
        const word = platformWord(entity.platform);
        if (word !== undefined) return <ValueTag tone={word.tone}>{t(word.label)}</ValueTag>;
        return entity.platform === '' ? dash : <UnknownName name={entity.platform} />;
      },
    };
    return columnsAround(
      { t, admin, open, onToggle },
      {
        kind: [platform, actionColumn()],
        code: [],
        result: [
          {
            key: 'result',
            label: t('taskLog.column.result'),
            render: ({ entity }) => (
              <ResultKinds results={taskResults(entity)} name={taskOrder(entity).prompt} />
            ),
          },
          {
            key: 'model',
            label: t('taskLog.column.model'),
            hidden: true,
            render: ({ entity }) => <LineText text={taskOrder(entity).model} />,
          },
          {
            key: 'prompt',
            label: t('taskLog.column.prompt'),
            render: ({ entity }) => <LineText text={taskOrder(entity).prompt} />,
          },
        ],
      },
    );
  }, [t, admin, open, onToggle]);
}
