/** Name and text of a kept prompt. */
import { Button, Group, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { promptBounds } from '../../../../core/contract/playground.ts';
import { client } from '../../../client/api.ts';
import { failureText } from '../../../client/failures.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './prompts.module.css';

export interface EditedPrompt {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

interface PromptFormProps {
  readonly prompt: EditedPrompt;
  readonly onSaved: () => Promise<unknown>;
  readonly onCancel: () => void;
}

export function PromptForm({ prompt, onSaved, onCancel }: PromptFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(prompt.name);
  const [text, setText] = useState(prompt.text);
  const [isTried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: () => client.playground.putPrompt({ id: prompt.id, name: name.trim(), text }),
    onSuccess: onSaved,
    // The form says it.
    meta: { quiet: true },
  });
  const problemOf = (value: string, longest: number) =>
    value.trim() === ''
      ? t('prompts.missing')
      : value.trim().length > longest
        ? t('prompts.tooLong', { max: longest.toLocaleString('en-US') })
        : undefined;
  const nameProblem = problemOf(name, promptBounds.name);
  const textProblem = problemOf(text, promptBounds.text);
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (nameProblem === undefined && textProblem === undefined && !save.isPending)
          save.mutate();
      }}
    >
      <TextInput
        data-autofocus
        label={t('prompts.name')}
        value={name}
        error={isTried ? nameProblem : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={t('prompts.text')}
        autosize
        minRows={4}
        maxRows={14}
        dir="auto"
        value={text}
        error={isTried ? textProblem : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {save.error !== null && (
        <p className={classes.problem} role="alert">
          {failureText(save.error)}
        </p>
      )}
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {t('common.save')}
        </Button>
      </Group>
    </form>
  );
}
