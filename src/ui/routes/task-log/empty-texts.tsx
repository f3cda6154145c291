import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TaskView } from '../../../core/tasks/task-view.ts';
import type { Translate } from '../../i18n/index.ts';
import type { List } from '../../list/use-list.ts';

interface EmptyTexts {
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
  readonly when: boolean;
}

/** There is nothing yet, or nothing in the span that the list begins with. */
export function emptyTexts<Row extends TaskView, Name extends string>(
  t: Translate,
  what: 'drawings' | 'tasks',
  list: List<Row, Name | 'time' | 'start'>,
): EmptyTexts {
  const when = !list.filtered;
  if (list.state.time === 'all' && list.state.start === '') {
    return { title: t(`taskLog.${what}.empty`), text: t(`taskLog.${what}.empty.text`), when };
  }
  const showAll = () =>
    list.change({ time: 'all', start: '', end: '' } as Partial<
      Record<Name | 'time' | 'start', string>
    >);
  return {
    title: t(`taskLog.${what}.emptySpan`),
    text: t('taskLog.emptySpan.text'),
    action: <Button onClick={showAll}>{t('taskLog.emptySpan.action')}</Button>,
    when,
  };
}
