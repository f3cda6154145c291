/** The kept prompts of the reader: inserted, edited, deleted, and new ones. */
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { KeptPrompt } from '../../../../core/contract/playground.ts';
import { client } from '../../../client/api.ts';
import { useUser } from '../../../client/session.ts';
import { confirmDanger } from '../../../components/confirm-danger.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { EmptyState, FailedState } from '../../../components/states.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { type EditedPrompt, PromptForm } from './prompt-form.tsx';
import classes from './prompts.module.css';

interface PromptsProps {
  /** What the reader has written, without spaces around it. */
  readonly draft: string;
  readonly onInsert: (text: string) => void;
}

/** The first words, as a name to begin with. */
const nameOf = (text: string) => [...(text.split('\n')[0] ?? '')].slice(0, 40).join('').trim();

export function Prompts({ draft, onInsert }: PromptsProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const queryKey = queryKeys.prompts(useUser()?.id);
  const list = useQuery({ queryKey, queryFn: () => client.playground.prompts() });
  const [edited, setEdited] = useState<EditedPrompt>();
  const refresh = () => queryClient.invalidateQueries({ queryKey });
  const remove = useMutation({
    mutationFn: (id: string) => client.playground.removePrompt({ id }),
    onSettled: refresh,
  });
  const prompts = list.data ?? [];
  const add = () => setEdited({ id: crypto.randomUUID(), name: nameOf(draft), text: draft });
  if (edited !== undefined)
    return (
      <PromptForm
        prompt={edited}
        onSaved={async () => {
          await refresh();
          setEdited(undefined);
        }}
        onCancel={() => setEdited(undefined)}
      />
    );
  return (
    <>
      {list.error !== null && (
        <FailedState
          title={t('prompts.failed')}
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isSuccess && prompts.length === 0 && (
        <EmptyState title={t('prompts.empty')} text={t('prompts.empty.text')} />
      )}
      <ul className={classes.list}>
        {prompts.map((prompt) => (
          <Row
            key={prompt.id}
            prompt={prompt}
            onInsert={() => onInsert(prompt.text)}
            onEdit={() => setEdited(prompt)}
            onRemove={() =>
              confirmDanger({
                title: t('prompts.delete.title'),
                text: t('prompts.delete.text', { name: prompt.name }),
                confirm: t('prompts.delete.confirm'),
                onConfirm: () => remove.mutate(prompt.id),
              })
            }
          />
        ))}
      </ul>
      <div className={classes.foot}>
        <span>{t('prompts.hint')}</span>
        <Button leftSection={<Plus size={14} />} disabled={!list.isSuccess} onClick={add}>
          {t(draft === '' ? 'prompts.new' : 'prompts.keep')}
        </Button>
      </div>
    </>
  );
}

interface RowProps {
  readonly prompt: KeptPrompt;
  readonly onInsert: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function Row({ prompt: { name, text }, onInsert, onEdit, onRemove }: RowProps) {
  const { t } = useTranslation();
  return (
    <li>
      <button type="button" className={classes.insert} onClick={onInsert}>
        <span dir="auto">{name}</span>
        <span dir="auto">{text}</span>
      </button>
      <IconButton size={44} label={t('prompts.edit.name', { name })} onClick={onEdit}>
        <Pencil size={16} strokeWidth={1.75} />
      </IconButton>
      <IconButton size={44} label={t('prompts.delete.name', { name })} onClick={onRemove}>
        <Trash2 size={16} strokeWidth={1.75} />
      </IconButton>
    </li>
  );
}
