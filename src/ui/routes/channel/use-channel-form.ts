/** State of the channel editor: values, what is wrong with them here and at the server, and saving. */
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { leaveWhenExpired, toastFailure, toastSuccess } from '../../client/failures.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { changedKeys } from '../../form/use-changes.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import {
  type ChannelValues,
  channelInput,
  channelValues,
  checkChannel,
  endsInVersion,
  newChannelValues,
} from './channel-form.ts';
import { readServerProblem, type ServerProblem } from './server-problem.ts';
import { useProblemText } from './use-channel-labels.ts';
import { useChannelTypes } from './use-channel-types.ts';

/** The folded parts of the form, with the fields that can be wrong in them. */
const parts = {
  requests: ['param_override', 'status_code_mapping'],
  advanced: ['max_input_tokens'],
} as const;
export type FormPart = keyof typeof parts;

export function useChannelForm(channel: ChannelEntity | null, onClose: () => void) {
  const { t } = useTranslation();
  const creating = channel === null;
  const before = channel === null ? newChannelValues() : channelValues(channel);
  const types = useChannelTypes();
  const problemText = useProblemText();
  const refresh = useRefreshChannels();
  const [open, setOpen] = useState<Readonly<Record<FormPart, boolean>>>({ requests: false, advanced: false });
  const [refused, setRefused] = useState<ServerProblem>();
  const factsOf = (type: number) => types?.find((entry) => entry.type === type);
  const form = useForm<ChannelValues>({
    initialValues: before,
    onValuesChange: () => setRefused(undefined),
    validate: (values) => {
      const facts = factsOf(values.type);
      const needs = {
        key: facts?.key_optional !== true,
        baseUrl: facts?.available === true && facts.default_base_url === null,
        other: facts?.other_required === true,
      };
      const problems = Object.entries(checkChannel(values, creating, needs));
      return Object.fromEntries(problems.map(([field, problem]) => [field, problemText(problem)]));
    },
  });

  // A problem in a folded part must not hide.
  const unfold = (fields: readonly string[], inSetting = '') => {
    const holds = (part: FormPart) => parts[part].some((field) => fields.includes(field));
    const setting = fields.includes('setting');
    setOpen((now) => ({
      requests: now.requests || holds('requests') || (setting && inSetting !== ''),
      advanced: now.advanced || holds('advanced') || (setting && inSetting === ''),
    }));
  };
  const refuse = (problem: ServerProblem) => {
    form.setFieldError(problem.field, problem.message);
    setRefused(problem);
    unfold([problem.field], problem.inSetting);
  };
  const save = useMutation({
    meta: { quiet: true },
    mutationFn: async (after: ChannelValues) => {
      const input = channelInput(after);
      if (channel === null) return (await client.channel.create(input)).ids.length;
      const sent = Object.fromEntries(changedKeys(channelInput(before), input).map((key) => [key, input[key]]));
      await client.channel.update({ ...sent, id: channel.id });
      return 1;
    },
    onSuccess: async (count) => {
      await refresh();
      onClose();
      toastSuccess(creating ? t('channel.form.created', { count }) : t('channel.form.saved'));
    },
    onError: (error) => {
      if (leaveWhenExpired(error)) return;
      const problem = readServerProblem(error);
      if (problem !== undefined) refuse(problem);
      toastFailure(error);
    },
  });
  const submit = form.onSubmit(
    (after) => {
      if (!creating && changedKeys(before, after).length === 0) return toastSuccess(t('common.nothingChanged'));
      if (!endsInVersion(after.base_url, factsOf(after.type)?.complete_url === true)) return save.mutate(after);
      confirmDanger({
        title: t('channel.form.baseUrl.v1.title'),
        text: t('channel.form.baseUrl.v1.text'),
        confirm: t('channel.form.baseUrl.v1.keep'),
        mild: true,
        onConfirm: () => save.mutate(after),
      });
    },
    (problems) => unfold(Object.keys(problems)),
  );
  return {
    form,
    before,
    creating,
    types,
    facts: factsOf(form.getValues().type),
    refused,
    open,
    toggle: (part: FormPart) => setOpen((now) => ({ ...now, [part]: !now[part] })),
    save,
    submit,
  };
}
