/** One change of many rows: chosen, shown, made, and taken back (docs/rules/console.md#bulk). */
import { Button, Group, Progress, Select, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { BulkOutput } from '../../core/contract/bulk.ts';
import { formatCount } from '../../core/pricing/format.ts';
import { failureText, toastFailure, toastProblem, toastSuccess } from '../client/failures.ts';
import { openDialog } from '../components/dialogs.ts';
import { loadTextPart, useTranslation } from '../i18n/index.ts';
import { type BulkEntry, type BulkSubject, type BulkTarget, runInPieces } from './bulk.ts';
import { BulkControlField, initialEntry, isComplete } from './bulk-control.tsx';
import { BulkPreview, Refusals } from './bulk-preview.tsx';

/**
 * Opens the dialog, once its texts are there. `shown`: what the only act would do, where it was
 * requested before.
 */
export async function openBulk(
  subject: BulkSubject,
  target: BulkTarget<object>,
  shown?: BulkOutput,
): Promise<void> {
  await loadTextPart('bulk');
  openDialog({
    title: subject.title,
    role: 'dialog',
    size: 520,
    withCloseButton: true,
    content: (close, retitle) => (
      <Bulk subject={subject} target={target} first={shown} onClose={close} onTitle={retitle} />
    ),
  });
}

type Step =
  | { readonly at: 'choose' }
  | { readonly at: 'shown'; readonly shown: BulkOutput }
  | { readonly at: 'running'; readonly done: number; readonly total: number }
  | {
      readonly at: 'done';
      readonly run: Awaited<ReturnType<typeof runInPieces>>;
      readonly total: number;
      readonly isUndo: boolean;
    };

interface BulkProps {
  readonly subject: BulkSubject;
  readonly target: BulkTarget<object>;
  readonly first: BulkOutput | undefined;
  readonly onClose: () => void;
  readonly onTitle: (title: string) => void;
}

function Bulk({ subject, target, first, onClose, onTitle }: BulkProps) {
  const { t } = useTranslation();
  const [key, setKey] = useState(subject.acts[0]?.key ?? '');
  const act = subject.acts.find((one) => one.key === key);
  const [entry, setEntry] = useState<BulkEntry>(() => initialEntry(act?.control));
  const [remark, setRemark] = useState('');
  const [step, setStep] = useState<Step>(
    first === undefined ? { at: 'choose' } : { at: 'shown', shown: first },
  );
  const [busy, setBusy] = useState(false);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  if (act === undefined) return null;
  const change = () => act.change(entry, remark);

  const show = async () => {
    setBusy(true);
    try {
      setStep({
        at: 'shown',
        shown: await subject.call({ ...target, change: change(), preview: true }),
      });
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const run = async <T,>(
    all: readonly T[],
    call: (piece: T[]) => Promise<BulkOutput>,
    isUndo: boolean,
  ) => {
    setStep({ at: 'running', done: 0, total: all.length });
    const ended = await runInPieces(all, call, (done) =>
      setStep({ at: 'running', done, total: all.length }),
    );
    subject.onDone();
    await subject.refresh();
    if (isOpen.current) setStep({ at: 'done', run: ended, total: all.length, isUndo });
    else tellEnd(ended, all.length, isUndo);
  };
  type Ended = Awaited<ReturnType<typeof runInPieces>>;
  const doneText = ({ changed }: Ended, isUndo: boolean) =>
    t(isUndo ? 'bulk.undone' : act.danger ? 'bulk.done.delete' : 'bulk.done', {
      count: changed,
      n: formatCount(changed),
    });
  const stoppedText = ({ done, failure }: Ended, total: number) =>
    failure === undefined
      ? undefined
      : t('bulk.stopped', {
          done: formatCount(done),
          total: formatCount(total),
          reason: failureText(failure),
        });
  /** For a reader who closed the dialog meanwhile: the change went on. */
  const tellEnd = (ended: Ended, total: number, isUndo: boolean) => {
    const problems = [
      stoppedText(ended, total),
      ...ended.refused.map(({ message, count }) => `${message} (${formatCount(count)})`),
    ].filter((text) => text !== undefined);
    const text = doneText(ended, isUndo);
    if (problems.length === 0) toastSuccess(text);
    else toastProblem([text, ...problems].join(t('common.changes.joint')));
  };

  if (step.at === 'running') {
    const { done, total } = step;
    const counts = { done: formatCount(done), total: formatCount(total) };
    return (
      <Stack gap={12} aria-live="polite">
        <Text size="sm">{t('bulk.progress', counts)}</Text>
        <Progress value={(done / total) * 100} aria-label={t('bulk.progress', counts)} />
      </Stack>
    );
  }
  if (step.at === 'done') {
    const { run: ended, total, isUndo } = step;
    const { undo } = ended;
    const stopped = stoppedText(ended, total);
    return (
      <Stack gap={12} role="status">
        <Text size="sm">{doneText(ended, isUndo)}</Text>
        {stopped !== undefined && (
          <Text size="sm" c="var(--tp-red-text)">
            {stopped}
          </Text>
        )}
        <Refusals refused={ended.refused} />
        <Group justify="flex-end" gap={8}>
          {!isUndo && undo.length > 0 && (
            <Button
              variant="default"
              onClick={() => void run(undo, (piece) => subject.call({ undo: piece }), true)}
            >
              {t('bulk.undo')}
            </Button>
          )}
          <Button onClick={onClose} data-autofocus>
            {t('common.close')}
          </Button>
        </Group>
      </Stack>
    );
  }
  if (step.at === 'shown') {
    const { shown } = step;
    const counts = { count: shown.changed, n: formatCount(shown.changed) };
    return (
      <Stack gap={12}>
        <BulkPreview shown={shown} valueText={subject.valueText} deletes={act.danger === true} />
        {act.irrevocable === true && <Text size="sm">{t('bulk.noUndo')}</Text>}
        <Group justify="flex-end" gap={8}>
          {first === undefined ? (
            <Button variant="default" onClick={() => setStep({ at: 'choose' })}>
              {t('bulk.back')}
            </Button>
          ) : (
            <Button variant="default" onClick={onClose} data-autofocus>
              {t('common.cancel')}
            </Button>
          )}
          {shown.changed > 0 && (
            <Button
              {...(act.danger ? { 'data-tone': 'danger' } : {})}
              onClick={() => {
                const made = change();
                void run(shown.ids, (ids) => subject.call({ ids, change: made }), false);
              }}
            >
              {t(act.danger ? 'bulk.delete' : 'bulk.apply', counts)}
            </Button>
          )}
        </Group>
      </Stack>
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete(act.control, entry)) void show();
      }}
    >
      <Stack gap={12}>
        <Select
          label={t('bulk.what')}
          data={subject.acts.map(({ key: value, label }) => ({ value, label }))}
          value={key}
          allowDeselect={false}
          data-autofocus
          onChange={(next) => {
            const chosen = subject.acts.find((one) => one.key === next);
            if (chosen === undefined) return;
            setKey(chosen.key);
            setEntry(initialEntry(chosen.control));
            onTitle((chosen.danger && subject.deleteTitle) || subject.title);
          }}
        />
        <BulkControlField
          control={act.control}
          entry={entry}
          onEntry={setEntry}
          remark={remark}
          onRemark={setRemark}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={!isComplete(act.control, entry)}>
            {t(act.danger ? 'bulk.preview.delete' : 'bulk.preview')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
